"""What the kernels of the traffic rules read of the members, and what they remember."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import inlined, released

# Columns of the memory (N, 9): the shortest remaining path so far [m], the time since progress or
# queueing and since progress [s], headings tried, when the present detour ends [s], the direction
# in which the member is asked to step aside, and until when [s].
BEST, SINCE, WAITED, LEVEL, DETOUR_END, PUSH_X, PUSH_Y, PUSH_Z, PUSH_END = range(9)

# Two go the same way whose courses are no farther apart than 45 degrees; one comes against another
# if they are farther apart than 120.
SAME_WAY, AGAINST = 0.7, -0.5


class CrowdRows(NamedTuple):
    """N members; row i of each array is member i.

    Attributes:
        position: (N, 3) [m].
        velocity: (N, 3) [m/s].
        radius: (N,) of the round bodies [m].
        width: (N,) half the widths of the bodies [m]: the radius, less where they are elongated.
        core: (N, 2) half of what an elongated body is longer than wide, along its heading [m].
        capsule_axis: (N, 2) [m].
        cruise: (N,) cruise speed [m/s].
        grounded: (N,) whether it walks.
        remaining: (N,) path still to go [m].
        parked: (N,) whether it is at its place.
        convoy: (N,) number of the formation in whose lanes it keeps, -1 for none.
    """

    position: Float
    velocity: Float
    radius: Float
    width: Float
    core: Float
    capsule_axis: Float
    cruise: Float
    grounded: Bool
    remaining: Float
    parked: Bool
    convoy: Index


@released
def others_near(pairs, count):
    """Return who is near to each of so many members, of pairs (P, 2): rows of the others.

    Those of member i are ``other[start[i]:start[i + 1]]``, in the order of the pairs.
    """
    start = np.zeros(count + 1, np.int64)
    for k in range(pairs.shape[0]):
        start[pairs[k, 0] + 1] += 1
        start[pairs[k, 1] + 1] += 1
    for i in range(count):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    other = np.empty(2 * pairs.shape[0], np.int64)
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        other[fill[i]], other[fill[j]] = j, i
        fill[i] += 1
        fill[j] += 1
    return start, other


@inlined
def goes_first(i, j, remaining, parked):
    """Return whether i has the right of way over j."""
    if parked[i] != parked[j]:
        return not parked[i]
    if remaining[i] != remaining[j]:
        return remaining[i] < remaining[j]
    return i < j


@inlined
def together(i, j, course):
    """Return the cosine of the angle between the courses (N, 3) of two; 0 if one has none."""
    return course[i, 0] * course[j, 0] + course[i, 1] * course[j, 1] + course[i, 2] * course[j, 2]


@inlined
def extent(i, x, y, width, core):
    """Return how far [m] the body of i reaches along the plan part x, y of a unit direction."""
    return width[i] + abs(core[i, 0] * x + core[i, 1] * y)


@inlined
def extents(i, j, offset, width, core):
    """Return how far the bodies of i and j reach along an offset."""
    x, y, z = offset
    size = sqrt(x * x + y * y + z * z)
    if size < 1e-9:
        return width[i], width[j]
    x, y = x / size, y / size
    return extent(i, x, y, width, core), extent(j, x, y, width, core)


@inlined
def offset_between(i, j, position, capsule_axis):
    """Return the offset from i to j; its height is that of the gap between the upright bodies."""
    x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    z = position[j, 2] - position[i, 2]
    below = z + capsule_axis[j, 0] - capsule_axis[i, 1]
    above = z + capsule_axis[j, 1] - capsule_axis[i, 0]
    z = below if below > 0.0 else (above if above < 0.0 else 0.0)
    return x, y, z
