"""Short links between places: by them members reach places that they do not see."""

from typing import TYPE_CHECKING

import numpy as np

from rmp3d.behaviors.formations.formation import nearest
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import Space

if TYPE_CHECKING:
    from scipy.sparse import coo_matrix

# Places no farther apart than so many times the least distance are neighbors, diagonals too.
NEIGHBORS = 1.5
# So many of the nearest places are looked at from anywhere.
LOOKED_AT = 8


class PlaceGraph:
    """Places (K, 3), and which of them are joined by a short straight motion that is proved free.

    Pieces that are not joined so are joined by the center, from which each has a place in sight.

    Args:
        space: Proves motions free.
        places: (K, 3) [m], as `rmp3d.behaviors.groups.goal_area.places.places_in` lays them out.
        center: (3,) that they were laid out around [m].
        cells: (K, 2) of places that are not equally far apart to all sides, as stalls: coordinates
            in which neighbors are about 1 apart; None: they are.
    """

    def __init__(
        self, space: Space, places: Float, center: Float, cells: Float | None = None
    ) -> None:
        from scipy.sparse.csgraph import connected_components  # slow to load
        from scipy.spatial import cKDTree

        self._space, self._places = space, places
        self._tree = cKDTree(places)
        count = len(places)
        pairs = np.zeros((0, 2), np.intp)
        if count > 1:
            apart, tree = (places, self._tree) if cells is None else (cells, cKDTree(cells))
            pairs = tree.query_pairs(NEIGHBORS * nearest(apart), output_type="ndarray")
            pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
            pairs = pairs[space.connects(places[pairs[:, 0]], places[pairs[:, 1]])]
        pieces, piece = connected_components(_graph(pairs, length(_offsets(places, pairs)), count))
        if pieces > 1:
            links = self._in_sight_of(center, piece)
            pairs = np.concatenate([pairs, np.column_stack([links, np.full(len(links), count)])])
        points = np.concatenate([places, center[None]])
        self._graph = _graph(pairs, length(_offsets(points, pairs)), count + 1)

    def _in_sight_of(self, center: Float, piece: Index) -> Index:
        """Return the nearest place of each piece in sight of the center."""
        order = np.argsort(length(self._places - center), kind="stable")
        seen = order[self._space.connects(np.tile(center, (len(order), 1)), self._places[order])]
        return seen[np.unique(piece[seen], return_index=True)[1]]

    def seen_from(self, position: Float, reach: float = np.inf) -> Index:
        """Return the places in sight of a point (3,) and in reach [m], the nearest first."""
        most = min(LOOKED_AT, len(self._places))
        _, near = self._tree.query(position, most, distance_upper_bound=reach)
        near = np.atleast_1d(near)
        near = near[near < len(self._places)]
        if len(near) == 0:
            return near
        found: Index = near[
            self._space.connects(np.tile(position, (len(near), 1)), self._places[near])
        ]
        return found

    def route(self, place: int, ends: Bool) -> Index:
        """Return the places on the shortest route from one to the nearest of the ``ends`` (K,).

        Both are part of it; it is empty if there is no route.
        """
        from scipy.sparse.csgraph import dijkstra  # slow to load

        distance, before = dijkstra(
            self._graph, directed=False, indices=place, return_predecessors=True
        )
        distance = np.where(ends, distance[:-1], np.inf)
        last = int(np.argmin(distance))
        if not np.isfinite(distance[last]):
            return np.zeros(0, np.intp)
        chain = [last]
        while before[chain[-1]] >= 0:
            chain.append(int(before[chain[-1]]))
        route = np.array(chain[::-1], np.intp)
        return route[route < len(self._places)]


def _offsets(points: Float, pairs: Index) -> Float:
    return points[pairs[:, 1]] - points[pairs[:, 0]]


def _graph(pairs: Index, price: Float, size: int) -> "coo_matrix":
    from scipy.sparse import coo_matrix  # slow to load

    return coo_matrix((price, (pairs[:, 0], pairs[:, 1])), (size, size)).tocsr()
