"""Compiled proof of a rigid motion in one traversal: pairs of boxes times intervals of the motion.

At the middle of an interval, every point x of the body has a velocity v + w x r (straight motion,
constant turn). After a time t it has left this line by at most ``w^2 r t^2 / 2`` (Taylor). Over
half the interval, three bounds add up: n.(v + w x r), the turn about the box's center, and the
bend. Two boxes that are apart by more than the sum, along an axis n, stay apart in the whole
interval: so a motion along a wall costs little. If the bound fails, the interval is halved or the
boxes are opened, whichever is coarser. Two triangles are apart along the line of their nearest
points, for a time around the middle that is known in closed form; only the rest of the interval is
tested again.

Bounding a motion along the direction that separates: Tang, Kim and Manocha 2009, "C2A: controlled
conservative advancement"; Taylor models of motions: Zhang, Redon, Lee and Kim 2007, "Continuous
collision detection for articulated models using Taylor models and temporal culling"; halving
until bounds hold: Schwarzer, Saha and Latombe 2005.
"""

from math import acos, asin, cos, sin, sqrt

from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.pair_kernels import CLOSE, LEVELS, STACK, move, place, relate
from rmp3d.geometry.triangle_pair import triangle_gap

FREE, COLLIDES, UNDECIDED = 0, 1, 2
START = 0.1  # length of the first part of a motion that is tested, over the reach of the body
TURN_FIRST = 0.3  # motion over size of boxes above which an interval is halved first


