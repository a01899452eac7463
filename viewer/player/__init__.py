"""The window that plays a recording."""
