"""Faults of whole runs: ends too early or too late, starts elsewhere, members left out."""

from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import Run, _anyone, plant
from benchmarks.faults.presence_plants import _living
from rmp3d.geometry import Float
from rmp3d.scenario import start_region
from rmp3d.verification.attitude import NAVIGATING, STRAIGHT_UP


def _ended(run: Run, last: int, arrived: int) -> Run:
    """Return the run with the events before frame ``last``, and the end told then."""
    time = (run.frames - 1) * run.dt
    text = next((each[4] for each in run.events if each[1] == "end"), "")
    text = f"{arrived} arrived" if "arrived" in text else text
    events = [each for each in run.events if each[0] <= last * run.dt and each[1] != "end"]
    return replace(run, events=(*events, (time, "end", -1, -1, text)))


@plant("claim", "not_arrived")
def ends_before_its_time(run: Run, rng: np.random.Generator) -> Run | None:
    """The first half of a run is told as the whole: it ends as if that were its end."""
    _, last = _anyone(run, rng)
    arrived = sum(each[1] == "arrived" and each[0] <= last * run.dt for each in run.events)
    if (run.life[:, 0] > last).any():
        return None
    return _ended(run.cut(0, last + 1), last, arrived)


@plant("claim")
def goes_on_after_its_end(run: Run, rng: np.random.Generator) -> Run | None:
    """All stand for as long as the run may last, and longer."""
    steps = int(np.ceil(run.header.scenario.simulation.duration / run.dt))
    moves = np.abs(run.position[-1] - run.position[-2]).max()
    if moves > 1e-3 or run.clock.shape[1]:
        return None
    rows = np.concatenate([np.arange(run.frames), np.full(steps, run.frames - 1)])
    life = np.where(run.life == run.frames, len(rows), run.life)
    longer = replace(
        run, position=run.position[rows], orientation=run.orientation[rows],
        subgoal=run.subgoal[rows], formation=run.formation[rows], clock=run.clock[rows], life=life,
    )  # fmt: skip
    return _ended(longer, len(rows), sum(each[1] == "arrived" for each in run.events))


def _may_begin(run: Run, member: int, place: Float) -> bool:
    """Return whether a member may begin at a place (3,) [m]."""
    row = int(run.header.group_of[member])
    own = np.flatnonzero(run.header.group_of == row).tolist()
    behavior = run.header.scenario.groups[row].behavior
    if any(trip.get("start") for trip in behavior.get("trips", ())):
        return True  # a trip of its own may begin there
    radius = max(run.characters[each].body.radius for each in own)
    region = start_region(run.header.scenario.groups[row], run.scene, radius)
    return bool(region.contains(place[None])[0])


@plant("start_region")
def stands_in_its_goal_from_the_first_frame(run: Run, rng: np.random.Generator) -> Run | None:
    """A member that arrives has been where it is at the end all the time."""
    arrived = [each[3] for each in run.events if each[1] == "arrived"]
    way = np.linalg.norm(run.position[-1] - run.position[0], axis=1)
    members = [
        m
        for m in run.lasting.tolist()
        if m in arrived and way[m] > 4.0 and not _may_begin(run, m, run.position[-1, m])
    ]
    if not members:
        return None
    member = int(rng.choice(members))
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member], orientation[:, member] = position[-1, member], orientation[-1, member]
    events = tuple(
        sorted(
            ((0.0, *e[1:]) if (e[1], e[3]) == ("arrived", member) else e for e in run.events),
            key=lambda each: each[0],
        )
    )
    return replace(run, position=position, orientation=orientation, events=events)


@plant("claim")
def one_is_never_there(run: Run, rng: np.random.Generator) -> Run | None:
    """A member of a group is left out of the run, with all that is told of it."""
    lasting = run.lasting.tolist()
    if len(lasting) < 2:
        return None
    member = int(rng.choice(lasting))
    arrived = [each[3] for each in run.events if each[1] == "arrived"]
    events = tuple(
        (*e[:4], f"{len(arrived) - (member in arrived)} arrived")
        if e[1] == "end" and "arrived" in e[4]
        else e
        for e in run.events
        if e[3] != member
    )
    life = run.life.copy()
    life[member] = 0
    return replace(run, life=life, events=events)


@plant("claim")
def one_is_taken_out_of_the_run(run: Run, rng: np.random.Generator) -> Run | None:
    """A member leaves half-way, as if somebody had asked it to, and nobody has."""
    lasting = run.lasting.tolist()
    if len(lasting) < 2 or any(each.remove for each in run.header.scenario.changes):
        return None
    member, frame = int(rng.choice(lasting)), int(rng.integers(run.frames // 4, run.frames - 4))
    group = int(run.header.group_of[member])
    name = run.header.scenario.groups[group].name
    number = member - int(np.flatnonzero(run.header.group_of == group)[0])
    left = (frame * run.dt, "left", group, member, f"{name} {number} leaves")
    arrived = [e[3] for e in run.events if e[1] == "arrived" and e[0] <= left[0]]
    kept = [e for e in run.events if e[3] != member or e[0] <= left[0]]
    count = len({e[3] for e in kept if e[1] == "arrived"} | set(arrived))
    kept = [
        (*e[:4], f"{count} arrived") if e[1] == "end" and "arrived" in e[4] else e for e in kept
    ]
    events = tuple(sorted([*kept, left], key=lambda each: each[0]))
    return replace(_living(run, member, 1, frame), events=events)


def _tilted(run: Run, rng: np.random.Generator, axis: int, angle: float) -> Run | None:
    """Return the run with a flyer turned about one of its axes from the first frame to the last."""
    groups = run.header.scenario.groups
    flyers = [
        m
        for m in run.lasting.tolist()
        if run.characters[m].vehicle == "flying"
        and run.characters[m].parameters.max_pitch < STRAIGHT_UP
        and groups[int(run.header.group_of[m])].behavior["name"] in NAVIGATING
    ]
    if not flyers:
        return None
    turn = np.zeros(4)
    turn[0], turn[1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return run.turned(int(rng.choice(flyers)), turn)


@plant("upright")
def flies_upside_down(run: Run, rng: np.random.Generator) -> Run | None:
    return _tilted(run, rng, 0, np.pi)


@plant("upright")
def flies_with_its_nose_down(run: Run, rng: np.random.Generator) -> Run | None:
    return _tilted(run, rng, 1, 0.5 * np.pi)
