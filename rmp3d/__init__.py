"""rmp3d."""
