"""OpenGL objects: programs, buffers, targets. Import after a context's platform is chosen."""
