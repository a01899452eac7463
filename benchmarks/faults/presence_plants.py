"""Faults for runs whose members come and leave, and for what such runs claim of trips."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import CONTACT, Event, Run, _center, plant
from rmp3d.geometry import Index


def _comers(run: Run) -> Index:
    """Return the members that come on the way and are there for some frames."""
    return np.flatnonzero((run.life[:, 0] > 0) & (run.life[:, 1] - run.life[:, 0] > 10))


def _leavers(run: Run) -> Index:
    """Return the members that leave before the end."""
    return np.flatnonzero((run.life[:, 1] > 20) & (run.life[:, 1] < run.frames - 5))


def _living(run: Run, member: int, end: int, frame: int) -> Run:
    """Return the run with the first (end 0) or the last (end 1) frame of a member elsewhere."""
    life = run.life.copy()
    life[member, end] = frame
    return replace(run, life=life)


def _told(run: Run, change: Callable[[Event], Event | None]) -> Run:
    """Return the run with events changed, or dropped (None)."""
    events = [change(event) for event in run.events]
    kept = sorted((event for event in events if event is not None), key=lambda each: each[0])
    return replace(run, events=tuple(kept))


def _shifted(kinds: tuple[str, ...], member: int, by: float) -> Callable[[Event], Event]:
    def change(event: Event) -> Event:
        if event[1] in kinds and event[3] == member:
            return (max(event[0] + by, 0.0), *event[1:])
        return event

    return change


@plant("member_collision")
def comes_inside_another(run: Run, rng: np.random.Generator) -> Run | None:
    """A newcomer is put, with its whole path, to where somebody stands when it comes."""
    if len(_comers(run)) == 0:
        return None
    member = int(rng.choice(_comers(run)))
    frame = int(run.life[member, 0])
    others = np.flatnonzero((run.life[:, 0] <= frame) & (frame < run.life[:, 1]))
    others = others[others != member]
    if len(others) == 0:
        return None
    other = int(rng.choice(others))
    middle = _center(run, other) - _center(run, member)
    return run.moved(member, run.position[frame, other] + middle - run.position[frame, member])


@plant(*CONTACT)
def comes_in_an_obstacle(run: Run, rng: np.random.Generator) -> Run | None:
    faces = run.scene.obstacles.triangles.mean(axis=1)
    if len(_comers(run)) == 0 or len(faces) == 0:
        return None
    member = int(rng.choice(_comers(run)))
    target = faces[rng.integers(len(faces))] - _center(run, member)
    return run.moved(member, target - run.position[run.life[member, 0], member])


@plant("start", "force")
def comes_at_full_speed(run: Run, rng: np.random.Generator) -> Run | None:
    """A newcomer is there only from when it is in motion; the event says the same."""
    for member in rng.permutation(_comers(run)).tolist():
        first, end = run.life[member].tolist()
        speed = np.linalg.norm(np.diff(run.position[first:end, member], axis=0), axis=1) / run.dt
        limits = run.characters[member].parameters
        fast = np.flatnonzero(speed > 2.0 * limits.max_force / limits.mass * run.dt)
        fast = fast[fast > 0]
        if len(fast):
            later = int(fast[len(fast) // 2])
            told = _told(run, _shifted(("came",), member, later * run.dt))
            return _living(told, member, 0, first + later)
    return None


@plant("claim")
def comes_before_it_is_told(run: Run, rng: np.random.Generator) -> Run | None:
    if len(_comers(run)) == 0:
        return None
    member = int(rng.choice(_comers(run)))
    return _living(run, member, 0, int(rng.integers(0, run.life[member, 0])))


@plant("claim")
def comes_untold(run: Run, rng: np.random.Generator) -> Run | None:
    if len(_comers(run)) == 0:
        return None
    member = int(rng.choice(_comers(run)))
    return _told(run, lambda e: None if (e[1], e[3]) == ("came", member) else e)


@plant("claim")
def leaves_untold(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is gone from one frame to the next, in the middle of the scene."""
    if len(run.lasting) < 2 or run.frames < 8:
        return None
    member, frame = int(rng.choice(run.lasting)), int(rng.integers(run.frames // 4, run.frames - 4))
    return _living(run, member, 1, frame)


@plant("claim")
def is_there_after_it_left(run: Run, rng: np.random.Generator) -> Run | None:
    if len(_leavers(run)) == 0:
        return None
    member = int(rng.choice(_leavers(run)))
    last = int(run.life[member, 1])
    position = run.position.copy()
    position[last:, member] = position[last - 1, member]
    return _living(replace(run, position=position), member, 1, run.frames)


@plant("claim")
def leaves_before_its_goal(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is gone half-way; the events say that it has arrived and left there."""
    arrived = {event[3] for event in run.events if event[1] == "arrived"}
    members = [member for member in _leavers(run) if member in arrived]
    if not members:
        return None
    member = int(rng.choice(members))
    first, end = run.life[member].tolist()
    earlier = (end - first) // 2
    told = _told(run, _shifted(("arrived", "left"), member, -earlier * run.dt))
    return _living(told, member, 1, end - earlier)


@plant("claim")
def takes_another_trip(run: Run, rng: np.random.Generator) -> Run | None:
    """A member of a crowd goes where another trip leads."""
    plans = list(run.header.plans)
    for group in rng.permutation(len(plans)).tolist():
        trip = plans[group].get("trip")
        if trip is None or len(np.unique(trip)) < 2:
            continue
        behavior = run.header.scenario.groups[group].behavior
        assert isinstance(behavior, dict)
        ways = [[*each.get("via", ()), each["goal"]] for each in behavior["trips"]]
        arrived = {event[3] for event in run.events if event[1] == "arrived"}
        own = np.flatnonzero(run.header.group_of == group)
        for row in rng.permutation(len(trip)).tolist():
            others = [k for k, way in enumerate(ways) if not _ends(ways[int(trip[row])], way)]
            if others and own[row] in arrived:
                changed = np.array(trip)
                changed[row] = rng.choice(others)
                plans[group] = {**plans[group], "trip": changed}
                return replace(run, header=replace(run.header, plans=tuple(plans)))
    return None


def _ends(way: list[str], other: list[str]) -> bool:
    """Return whether whoever goes one way has gone the other one, too."""
    return way[len(way) - len(other) :] == other
