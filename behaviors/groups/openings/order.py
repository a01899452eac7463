"""Who passes an opening after whom, and how fast each may come on: loops over members."""

import numpy as np

from rmp3d.geometry.compiled import compiled

# Who is nearer than this to one before it [m], and in its way, steps back at up to so much [m/s].
CLOSE, STEP_BACK = 0.02, 0.3
# Those that wait keep so far behind those in front of them [m]; they slow down so much before that
# [m], to be there in about so long [s].
LOOSE, SLOWS, STOPS_IN = 0.35, 1.0, 1.0
# Two that are nearer than this, and in each other's way, change lanes [m].
TOUCHES = 0.05
# Who has a place in the order keeps it before those that are nearer by less than this [m].
KEEPS = 0.15
# Of those that could pass as early, this share of the distance decides.
NEARER = 0.02
# So many before it in the order can be in a member's way.
BEFORE = 4
# A distance to one before is made up in this time [s].
MAKES_UP = 0.3


@compiled
def behind(i, j, crossing, radius, gap):
    """Return how far [m] i keeps behind j along the way; negative if they pass side by side."""
    apart = radius[i] + radius[j] + gap
    aside = crossing[i] - crossing[j]
    if abs(aside) >= apart:
        return -1.0
    return np.sqrt(apart * apart - aside * aside)


@compiled
def make_way(position, radius, velocity):
    """Let members at positions (m, 2) step back from those before them in whose way they are.

    Their velocities (m, 2) are changed in their order: who steps back is made way for, too.
    """
    for i in range(len(radius)):
        for j in range(i):
            x, y = position[i, 0] - position[j, 0], position[i, 1] - position[j, 1]
            apart = np.sqrt(x * x + y * y)
            gap = apart - radius[i] - radius[j]
            if gap >= CLOSE or apart < 1e-9:
                continue
            x, y = x / apart, y / apart
            if x * velocity[j, 0] + y * velocity[j, 1] <= 0.0:
                continue
            missing = STEP_BACK * min(1.0, 1.0 - gap / CLOSE)
            missing -= x * velocity[i, 0] + y * velocity[i, 1]
            if missing > 0.0:
                velocity[i, 0] += missing * x
                velocity[i, 1] += missing * y


@compiled
def keep_apart(position, far, radius, velocity):
    """Let those that wait leave room between them and those in front of them: ``LOOSE``.

    Args:
        position: (m, 3) [m].
        far: (m,) from the opening [m].
        radius: Of a body [m].
        velocity: (m, 2) that is changed [m/s].
    """
    for i in range(len(far)):
        for j in range(len(far)):
            if far[j] >= far[i]:
                continue
            x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            apart = np.sqrt(x * x + y * y)
            gap = apart - 2.0 * radius
            if gap >= LOOSE + SLOWS or apart < 1e-9:
                continue
            x, y = x / apart, y / apart
            too_fast = x * velocity[i, 0] + y * velocity[i, 1] - max(0.0, gap - LOOSE) / STOPS_IN
            if too_fast > 0.0:
                velocity[i, 0] -= too_fast * x
                velocity[i, 1] -= too_fast * y


@compiled
def change_lanes(rows, before, aside, radius, lane):
    """Let two of some rows change their lanes (m,) if they touch, and their lanes cross.

    Members are so far before an opening, and to the left of its middle (m,) [m].
    """
    for a in range(len(rows)):
        for b in range(a):
            i, j = rows[a], rows[b]
            x, y = before[i] - before[j], aside[i] - aside[j]
            gap = np.sqrt(x * x + y * y) - radius[i] - radius[j]
            if gap < TOUCHES and y * (lane[i] - lane[j]) < 0.0:
                lane[i], lane[j] = lane[j], lane[i]


@compiled
def order_of_passing(distance, crossing, radius, had, gap):
    """Return the order (m,) in which members pass.

    Args:
        distance: (m,) to the line [m].
        crossing: (m,) where each crosses it [m].
        radius: (m,) [m].
        had: (m,) places that they had; -1 for newcomers.
        gap: Between the bodies of two in one lane [m].
    """
    count = len(distance)
    order = np.empty(count, np.intp)
    taken = np.zeros(count, np.bool_)
    own = distance - KEEPS * (had >= 0)
    nearest = np.argsort(own)
    for place in range(count):
        best, least = -1, 1e300
        for i in nearest:
            if taken[i]:
                continue
            if own[i] + NEARER * own[i] > least:
                break  # nor could anybody behind it pass as early
            first = own[i]
            for k in range(max(0, place - BEFORE), place):
                after = behind(i, order[k], crossing, radius, gap)
                if after >= 0.0:
                    first = max(first, distance[order[k]] + after)
            # Where several could pass as early, the nearest, then who had the earlier place.
            first += NEARER * own[i] + 1e-3 * (had[i] if had[i] >= 0 else count)
            if first < least or (first == least and i < best):
                best, least = i, first
        order[place] = best
        taken[best] = True
    return order


@compiled
def speeds_in_order(distance, crossing, radius, closing, pace, gap):
    """Return the speeds (m,) [m/s] of members in their order, no faster than ``pace`` (m,).

    Each comes to its distance behind those before it, which close in on the line at ``closing``
    (m,) [m/s], with a ``gap`` [m] between the bodies of two in one lane.
    """
    speed = np.empty(len(distance))
    for i in range(len(distance)):
        least = pace[i]
        for j in range(max(0, i - BEFORE), i):
            after = behind(i, j, crossing, radius, gap)
            if after >= 0.0:
                left = distance[i] - distance[j] - after
                least = min(least, max(0.0, closing[j]) + left / MAKES_UP)
        speed[i] = max(0.0, least)
    return speed
