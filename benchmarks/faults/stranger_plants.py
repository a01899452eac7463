"""What a scenario says and a run did not do: changes, parts, trips, ends; and what events make up.

The motion is sound in all of them, but for two in which bodies face or lean as nobody does: what is
said of it, or left out, is false.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import LEFT, UP, Event, Run, _about, plant
from benchmarks.faults.presence_plants import _told
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenario import ChangeTable
from rmp3d.scenes.presence import ASKED
from rmp3d.verification.attitude import NAVIGATING


def _counted(run: Run) -> Run:
    """Return the run with the arrivals that its end tells of counted anew."""
    count = len({event[3] for event in run.events if event[1] == "arrived"})

    def change(event: Event) -> Event:
        counts = event[1] == "end" and "arrived" in event[4]
        return (*event[:4], f"{count} arrived") if counts else event

    return _told(run, change)


def _stays(run: Run, member: int) -> Run:
    """Return the run in which a member that leaves stands where it was last, to the end."""
    last = int(run.life[member, 1])
    position, orientation, life = run.position.copy(), run.orientation.copy(), run.life.copy()
    for array in (position, orientation):
        array[last:, member] = array[last - 1, member]
    life[member, 1] = run.frames
    return replace(run, position=position, orientation=orientation, life=life)


def _change(
    run: Run, kind: str, wanted: Callable[[ChangeTable], object]
) -> tuple[ChangeTable, Event] | None:
    """Return a change of the scenario, and the event of a member that comes or leaves by it."""
    groups = run.header.scenario.groups
    for change in run.header.scenario.changes:
        for event in run.events:
            told = event[1] == kind and abs(event[0] - change.time) <= 2 * run.dt
            if wanted(change) is not None and told and groups[event[2]].name == change.group:
                return change, event
    return None


def _without_change(run: Run, event: Event) -> Run:
    """Return the run without an event, and without the change told at the same time."""
    return _told(
        run, lambda e: None if e == event or (e[1] == "change" and e[0] == event[0]) else e
    )


@plant("claim")
def nobody_leaves_though_a_change_says_so(run: Run, rng: np.random.Generator) -> Run | None:
    found = _change(run, "left", lambda change: change.remove)
    if found is None:
        return None
    _, event = found
    return _without_change(_stays(run, event[3]), event)


@plant("claim")
def another_one_leaves_than_the_change_says(run: Run, rng: np.random.Generator) -> Run | None:
    found = _change(run, "left", lambda change: change.remove)
    if found is None:
        return None
    change, event = found
    own = np.flatnonzero(run.header.group_of == event[2])
    others = [m for m in own.tolist() if m in run.lasting]
    if isinstance(change.remove, str) or not others:
        return None
    other, frame = int(rng.choice(others)), int(run.life[event[3], 1])
    stays = _stays(run, event[3])
    life = stays.life.copy()
    life[other, 1] = frame
    text = f"{change.group} {other - int(own[0])} leaves"

    def told(e: Event) -> Event | None:
        if e == event:
            return (*e[:3], other, text)
        return None if e[3] == other and e[0] > event[0] else e

    return _counted(_told(replace(stays, life=life), told))


@plant("claim")
def nobody_comes_though_a_change_says_so(run: Run, rng: np.random.Generator) -> Run | None:
    found = _change(run, "came", lambda change: change.add)
    if found is None:
        return None
    _, event = found
    life = run.life.copy()
    life[event[3]] = 0
    gone = _without_change(replace(run, life=life), event)
    return _counted(_told(gone, lambda e: None if e[3] == event[3] else e))


@plant("claim")
def one_comes_elsewhere_than_the_change_says(run: Run, rng: np.random.Generator) -> Run | None:
    """It goes a way of its own beside the others."""
    found = _change(run, "came", lambda change: change.add)
    if found is None:
        return None
    room = np.ptp(run.scene.bounds[:, 1])
    return run.moved(found[1][3], 0.45 * room * rng.choice([-1.0, 1.0]) * LEFT)


def _asks(run: Run) -> list[Event]:
    """Return what parts are asked by changes of the scenario."""
    return [event for event in run.events if event[1] in ASKED and event[2] < 0]


@plant("claim", "clock")
def a_part_is_not_asked_what_a_change_says(run: Run, rng: np.random.Generator) -> Run | None:
    """Nor asked anything later: it stays as it was."""
    asks = _asks(run)
    if not asks:
        return None
    ask = asks[int(rng.integers(len(asks)))]
    column, frame = run.header.moving.index(ask[4]), round(ask[0] / run.dt)
    clock = run.clock.copy()
    clock[frame:, column] = clock[max(frame - 1, 0), column]
    later = [e for e in run.events if e[1] in ASKED and e[4] == ask[4] and e[0] >= ask[0]]
    return _told(replace(run, clock=clock), lambda e: None if e in later else e)


@plant("claim", "clock")
def a_part_is_asked_and_goes_a_while_early(run: Run, rng: np.random.Generator) -> Run | None:
    """The event and the part itself agree, and the change is not yet due."""
    early = round(0.4 / run.dt)
    asks = [event for event in _asks(run) if event[0] > (early + 1) * run.dt]
    if not asks:
        return None
    ask = asks[int(rng.integers(len(asks)))]
    column, frame = run.header.moving.index(ask[4]), round(ask[0] / run.dt)
    changes = np.flatnonzero(np.diff(run.clock[:, column]) != 0.0) + 1
    changes = changes[changes >= frame - 1]
    if len(changes) == 0:
        return None
    clock, first = run.clock.copy(), int(changes[0])
    clock[first - early : first, column] = clock[first, column]
    return _told(
        replace(run, clock=clock),
        lambda e: ((frame - early) * run.dt, *e[1:]) if e == ask else e,
    )


@plant("claim")
def a_part_is_asked_by_those_that_ask_nothing(run: Run, rng: np.random.Generator) -> Run | None:
    asks = [event for event in run.events if event[1] in ASKED]
    names = [group.behavior["name"] for group in run.header.scenario.groups]
    groups = [row for row, name in enumerate(names) if name != "acting"]
    if not asks or not groups:
        return None
    ask, group = asks[int(rng.integers(len(asks)))], int(rng.choice(groups))
    return _told(run, lambda e: (*e[:2], group, -1, e[4]) if e == ask else e)


@plant("claim", "not_arrived")
def one_that_should_come_never_does(run: Run, rng: np.random.Generator) -> Run | None:
    """The run ends before its time all the same, as if all had come and arrived."""
    if run.frames - 1 >= run.header.scenario.simulation.duration / run.dt:
        return None
    trips = [row for row, plan in enumerate(run.header.plans) if "trip" in plan]
    late = [event[3] for event in run.events if event[1] == "came" and event[2] in trips]
    if not late:
        return None
    member, life = int(rng.choice(late)), run.life.copy()
    life[member] = 0
    return _counted(_told(replace(run, life=life), lambda e: None if e[3] == member else e))


@plant("claim")
def stands_on_after_its_end(run: Run, rng: np.random.Generator) -> Run | None:
    """All stand for three seconds more than `linger`, and less than `duration`."""
    steps = round(3.0 / run.dt)
    still = np.abs(run.position[-1] - run.position[-2]).max() < 1e-3
    told = any(event[1] == "arrived" for event in run.events)
    long = run.frames + steps > run.header.scenario.simulation.duration / run.dt
    goes_on = any(group.afterwards is not None for group in run.header.scenario.groups)
    if not still or not told or long or goes_on or run.clock.shape[1]:
        return None
    rows = np.concatenate([np.arange(run.frames), np.full(steps, run.frames - 1)])
    longer = replace(
        run, position=run.position[rows], orientation=run.orientation[rows],
        subgoal=run.subgoal[rows], formation=run.formation[rows], clock=run.clock[rows],
        life=np.where(run.life == run.frames, len(rows), run.life),
    )  # fmt: skip
    end = (len(rows) - 1) * run.dt
    return _told(longer, lambda e: (end, *e[1:]) if e[1] == "end" else e)


@plant("claim")
def fewer_take_a_trip_than_it_says(run: Run, rng: np.random.Generator) -> Run | None:
    """One takes another trip, and the recording says that it was drawn for it."""
    for group, plan in enumerate(run.header.plans):
        if "trip" not in plan:
            continue
        table = run.header.scenario.groups[group]
        trips, drawn = table.behavior["trips"], np.array(plan["trip"])
        rows = [k for k in np.unique(drawn[: table.members]).tolist() if trips[k].get("count")]
        others = [k for k, trip in enumerate(trips) if not trip.get("count")]
        if rows and others:
            takers = np.flatnonzero(drawn[: table.members] == int(rng.choice(rows)))
            drawn[int(rng.choice(takers))] = int(rng.choice(others))
            plans = list(run.header.plans)
            plans[group] = {**plan, "trip": drawn}
            return replace(run, header=replace(run.header, plans=tuple(plans)))
    return None


@plant("claim")
def arrives_without_a_goal(run: Run, rng: np.random.Generator) -> Run | None:
    groups = run.header.scenario.groups
    members = [
        m
        for m in run.lasting.tolist()
        if groups[int(run.header.group_of[m])].goal is None
        and groups[int(run.header.group_of[m])].behavior["name"] in ("steering", "acting")
    ]
    if not members:
        return None
    member, frame = int(rng.choice(members)), int(rng.integers(2, run.frames - 2))
    arrival = (
        frame * run.dt, "arrived", int(run.header.group_of[member]), member, "in the goal region"
    )  # fmt: skip
    return _counted(_told(replace(run, events=(*run.events, arrival)), lambda e: e))


@plant("claim")
def an_arrival_is_left_out(run: Run, rng: np.random.Generator) -> Run | None:
    """The run ends early, as all have arrived, and of one nobody was told."""
    arrivals = [event for event in run.events if event[1] == "arrived"]
    early = run.frames - 1 < run.header.scenario.simulation.duration / run.dt
    if not arrivals or not early:
        return None
    lost = arrivals[int(rng.integers(len(arrivals)))]
    return _counted(_told(run, lambda e: None if e == lost else e))


@plant("claim")
def tells_of_one_that_has_left(run: Run, rng: np.random.Generator) -> Run | None:
    gone = np.flatnonzero((run.life[:, 1] > 0) & (run.life[:, 1] < run.frames - 8))
    if len(gone) == 0:
        return None
    member = int(rng.choice(gone))
    event = (
        (run.frames - 3) * run.dt, "reroute", int(run.header.group_of[member]), member, "is lost"
    )  # fmt: skip
    return _told(replace(run, events=(*run.events, event)), lambda e: e)


@plant("claim")
def the_formation_before_was_another(run: Run, rng: np.random.Generator) -> Run | None:
    changes = [e for e in run.events if e[1] == "formation" and " to " in e[4]]
    if not changes:
        return None
    lie = changes[int(rng.integers(len(changes)))]
    before, after = lie[4].split(" to ", 1)
    other = "wedge" if before != "wedge" else "column"
    return _told(run, lambda e: (*e[:4], f"{other} to {after}") if e == lie else e)


@plant("claim")
def no_formation_is_told(run: Run, rng: np.random.Generator) -> Run | None:
    told = any(event[1] == "formation" for event in run.events)
    if not told or not np.diff(run.formation, axis=0).any():
        return None
    return _told(run, lambda e: None if e[1] == "formation" else e)


@plant("facing")
def goes_backward_all_the_way(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker or flyer that gets somewhere faces where it comes from."""
    groups, members = run.header.scenario.groups, []
    for member in run.lasting.tolist():
        own, group = run.characters[member], groups[int(run.header.group_of[member])]
        free = own.parameters.turn_radius == 0.0 and own.vehicle != "carried"
        kept = group.behavior["name"] in NAVIGATING and group.afterwards is None
        way = np.linalg.norm(run.position[-1, member, :2] - run.position[0, member, :2])
        if free and kept and np.isinf(own.turn_acceleration) and way > 8.0:
            members.append(member)
    if not members:
        return None
    return run.turned(int(rng.choice(members)), _about(UP, np.pi))


