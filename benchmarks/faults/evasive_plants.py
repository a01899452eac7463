"""Faults as small as a rule's slack lets through, added up; and where rules begin and end."""

from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.faults.plants import AHEAD, LEFT, UP, Run, _about, _anyone, plant
from rmp3d.geometry.rotations import product, rotate

BLOCK = 64
"""Motions that `verify` reads at a time."""


def _seam(run: Run, rng: np.random.Generator) -> int:
    """Return a frame at the border of two blocks, or the last frame."""
    seams = [k for k in range(BLOCK, run.frames - 1, BLOCK)]
    offset = int(rng.integers(-1, 2))
    return int(rng.choice(seams)) + offset if seams and rng.random() < 0.7 else run.frames - 1


def _with_event(run: Run, time: float, kind: str, group: int, member: int, text: str = "") -> Run:
    events = (*run.events, (time, kind, group, member, text))
    return replace(run, events=tuple(sorted(events, key=lambda each: each[0])))


def _trip(run: Run, member: int) -> dict[str, Any]:
    """Return the trip of a member of a crowd, as the scenario has it; of others nothing."""
    group = int(run.header.group_of[member])
    rows = run.header.plans[group].get("trip")
    if rows is None:
        return {}
    number = int(np.flatnonzero(np.flatnonzero(run.header.group_of == group) == member)[0])
    trip: dict[str, Any] = run.header.scenario.groups[group].behavior["trips"][
        int(rows[number % len(rows)])
    ]
    return trip


def _cars(run: Run) -> list[int]:
    return [m for m in run.grounded() if run.characters[m].parameters.turn_radius > 0.0]


