"""Planes that part the braking capsules of two bodies, computed once for both.

A body's braking capsule is everything it covers while it stops: its upright capsule moved along
the braking displacement w. An elongated body covers the hull of its row in plan, a capsule that is
longer by the row; see `rmp3d.behaviors.safety.elongated`.

For a pair, any plane that parts the two will do; the one across the line between their nearest
points leaves the most room. Body i must keep its next capsule on its own side; the free gap goes to
the body that wants it.

Two walkers are parted in plan, however tall or short they are and whatever the slope under them,
unless one is a whole body above the other: then it is on another level.

Two round walkers in one queue are parted at equal moments; so are those that could not be parted
otherwise any more, because they have come out of one. See `rmp3d.behaviors.safety.timed`.
"""

from math import sqrt

import numpy as np

from rmp3d.behaviors.safety.rows import REACTION
from rmp3d.behaviors.safety.timed import SKIN, least_gap, limits_in_time, relative_normal
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import compiled, inlined, released
from rmp3d.geometry.primitives import segment_segment

# Braking capsules that overlap by more than this are of bodies parted at equal moments [m].
OVERLAP = 1e-9


@compiled
def vertical_gap(offset_z, low_i, high_i, low_j, high_j):
    """Return the signed height of the gap between two upright segments; 0 where they overlap."""
    below = offset_z + low_j - high_i
    above = offset_z + high_j - low_i
    if below > 0.0:
        return below
    if above < 0.0:
        return above
    return 0.0


@released
def pairs_that_meet(pairs, bodies, low, high, reach):
    """Return the pairs (Q, 2), of those given, that could meet within ``reach`` (N,) [m]."""
    position, radius, grounded = bodies.position, bodies.radius, bodies.grounded
    pairs, low, high, reach = borrowed((pairs, low, high, reach))
    position, radius, grounded = borrowed((position, radius, grounded))
    found, count = np.empty(pairs.shape, np.int64), 0
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        rx = position[j, 0] - position[i, 0]
        ry = position[j, 1] - position[i, 1]
        apart = radius[i] + radius[j] + 2.0 * SKIN
        far = apart + reach[i] + reach[j]
        if rx * rx + ry * ry > far * far:
            continue
        lift = vertical_gap(position[j, 2] - position[i, 2], low[i], high[i], low[j], high[j])
        if grounded[i] and grounded[j]:
            if abs(lift) >= apart:
                continue
            lift = 0.0
        if rx * rx + ry * ry + lift * lift > far * far:
            continue
        found[count, 0], found[count, 1] = i, j
        count += 1
    return found[:count]


@released
def pair_planes(
    pairs, bodies, start, core, low, high, desire, weight, dt, normal, bound, goes_on, shares
):
    """Fill ``normal`` (P, 3), from i to j, ``bound`` and ``goes_on`` (P, 2), of i and of j.

    While it brakes, the axis of a body moves over a core, a segment from ``start`` along ``core``
    (each (N, 3), from the reference point). With s_i and s_j the extents of the two cores along the
    normal and g the gap between the capsules, all points x of the next cores must obey
    n.x_i <= s_i + share_i max(0, g) and -n.x_j <= s_j + share_j max(0, g); the shares are positive,
    add up to one, and follow how fast each wants to move towards the other. How much farther a
    gentle stop may come follows `_goes_on` of the other. ``shares`` (P,) are those of the first
    bodies in pairs parted at equal moments; else -1.

    Returns:
        The smallest gap [m]; negative would mean that the invariant was broken.
    """
    pairs, bodies, start, core, low, high = borrowed((pairs, bodies, start, core, low, high))
    desire, weight, normal, bound = borrowed((desire, weight, normal, bound))
    goes_on, shares = borrowed((goes_on, shares))
    position, radius, grounded = bodies.position, bodies.radius, bodies.grounded
    smallest = 1e30
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        normal[k, :], goes_on[k, :], bound[k, :], shares[k] = 0.0, 0.0, 1e30, -1.0
        rx = position[j, 0] - position[i, 0]
        ry = position[j, 1] - position[i, 1]
        rz = position[j, 2] - position[i, 2]
        apart = radius[i] + radius[j] + 2.0 * SKIN
        flat = grounded[i] and grounded[j]
        if flat:
            x, y, z = _nearest_in_plan(i, j, rx, ry, start, core)
        else:
            x, y, z = _nearest_offset(i, j, rx, ry, rz, start, core, low, high)
        size = sqrt(x * x + y * y + z * z)
        if flat and _part_in_time(k, size - apart, pairs, bodies, (rx, ry), apart):
            smallest = min(smallest, _planes_in_time(
                k, pairs, rx, ry, apart, bodies, desire, weight, dt, normal, bound, goes_on, shares
            ))  # fmt: skip
            continue
        if size < 1e-12:
            smallest = min(smallest, -apart)
            bound[k, 0], bound[k, 1], normal[k, 0] = 0.0, 0.0, 1.0
            continue
        x, y, z = x / size, y / size, z / size
        extent_i, extent_j = _extent(i, x, y, z, start, core), _extent(j, -x, -y, -z, start, core)
        tall_i = z * high[i] if z > 0.0 else z * low[i]
        tall_j = -z * low[j] if z > 0.0 else -z * high[j]
        gap = x * rx + y * ry + z * rz - tall_i - tall_j - extent_i - extent_j - apart
        smallest, gap = min(smallest, gap), max(0.0, gap)
        share = _share(i, j, (x, y, z), desire, weight)
        normal[k, 0], normal[k, 1], normal[k, 2] = x, y, z
        bound[k, 0], bound[k, 1] = extent_i + share * gap, extent_j + (1.0 - share) * gap
        goes_on[k, 0] = _goes_on(bodies, j, (x, y, z), dt)
        goes_on[k, 1] = _goes_on(bodies, i, (-x, -y, -z), dt)
    return smallest


