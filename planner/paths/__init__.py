"""Paths: polylines, the certified path, shortening, the corridor around a path."""