@plant("speed", "force")
def jumps_at_the_seam_of_two_blocks(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is some centimeters elsewhere from the first frame of a block on, or at last."""
    member = int(rng.choice(run.lasting))
    limits = run.characters[member].parameters
    push = max(limits.max_force, limits.max_braking, limits.max_side_force or 0.0) / limits.mass
    size = max(0.03, 2.5 * push * run.dt**2)
    return run.moved(member, size * LEFT * rng.choice([-1.0, 1.0]), _seam(run, rng))


@plant("upright")
def tilts_at_the_seam_of_two_blocks(run: Run, rng: np.random.Generator) -> Run | None:
    members = [m for m in run.grounded() if run.characters[m].parameters.lean == 0.0]
    if not members:
        return None
    frame = _seam(run, rng)
    return run.turned(int(rng.choice(members)), _about(AHEAD, np.radians(5.0)), frame, frame + 1)


@plant("off_ground")
def floats_at_the_seam_of_two_blocks(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    frame = _seam(run, rng)
    return run.moved(int(rng.choice(members)), 0.011 * UP, frame, frame + 1)


@plant("turn_rate", "roll_rate", "pivot")
def turns_in_the_last_frame(run: Run, rng: np.random.Generator) -> Run | None:
    member = int(rng.choice(run.lasting))
    angle = 1.5 * run.characters[member].parameters.max_turn_rate * run.dt + 0.01
    if angle >= np.pi:
        return None
    return run.turned(member, _about(UP, angle), run.frames - 1)


@plant("pivot", "course")
def a_car_turns_on_the_spot_very_slowly(run: Run, rng: np.random.Generator) -> Run | None:
    """Each step is within the rounding of orientations; over ten seconds they add up."""
    cars = [m for m in _cars(run) if not run.characters[m].parameters.pivots]
    if not cars:
        return None
    member, (_, frame) = int(rng.choice(cars)), _anyone(run, rng)
    still = np.linalg.norm(np.diff(run.position[:, member], axis=0), axis=1) < 1e-7
    ends = np.flatnonzero(~still)
    frame = max(int(ends[-1]) + 2 if len(ends) else 2, 2)
    if run.frames - frame < 60:
        frame = run.frames // 2
    position, orientation = run.position.copy(), run.orientation.copy()
    position[frame:, member] = position[frame, member]
    turn = _about(UP, 2e-4 * np.arange(run.frames - frame))
    start = np.broadcast_to(orientation[frame, member], turn.shape)
    orientation[frame:, member] = product(start, turn)
    return replace(run, position=position, orientation=orientation)


@plant("upright")
def leans_on_level_ground(run: Run, rng: np.random.Generator) -> Run | None:
    """A body that leans as the ground does leans by eight degrees where the ground is level."""
    if run.scene.walkable is None:
        return None
    up = rotate(run.orientation, UP)
    level = [
        m for m in run.grounded()
        if run.characters[m].parameters.lean > 0.0 and up[:, m, 2].min() > np.cos(1e-3)
    ]  # fmt: skip
    if not level:
        return None
    axis = AHEAD if rng.random() < 0.5 else LEFT
    return run.turned(int(rng.choice(level)), _about(axis, np.radians(8.0)))


@plant("claim")
def an_arrival_of_nobody(run: Run, rng: np.random.Generator) -> Run | None:
    """Somebody has arrived, it is said, and not who."""
    group = int(rng.integers(len(run.header.scenario.groups)))
    frame = int(rng.integers(run.frames))
    return _with_event(run, frame * run.dt, "arrived", group, -1, "in the goal region")


@plant("claim")
def the_end_in_other_words(run: Run, rng: np.random.Generator) -> Run | None:
    """The end says, in words of its own, that everybody arrived."""
    words = str(rng.choice(["all have arrived", "arrived: 400", "400 arrived, all"]))
    if not any(event[1] == "end" and event[4] != words for event in run.events):
        return None
    kept = [(*e[:4], words) if e[1] == "end" else e for e in run.events]
    return replace(run, events=tuple(kept))


@plant("claim")
def a_catch_in_other_words(run: Run, rng: np.random.Generator) -> Run | None:
    """Somebody has caught somebody, it is said, of a group that catches nobody."""
    member, frame = _anyone(run, rng)
    group = int(run.header.group_of[member])
    if any(event[1] == "change" and event[2] == group for event in run.events):
        return None  # it may be another group since
    words = str(rng.choice(["caught", "caught member 0 of nobody", "caught them all"]))
    return _with_event(run, frame * run.dt, "caught", group, member, words)


@plant("claim", "scenario")
def a_change_that_nobody_made(run: Run, rng: np.random.Generator) -> Run | None:
    """A change is told that the scenario lacks: trips are not looked at after that."""
    _, frame = _anyone(run, rng)
    group = int(rng.integers(len(run.header.scenario.groups)))
    return _with_event(run, frame * run.dt, "change", group, -1, "behavior")


@plant("claim", "not_arrived")
def does_not_stay_at_a_place_of_its_trip(run: Run, rng: np.random.Generator) -> Run | None:
    """A member goes on at once from a place at which it should stay, and waits at its goal."""
    for member in rng.permutation(run.lasting).tolist():
        trip = _trip(run, member)
        if not trip.get("stay") or not isinstance((trip.get("via") or [None])[0], str):
            continue
        stop = run.scene.region(trip["via"][0])
        inside = np.flatnonzero(stop.contains(run.position[:, member]))
        if len(inside) * run.dt < 1.0 or inside[-1] - inside[0] > len(inside):
            continue
        first, last = int(inside[0]) + 2, int(inside[-1]) - 2
        rows_of = np.r_[0:first, last : run.frames, np.full(last - first, run.frames - 1)]
        position, orientation = run.position.copy(), run.orientation.copy()
        position[:, member] = run.position[rows_of, member]
        orientation[:, member] = run.orientation[rows_of, member]
        return replace(run, position=position, orientation=orientation)
    return None


@plant("force")
def brakes_too_hard(run: Run, rng: np.random.Generator) -> Run | None:
    """A member whose brakes are weaker than its thrust stops as if they were not."""
    found = []
    for member in run.lasting.tolist():
        own = run.characters[member].parameters
        if own.max_braking < 0.7 * own.max_force:
            found.append(member)
    if not found:
        return None
    member = int(rng.choice(found))
    own = run.characters[member].parameters
    brake = 1.3 * own.max_braking / own.mass
    speed = np.linalg.norm(np.diff(run.position[:, member], axis=0), axis=1) / run.dt
    frame = int(speed[:-2].argmax())
    steps = int(speed[frame] / (brake * run.dt))
    if steps < 2 or frame + steps + 2 > run.frames:
        return None
    way = (run.position[frame + 1, member] - run.position[frame, member]) / speed[frame]
    slower = np.maximum(speed[frame] - brake * run.dt * np.arange(1, run.frames), 0.0)
    position = run.position.copy()
    count = run.frames - frame - 2
    position[frame + 2 :, member] = (
        position[frame + 1, member] + np.cumsum(slower[:count, None] * run.dt, axis=0) * way
    )
    return replace(run, position=position)


@plant("turn_rate")
def turns_a_little_too_fast(run: Run, rng: np.random.Generator) -> Run | None:
    member, frame = _anyone(run, rng)
    rate = 1.03 * run.characters[member].parameters.max_turn_rate
    if not 0.02 < rate * run.dt < 0.9 * np.pi:
        return None
    before = run.orientation[frame - 1, member]
    orientation = run.orientation.copy()
    count = run.frames - frame + 1
    angle = rate * run.dt * np.minimum(np.arange(count), 3)
    orientation[frame - 1 :, member] = product(
        np.broadcast_to(before, (count, 4)), _about(UP, angle)
    )
    return replace(run, orientation=orientation)


@plant("start_region")
def starts_elsewhere_than_its_trip(run: Run, rng: np.random.Generator) -> Run | None:
    """A member of a crowd has been half-way already when the run begins."""
    crowd = [
        m for m in run.lasting
        if run.header.scenario.groups[run.header.group_of[m]].behavior["name"] == "crowd"
    ]  # fmt: skip
    crowd = [m for m in crowd if np.ptp(run.position[:, m], axis=0).max() > 3.0]
    if not crowd:
        return None
    member = int(rng.choice(crowd))
    way = np.linalg.norm(run.position[:, member] - run.position[0, member], axis=1)
    late = int(np.flatnonzero(way > 2.0)[0])
    rows = np.minimum(np.arange(run.frames) + late, run.frames - 1)
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member] = run.position[rows, member]
    orientation[:, member] = run.orientation[rows, member]
    return replace(run, position=position, orientation=orientation)


@plant("claim")
def comes_before_its_timetable(run: Run, rng: np.random.Generator) -> Run | None:
    """Who comes by a timetable is there a second before, and stands; the event tells it so."""
    told = {event[3] for event in run.events if event[1] == "came"}
    late = [m for m in sorted(told) if run.life[m, 0] * run.dt > 0.9 and _trip(run, m).get("times")]
    if not late:
        return None
    member = int(rng.choice(late))
    first = int(run.life[member, 0])
    new = max(first - round(0.9 / run.dt), 1)
    position, orientation, life = run.position.copy(), run.orientation.copy(), run.life.copy()
    subgoal = run.subgoal.copy()
    for array in (position, orientation, subgoal):
        array[new:first, member] = array[first, member]
    life[member, 0] = new
    events = [
        (new * run.dt, *e[1:]) if e[1] == "came" and e[3] == member else e for e in run.events
    ]
    events.sort(key=lambda each: each[0])
    return replace(
        run, position=position, orientation=orientation, subgoal=subgoal, life=life,
        events=tuple(events),
    )  # fmt: skip


@plant("off_ground")
def comes_in_the_air(run: Run, rng: np.random.Generator) -> Run | None:
    """Who comes on the way stands a little over the ground in the first frame."""
    late = [
        m for m in range(len(run.life))
        if run.life[m, 0] > 0 and run.life[m, 1] > run.life[m, 0] and run.characters[m].grounded
    ]  # fmt: skip
    if not late:
        return None
    member = int(rng.choice(late))
    first = int(run.life[member, 0])
    return run.moved(member, 0.012 * UP, first, first + 1)


@plant("speed", "force")
def leaves_with_a_leap(run: Run, rng: np.random.Generator) -> Run | None:
    """Who leaves is half a meter away in its last frame."""
    gone = [m for m in range(len(run.life)) if 2 < run.life[m, 1] < run.frames]
    if not gone:
        return None
    member = int(rng.choice(gone))
    last = int(run.life[member, 1]) - 1
    return run.moved(member, 0.5 * LEFT * rng.choice([-1.0, 1.0]), last, last + 1)


@plant("off_ground", "level_jump", "collision", "speed")
def takes_the_stairs_in_one_leap(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker that climbs by more than two steps is at the other end of them in one frame."""
    members = [m for m in run.grounded() if np.ptp(run.position[:, m, 2]) > 0.45]
    if not members or run.header.moving:
        return None
    member = int(rng.choice(members))
    height = run.position[:, member, 2]
    rise = np.abs(height - height[0])
    moves = np.flatnonzero(rise > 0.02)
    if len(moves) == 0:
        return None
    first = int(moves[0]) - 1
    beyond = np.flatnonzero(rise[first:] > 0.45)
    if len(beyond) == 0:
        return None
    last = first + int(beyond[0])
    rows = np.r_[0 : first + 1, last : run.frames, np.full(last - first - 1, run.frames - 1)]
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member] = run.position[rows, member]
    orientation[:, member] = run.orientation[rows, member]
    return replace(run, position=position, orientation=orientation)


