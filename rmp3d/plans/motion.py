"""A body on its certified path, moment by moment."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import angle_between, quaternion_from_matrix, slerp
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.plans.body_plan import UPRIGHT, BodyPlan

DT = 1.0 / 30.0
"""Between two frames [s]."""
MOST_FRAMES = 100_000
"""A motion has so many frames, and one for each configuration; a longer way is passed faster."""
SHORTEST, LONGEST = 6.0, 40.0
"""Time [s] that a body takes on a path whose unit of length is not known."""


@dataclass(frozen=True, eq=False)
class BodyTrack:
    """Where a body is in each frame.

    Attributes:
        position: (T, 3) of its reference point.
        quaternion_wxyz: (T, 4) body to world.
        waypoint: (K,) the frame in which it is at, or next to, each configuration of its path.
    """

    position: Float
    quaternion_wxyz: Float
    waypoint: Index


def motion_along(body: BodyPlan) -> BodyTrack:
    """Return the motion of a body along its path, at even speed.

    In six degrees of freedom, every configuration of the path is a frame, and in between the body
    goes straight and turns about a fixed axis, as the proof has it. Other paths, whose points are
    close together, are passed at even steps. A character goes at its cruise speed; the body of a
    problem file, whose unit of length is not known, a length of its own in a second, within limits.
    """
    rows, turned = body.configurations, _orientations(body)
    turns = isinstance(body.space, RigidBodySpace)
    reach = body.space.world.body.radius if turns else 0.0
    extent = length(np.diff(rows[:, :3], axis=0))
    extent = extent + reach * angle_between(turned[:-1], turned[1:]) * turns
    station = np.append(0.0, np.cumsum(extent))
    step = max(_speed(body, float(station[-1])) * DT, float(station[-1]) / MOST_FRAMES)
    if turns:
        counts = np.maximum(np.round(extent / step), 1.0).astype(np.intp)
        waypoint = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        leg = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(len(leg)) - waypoint[leg]) / counts[leg]
    else:
        count = max(int(np.round(station[-1] / step)), 1) if len(rows) > 1 else 0
        at = station[-1] * np.arange(count) / max(count, 1)
        leg = np.clip(np.searchsorted(station, at, side="right") - 1, 0, max(len(rows) - 2, 0))
        share = (at - station[leg]) / np.where(extent[leg] > 0.0, extent[leg], 1.0)
        waypoint = np.round(count * station / max(station[-1], 1e-12)).astype(np.intp)
    there = rows[leg, :3] + share[:, None] * (rows[leg + 1, :3] - rows[leg, :3])
    turning = slerp(turned[leg], turned[leg + 1], share)
    return BodyTrack(
        np.concatenate([there, rows[-1:, :3]]), np.concatenate([turning, turned[-1:]]), waypoint
    )


def _speed(body: BodyPlan, whole: float) -> float:
    """Return the speed along the path, in its units of length a second."""
    if body.problem.rigid is None:
        return body.character.parameters.cruise_speed
    seconds = np.clip(whole / (2.0 * body.space.world.body.radius), SHORTEST, LONGEST)
    return max(whole / float(seconds), 1e-9)


def _orientations(body: BodyPlan) -> Float:
    """Return the orientation (K, 4) at each configuration; if it is not planned, along the path."""
    rows, path = body.configurations, body.path
    if rows.shape[1] == 7:
        return rows[:, 3:]
    if path is None or path.length == 0.0:
        return np.tile(UPRIGHT, (len(rows), 1))
    return quaternion_from_matrix(path.frames(path.station))
