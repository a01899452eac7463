"""Faults for runs with parts that carry, and with parts that are asked to appear or go."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.faults.part_plants import _clocked, _columns
from benchmarks.faults.plants import Event, Run, plant
from rmp3d.geometry import Float, Index
from rmp3d.scenes.presence import ASKED

Ride = tuple[int, int, Index]
"""A member, the column of a clock, and the frames between two stops, in a row."""


def _height(run: Run, column: int) -> Float:
    """Return how far (T,) [m] a part is over where the scene has it."""
    motion = run.scene.parts[int(run.scene.moving[column])].motion
    assert motion is not None
    found: Float = motion.hinge_poses(run.clock[:, column])[0][:, 2] - motion.hinge[2]
    return found


def _a_ride(run: Run, rng: np.random.Generator) -> Ride | None:
    """Return a ride of somebody: the frames in which its part is between two stops."""
    found: list[Ride] = []
    for column in range(run.clock.shape[1]):
        part = run.scene.parts[int(run.scene.moving[column])]
        if not part.carries:
            continue
        low, high = part.mesh.bounds
        height = _height(run, column)
        between = (height > 0.05) & (height < height.max() - 0.05)
        for member in run.lasting.tolist():
            feet = run.position[:, member]
            over = ((feet[:, :2] > low[:2]) & (feet[:, :2] < high[:2])).all(axis=1)
            on = between & over & (np.abs(feet[:, 2] - height - high[2]) < 0.005)
            rows = np.flatnonzero(on)
            pieces = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
            found += [(member, column, each) for each in pieces if len(each) > 10]
    return found[int(rng.integers(len(found)))] if found else None


@plant("off_ground")
def rides_beside_the_deck(run: Run, rng: np.random.Generator) -> Run | None:
    """A rider goes up beside its lift, from its stop to the next, as smoothly as on it."""
    ride = _a_ride(run, rng)
    if ride is None:
        return None
    member, _, rows = ride
    side = rng.choice([-1.0, 1.0]) * rng.uniform(1.0, 1.5)
    return run.moved(member, [0.0, side, 0.0], int(rows[0]), int(rows[-1]) + 1)


@plant("off_ground")
def rides_without_its_lift(run: Run, rng: np.random.Generator) -> Run | None:
    """The clock of a lift stands from some frame of a ride on; the rider goes on."""
    ride = _a_ride(run, rng)
    if ride is None:
        return None
    _, column, rows = ride
    clock, frame = run.clock[:, column].copy(), int(rng.choice(rows[:-5]))
    clock[frame:] = clock[frame]
    return _clocked(run, column, clock)


@plant("off_ground", "clock", "collision")
def rides_on_another_lift(run: Run, rng: np.random.Generator) -> Run | None:
    """A rider is where another lift would be if it went like its own."""
    ride = _a_ride(run, rng)
    if ride is None:
        return None
    member, column, rows = ride
    parts = [run.scene.parts[int(row)] for row in run.scene.moving]
    others = [k for k, part in enumerate(parts) if part.carries and k != column]
    if not others:
        return None
    other = parts[int(rng.choice(others))].mesh.bounds.mean(axis=0)
    offset = (other - parts[column].mesh.bounds.mean(axis=0)) * [1.0, 1.0, 0.0]
    return run.moved(member, offset, int(rows[0]), int(rows[-1]) + 1)


@plant("clock")
def a_lift_jumps_with_its_rider(run: Run, rng: np.random.Generator) -> Run | None:
    """A lift is higher from one frame to the next, and so is who rides on it."""
    ride = _a_ride(run, rng)
    if ride is None:
        return None
    member, column, rows = ride
    at = int(rng.choice(rows[:-6]))
    clock = run.clock[:, column].copy()
    clock[at : rows[-1] + 1] = clock[np.minimum(np.arange(at, rows[-1] + 1) + 4, rows[-1])]
    jumped = _clocked(run, column, clock)
    position, frames = run.position.copy(), np.arange(at, int(rows[-1]) + 1)
    rise = _height(jumped, column) - _height(run, column)
    position[frames, member, 2] += rise[frames]
    return replace(jumped, position=position)


@plant("off_ground")
def floats_over_the_deck(run: Run, rng: np.random.Generator) -> Run | None:
    """A rider is two centimeters over its lift, or in it."""
    ride = _a_ride(run, rng)
    if ride is None:
        return None
    member, _, rows = ride
    offset = [0.0, 0.0, float(rng.choice([-0.02, 0.02]))]
    return run.moved(member, offset, int(rows[0]), int(rows[-1]) + 1)


@plant("collision", "off_ground", "inside")
def stands_where_a_lift_comes_down(run: Run, rng: np.random.Generator) -> Run | None:
    """Somebody stands at the lower stop of a lift while it is up, and stays."""
    columns = [
        k for k in range(run.clock.shape[1]) if run.scene.parts[int(run.scene.moving[k])].carries
    ]
    if not columns:
        return None
    column = int(rng.choice(columns))
    deck = run.scene.parts[int(run.scene.moving[column])].mesh.bounds
    up = np.flatnonzero(_height(run, column) > 1.0)
    if len(up) == 0:
        return None
    member, position = int(rng.choice(run.lasting)), run.position.copy()
    position[up[0] :, member] = [*deck.mean(axis=0)[:2], deck[1, 2]]
    return replace(run, position=position)


def _retold(
    run: Run, change: Callable[[Event], Event | None], rng: np.random.Generator
) -> Run | None:
    """Return the run with one thing that a part was asked told otherwise, or not (None)."""
    rows = [k for k, event in enumerate(run.events) if event[1] in ASKED]
    if not rows:
        return None
    row = int(rng.choice(rows))
    changed = change(run.events[row])
    events = [*run.events[:row], *([] if changed is None else [changed]), *run.events[row + 1 :]]
    return replace(run, events=tuple(sorted(events, key=lambda each: each[0])))


@plant("clock")
def a_part_changes_unasked(run: Run, rng: np.random.Generator) -> Run | None:
    return _retold(run, lambda event: None, rng)


@plant("clock")
def a_part_changes_before_it_is_asked(run: Run, rng: np.random.Generator) -> Run | None:
    later = float(rng.integers(10, 60)) * run.dt
    return _retold(run, lambda event: (event[0] + later, *event[1:]), rng)


@plant("clock")
def a_part_is_asked_the_reverse(run: Run, rng: np.random.Generator) -> Run | None:
    other = {ASKED[0]: ASKED[1], ASKED[1]: ASKED[0]}
    return _retold(run, lambda event: (event[0], other[event[1]], *event[2:]), rng)


@plant("clock")
def another_part_is_asked(run: Run, rng: np.random.Generator) -> Run | None:
    names = [name for name in run.header.moving if name] + ["nothing"]
    told = _retold(
        run, lambda e: (*e[:4], str(rng.choice([name for name in names if name != e[4]]))), rng
    )
    return told


@plant("clock")
def a_part_that_is_asked_does_nothing(run: Run, rng: np.random.Generator) -> Run | None:
    """Its clock stands for ever from before a change on, though nobody is near."""
    columns = [k for k in _columns(run, appears=True) if np.ptp(run.clock[:, k]) > 0.0]
    if not columns:
        return None
    column = int(rng.choice(columns))
    return _clocked(run, column, np.full(run.frames, run.clock[0, column]))
