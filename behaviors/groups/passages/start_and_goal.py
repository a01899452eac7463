"""Both ends of a path: whether a formation can stand at the start, and stay in the goal."""

import numpy as np

from rmp3d.behaviors.groups.formation.options import Option
from rmp3d.behaviors.groups.group_behavior import starting_heading, starting_poses
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.arrays import Float
from rmp3d.planner.spaces.ground_heading import posed


def lined_up(task: GroupTask, option: Option, window: float) -> tuple[Float, Float]:
    """Return start positions (n, 3), in formation if it fits in the start region, and headings."""
    scatter = task.rng.uniform(-0.08, 0.08, (task.count, 2))
    placed, good = in_formation(task, option.slots, window, scatter)
    if good:
        return placed, starting_heading(task)
    return starting_poses(task, option.spacing)


def in_formation(
    task: GroupTask, slots: Float, window: float, scatter: Float
) -> tuple[Float, bool]:
    """Return the places (n, 3) of slots at the path's start, and whether members can stand there.

    They can where all are free, in the start region, and in sight of the path's start.

    Args:
        task: With the start region and the space.
        slots: (n, 3) lag, left, up [m].
        window: Over which the path's direction is smoothed [m].
        scatter: (n, 2) added along the path and to its left [m].
    """
    frame = task.path.frames(np.zeros(1), window)[0]
    offset = (slots * [-1.0, 1.0, 1.0]) @ frame.T + scatter @ frame[:, :2].T
    center = np.tile(task.path.points[0], (len(slots), 1))
    placed, arrived = task.space.move(center, offset)
    good = arrived & task.start.contains(placed) & task.space.is_free(placed)
    good &= task.space.world.motions_are_free(center, placed)
    good &= task.others.admit(placed, task.radius, task.character.body.capsule_axis)
    if task.driving is not None:
        angle = np.full(len(placed), np.arctan2(frame[1, 0], frame[0, 0]))
        good &= task.driving().is_free(posed(placed, angle))
    return placed, bool(good.all())


def ends_in_goal(task: GroupTask, slots: Float, window: float) -> bool:
    """Return whether all slots (n, 3) are in the goal region when the leader is at the path's end.

    Args:
        task: With the goal and the path.
        slots: Lag, left, up [m].
        window: Over which the path's direction is smoothed [m].
    """
    final = task.path.length - slots[:, 0]
    frame = task.path.frames(final, window)
    places = task.path.at(final) + np.einsum("nij,nj->ni", frame[:, :, 1:], slots[:, 1:])
    return bool(task.goal.contains(places).all())


def goal_entry(task: GroupTask) -> float:
    """Return the arc length from which on the path stays within the goal region [m]."""
    station = np.linspace(0.0, task.path.length, max(2, int(task.path.length / 0.1)))
    outside = ~task.goal.contains(task.path.at(station))
    return float(station[np.flatnonzero(outside)[-1]]) if outside.any() else 0.0