@plant("off_ground", "level_jump", "collision")
def steps_off_a_lift_between_floors(run: Run, rng: np.random.Generator) -> Run | None:
    """A rider is beside its lift, at the height of the deck, while the lift is between floors."""
    members = [m for m in run.grounded() if np.ptp(run.position[:, m, 2]) > 1.0]
    if not members or not run.header.moving:
        return None
    member = int(rng.choice(members))
    height = run.position[:, member, 2]
    middle = 0.5 * (height.min() + height.max())
    frame = int(np.abs(height - middle).argmin())
    return run.moved(member, 0.95 * LEFT * rng.choice([-1.0, 1.0]), frame, frame + 3)


@plant("off_ground", "collision", "clock")
def stands_on_ground_that_is_away(run: Run, rng: np.random.Generator) -> Run | None:
    """A member stands for half a second where ground is at other times."""
    for column in rng.permutation(run.clock.shape[1]).tolist():
        part = run.scene.parts[int(run.scene.moving[column])]
        if part.role != "ground" or part.motion is None:
            continue
        clock = run.clock[:, column]
        if hasattr(part.motion, "is_there"):
            away = ~part.motion.is_there(clock)
        else:
            away = np.linalg.norm(part.motion.poses(clock)[1], axis=1) > 0.5
        frames = np.flatnonzero(away)
        members = run.grounded()
        if len(frames) == 0 or len(members) == 0:
            continue
        frame = int(rng.choice(frames))
        low, high = part.mesh.bounds
        place = np.array([*(0.5 * (low + high))[:2], high[2]])
        position = run.position.copy()
        position[frame : frame + max(2, round(0.5 / run.dt)), int(rng.choice(members))] = place
        return replace(run, position=position)
    return None


