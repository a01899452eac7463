"""Plots without OpenGL: maps, charts, bands and profiles."""
