"""Configurations moved to where they have most room: to the middle of a passage."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.compiled import assign, compiled
from rmp3d.geometry.pair_kernels import contacts_one, gap_one, make_scratch, place
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.sliding import cut, displaced, keep_off, size

ROUNDS = 40  # of one configuration
CONTACTS = 48
CHUNK = 16  # configurations of a path that are centered in one turn
ROOM = 0.5  # gap that is enough, times the reach
FIRST, LEAST = 0.5, 0.02  # wanted gain of the gap in the first round, and at last, times the gap


@compiled
def move_to_middle(trees, lever, limits, room, row, rows, work, push, scratch, counts):
    """Move one configuration (7,) to a greater gap, in place; return the gap."""
    freedom, low, high = limits
    here, twist, there = work[0], work[1], work[2]
    assign(here, row)
    place(here, scratch[6])
    gap = gap_one(trees, scratch[6], here, room, 0.0, True, scratch)
    gain = FIRST
    for _ in range(ROUNDS):
        if gap >= room or gap <= 0.0 or gain < LEAST:
            break
        wanted = min(room, (1.0 + gain) * gap)
        place(here, scratch[6])
        touching = contacts_one(trees, scratch[6], here, 2.0 * wanted, lever, rows, scratch)
        for k in range(6):
            twist[k] = 0.0
        keep_off(rows, touching, freedom, wanted, twist, push)
        cut(twist, size(twist), 4.0 * (wanted - gap))
        displaced(here, twist, lever, low, high, there)
        place(there, scratch[6])
        better = gap_one(trees, scratch[6], there, room, 0.0, True, scratch)
        counts[1] += 2
        if better > gap * (1.0 + 0.2 * gain):
            gap = better
            assign(here, there)
            gain *= 1.5
        else:
            gain *= 0.4
    assign(row, here)
    return gap


@compiled
def center_rows(trees, lever, limits, room, configurations, gaps, counts):
    """Move configurations (M, 7) to greater gaps, and write the gaps (M,) [m], at most ``room``."""
    scratch = make_scratch()
    rows, work, push = np.empty((CONTACTS, 10)), np.empty((4, 7)), np.empty(CONTACTS)
    for i in range(configurations.shape[0]):
        gaps[i] = move_to_middle(
            trees, lever, limits, room, configurations[i], rows, work, push, scratch, counts
        )


def centered(
    space: RigidBodySpace, configurations: Float, room: float = ROOM
) -> tuple[Float, Float]:
    """Return configurations (M, 7) with more room, and their gaps (M,) [m].

    Each is moved, step by step, such that its nearest contacts come farther away: the least twist
    for which all gaps grow by a share (the quadratic program of a slide). A step is kept if the
    gap has grown. What touches something stays where it is.

    Args:
        space: Of the body.
        configurations: (M, 7).
        room: Gap that is enough, times the reach.
    """
    rows = np.array(configurations)
    gaps, counts = np.zeros(len(rows)), np.zeros(2, np.int64)
    limits = (space.freedom.copy(), *space.bounds.copy())
    trees = space.world.pair.trees
    center_rows(trees, space.lever, limits, room * space.reach, rows, gaps, counts)
    space.world.counts.distance += int(counts[1])
    return rows, gaps
