"""Leaning: the attitude of a walker on a slope, within the limits that its body is made for.

Beside its yaw, a walker has a pitch, which lifts the nose, and a roll, which lifts the left side.
`rmp3d.models.poses` puts every attitude up to `max_pitch` and `max_roll` into the body that safety
keeps clear. A walker that does not lean stays upright.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.axes import up_of_frame
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length, unit


def steepest(bodies: Bodies) -> tuple[Float, Float]:
    """Return the largest pitch and roll (each (N,)) [rad] of walkers."""
    leans = bodies.lean > 0.0
    return np.where(leans, bodies.max_pitch, 0.0), np.where(leans, bodies.max_roll, 0.0)


def sloping(flock: Flock, level: Float, climb: Float) -> Float:
    """Return courses (N, 3) along level directions (N, 3) that climb as far as walkers lean.

    Args:
        flock: Present state.
        level: Velocities in plan [m/s].
        climb: (N,) vertical velocity over the ground [m/s].
    """
    course = np.array(level)
    if not flock.bodies.lean.any():
        course[:, 2] = 0.0
        return course
    most = np.tan(np.minimum(steepest(flock.bodies)[0], 1.5)) * length(level)
    course[:, 2] = np.clip(flock.bodies.lean * climb, -most, most)
    return course


def pitched(
    flock: Flock, plan: Float, course: Float, dt: float, share: Float | float = 1.0
) -> Float:
    """Return unit headings (N, 3) above directions in plan (N, 2), pitched towards a course (N, 3).

    What the turn to the new direction leaves of the turn rate goes into the pitch, of which a
    ``share`` of the way is turned at once.
    """
    size = length(course[:, :2])
    before = flock.heading
    cross = before[:, 0] * plan[:, 1] - before[:, 1] * plan[:, 0]
    turn = np.arctan2(cross, np.einsum("ij,ij->i", before[:, :2], plan))
    pitch = np.arctan2(before[:, 2], length(before[:, :2]))
    left = np.sqrt(np.maximum((flock.bodies.max_turn_rate * dt) ** 2 - turn**2, 0.0))
    moving = course.any(axis=1)
    wanted = np.where(moving, np.arctan2(course[:, 2], size), pitch)
    pitch = pitch + np.clip(share * (wanted - pitch), -left, left)
    ahead = np.cos(pitch)[:, None] * unit(plan)
    return np.column_stack([ahead, np.sin(pitch)])


def within_limits(flock: Flock) -> Flock:
    """Return the flock with the pitch and roll of walkers cut to their limits."""
    walks = flock.bodies.grounded
    most_pitch, most_roll = steepest(flock.bodies)
    heading = np.array(flock.heading)
    across = length(heading[:, :2])
    pitch = np.arctan2(heading[:, 2], across)
    kept = np.clip(pitch, -most_pitch, most_pitch)
    cut = walks & (kept != pitch) & (across > 0.0)
    plan = np.cos(kept)[:, None] * unit(heading[:, :2])
    heading[cut] = np.column_stack([plan, np.sin(kept)])[cut]
    up = np.where(walks[:, None], rolled(heading, flock.up, most_roll), flock.up)
    return flock.moved(heading=heading, up=up)


@compiled
def rolled(heading, up, most):
    """Return ups (N, 3) of frames with headings (N, 3), rolled by at most ``most`` (N,) [rad]."""
    result = np.empty_like(heading)
    for i in range(heading.shape[0]):
        hx, hy, hz = heading[i, 0], heading[i, 1], heading[i, 2]
        ux, uy, uz = up_of_frame(hx, hy, hz, up[i, 0], up[i, 1], up[i, 2])
        roll = atan2(ux * hy - uy * hx, uz)
        if abs(roll) > most[i]:
            roll = most[i] if roll > 0.0 else -most[i]
            ux, uy, uz = up_of_frame(hx, hy, hz, 0.0, 0.0, 1.0)
            size = sqrt(hx * hx + hy * hy)
            ux, uy, uz = (
                cos(roll) * ux + sin(roll) * hy / size,
                cos(roll) * uy - sin(roll) * hx / size,
                cos(roll) * uz,
            )
        result[i, 0], result[i, 1], result[i, 2] = ux, uy, uz
    return result
