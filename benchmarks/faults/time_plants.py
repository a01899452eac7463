"""Faults in time and measure: frames left out, told twice or backward, other units, false ends."""

from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import Run, _anyone, plant
from rmp3d.geometry import Index

FAST = 0.3
"""Somebody who goes at least so fast [m/s] tells of frames that are missing."""


def _taken(run: Run, rows: Index) -> Run | None:
    """Return the run with frames (T',) of it; None if members come or leave."""
    if len(run.lasting) < len(run.life):
        return None
    end = (len(rows) - 1) * run.dt
    return replace(
        run, position=run.position[rows], orientation=run.orientation[rows],
        subgoal=run.subgoal[rows], formation=run.formation[rows], clock=run.clock[rows],
        life=np.tile([0, len(rows)], (len(run.life), 1)),
        events=tuple((min(event[0], end), *event[1:]) for event in run.events),
    )  # fmt: skip


def _fast_frame(run: Run, rng: np.random.Generator) -> int:
    """Return a frame in which somebody is fast and goes on; -1 if there is none."""
    steps = np.linalg.norm(np.diff(run.position[:, run.lasting], axis=0), axis=2)
    fast = np.flatnonzero((np.minimum(steps[:-1], steps[1:]) > FAST * run.dt).any(axis=1)) + 1
    return int(rng.choice(fast)) if len(fast) else -1


@plant()
def a_frame_is_left_out(run: Run, rng: np.random.Generator) -> Run | None:
    frame = _fast_frame(run, rng)
    return None if frame < 0 else _taken(run, np.delete(np.arange(run.frames), frame))


@plant()
def half_a_second_is_left_out(run: Run, rng: np.random.Generator) -> Run | None:
    frame, count = _fast_frame(run, rng), max(2, int(0.5 / run.dt))
    if frame < 0 or frame + count >= run.frames:
        return None
    return _taken(run, np.delete(np.arange(run.frames), np.arange(frame, frame + count)))


@plant()
def all_stand_for_a_second(run: Run, rng: np.random.Generator) -> Run | None:
    frame, count = _fast_frame(run, rng), int(1.0 / run.dt)
    if frame < 0:
        return None
    return _taken(run, np.insert(np.arange(run.frames), frame, np.full(count, frame)))


@plant()
def every_frame_is_there_twice(run: Run, rng: np.random.Generator) -> Run | None:
    return None if _fast_frame(run, rng) < 0 else _taken(run, np.arange(run.frames).repeat(2))


@plant()
def the_end_comes_first(run: Run, rng: np.random.Generator) -> Run | None:
    """The run is told backward, while it is still in motion."""
    frame = _fast_frame(run, rng)
    return None if frame < 0 else _taken(run, np.arange(frame)[::-1])


@plant()
def centimeters_for_meters(run: Run, rng: np.random.Generator) -> Run | None:
    if _fast_frame(run, rng) < 0:
        return None
    return replace(run, position=100.0 * run.position, subgoal=100.0 * run.subgoal)


@plant("claim")
def the_end_is_told_twice(run: Run, rng: np.random.Generator) -> Run | None:
    ends = [event for event in run.events if event[1] == "end"]
    return replace(run, events=(*run.events, ends[0])) if ends else None


@plant("claim")
def arrives_though_it_never_comes(run: Run, rng: np.random.Generator) -> Run | None:
    arrived = [event[3] for event in run.events if event[1] == "arrived" and event[3] >= 0]
    if not arrived or len(run.life) < 2:
        return None
    life = run.life.copy()
    life[int(rng.choice(arrived))] = 0
    return replace(run, life=life)


@plant()
def one_is_where_another_is(run: Run, rng: np.random.Generator) -> Run | None:
    """A member has the places and headings of another one, from some frame on or always."""
    if len(run.lasting) < 2:
        return None
    member, frame = _anyone(run, rng)
    other = int(rng.choice(run.lasting[run.lasting != member]))
    first = frame if rng.random() < 0.5 else 0
    position, orientation = run.position.copy(), run.orientation.copy()
    position[first:, member] = position[first:, other]
    orientation[first:, member] = orientation[first:, other]
    return replace(run, position=position, orientation=orientation)
