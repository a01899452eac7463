"""Search maps on graphs."""

import numpy as np

from rmp3d.behaviors.groups.search.search_map import SearchMap


def map_on(graph):
    """Return the map whose links are the edges of a graph, each one meter long."""
    links = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges))
    count = len(graph)
    nodes = np.array([-1, -2, *range(count - 2)])
    return SearchMap(None, np.zeros((count, 3)), nodes, links, np.ones(len(links)), [], 0.0)
