"""Roadmaps: built, grown, joined, searched, measured, and kept in files."""
