"""Faults for runs with parts that move, or appear and go; and for what is between two frames."""

from dataclasses import replace

import numpy as np

from benchmarks.faults.plants import AHEAD, CONTACT, LEFT, UP, Run, _about, _anyone, _center, plant
from rmp3d.geometry import Float, Index
from rmp3d.scenes.presence import PartPresence


def _columns(run: Run, appears: bool) -> Index:
    """Return the clocks of the parts that appear and go, or of those that move."""
    parts = [run.scene.parts[row] for row in run.scene.moving.tolist()]
    kinds = [isinstance(part.motion, PartPresence) for part in parts]
    return np.flatnonzero(np.array(kinds, np.bool_) == appears)


def _clocked(run: Run, column: int, clock: Float) -> Run:
    changed = run.clock.copy()
    changed[:, column] = clock
    return replace(run, clock=changed)


def _in_a_part(run: Run, rng: np.random.Generator, column: int, frame: int) -> Run:
    """Return the run with a path moved, so that it meets a part where it is in a frame."""
    part = run.scene.parts[int(run.scene.moving[column])]
    assert part.motion is not None
    turn, move = part.motion.poses(run.clock[frame : frame + 1, column])
    face = part.mesh.triangles[rng.integers(len(part.mesh.triangles))].mean(axis=0)
    member = int(rng.choice(run.lasting))
    target = turn[0] @ face + move[0] - _center(run, member)
    return run.moved(member, target - run.position[frame, member])


