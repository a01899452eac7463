"""How far around each body there is nothing of the scene, kept from step to step.

Most of a crowd are near to nothing. A traversal still passes dozens of nodes of a large scene until
it knows that, and the filter asks several for a body. So it is measured how far off the scene is.
While a body has moved less than what is left of that, there is nothing to be found, and no
traversal is made: the answers are the same to the bit.
"""

from itertools import count as counting
from math import sqrt

import numpy as np

from rmp3d.behaviors.safety.guides import BORDER, SCENE_MARGIN
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.query import nearest_one

# How much farther than needed in a step the scene is looked for [m].
AHEAD = 1.0
# A body that was too near to something is measured again when it has moved by so much [m].
AGAIN = 0.15
# Number of a scene that changes: nothing is kept of it.
CHANGES = -1
# Columns of what is known of a body: where it was when it was measured; how far off the scene was;
# twice the number of the scene, and 1 more for walkers; and the shape that the body had.
X, Y, Z, CLEAR, SCENE, RADIUS, LOW, HIGH = range(8)

scene_numbers = counting()


def nothing_known(count: int) -> Float:
    """Return what is known of bodies (N, 8) at first; see the columns."""
    known = np.zeros((count, 8))
    known[:, SCENE] = 2 * CHANGES
    return known


@inlined
def clear_around(body, number, far, known, obstacles, border, overhead, search):
    """Return how far from a body there is nothing of the scene [m]; 0: something may matter.

    What is farther off does not matter than ``far``, where ground overhead begins to, and than what
    is asked about motions until the stop; see `rmp3d.behaviors.safety.certificate`.

    Args:
        body: The `BodyRow`.
        number: Of the scene.
        far: [m].
        known: (8,) of the body, renewed where that is due.
        obstacles: Arrays of what it must not touch.
        border: Arrays of the borders of the surface, for walkers.
        overhead: Arrays of the ground over the heads of walkers.
        search: Room for traversals.
    """
    if number < 0 or body.row_count > 0:
        return 0.0
    needed = max(far, body.shape.radius + 1.5 * body.reach + 4.0 * SCENE_MARGIN)
    return _clear_around(body, number, needed, known, obstacles, border, overhead, search)


@compiled
def _clear_around(body, number, needed, known, obstacles, border, overhead, search):
    """Return the distance [m] from the scene, 0 if it is not known to be ``needed`` or more."""
    x, y, z = body.position
    radius, low, high = body.shape
    needed += 1e-6 + 1e-14 * (abs(x) + abs(y) + abs(z))  # rounding
    scene = 2 * number + body.grounded
    same = known[SCENE] == scene and known[RADIUS] == radius
    if same and known[LOW] == low and known[HIGH] == high:
        dx, dy, dz = x - known[X], y - known[Y], z - known[Z]
        moved = sqrt(dx * dx + dy * dy + dz * dz)
        if known[CLEAR] - moved >= needed:
            return known[CLEAR] - moved
        if moved < AGAIN or known[CLEAR] + moved < needed:
            return 0.0
    far = needed + AHEAD
    clear = _distance_of(x, y, z + low, z + high, far, obstacles, search)
    if body.grounded:
        clear = _distance_of(x, y, z + BORDER.low, z + BORDER.high, clear, border, search)
        below, above = z + min(0.0, low - radius), z + high + radius  # all of the body
        clear = _distance_of(x, y, below, above, clear, overhead, search)
    known[X], known[Y], known[Z], known[CLEAR], known[SCENE] = x, y, z, clear, scene
    known[RADIUS], known[LOW], known[HIGH] = radius, low, high
    return clear if clear >= needed else 0.0


@inlined
def _distance_of(x, y, low, high, far, mesh, search):
    """Return the distance from an upright segment to a mesh [m], ``far`` at most."""
    boxes, ranges, triangles, first_leaf = mesh
    distance, _ = nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, low, high, far, search.stack, search.limit,
        search.out,
    )  # fmt: skip
    return distance
