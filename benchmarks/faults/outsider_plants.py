"""Faults as somebody would make them who wants to show that `verify` overlooks something.

Small ones: one frame, a hair more than is allowed, what is told a little wrong.
"""

from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import AHEAD, UP, Run, _about, _anyone, _center, plant
from rmp3d.geometry import Float, Index

SLACK = 0.0105
"""A little more [m] than walkers may be over or under their ground."""


def _in_motion(run: Run, rng: np.random.Generator) -> tuple[int, int] | None:
    """Return a lasting member and a frame in which it is fast, before and after it too."""
    steps = np.linalg.norm(np.diff(run.position[:, run.lasting], axis=0), axis=2)  # (T - 1, n)
    fast = np.minimum(np.minimum(steps[:-2], steps[1:-1]), steps[2:]) > 0.5 * run.dt
    rows = np.argwhere(fast)
    if len(rows) == 0:
        return None
    frame, column = rows[rng.integers(len(rows))].tolist()
    return int(run.lasting[column]), frame + 1


def _reordered(run: Run, member: int, rows: Index) -> Run:
    """Return the run with the frames of one member in another order."""
    position, orientation = run.position.copy(), run.orientation.copy()
    position[:, member] = run.position[rows, member]
    orientation[:, member] = run.orientation[rows, member]
    return replace(run, position=position, orientation=orientation)


@plant("speed", "force")
def two_frames_of_one_are_exchanged(run: Run, rng: np.random.Generator) -> Run | None:
    found = _in_motion(run, rng)
    if found is None:
        return None
    member, frame = found
    rows = np.arange(run.frames)
    rows[[frame, frame + 1]] = rows[[frame + 1, frame]]
    return _reordered(run, member, rows)


@plant("speed", "force", "off_ground", "collision")  # in plan, a rider of a lift stands
def one_stutters_for_a_frame(run: Run, rng: np.random.Generator) -> Run | None:
    """A member stands for one frame and has caught up in the next."""
    found = _in_motion(run, rng)
    if found is None:
        return None
    member, frame = found
    rows = np.arange(run.frames)
    rows[frame + 1] = frame
    return _reordered(run, member, rows)


@plant("start_region", "claim", "not_arrived")
def one_goes_its_way_backward(run: Run, rng: np.random.Generator) -> Run | None:
    """A member that has arrived goes from its goal to its start, while it heads the other way."""
    arrived = {event[3] for event in run.events if event[1] == "arrived"}
    trips = [group for group, plan in enumerate(run.header.plans) if "trip" in plan]
    free = ~np.isin(run.header.group_of, trips)  # trips may start anywhere
    members = [m for m in run.lasting[free[run.lasting]].tolist() if m in arrived]
    if not members:
        return None
    return _reordered(run, int(rng.choice(members)), np.arange(run.frames)[::-1])


