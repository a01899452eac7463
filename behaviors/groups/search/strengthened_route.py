"""The route that the finder tells: how the others join it, and go on along it to the goal."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rmp3d.behaviors.groups.search.search_map import SearchMap


class StrengthenedRoute:
    """The finder's route; whoever is told goes to its nearest place over the map, then along it.

    Args:
        known: The map.
        route: Places, the goal last, without cycles. The goal alone: everyone goes there by the
            shortest way over the map.
    """

    def __init__(self, known: SearchMap, route: Sequence[int]) -> None:
        from scipy.sparse.csgraph import dijkstra  # slow to load

        steps = [known.length[known.link(a, b)] for a, b in pairwise(route)]
        rest = np.concatenate([np.cumsum(np.array(steps)[::-1])[::-1], [0.0]])
        self._route = list(route)
        self._rest = dict(zip(route, rest.tolist(), strict=True))
        self._distance, self._before, self._joined_at = dijkstra(
            known.graph(), indices=self._route, min_only=True, return_predecessors=True
        )

    def length(self, place: int) -> float:
        """Return how far it is from a place to the goal [m]."""
        return float(self._distance[place]) + self._rest[int(self._joined_at[place])]

    def places(self, place: int) -> list[int]:
        """Return the places from one, it included, to the goal."""
        places = [place]
        while self._before[places[-1]] >= 0:
            places.append(int(self._before[places[-1]]))
        return places + self._route[self._route.index(places[-1]) + 1 :]
