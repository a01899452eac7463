"""Following a tight passage from its middle to where it opens: a motion that nobody has to guess.

In a thread only one motion is free, a turn with a shift. A step is the last motion, changed as
little as possible such that no contact comes much nearer: the quadratic program of a slide. Then
the body is moved to the middle again (`centered`), and the step is kept if the straight motion is
proved. This is a continuation with predictor and corrector (Allgower and Georg 1990, "Numerical
continuation methods").
"""

from collections.abc import Generator

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.compiled import assign, compiled
from rmp3d.geometry.pair_kernels import contacts_one, gap_one, make_scratch, place
from rmp3d.geometry.rigid_motion import advance
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.centering import CONTACTS, move_to_middle
from rmp3d.planner.trees.sliding import cut, displaced, keep_off, size, twist_between

STEPS, TURNS = 16, 25  # in one turn, and turns in one direction, at most
FIRST, LEAST = 0.1, 1e-3  # length of a step, times the reach: at first and the longest, at least
SWEEPS = 40  # of projections
NEAR = 3.0  # contacts that a step keeps to, times the gap
LEAST_PART = 0.02  # of the wanted motion, that must be along the passage
KEPT = 0.3  # of a gap, that the step must keep before the body is moved to the middle
NECK = 0.7  # of a gap, that a step must leave, unless it is short
ONWARD = 0.3  # of a step, by which the body must come on
RESOLUTION = 1e-4  # of the proof of a step, times the reach
OPEN = 0.1  # gap at which a passage ends, times the reach


@compiled
def along(rows, count, freedom, far, twist):
    """Project a twist on those that neither leave nor approach a contact nearer than ``far``.

    By projections on one contact after the other (Kaczmarz 1937).
    """
    for k in range(6):
        twist[k] *= freedom[k]
    for _ in range(SWEEPS):
        for i in range(count):
            if rows[i, 6] > far:
                continue
            square, speed = 0.0, 0.0
            for k in range(6):
                square += rows[i, k] * rows[i, k] * freedom[k]
                speed += rows[i, k] * twist[k]
            if square > 1e-12:
                for k in range(6):
                    twist[k] -= speed / square * rows[i, k] * freedom[k]


@compiled
def _predict(rows, count, freedom, gap, wanted, step, keeps_to, push, twist):
    """Write the twist of the next step: the last motion, along the contacts if it keeps to them."""
    whole = size(wanted)
    for k in range(6):
        twist[k] = wanted[k]
    if keeps_to:
        along(rows, count, freedom, NEAR * gap, twist)
    part = max(size(twist), LEAST_PART * whole)
    for k in range(6):
        twist[k] *= step / part
    keep_off(rows, count, freedom, KEPT * gap, twist, push)
    cut(twist, size(twist), 2.0 * step)


@compiled
def _onward(here, there, lever, wanted, twist):
    """Write the twist between two configurations; return its part in a wanted direction."""
    twist_between(here, there, lever, twist)
    part = 0.0
    for k in range(6):
        part += twist[k] * wanted[k]
    return part / size(wanted)


@compiled
def follow(trees, settings, limits, room, row, wanted, trail, rows, work, scratch, counts):
    """Follow a passage from a configuration in one direction.

    Args:
        trees: See `rmp3d.geometry.pair_kernels`.
        settings: Lever, tolerance and resolution, longest and least step [m].
        limits: Freedom (6,), lower and upper corner (3,).
        room: Gap at which the passage ends [m].
        row: (7,) where it begins, free.
        wanted: (6,) twist in whose direction to go; changed.
        trail: (K, 7) receives the configurations, joined by proved motions.
        rows: (CONTACTS, 10) scratch for contacts.
        work: (8, 7) scratch.
        scratch: See `rmp3d.geometry.pair_kernels`.
        counts: (2,) motion and contact queries, added to.

    Returns:
        How many were written, and whether the passage has opened.
    """
    lever, tolerance, resolution, longest, least = settings
    freedom, low, high = limits
    here, twist, there, reached, inner = work[0], work[1], work[2], work[3], work[4:]
    push = np.empty(rows.shape[0])
    assign(here, row)
    step, count, tries = longest, 0, 0
    while count < trail.shape[0] and step >= least:
        place(here, scratch[6])
        gap = gap_one(trees, scratch[6], here, room, 0.0, True, scratch)
        counts[1] += 3
        if gap >= room:
            return count, True
        touching = contacts_one(trees, scratch[6], here, 2.0 * step + gap, lever, rows, scratch)
        _predict(rows, touching, freedom, gap, wanted, step, tries % 2 == 0, push, twist)
        displaced(here, twist, lever, low, high, there)
        place(there, scratch[6])
        share = 0.0
        if gap_one(trees, scratch[6], there, room, 0.0, True, scratch) > 0.0:
            after = move_to_middle(
                trees, lever, limits, room, there, rows, inner, push, scratch, counts
            )
            onward = _onward(here, there, lever, wanted, twist)
            # A body that does not come back to the middle was moved too far, or is in a neck.
            if onward > ONWARD * step and (after >= NECK * gap or step <= 4.0 * least):
                share = advance(trees, here, there, tolerance, resolution, reached, scratch, counts)
        if share >= 1.0:
            for k in range(6):
                wanted[k] = twist[k]
            assign(here, there)
            assign(trail[count], there)
            count += 1
            step, tries = min(1.5 * step, longest), 0
            continue
        if tries % 2 == 1:
            step *= 0.5
        tries += 1
    return count, False


def followed(
    space: RigidBodySpace, row: Float, direction: Float, turns: int = TURNS
) -> Generator[None, None, tuple[Float, bool]]:
    """Return, after some turns, the configurations (K, 7) along a passage, and whether it opens.

    Args:
        space: Of the body.
        row: (7,) in the passage, free; not returned.
        direction: (6,) twist [m], the rotation times the lever; not zero.
        turns: At most, of `STEPS` steps each.
    """
    counts, reach = np.zeros(2, np.int64), space.reach
    settings = (
        space.lever, space.world.tolerance, RESOLUTION * reach, FIRST * reach, LEAST * reach,
    )  # fmt: skip
    limits = (space.freedom.copy(), *space.bounds.copy())
    work = np.empty((CONTACTS, 10)), np.empty((8, 7)), make_scratch()
    trails, wanted, opens = [np.array(row)[None]], np.array(direction), False
    for _ in range(turns):
        trail = np.empty((STEPS, 7))
        count, opens = follow(
            space.world.pair.trees, settings, limits, OPEN * reach, trails[-1][-1].copy(), wanted,
            trail, *work, counts,
        )  # fmt: skip
        space.world.counts.collision += int(counts[0])
        space.world.counts.distance += int(counts[1])
        counts[:] = 0
        trails.append(trail[:count])
        if count < STEPS:
            break
        yield
    return np.concatenate(trails[1:]), bool(opens)