@plant("off_ground")
def half_a_millimeter_too_high(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is for one frame over its ground, or under it, by a little more than is allowed."""
    members = run.grounded()
    if len(members) == 0:
        return None
    frame = int(rng.integers(2, run.frames - 2))
    side = float(rng.choice([-1.0, 1.0]))
    return run.moved(int(rng.choice(members)), side * SLACK * UP, frame, frame + 1)


@plant("off_ground", "level_jump")
def hops_within_the_tolerance(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker is 9 mm over its ground and 9 mm under it, in turn."""
    members = run.grounded()
    if len(members) == 0:
        return None
    member, position = int(rng.choice(members)), run.position.copy()
    position[run.frames // 3 :, member, 2] += 0.009 * (-1.0) ** np.arange(
        run.frames - run.frames // 3
    )
    return replace(run, position=position)


@plant("out_of_bounds")
def a_tenth_of_a_millimeter_out_of_bounds(run: Run, rng: np.random.Generator) -> Run | None:
    """For one frame a member is just outside, with all that leads there."""
    lower, upper = run.scene.bounds
    member, frame = _anyone(run, rng)
    side = int(rng.integers(2))
    edge = (lower, upper)[side][:2] + (-1e-4, 1e-4)[side]
    axis = int(rng.integers(2))
    offset = np.zeros(3)
    offset[axis] = edge[axis] - run.position[frame, member, axis]
    return run.moved(member, offset, frame, frame + 1)


@plant("force")
def bends_its_way_in_one_frame(run: Run, rng: np.random.Generator) -> Run | None:
    """From one frame on a member goes 60 degrees beside its way, at the same speed."""
    found = _in_motion(run, rng)
    if found is None:
        return None
    member, frame = found
    step = run.position[frame, member] - run.position[frame - 1, member]
    limits = run.characters[member].parameters
    pushes = limits.max_force, limits.max_side_force or 0.0, limits.max_braking or 0.0
    most = max(pushes) / limits.mass
    if np.linalg.norm(step[:2]) / run.dt < 1.5 * most * run.dt:
        return None
    cos, sin = np.cos(np.pi / 3), np.sin(np.pi / 3) * rng.choice([-1.0, 1.0])
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    position = run.position.copy()
    own = position[frame:, member]
    position[frame:, member] = own[0] + (own - own[0]) @ turn.T
    return replace(run, position=position)


@plant("speed", "force")
def creeps_up_to_too_fast(run: Run, rng: np.random.Generator) -> Run | None:
    """A member gets smoothly to 3 % over its largest speed, for as long as it takes, and back."""
    member, _ = _anyone(run, rng)
    limits = run.characters[member].parameters
    push = 0.5 * limits.max_force / limits.mass
    top = 1.03 * limits.max_speed
    ramp = int(np.ceil(top / push / run.dt))
    speed = np.concatenate([np.linspace(0.0, top, ramp), np.linspace(top, 0.0, ramp)])
    still = np.linalg.norm(np.diff(run.position[:, member], axis=0), axis=1) < 1e-3 * run.dt
    begins = np.flatnonzero(still[: max(run.frames - 2 * ramp - 2, 0)])
    # It must stand all the time: a motion of its own may take from the speed.
    begins = np.array([at for at in begins.tolist() if still[at : at + 2 * ramp + 1].all()], int)
    if len(begins) == 0:
        return None
    at = int(rng.choice(begins))
    way = np.zeros((run.frames, 1))
    way[at + 1 : at + 1 + 2 * ramp, 0] = np.cumsum(speed) * run.dt
    way[at + 1 + 2 * ramp :] = np.sum(speed) * run.dt
    angle = rng.uniform(0.0, 2.0 * np.pi)
    return run.moved(member, way * [np.cos(angle), np.sin(angle), 0.0])


@plant()
def a_coordinate_beyond_the_world(run: Run, rng: np.random.Generator) -> Run | None:
    """One coordinate of one member is as large as a file can say, in one frame."""
    member, frame = _anyone(run, rng)
    offset = np.zeros(3)
    offset[int(rng.integers(3))] = float(rng.choice([-1.0, 1.0])) * 4e12
    return run.moved(member, offset, frame, frame + 1)


@plant()
def a_quaternion_that_is_no_turn(run: Run, rng: np.random.Generator) -> Run | None:
    """One orientation has not length one, in one frame: by a thousandth, by much, or not at all."""
    member, frame = _anyone(run, rng)
    orientation = run.orientation.copy()
    orientation[frame, member] *= rng.choice([0.0, 0.5, 0.999, 1.001, 1.01])
    return replace(run, orientation=orientation)


def _with_event(run: Run, time: float, kind: str, group: int, member: int, text: str = "") -> Run:
    """Return the run with one event more, in order."""
    events = (*run.events, (time, kind, group, member, text))
    return replace(run, events=tuple(sorted(events, key=lambda each: each[0])))


@plant("claim")
def arrives_twice(run: Run, rng: np.random.Generator) -> Run | None:
    """An arrival is told again, in a later frame, while the member is still there."""
    rows = [event for event in run.events if event[1] == "arrived"]
    if not rows:
        return None
    time, kind, group, member, text = rows[int(rng.integers(len(rows)))]
    later = min(time + run.dt, float(run.life[member, 1] - 1) * run.dt)
    return _with_event(run, later, kind, group, member, text)


@plant("claim")
def events_in_another_order(run: Run, rng: np.random.Generator) -> Run | None:
    times = [event[0] for event in run.events]
    places = [k for k in range(1, len(times)) if times[k] > times[k - 1]]
    if not places:
        return None
    place, events = int(rng.choice(places)), list(run.events)
    events[place - 1], events[place] = events[place], events[place - 1]
    return replace(run, events=tuple(events))


@plant("claim")
def times_of_events_jitter(run: Run, rng: np.random.Generator) -> Run | None:
    """Times are a hundredth of a time step off the frames."""
    events = [(max(e[0] + rng.uniform(0.01, 0.02) * run.dt, 0.0), *e[1:]) for e in run.events]
    if not any(event[1] != "end" for event in events):
        return None
    return replace(run, events=tuple(sorted(events, key=lambda each: each[0])))


@plant("claim")
def a_time_that_is_none(run: Run, rng: np.random.Generator) -> Run | None:
    """An event before the beginning, or at no time at all."""
    time = float(rng.choice([-run.dt, np.nan, np.inf]))
    return replace(run, events=((time, "reroute", 0, -1, ""), *run.events))


@plant("claim")
def an_event_of_nobody(run: Run, rng: np.random.Generator) -> Run | None:
    """An event tells of a member, or of a group, that the run does not have."""
    groups, members = len(run.header.scenario.groups), len(run.life)
    group, member = [(0, members), (groups, -1), (0, -7), (-9, -1)][int(rng.integers(4))]
    return replace(run, events=((0.0, "reroute", group, member, ""), *run.events))


@plant("claim")
def the_end_is_not_told(run: Run, rng: np.random.Generator) -> Run | None:
    kept = tuple(event for event in run.events if event[1] != "end")
    return replace(run, events=kept) if len(kept) < len(run.events) else None


@plant()
def another_scene_is_claimed(run: Run, rng: np.random.Generator) -> Run | None:
    """The recording says that its scene had another content."""
    digest = list(run.header.scene_hash)
    digest[-1] = "0" if digest[-1] != "0" else "1"
    return replace(run, header=replace(run.header, scene_hash="".join(digest)))


@plant()
def another_character_is_claimed(run: Run, rng: np.random.Generator) -> Run | None:
    """The recording says that a character had another content."""
    digests = list(run.header.character_hashes)
    digests[int(rng.integers(len(digests)))] = digests[0][::-1]
    return replace(run, header=replace(run.header, character_hashes=tuple(digests)))


@plant()
def a_formation_without_a_name(run: Run, rng: np.random.Generator) -> Run | None:
    """For one frame a group has a formation that the recording does not name."""
    formation = run.formation.copy()
    if formation.shape[1] == 0:
        return None
    row = int(rng.choice([len(run.header.formations), -2, 10_000]))
    formation[int(rng.integers(run.frames)), int(rng.integers(formation.shape[1]))] = row
    return replace(run, formation=formation)


@plant("claim", "not_arrived", "start_region", "speed")
def ghosts(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is not there in one frame: nobody could touch it in that."""
    if len(run.lasting) < 2:
        return None
    life = run.life.copy()
    member = int(rng.choice(run.lasting))
    end = int(rng.integers(2))
    life[member, end] += 1 - 2 * end
    return replace(run, life=life)


@plant("clock")
def the_clock_of_a_part_jitters(run: Run, rng: np.random.Generator) -> Run | None:
    """A clock is two microseconds ahead and behind, in turn."""
    if run.clock.shape[1] == 0:
        return None
    column = int(rng.integers(run.clock.shape[1]))
    part = run.scene.parts[int(run.scene.moving[column])]
    if part.motion is None or np.ptp(run.clock[:, column]) == 0.0:
        return None
    clock = run.clock.copy()
    clock[1:, column] += 2e-6 * (-1.0) ** np.arange(run.frames - 1)
    return replace(run, clock=clock)


@plant("clock")
def the_clock_of_a_part_is_out_of_this_world(run: Run, rng: np.random.Generator) -> Run | None:
    """A clock says 1e300 s in one frame."""
    if run.clock.shape[1] == 0:
        return None
    clock = run.clock.copy()
    clock[int(rng.integers(run.frames)), int(rng.integers(clock.shape[1]))] = 1e300
    return replace(run, clock=clock)


@plant("member_collision")
def touches_another_for_a_frame(run: Run, rng: np.random.Generator) -> Run | None:
    """For one frame a member is moved to where its body is one millimeter in another's."""
    if len(run.lasting) < 2:
        return None
    member, frame = _anyone(run, rng)
    other = int(rng.choice(run.lasting[run.lasting != member]))
    target = run.position[frame, other] + _center(run, other) - _center(run, member)
    apart = _until_apart(run, member, other, frame, target, rng)
    return run.moved(member, apart - run.position[frame, member], frame, frame + 1)


def _until_apart(
    run: Run, member: int, other: int, frame: int, target: Float, rng: np.random.Generator
) -> Float:
    """Return the place [m] on a ray from another body's middle where a body just touches it."""
    import trimesh

    def solid(who: int, place: Float) -> "trimesh.collision.CollisionManager":
        mesh = run.characters[who].body.mesh
        shape = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        turn = trimesh.transformations.quaternion_matrix(run.orientation[frame, who])
        turn[:3, 3] = place
        manager = trimesh.collision.CollisionManager()
        manager.add_object("body", shape, turn)
        return manager

    still = solid(other, run.position[frame, other])
    angle = rng.uniform(0.0, 2.0 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle), 0.0])
    near, far = 0.0, 20.0
    while far - near > 5e-4:
        middle = (near + far) / 2.0
        touches = still.in_collision_other(solid(member, target + middle * way))
        near, far = (middle, far) if touches else (near, middle)
    # Surfaces of bodies within one another do not touch: then the middle is as good.
    deep: Float = target + max(near - 5e-4, 0.0) * way
    return deep


@plant("upright")
def nods_for_one_frame(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker that does not lean rolls by a tenth of a degree in one frame, and back."""
    members = [m for m in run.grounded() if run.characters[m].parameters.lean == 0.0]
    if not members:
        return None
    frame = int(rng.integers(run.frames // 4, 3 * run.frames // 4))
    return run.turned(int(rng.choice(members)), _about(AHEAD, np.radians(0.1)), frame, frame + 1)
