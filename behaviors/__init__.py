"""Flock state, steering, vehicles, safety, formations and group behaviors."""
