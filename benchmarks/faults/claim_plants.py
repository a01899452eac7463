"""Faults in what a recording tells: events, formations, how it ended."""

from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import Run, _anyone, plant


@plant("claim", "not_arrived")
def never_sets_out(run: Run, rng: np.random.Generator) -> Run | None:
    """A member that arrives stands at its start instead, for the whole run."""
    arrived = [event[3] for event in run.events if event[1] == "arrived"]
    arrived = [member for member in run.lasting if member in arrived]
    if not arrived:
        return None
    member = int(rng.choice(arrived))
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member], orientation[:, member] = position[0, member], orientation[0, member]
    return replace(run, position=position, orientation=orientation)


@plant("formation", "claim")
def a_formation_that_is_not_kept(run: Run, rng: np.random.Generator) -> Run | None:
    rows = len(run.header.formations)
    held = np.flatnonzero((run.formation >= 0).any(axis=0))
    if rows < 2 or len(held) == 0:
        return None
    formation = run.formation.copy()
    formation[:, held] = (formation[:, held] + 1) % rows
    return replace(run, formation=formation)


@plant("claim")
def an_event_after_the_end(run: Run, rng: np.random.Generator) -> Run | None:
    time = run.dt * run.frames + rng.uniform(1.0, 100.0)
    return replace(run, events=(*run.events, (time, "arrived", 0, 0, "")))


@plant("claim")
def arrives_before_it_does(run: Run, rng: np.random.Generator) -> Run | None:
    """An event says that a member has arrived, while it is still at its start."""
    late = [k for k, event in enumerate(run.events) if event[1] == "arrived" and event[0] > 2.0]
    if not late:
        return None
    events, row = list(run.events), int(rng.choice(late))
    events[row] = (0.0, *events[row][1:])
    return replace(run, events=tuple(sorted(events)))


@plant("claim", "not_arrived")
def the_last_third_is_cut_off(run: Run, rng: np.random.Generator) -> Run | None:
    """All arrays are as short, and the events are those of the whole run."""
    last = 2 * run.frames // 3
    if not any(event[0] > last * run.dt for event in run.events):
        return None
    return run.cut(0, last)


@plant("claim")
def the_end_tells_of_more_arrivals(run: Run, rng: np.random.Generator) -> Run | None:
    ends = [k for k, event in enumerate(run.events) if event[1] == "end" and "arrived" in event[4]]
    if not ends:
        return None
    events, row = list(run.events), ends[0]
    count = sum(event[1] == "arrived" for event in events) + int(rng.integers(1, 5))
    events[row] = (*events[row][:4], f"{count} arrived")
    return replace(run, events=tuple(events))


@plant("claim")
def a_formation_that_changes_untold(run: Run, rng: np.random.Generator) -> Run | None:
    told = sorted({event[2] for event in run.events if event[1] == "formation"})
    if not told or len(run.header.formations) < 2:
        return None
    _, frame = _anyone(run, rng)
    formation, group = run.formation.copy(), int(rng.choice(told))
    formation[frame:, group] = (formation[frame:, group] + 1) % len(run.header.formations)
    return replace(run, formation=formation)


@plant("claim")
def an_event_between_two_frames(run: Run, rng: np.random.Generator) -> Run | None:
    _, frame = _anyone(run, rng)
    event = ((frame + 0.5) * run.dt, "reroute", 0, -1, "")
    return replace(run, events=tuple(sorted((*run.events, event), key=lambda each: each[0])))


@plant("claim")
def an_event_of_a_member_of_another_group(run: Run, rng: np.random.Generator) -> Run | None:
    group_of = run.header.group_of
    if group_of.max() == 0:
        return None
    event = (0.0, "reroute", 0, int(rng.choice(np.flatnonzero(group_of > 0))), "")
    return replace(run, events=(event, *run.events))
