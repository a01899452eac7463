"""Cameras: named ones, those that follow, and what a ray from one meets."""
