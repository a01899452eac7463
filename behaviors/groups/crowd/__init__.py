"""Crowds: members with a start, goals and a pace each, on routes over one shared roadmap."""
