"""Rigid bodies that are carried on certified paths with turns, by a schedule."""
