"""Compiled proofs about the rigid motion between two configurations.

A configuration is (x y z, qw qx qy qz). The motion between two moves the reference point straight
and turns at constant speed on the short arc (slerp). While it covers a share h on either side of
its middle, a point of the body within reach of the reference point moves at most
``h (distance + angle reach)``: if every pair of triangles is farther apart than that at the
middle, the interval is free.
"""

from math import acos, asin, sin, sqrt

import numpy as np

from geometry.compiled import compiled
from geometry.pair_kernels import gap_one, make_scratch, overlaps_one, place

FREE, COLLIDES, UNDECIDED = 0, 1, 2
QUEUE = 4096  # intervals that wait to be looked at


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
def between(a, b, half, sign, share, out):
    """Write the configuration at a share of the motion from a to b."""
    for k in range(3):
        out[k] = a[k] + share * (b[k] - a[k])
    u, v = 1.0 - share, share
    if half > 1e-9:
        u, v = sin((1.0 - share) * half) / sin(half), sin(share * half) / sin(half)
    size = 0.0
    for k in range(3, 7):
        out[k] = u * a[k] + v * sign * b[k]
        size += out[k] * out[k]
    size = 1.0 / sqrt(size)
    for k in range(3, 7):
        out[k] *= size


@compiled
def advance(trees, a, b, tolerance, resolution, reached, scratch, counts):
    """Prove as much as possible of the motion from a (free) towards b.

    The interval that is tried next doubles on success and halves on failure, until its motion
    is below ``resolution`` [m].

    Returns:
        The share that is proved free; ``reached`` (7,) receives the configuration there.
        ``counts[0]`` grows by the queries made.
    """
    distance, half, sign = extent(a, b)
    length = distance + 2.0 * half * trees[3][0, 16]
    done, step = 0.0, 0.5
    rotation, here = scratch[6], scratch[7]
    while True:
        between(a, b, half, sign, done + step, here)
        place(here, rotation)
        counts[0] += 1
        base = tolerance + step * distance
        if gap_one(trees, rotation, here, base, 2.0 * step * half, False, scratch) < 0.0:
            done += 2.0 * step
            if done >= 1.0 - 1e-12:
                reached[:] = b
                return 1.0
            step = min(2.0 * step, 0.5 * (1.0 - done))
        else:
            step *= 0.5
            if step * length < resolution:
                break
    if done > 0.0:
        between(a, b, half, sign, done, reached)
    else:
        reached[:] = a
    return done


@compiled
def certify_one(trees, a, b, tolerance, resolution, queue, scratch, counts):
    """Prove or refuse the whole motion from a to b: FREE, COLLIDES or UNDECIDED.

    Intervals are halved breadth first, so that a collision is found early.
    """
    distance, half, sign = extent(a, b)
    length = distance + 2.0 * half * trees[3][0, 16]
    rotation, here = scratch[6], scratch[7]
    queue[0, 0], queue[0, 1] = 0.0, 1.0
    head, tail = 0, 1
    while head != tail:
        low, high = queue[head % QUEUE, 0], queue[head % QUEUE, 1]
        head += 1
        middle, step = 0.5 * (low + high), 0.5 * (high - low)
        between(a, b, half, sign, middle, here)
        place(here, rotation)
        counts[0] += 1
        base = tolerance + step * distance
        gap = gap_one(trees, rotation, here, base, 2.0 * step * half, False, scratch)
        if gap < 0.0:
            continue
        if gap == 0.0:
            return COLLIDES
        counts[0] += 1
        if overlaps_one(trees, rotation, here, scratch):
            return COLLIDES
        if step * length < resolution or tail - head > QUEUE - 4:
            return UNDECIDED
        queue[tail % QUEUE, 0], queue[tail % QUEUE, 1] = low, middle
        queue[(tail + 1) % QUEUE, 0], queue[(tail + 1) % QUEUE, 1] = middle, high
        tail += 2
    return FREE


@compiled
def certify_rows(trees, start, end, tolerance, resolution, verdict, counts):
    """Fill ``verdict`` (M,) for motions start[i] -> end[i]."""
    scratch = make_scratch()
    queue = np.empty((QUEUE, 2))
    for i in range(start.shape[0]):
        verdict[i] = certify_one(
            trees, start[i], end[i], tolerance, resolution, queue, scratch, counts
        )
