"""Planners: one file each; from a problem to a certified path."""
