"""Compiled kernels: where a straight way in plan has ground, and where ground is near a body."""

import numpy as np

from rmp3d.geometry.compiled import compiled

STACK = 128
MOST = 4096
"""Triangles under one motion at most; a motion over more is not followed."""
FOUND, NO_GROUND, NO_WAY, TOO_LONG = 0, 1, 2, 3


@compiled
def _rate(t):
    """Return the gradient of triangle t's plane, and its height at the origin."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    gx, gy = -nx / nz, -ny / nz
    return gx, gy, t[2] - gx * t[0] - gy * t[1]


@compiled
def _shares(t, a, dx, dy, slack):
    """Return from which share of a way to which it is over triangle t, widened by a slack."""
    low, high = 0.0, 1.0
    for e in range(3):
        i, j = 3 * e, 3 * ((e + 1) % 3)
        ex, ey = t[j] - t[i], t[j + 1] - t[i + 1]
        size = (ex * ex + ey * ey) ** 0.5
        if size == 0.0:
            return 1.0, 0.0
        depth = (ex * (a[1] - t[i + 1]) - ey * (a[0] - t[i])) / size + slack
        change = (ex * dy - ey * dx) / size
        if change == 0.0:
            if depth < 0.0:
                return 1.0, 0.0
        elif change > 0.0:
            low = max(low, -depth / change)
        else:
            high = min(high, -depth / change)
    return low, high


@compiled
def _within(low, high, first, last, limit):
    """Return the shares from low to high at which a value is within a limit of zero.

    The value goes from ``first`` at share 0 to ``last`` at share 1.
    """
    rate = last - first
    if rate == 0.0:
        return (low, high) if abs(first) <= limit else (1.0, 0.0)
    a, b = (-limit - first) / rate, (limit - first) / rate
    return max(low, min(a, b)), min(high, max(a, b))


@compiled
def _under(tree, a, b, slack, band, pieces):
    """Write the pieces of a way over triangles: first and last share, height at 0 and at 1.

    Only where the ground is within ``band`` of the straight line from a to b. Return their number,
    which may be more than fit.
    """
    boxes, ranges, triangles, first_leaf = tree
    dx, dy = b[0] - a[0], b[1] - a[1]
    low_x, high_x = min(a[0], b[0]) - slack, max(a[0], b[0]) + slack
    low_y, high_y = min(a[1], b[1]) - slack, max(a[1], b[1]) + slack
    low_z, high_z = min(a[2], b[2]) - band, max(a[2], b[2]) + band
    stack = np.empty(STACK, np.int64)
    stack[0] = 0
    top, count = 1, 0
    while top > 0:
        top -= 1
        node = stack[top]
        box = boxes[node]
        if (
            low_x > box[3] or high_x < box[0] or low_y > box[4] or high_y < box[1]
            or low_z > box[5] or high_z < box[2]
        ):  # fmt: skip
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            t = triangles[k]
            low, high = _shares(t, a, dx, dy, slack)
            if low > high:
                continue
            gx, gy, level = _rate(t)
            start = gx * a[0] + gy * a[1] + level
            end = gx * b[0] + gy * b[1] + level
            low, high = _within(low, high, start - a[2], end - b[2], band)
            if low > high:
                continue
            if count < pieces.shape[0]:
                pieces[count, 0], pieces[count, 1] = low, high
                pieces[count, 2], pieces[count, 3] = start, end
            count += 1
    return count


@compiled
def _leads_to_the_end(pieces, count, start, end, near, step, reached):
    """Return whether the pieces lead from the start of a way to its end, without a gap.

    A walk changes from one piece to another where they overlap and their heights differ by at most
    ``step``. Begin and end are within ``near`` (a share) of 0 and 1, ``start`` and ``end`` are the
    heights there and how far these may be off.
    """
    done = np.zeros(count, np.bool_)
    for i in range(count):
        reached[i] = 2.0
        if pieces[i, 0] <= near and abs(pieces[i, 2] - start[0]) <= start[1]:
            reached[i] = pieces[i, 0]
    while True:
        i = -1
        for j in range(count):
            if not done[j] and reached[j] <= 1.0 and (i < 0 or reached[j] < reached[i]):
                i = j
        if i < 0:
            return False
        done[i] = True
        if pieces[i, 1] >= 1.0 - near and abs(pieces[i, 3] - end[0]) <= end[1]:
            return True
        for j in range(count):
            if done[j]:
                continue
            low = max(reached[i], pieces[j, 0])
            high = min(pieces[i, 1], pieces[j, 1])
            low, high = _within(
                low, high, pieces[i, 2] - pieces[j, 2], pieces[i, 3] - pieces[j, 3], step
            )
            if low <= high and low < reached[j]:
                reached[j] = low


@compiled
def follow(boxes, ranges, triangles, first_leaf, start, end, slack, step, band, off, verdict):
    """Follow the ground under straight ways in plan (M, 3) to (M, 3).

    The first arguments are the tree of the walkable ground. A walk crosses cracks up to twice
    ``slack`` wide, and steps of a height ``step`` [m]. The ground may be at most ``band`` (M,) from
    the straight line, and ``off`` from the ends [m]. Write ``verdict`` (M,): FOUND, NO_GROUND (a
    place without ground), NO_WAY (too high a step, or too far from the line), or TOO_LONG.
    """
    tree = boxes, ranges, triangles, first_leaf
    pieces, reached = np.empty((MOST, 4)), np.empty(MOST)
    for m in range(start.shape[0]):
        a, b = start[m], end[m]
        size = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
        near = min(1.0, off / max(size, 1e-12))
        count = _under(tree, a, b, slack, band[m], pieces)
        verdict[m] = TOO_LONG
        if count > MOST:
            continue
        verdict[m] = FOUND
        # On a slope, the ground at the foot's place may be higher by as much as the foot is off.
        if _leads_to_the_end(
            pieces, count, (a[2], 3.0 * off), (b[2], 3.0 * off), near, step, reached
        ):
            continue
        verdict[m] = NO_WAY
        every = _under(tree, a, b, slack, 1e9, pieces)
        if every <= MOST and not _leads_to_the_end(
            pieces, every, (a[2], 1e18), (b[2], 1e18), near, 1e18, reached
        ):
            verdict[m] = NO_GROUND


@compiled
def near_bodies(
    boxes, ranges, triangles, first_leaf, start, end, radius, curb, height, found
):  # fmt: skip
    """Return in which motions (M,) a triangle could touch an upright body above its curb.

    That is so if a triangle is within ``radius`` in plan of a box around the motion, and its plane,
    or the top of an upright triangle, is more than ``curb`` over the feet.
    """
    stack = np.empty(STACK, np.int64)
    low, high = np.empty(3), np.empty(3)
    for m in range(start.shape[0]):
        for i in range(3):
            low[i], high[i] = min(start[m, i], end[m, i]), max(start[m, i], end[m, i])
        found[m] = False
        stack[0] = 0
        top = 1
        while top > 0 and not found[m]:
            top -= 1
            node = stack[top]
            box = boxes[node]
            if (
                low[0] - radius > box[3] or high[0] + radius < box[0]
                or low[1] - radius > box[4] or high[1] + radius < box[1]
                or low[2] + curb > box[5] or high[2] + height < box[2]
            ):  # fmt: skip
                continue
            if node < first_leaf:
                stack[top] = 2 * node + 1
                stack[top + 1] = 2 * node + 2
                top += 2
                continue
            for k in range(ranges[node, 0], ranges[node, 1]):
                if _is_over(triangles[k], start[m], end[m], low, high, radius, curb, height):
                    found[m] = True
                    break


@compiled
def _is_over(t, start, end, low, high, radius, curb, height):
    """Return whether a triangle is near, and higher over the feet than a curb."""
    for i in range(3):
        least, most = min(t[i], t[3 + i], t[6 + i]), max(t[i], t[3 + i], t[6 + i])
        if i < 2 and (most < low[i] - radius or least > high[i] + radius):
            return False
        if i == 2 and (most < low[2] + curb or least > high[2] + height):
            return False
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if nz <= 1e-3 * (nx * nx + ny * ny + nz * nz) ** 0.5:
        return True
    gx, gy = -nx / nz, -ny / nz
    level = t[2] - gx * t[0] - gy * t[1]
    over = gx * start[0] + gy * start[1] + level - start[2]
    return over > curb or gx * end[0] + gy * end[1] + level - end[2] > curb
