"""How far around each body there is nothing of the scene, kept from step to step.

Most of a crowd are near to nothing. A traversal still passes dozens of nodes of a large scene until
it knows that, and the filter asks several for a body. So it is measured how far off the obstacles,
the borders of the surface and the ground overhead are. While a body has moved less than what is
left of that, there is nothing to be found, and no traversal is made: the answers are the same to
the bit.
"""

from itertools import count as counting
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.safety.guides import BORDER, SCENE_MARGIN
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.query import nearest_one

# How much farther than needed in a step the scene is looked for [m].
AHEAD = 1.0
# A body that was too near to something is measured again when it has moved by so much [m].
AGAIN = 0.15
# Number of a scene that changes: nothing is kept of it.
CHANGES = -1
# What is known of a body: of obstacles, borders and ground overhead, where the body was when it was
# measured how far off they are (3) and how far that was, 4 columns each; then twice the number of
# the scene, and 1 more for walkers; and the shape that the body had.
OBSTACLES, BORDERS, GROUND_OVERHEAD = 0, 4, 8
SCENE, RADIUS, LOW, HIGH = range(12, 16)

scene_numbers = counting()


class Clear(NamedTuple):
    """How far around a body there is nothing of three meshes, at least [m]; 0: nothing is known."""

    obstacles: float
    border: float
    overhead: float


def nothing_known(count: int) -> Float:
    """Return what is known of bodies (N, 16) at first; see the columns."""
    known = np.zeros((count, 16))
    known[:, SCENE] = 2 * CHANGES
    return known


class KnownAround:
    """What is known of bodies, in the order of rows in which they are filtered.

    That is an order of places, and mostly the one of the step before: what is read one after the
    other lies side by side. By numbers of members each row would have to be waited for.
    """

    def __init__(self) -> None:
        self._all, self._rows = nothing_known(0), nothing_known(0)
        self._number: Index = np.zeros(0, np.intp)

    def of(self, number: Index) -> Float:
        """Return what is known (N, 16) of bodies with these numbers (N,); it is written to."""
        if not np.array_equal(number, self._number):
            self._all[self._number] = self._rows
            more = int(number.max()) + 1 - len(self._all)
            if more > 0:
                self._all = np.concatenate([self._all, nothing_known(more)])
            self._number, self._rows = number, self._all.take(number, axis=0)
        return self._rows


@inlined
def clear_around(body, number, far, known, obstacles, border, overhead, search):
    """Return how far from a body there is nothing of the scene, a `Clear`.

    It is looked for no farther than it matters: ground overhead to ``far``, the obstacles to what
    is asked about motions until the stop; see `rmp3d.behaviors.safety.certificate`.

    Args:
        body: The `BodyRow`.
        number: Of the scene.
        far: [m].
        known: (16,) of the body, renewed where that is due.
        obstacles: Arrays of what it must not touch.
        border: Arrays of the borders of the surface, for walkers.
        overhead: Arrays of the ground over the heads of walkers.
        search: Room for traversals.
    """
    if number < 0 or body.row_count > 0:
        return Clear(0.0, 0.0, 0.0)
    _, _, z = body.position
    radius, low, high = body.shape
    scene = 2 * number + body.grounded
    if known[SCENE] != scene or known[RADIUS] != radius or known[LOW] != low or known[HIGH] != high:
        known[SCENE], known[RADIUS], known[LOW], known[HIGH] = scene, radius, low, high
        known[OBSTACLES] = known[BORDERS] = known[GROUND_OVERHEAD] = inf  # it was elsewhere
    needed = radius + 1.5 * body.reach + 4.0 * SCENE_MARGIN
    clear = _clear_of(body, known, OBSTACLES, z + low, z + high, needed, obstacles, search)
    if not body.grounded:
        return Clear(clear, inf, inf)
    needed = body.reach + 2.0 * SCENE_MARGIN
    off_border = _clear_of(
        body, known, BORDERS, z + BORDER.low, z + BORDER.high, needed, border, search
    )
    below, above = z + min(0.0, low - radius), z + high + radius  # all of the body
    below_ground = _clear_of(body, known, GROUND_OVERHEAD, below, above, far, overhead, search)
    return Clear(clear, off_border, below_ground)


@inlined
def _clear_of(body, known, first, low, high, needed, mesh, search):
    """Return how far from an upright segment there is nothing of a mesh, at least [m].

    It is measured anew where it may be ``needed`` or more, and is not known to be.
    """
    x, y, z = body.position
    dx, dy, dz = x - known[first], y - known[first + 1], z - known[first + 2]
    moved, clear = sqrt(dx * dx + dy * dy + dz * dz), known[first + 3]
    rounding = 1e-6 + 1e-14 * (abs(x) + abs(y) + abs(z))
    needed += rounding
    if clear - moved < needed and moved >= AGAIN and clear + moved >= needed:
        clear, moved = _distance_of(x, y, low, high, needed + AHEAD, mesh, search), 0.0
        known[first], known[first + 1], known[first + 2], known[first + 3] = x, y, z, clear
    return clear - moved - rounding


@compiled
def _distance_of(x, y, low, high, far, mesh, search):
    """Return the distance from an upright segment to a mesh [m], ``far`` at most."""
    boxes, ranges, triangles, first_leaf = mesh
    distance, _ = nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, low, high, far, search.stack, search.limit,
        search.out,
    )  # fmt: skip
    return distance