@plant("collision", "inside", "off_ground")
def meets_a_part_that_moves(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    return _in_a_part(run, rng, int(rng.choice(columns)), _anyone(run, rng)[1])


@plant(*CONTACT)
def stands_where_a_part_appeared(run: Run, rng: np.random.Generator) -> Run | None:
    for column in rng.permutation(_columns(run, appears=True)).tolist():
        motion = run.scene.parts[int(run.scene.moving[column])].motion
        assert isinstance(motion, PartPresence)
        shown = np.flatnonzero(motion.is_there(run.clock[:, column]))
        if len(shown):
            return _in_a_part(run, rng, column, int(rng.choice(shown)))
    return None


@plant("clock")
def the_clock_of_a_part_runs_ahead(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column = int(rng.choice(columns))
    first = float(run.clock[0, column])
    return _clocked(run, column, first + rng.uniform(1.02, 2.0) * (run.clock[:, column] - first))


@plant("clock")
def the_clock_of_a_part_runs_back(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column, (_, frame) = int(rng.choice(columns)), _anyone(run, rng)
    clock = run.clock[:, column].copy()
    clock[frame] -= rng.uniform(0.1, 2.0)
    return _clocked(run, column, clock)


@plant("clock")
def the_clock_of_a_part_begins_elsewhere(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column = int(rng.choice(columns))
    return _clocked(run, column, run.clock[:, column] + rng.uniform(0.1, 5.0))


@plant("clock")
def the_clock_of_a_part_stands_for_ever(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column, clock = int(rng.choice(columns)), run.clock.copy()
    frame = int(rng.integers(0, run.frames // 2))
    clock[frame:, column] = clock[frame, column]
    return replace(run, clock=clock)


@plant("clock")
def the_clock_of_a_part_is_slow(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column = int(rng.choice(columns))
    first = float(run.clock[0, column])
    return _clocked(run, column, first + rng.uniform(0.3, 0.98) * (run.clock[:, column] - first))


@plant("clock")
def a_part_is_a_whole_period_on(run: Run, rng: np.random.Generator) -> Run | None:
    """A part skips one round of its key frames between two frames: it is where it should be."""
    columns = _columns(run, appears=False)
    periods = [run.scene.parts[int(run.scene.moving[column])].motion for column in columns]
    rounds = [each.period for each in periods if each is not None]
    repeats = [k for k, each in enumerate(rounds) if np.isfinite(each)]
    if not repeats:
        return None
    row, (_, frame) = int(rng.choice(repeats)), _anyone(run, rng)
    clock = run.clock.copy()
    clock[frame:, columns[row]] += rounds[row]
    return replace(run, clock=clock)


@plant("clock")
def a_part_is_early(run: Run, rng: np.random.Generator) -> Run | None:
    """From some frame on a part is where it will be some steps later."""
    columns = _columns(run, appears=False)
    if len(columns) == 0:
        return None
    column, (_, frame) = int(rng.choice(columns)), _anyone(run, rng)
    clock = run.clock.copy()
    clock[frame:, column] += run.dt * int(rng.integers(1, 30))
    return replace(run, clock=clock)


@plant("collision", "inside", "off_ground")
def a_part_never_moves_out_of_the_way(run: Run, rng: np.random.Generator) -> Run | None:
    """The clock of a part stands, though somebody goes through where the part is then."""
    for column in rng.permutation(_columns(run, appears=False)).tolist():
        part = run.scene.parts[int(run.scene.moving[column])]
        assert part.motion is not None
        turn, move = part.motion.poses(run.clock[:1, column])
        corners = part.mesh.vertices @ turn[0].T + move[0]
        middle = run.position + np.array([_center(run, m) for m in range(len(run.life))])
        inside = ((middle > corners.min(axis=0)) & (middle < corners.max(axis=0))).all(axis=2)
        if part.role != "ground" and inside[:, run.lasting].any():
            return _clocked(run, column, np.full(run.frames, run.clock[0, column]))
    return None


@plant("clock")
def a_part_appears_before_its_time(run: Run, rng: np.random.Generator) -> Run | None:
    for column in rng.permutation(_columns(run, appears=True)).tolist():
        changes = np.flatnonzero(np.diff(run.clock[:, column]) != 0.0)
        if len(changes):
            change = int(rng.choice(changes)) + 1
            clock = run.clock[:, column].copy()
            clock[int(rng.integers(max(change - 60, 1), change)) : change] += 1.0
            return _clocked(run, column, clock)
    return None


@plant("clock")
def a_part_changes_twice_at_once(run: Run, rng: np.random.Generator) -> Run | None:
    columns = _columns(run, appears=True)
    if len(columns) == 0:
        return None
    column, clock = int(rng.choice(columns)), run.clock.copy()
    clock[_anyone(run, rng)[1] :, column] += 2.0
    return replace(run, clock=clock)


@plant(*CONTACT)
def passes_an_obstacle_between_two_frames(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is before a face in a frame and behind it in the next; it touches nothing else."""
    triangles = run.scene.obstacles.triangles
    if len(triangles) == 0:
        return None
    member, frame = _anyone(run, rng)
    face = triangles[rng.integers(len(triangles))]
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    length = np.linalg.norm(normal)
    if length == 0.0:
        return None
    bounds = run.characters[member].body.mesh.bounds
    way = (np.linalg.norm(bounds[1] - bounds[0]) + 0.1) * normal / length
    position = run.position.copy()
    middle = face.mean(axis=0) - _center(run, member)
    position[: frame + 1, member] += middle - way - position[frame, member]
    position[frame + 1 :, member] += middle + way - position[frame + 1, member]
    return replace(run, position=position)


@plant("member_collision")
def two_pass_through_each_other_between_two_frames(
    run: Run, rng: np.random.Generator
) -> Run | None:
    """One is on one side of the other in a frame, and on the other side in the next."""
    if len(run.lasting) < 2:
        return None
    member, frame = _anyone(run, rng)
    other = int(rng.choice(run.lasting[run.lasting != member]))
    sizes = [np.linalg.norm(np.ptp(run.characters[m].body.mesh.bounds, axis=0)) for m in
             (member, other)]  # fmt: skip
    angle = rng.uniform(0.0, 2.0 * np.pi)
    way = (0.6 * sum(sizes) + 0.1) * (np.cos(angle) * AHEAD + np.sin(angle) * LEFT)
    position = run.position.copy()
    middle = _center(run, other) - _center(run, member)
    for side, at, part in ((-1, frame, slice(frame + 1)), (1, frame + 1, slice(frame + 1, None))):
        there = position[at, other] + middle + side * way
        position[part, member] += there - position[at, member]
    return replace(run, position=position)


@plant("turn_rate", "roll_rate")
def turns_round_between_two_frames(run: Run, rng: np.random.Generator) -> Run | None:
    """A member heads the other way from one frame on; nothing is seen of it in frames."""
    member, frame = _anyone(run, rng)
    return run.turned(member, _about(UP, 0.9 * np.pi), frame)


@plant("off_ground", "level_jump", "collision")
def goes_on_at_the_height_of_its_start(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker stays at one height where its ground goes up or down."""
    rise = np.ptp(run.position[..., 2], axis=0)
    members = [m for m in run.grounded() if rise[m] > 0.05]
    if not members:
        return None
    member, position = int(rng.choice(members)), run.position.copy()
    position[:, member, 2] = position[0, member, 2]
    return replace(run, position=position)
