"""Scripts that build the meshes of the built-in scenes: ``python -m rmp3d.scenes.build``."""
