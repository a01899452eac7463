"""The viewer's shaders, as GLSL 3.30 files."""