@inlined
def _share(i, j, normal, desire, weight):
    """Return the share of the gap that is body i's, by how fast each wants to move into it."""
    x, y, z = normal
    need_i = max(0.0, x * desire[i, 0] + y * desire[i, 1] + z * desire[i, 2]) * weight[i]
    need_j = max(0.0, -(x * desire[j, 0] + y * desire[j, 1] + z * desire[j, 2])) * weight[j]
    return (need_i + 1e-3) / (need_i + need_j + 2e-3)


@inlined
def _part_in_time(k, gap, pairs, bodies, offset, apart):
    """Return whether two walkers are parted at equal moments, their capsules ``gap`` [m] apart."""
    i, j = pairs[k, 0], pairs[k, 1]
    if bodies.row_count[i] > 0 or bodies.row_count[j] > 0:
        return False
    if bodies.queue[i] >= 0 and bodies.queue[i] == bodies.queue[j]:
        return True
    # Bodies that overlap now are parted by no plane at all.
    return gap < -OVERLAP and offset[0] * offset[0] + offset[1] * offset[1] > apart * apart


@compiled
def _planes_in_time(
    k, pairs, rx, ry, apart, bodies, desire, weight, dt, normal, bound, goes_on, shares
):
    """Part two round walkers at equal moments; return the least gap [m] while both brake."""
    i, j, loss = pairs[k, 0], pairs[k, 1], bodies.loss
    ix, iy, speed_i = _course(bodies, i)
    jx, jy, speed_j = _course(bodies, j)
    x, y = relative_normal(rx, ry, (ix, iy, speed_i, loss[i]), (jx, jy, speed_j, loss[j]), dt)
    size = sqrt(x * x + y * y)
    if size < 1e-12:
        bound[k, 0], bound[k, 1] = 0.0, 0.0
        normal[k, 0] = 1.0
        return -apart
    x, y = x / size, y / size
    gap = x * rx + y * ry - apart
    share = _share(i, j, (x, y, 0.0), desire, weight)
    one = (x * ix + y * iy, speed_i, loss[i])
    other = (x * jx + y * jy, speed_j, loss[j])
    back_one, back_other = (-one[0], one[1], one[2]), (-other[0], other[1], other[2])
    normal[k, 0], normal[k, 1], shares[k] = x, y, share
    bound[k, 0], last_i = limits_in_time(gap, one, other, share, dt)
    bound[k, 1], last_j = limits_in_time(gap, back_other, back_one, 1.0 - share, dt)
    goes_on[k, 0] = _goes_on(bodies, j, (x, y, 0.0), dt) + last_i - bound[k, 0]
    goes_on[k, 1] = _goes_on(bodies, i, (-x, -y, 0.0), dt) + last_j - bound[k, 1]
    return least_gap(gap, one, other, dt)


