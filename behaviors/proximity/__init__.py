"""Nearness: cells, pairs of neighbors, sums over them, gaps between bodies."""
