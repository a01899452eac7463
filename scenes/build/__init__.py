"""Scripts that build the meshes of the built-in scenes: ``python -m scenes.build``."""