@compiled
def extent(a, b):
    """Return distance [m], half the rotation angle [rad] and the sign for the short arc."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    dot, chord, other = 0.0, 0.0, 0.0
    for k in range(3, 7):
        dot += a[k] * b[k]
        chord += (a[k] - b[k]) ** 2
        other += (a[k] + b[k]) ** 2
    sign = 1.0 if dot >= 0.0 else -1.0
    if dot < 0.0:
        chord = other
    half = acos(abs(dot)) if abs(dot) < 0.9 else 2.0 * asin(min(1.0, 0.5 * sqrt(chord)))
    return sqrt(dx * dx + dy * dy + dz * dz), half, sign


@compiled
def _describe(a, b, motion):
    """Write a motion: start, displacement, quaternion, its orthogonal partner, rotation vector.

    Returns:
        Its distance [m] and half its angle [rad].
    """
    distance, half, sign = extent(a, b)
    dot, size = 0.0, 0.0
    for k in range(3):
        motion[k], motion[3 + k] = a[k], b[k] - a[k]
    for k in range(3, 7):
        dot += a[k] * sign * b[k]
    for k in range(4):
        motion[6 + k], motion[10 + k] = a[3 + k], sign * b[3 + k] - dot * a[3 + k]
        size += motion[10 + k] ** 2
    scale = 1.0 / sqrt(size) if half > 1e-12 and size > 0.0 else 0.0
    for k in range(10, 14):
        motion[k] *= scale
    w, x, y, z = motion[10], motion[11], motion[12], motion[13]
    aw, ax, ay, az = motion[6], -motion[7], -motion[8], -motion[9]
    motion[14] = 2.0 * half * (w * ax + x * aw + y * az - z * ay)
    motion[15] = 2.0 * half * (w * ay - x * az + y * aw + z * ax)
    motion[16] = 2.0 * half * (w * az + x * ay - y * ax + z * aw)
    return distance, half


@compiled
def _place_at(motion, half, share, configuration, rotation):
    """Write the configuration (7,) at a share of a motion, and its rotation matrix."""
    c, s = cos(share * half), sin(share * half)
    for k in range(3):
        configuration[k] = motion[k] + share * motion[3 + k]
    for k in range(4):
        configuration[3 + k] = c * motion[6 + k] + s * motion[10 + k]
    place(configuration, rotation)


@inlined
def _swept_apart(
    a, i, b, j, rotation, position, motion, angle, share, tolerance, aligned, relative
):
    """Return -1 if two boxes stay apart for a share before and after now.

    Otherwise return how far the body's box moves in that share.
    """
    _, x, y, z = relate(a, i, b, j, rotation, position, aligned, 1e300, relative)
    cx, cy, cz = b[j, 0], b[j, 1], b[j, 2]
    px = rotation[0, 0] * cx + rotation[0, 1] * cy + rotation[0, 2] * cz
    py = rotation[1, 0] * cx + rotation[1, 1] * cy + rotation[1, 2] * cz
    pz = rotation[2, 0] * cx + rotation[2, 1] * cy + rotation[2, 2] * cz
    vx = share * (motion[3] + motion[15] * pz - motion[16] * py)
    vy = share * (motion[4] + motion[16] * px - motion[14] * pz)
    vz = share * (motion[5] + motion[14] * py - motion[15] * px)
    if not aligned:
        ux, uy, uz = vx, vy, vz
        vx = a[i, 8] * ux + a[i, 11] * uy + a[i, 14] * uz
        vy = a[i, 9] * ux + a[i, 12] * uy + a[i, 15] * uz
        vz = a[i, 10] * ux + a[i, 13] * uy + a[i, 16] * uz
    r = rotation if aligned else relative
    turn = share * angle
    m = tolerance + turn * b[j, 6] + 0.5 * turn * turn * b[j, 7]
    ax, ay, az, bx, by, bz = a[i, 3], a[i, 4], a[i, 5], b[j, 3], b[j, 4], b[j, 5]
    r00, r01, r02 = abs(r[0, 0]) + CLOSE, abs(r[0, 1]) + CLOSE, abs(r[0, 2]) + CLOSE
    if abs(x) - abs(vx) > ax + r00 * bx + r01 * by + r02 * bz + m:
        return -1.0
    r10, r11, r12 = abs(r[1, 0]) + CLOSE, abs(r[1, 1]) + CLOSE, abs(r[1, 2]) + CLOSE
    if abs(y) - abs(vy) > ay + r10 * bx + r11 * by + r12 * bz + m:
        return -1.0
    r20, r21, r22 = abs(r[2, 0]) + CLOSE, abs(r[2, 1]) + CLOSE, abs(r[2, 2]) + CLOSE
    if abs(z) - abs(vz) > az + r20 * bx + r21 * by + r22 * bz + m:
        return -1.0
    for k in range(3):
        along = abs(x * r[0, k] + y * r[1, k] + z * r[2, k])
        along -= abs(vx * r[0, k] + vy * r[1, k] + vz * r[2, k])
        span = (abs(r[0, k]) + CLOSE) * ax + (abs(r[1, k]) + CLOSE) * ay
        if along > b[j, 3 + k] + span + (abs(r[2, k]) + CLOSE) * az + m:
            return -1.0
    for k in range(3):
        f, g = (k + 1) % 3, (k + 2) % 3
        s0, s1, s2 = abs(r[0, k]) + CLOSE, abs(r[1, k]) + CLOSE, abs(r[2, k]) + CLOSE
        hf, hg = b[j, 3 + f], b[j, 3 + g]
        along = abs(z * r[1, k] - y * r[2, k]) - abs(vz * r[1, k] - vy * r[2, k])
        across = hf * (abs(r[0, g]) + CLOSE) + hg * (abs(r[0, f]) + CLOSE)
        if along > ay * s2 + az * s1 + across + m:
            return -1.0
        along = abs(x * r[2, k] - z * r[0, k]) - abs(vx * r[2, k] - vz * r[0, k])
        across = hf * (abs(r[1, g]) + CLOSE) + hg * (abs(r[1, f]) + CLOSE)
        if along > ax * s2 + az * s0 + across + m:
            return -1.0
        along = abs(y * r[0, k] - x * r[1, k]) - abs(vy * r[0, k] - vx * r[1, k])
        across = hf * (abs(r[2, g]) + CLOSE) + hg * (abs(r[2, f]) + CLOSE)
        if along > ax * s1 + ay * s0 + across + m:
            return -1.0
    return sqrt(vx * vx + vy * vy + vz * vz) + turn * b[j, 6]


@compiled
def _separation(p, q, position, motion, bend, gap, points, tolerance):
    """Return for which shares before and after now two triangles surely keep apart.

    Args:
        p: Triangle of the obstacles.
        q: Placed triangle of the body.
        position: Of the body's reference point.
        motion: See `_describe`.
        bend: Bound of half the acceleration of a point of q.
        gap: Their distance.
        points: (6,) their nearest points.
        tolerance: Gap that must be left between them.

    Returns:
        Both -1 if they are too near already.
    """
    nx, ny, nz = (
        (points[3] - points[0]) / gap,
        (points[4] - points[1]) / gap,
        (points[5] - points[2]) / gap,
    )
    top = -1e300
    for k in range(0, 9, 3):
        top = max(top, nx * p[k] + ny * p[k + 1] + nz * p[k + 2])
    top += tolerance
    before, after = 2.0, 2.0
    for k in range(0, 9, 3):
        clearance = nx * q[k] + ny * q[k + 1] + nz * q[k + 2] - top
        if clearance <= 0.0:
            return -1.0, -1.0
        x, y, z = q[k] - position[0], q[k + 1] - position[1], q[k + 2] - position[2]
        rate = nx * (motion[3] + motion[15] * z - motion[16] * y)
        rate += ny * (motion[4] + motion[16] * x - motion[14] * z)
        rate += nz * (motion[5] + motion[14] * y - motion[15] * x)
        # The root of clearance + rate t - bend t^2 on either side of now, without cancellation.
        root = sqrt(rate * rate + 4.0 * bend * clearance)
        low, high = root + abs(rate), root - abs(rate)
        near = 2.0 * clearance / low if low > 0.0 else 2.0
        far = 2.0 * clearance / high if high > 0.5 * clearance else 2.0
        if rate < 0.0:
            near, far = far, near
        before, after = min(before, near), min(after, far)
    return before, after


@inlined
def _push(stack, spans, top, i, j, level, low, high):
    """Put a pair of nodes, its level and an interval of the motion on the stack; return its top."""
    stack[top, 0], stack[top, 1], stack[top, 2] = i, j, level
    spans[top, 0], spans[top, 1] = low, high
    return top + 1


@inlined
def _push_motion(stack, spans, length, first, whole):
    """Put both roots on the stack for all of the motion, its early parts on top.

    Unless ``whole``, the motion is halved until its first part is no longer than ``first`` [m]:
    nothing late is worth a test before all that is early is proved.
    """
    top = _push(stack, spans, 0, 0, 0, 0, 0.0, 1.0)
    while not whole and top < LEVELS and spans[top - 1, 1] * length > first:
        half = 0.5 * spans[top - 1, 1]
        spans[top - 1, 0] = half
        top = _push(stack, spans, top, 0, 0, top, 0.0, half)
    return top


@inlined
def _triangles_apart(
    p, triangle, rotation, position, motion, bend, share, travel, tolerance, scratch
):
    """Return for which shares before and after now two triangles surely keep apart, and their gap.

    ``triangle`` belongs to the body and is put in place here; ``travel`` bounds its motion.
    """
    work, moved, points = scratch[3], scratch[4], scratch[5]
    move(triangle, rotation, position, moved)
    reach = travel + bend * share * share + tolerance
    gap = sqrt(triangle_gap(p, moved, reach * reach, points, work))
    if gap >= reach:
        return 2.0, 2.0, gap
    if gap > 0.0:
        before, after = _separation(p, moved, position, motion, bend, gap, points, tolerance)
        return before, after, gap
    return -1.0, -1.0, gap


@inlined
def _push_halves(trees, stack, spans, top, i, j, level, low, high, travel):
    """Split the coarser of interval and pair of nodes; put both halves on the stack.

    The half that is tested first is on top: the earlier one of an interval.
    """
    children_a, children_b, nodes_a, nodes_b = trees[1], trees[4], trees[0], trees[3]
    first, second = children_a[i], children_b[j]
    open_first = second < 0 or (first >= 0 and nodes_a[i, 6] > nodes_b[j, 6])
    size = nodes_a[i, 6] if open_first else nodes_b[j, 6]
    if travel > TURN_FIRST * size:
        middle, deeper = 0.5 * (low + high), min(level + 1, LEVELS - 1)
        top = _push(stack, spans, top, i, j, deeper, middle, high)
        return _push(stack, spans, top, i, j, deeper, low, middle)
    if open_first:
        top = _push(stack, spans, top, first + 1, j, level, low, high)
        return _push(stack, spans, top, first, j, level, low, high)
    top = _push(stack, spans, top, i, second + 1, level, low, high)
    return _push(stack, spans, top, i, second, level, low, high)


@inlined
def _prove_stacked(trees, top, half, length, tolerance, resolution, whole, scratch):
    """Prove the pairs and intervals on the stack, from its top; see `prove`.

    Returns:
        The share of the motion that is proved, the verdict, and how many pairs of boxes and of
        triangles were tested.
    """
    nodes_a, children_a, triangles_a, nodes_b, children_b, triangles_b, aligned = trees
    stack, relative, spans, times = scratch[0], scratch[2], scratch[8], scratch[9]
    turns, places, motion = scratch[10], scratch[11], scratch[12]
    angle = 2.0 * half
    limit, verdict, tests, pairs = 1.0, FREE, 0, 0
    while top > 0 and not (whole and verdict != FREE):
        top -= 1
        low, high = spans[top, 0], min(spans[top, 1], limit)
        if low >= high:
            continue
        i, j, level = stack[top, 0], stack[top, 1], stack[top, 2]
        middle, share = 0.5 * (low + high), 0.5 * (high - low)
        rotation, position = turns[level], places[level]
        if times[level] != middle:
            times[level] = middle
            _place_at(motion, half, middle, position, rotation)
        tests += 1
        travel = _swept_apart(
            nodes_a, i, nodes_b, j, rotation, position, motion, angle, share, tolerance, aligned,
            relative,
        )  # fmt: skip
        if travel < 0.0:
            continue
        if children_a[i] >= 0 or children_b[j] >= 0:
            if top > STACK - 4:
                limit, verdict = min(limit, low), UNDECIDED
            else:
                top = _push_halves(trees, stack, spans, top, i, j, level, low, high, travel)
            continue
        pairs += 1
        before, after, gap = _triangles_apart(
            triangles_a[-1 - children_a[i]], triangles_b[-1 - children_b[j]], rotation, position,
            motion, 0.5 * angle * angle * nodes_b[j, 7], share, travel, tolerance, scratch,
        )  # fmt: skip
        if before >= share and after >= share:
            continue
        if before < 0.0:
            limit = min(limit, middle)
            verdict = COLLIDES if gap == 0.0 else max(verdict, UNDECIDED)
            before, after = 0.0, 2.0
            if whole:
                continue
        if 2.0 * share * length < resolution or top > STACK - 4:
            limit, verdict = min(limit, low), UNDECIDED
            continue
        deeper = min(level + 1, LEVELS - 1)
        if after < share:
            top = _push(stack, spans, top, i, j, deeper, middle + after, high)
        if before < share:
            top = _push(stack, spans, top, i, j, deeper, low, middle - before)
    return limit, verdict, tests, pairs


@compiled
def prove(trees, a, b, tolerance, resolution, whole, scratch, counts):
    """Prove that the body keeps clear on the motion from a to b, or on its first part.

    Earlier times come first, and no time after the earliest open question is tested.

    Args:
        trees: See `rmp3d.geometry.pair_kernels`.
        a: (7,) configuration.
        b: (7,) configuration.
        tolerance: Gap [m] that a proof leaves, larger than what rounding may hide.
        resolution: An interval with less motion [m] than this is given up.
        whole: Whether to end at the first interval without a proof.
        scratch: See `rmp3d.geometry.pair_kernels`.
        counts: [0] grows by one; [2] and [3], if there, by the pairs of boxes and triangles.

    Returns:
        The share that is proved (if not ``whole``), and FREE, COLLIDES or UNDECIDED.
    """
    stack, spans, times, motion = scratch[0], scratch[8], scratch[9], scratch[12]
    distance, half = _describe(a, b, motion)
    reach = trees[3][0, 7]
    length = distance + 2.0 * half * reach
    for k in range(LEVELS):
        times[k] = -1.0
    top = _push_motion(stack, spans, length, START * reach, whole)
    share, verdict, tests, pairs = _prove_stacked(
        trees, top, half, length, tolerance, resolution, whole, scratch
    )
    counts[0] += 1
    if counts.shape[0] > 3:
        counts[2] += tests
        counts[3] += pairs
    return share, verdict
