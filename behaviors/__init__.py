"""behaviors."""
