"""Passages joined to start, goal and one another by searches, the easiest first."""

from itertools import pairwise

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.graphs import component_numbers, shortest_path
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.graph import GOAL, START
from rmp3d.planner.trees.passages import Searched
from rmp3d.planner.trees.turns import Turns

PATIENCE = 600.0  # work of the first search between two places; see `ShrunkBody`


class Joining:
    """A coarse graph: start, goal and the ends of passages, joined by paths of proved motions.

    Args:
        space: Of the body.
        ends: (2, 7) start and goal.
        searched: Looks for the motions between two places.
    """

    def __init__(self, space: RigidBodySpace, ends: Float, searched: Searched) -> None:
        self._space, self._searched = space, searched
        self._places = [*ends]
        self._paths: dict[tuple[int, int], Float] = {}
        self._tries: dict[tuple[int, int], int] = {}

    def add(self, passage: Float) -> None:
        """Add the ends of a passage (K, 7), K >= 2."""
        first = len(self._places)
        self._places += [passage[0], passage[-1]]
        self._paths[first, first + 1] = passage

    @property
    def path(self) -> Float:
        """(K, 7) from start to goal, or none (0, 7)."""
        places = np.stack(self._places)
        edges = np.array([*self._paths], np.intp).reshape(-1, 2)
        length = [
            float(self._space.distance(path[:-1], path[1:]).sum()) for path in self._paths.values()
        ]
        nodes = shortest_path(len(places), edges, np.array(length), START, GOAL).tolist()
        if len(nodes) == 0:
            return np.zeros((0, 7))
        parts = [places[nodes[:1]]]
        for one, two in pairwise(nodes):
            part = self._paths[one, two] if one < two else self._paths[two, one][::-1]
            parts.append(part[1:])
        return np.concatenate(parts)

    def advance(self, count: int) -> Turns:
        """Try ``count`` searches; return the path from start to goal as soon as there is one."""
        for _ in range(count):
            pair = self._next()
            if pair is None:
                break
            ends = np.stack([self._places[node] for node in pair])
            tries = self._tries[pair] = self._tries.get(pair, 0) + 1
            if self._space.world.touch_nothing(ends[:1], ends[1:])[0]:
                path = ends
            else:
                patience = PATIENCE * (tries & -tries)
                path = yield from self._searched(self._space, ends, patience, np.zeros((0, 7)))
            if len(path):
                self._paths[pair] = path
                whole = self.path
                if len(whole):
                    return whole
        return np.zeros((0, 7))

    def _next(self) -> tuple[int, int] | None:
        """Return the pair that has been tried least often; None: there is none.

        One of the two is joined to start or goal, the other is not joined to the first. Of equal
        ones, those with start or goal come first, then the nearest.
        """
        count = len(self._places)
        label = component_numbers(count, np.array([*self._paths], np.intp).reshape(-1, 2))
        one, two = np.triu_indices(count, 1)
        known = (label == label[START]) | (label == label[GOAL])
        apart = (label[one] != label[two]) & (known[one] | known[two])
        # From start to goal directly the main search looks.
        apart &= ~((one == START) & (two == GOAL))
        one, two = one[apart], two[apart]
        if len(one) == 0:
            return None
        places = np.stack(self._places)
        tries = [self._tries.get(pair, 0) for pair in zip(one.tolist(), two.tolist(), strict=True)]
        far = self._space.distance(places[one], places[two])
        best = np.lexsort((far, one > GOAL, np.array(tries)))[0]
        return int(one[best]), int(two[best])