@plant("upright")
def nods_where_the_ground_is_level(run: Run, rng: np.random.Generator) -> Run | None:
    """For two seconds a vehicle leans as it does on the slopes of the scene, far from any."""
    ground, length = run.scene.walkable, round(2.0 / run.dt)
    cars = [m for m in run.grounded().tolist() if run.characters[m].parameters.lean > 0.0]
    if ground is None or not cars or run.frames < 2 * length:
        return None
    steep = np.flatnonzero(ground.normals[:, 2] < np.cos(np.radians(0.5)))
    member = int(rng.choice(cars))
    place = run.position[: run.frames - length, member]
    if len(steep) == 0:
        frames = np.arange(length, len(place))
    else:
        far = MeshQuery(ground.select(steep)).closest_point(place)[0] > 2.0
        # The lean that it may have brought along has decayed.
        steps = np.linalg.norm(np.diff(place, axis=0), axis=1) > 0.2 * run.dt
        long = np.cumsum(np.concatenate([[False], steps & far[1:]])) * run.dt > 6.0
        frames = np.flatnonzero(far & long)
    if len(frames) == 0:
        return None
    frame, angle = int(rng.choice(frames)), np.radians(6.0)
    shape = np.sin(np.linspace(0.0, np.pi, length))
    return run.turned(member, _about(LEFT, angle * shape), frame, frame + length)