@inlined
def _course(bodies, i):
    """Return the unit direction x, y of a body's motion, zero at rest, and its speed [m/s]."""
    x, y = bodies.velocity[i, 0], bodies.velocity[i, 1]
    speed = sqrt(x * x + y * y)
    return (x / speed, y / speed, speed) if speed > 1e-12 else (0.0, 0.0, 0.0)


@inlined
def _goes_on(bodies, i, normal, dt):
    """Return how far [m] a body comes along a normal that stops gently, not as planned."""
    x, y, z = normal
    velocity = bodies.velocity
    ahead = max(0.0, x * velocity[i, 0] + z * velocity[i, 2] + y * velocity[i, 1])
    longer = 0.5 * dt * (1.0 / bodies.gentle[i] - 1.0 / bodies.loss[i])
    return ahead * (REACTION + longer * ahead)


@compiled
def _extent(i, x, y, z, start, core):
    """Return how far a body's core reaches along a direction from its reference point."""
    first = x * start[i, 0] + y * start[i, 1] + z * start[i, 2]
    return max(first, first + (x * core[i, 0] + y * core[i, 1] + z * core[i, 2]))


@compiled
def _nearest_in_plan(i, j, rx, ry, start, core):
    """Return the level vector between the nearest points of two level cores."""
    ix, iy, jx, jy = core[i, 0], core[i, 1], core[j, 0], core[j, 1]
    rx += start[j, 0] - start[i, 0]
    ry += start[j, 1] - start[i, 1]
    s, t = segment_segment(0.0, 0.0, 0.0, ix, iy, 0.0, rx, ry, 0.0, jx, jy, 0.0)
    return rx + t * jx - s * ix, ry + t * jy - s * iy, 0.0


@compiled
def _nearest_offset(i, j, rx, ry, rz, start, core, low, high):
    """Return the vector between the nearest points of two upright segments moved along cores.

    That is the shortest r + t core_j - s core_i + h z, with s and t from 0 to 1 and h between the
    differences of the segments' ends. The shortest one has h at one of its two ends, or, level,
    between them; so the shortest of three distances between segments is exact.
    """
    ix, iy, iz = core[i, 0], core[i, 1], core[i, 2]
    jx, jy, jz = core[j, 0], core[j, 1], core[j, 2]
    rx += start[j, 0] - start[i, 0]
    ry += start[j, 1] - start[i, 1]
    rz += start[j, 2] - start[i, 2]
    least, most = low[j] - high[i], high[j] - low[i]
    best, x, y, z = 1e300, rx, ry, rz
    for height in (least, most):
        s, t = segment_segment(0.0, 0.0, 0.0, ix, iy, iz, rx, ry, rz + height, jx, jy, jz)
        ox, oy, oz = rx + t * jx - s * ix, ry + t * jy - s * iy, rz + t * jz - s * iz + height
        size = ox * ox + oy * oy + oz * oz
        if size < best:
            best, x, y, z = size, ox, oy, oz
    if most > least:
        s, t = segment_segment(0.0, 0.0, 0.0, ix, iy, 0.0, rx, ry, 0.0, jx, jy, 0.0)
        ox, oy, free = rx + t * jx - s * ix, ry + t * jy - s * iy, rz + t * jz - s * iz
        if free + least <= 0.0 <= free + most and ox * ox + oy * oy < best:
            x, y, z = ox, oy, 0.0
    return x, y, z


@released
def rows_of_pairs(pairs, count):
    """Return CSR rows: body i owns ``entry[start[i]:start[i + 1]]``.

    An entry is 2 k where the body is the first of pair k, and 2 k + 1 where it is the second.
    """
    start = np.zeros(count + 1, np.int64)
    for k in range(pairs.shape[0]):
        start[pairs[k, 0] + 1] += 1
        start[pairs[k, 1] + 1] += 1
    for i in range(count):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    entry = np.empty(2 * pairs.shape[0], np.int64)
    for k in range(pairs.shape[0]):
        for side in range(2):
            i = pairs[k, side]
            entry[fill[i]] = 2 * k + side
            fill[i] += 1
    return start, entry
