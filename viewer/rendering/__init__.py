"""One picture of a scene with its characters: on the screen, offscreen and in files."""