@plant()
def three_faults_at_once(run: Run, rng: np.random.Generator) -> Run | None:
    """One member floats, one is tilted and one is too fast, so that findings may hide others."""
    from benchmarks.faults.plants import PLANTS

    names = ["floats by two centimeters", "trembles", "too fast", "stands one degree off"]
    for name in rng.permutation(names)[:3].tolist():
        run = PLANTS[name](run, rng) or run
    return run


@plant("reverse", "course")
def backs_up_too_fast(run: Run, rng: np.random.Generator) -> Run | None:
    """A vehicle goes its fastest way backward: it is turned half round."""
    cars = [m for m in _cars(run) if run.characters[m].parameters.reverse > 0.0]
    speed = np.linalg.norm(np.diff(run.position, axis=0), axis=2).max(axis=0) / run.dt
    cars = [m for m in cars if speed[m] > 1.05 * run.characters[m].parameters.reverse]
    if not cars:
        return None
    return run.turned(int(rng.choice(cars)), _about(UP, np.pi))


@plant("turn_radius", "course", "force")
def turns_in_too_small_a_circle(run: Run, rng: np.random.Generator) -> Run | None:
    """A vehicle drives round a circle of nine tenths of its turn radius, slowly."""
    cars = [m for m in run.lasting if run.characters[m].parameters.turn_radius > 0.0]
    if not cars:
        return None
    member = int(rng.choice(cars))
    own = run.characters[member].parameters
    radius = 0.9 * own.turn_radius
    speed = min(0.3 * own.max_speed, np.sqrt(0.3 * own.max_force / own.mass * radius))
    steps = np.arange(run.frames)
    angle = np.cumsum(speed * np.minimum(steps * run.dt / 2.0, 1.0)) * run.dt / radius
    start = run.position[0, member]
    heading = rotate(run.orientation[:1, member], AHEAD)[0]
    base = np.arctan2(heading[1], heading[0])
    center = start[:2] + radius * np.array([-np.sin(base), np.cos(base)])
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member, 0] = center[0] + radius * np.sin(base + angle)
    position[:, member, 1] = center[1] - radius * np.cos(base + angle)
    position[:, member, 2] = start[2]
    orientation[:, member] = _about(UP, base + angle)
    return replace(run, position=position, orientation=orientation)
