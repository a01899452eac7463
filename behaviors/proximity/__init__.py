"""Who is near whom: cells, pairs of neighbors, sums over them, gaps between bodies."""
