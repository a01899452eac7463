"""Surface hugging: walking over the connected surface, upright, without changing level."""

import numpy as np

from behaviors.flock import Flock
from behaviors.vehicles.turning import turned
from geometry.arrays import Float
from geometry.rotations import WORLD_UP
from geometry.surface import Surface
from geometry.vectors import length

# Time in which the heading follows the velocity of a brisk walker [s], and what brisk is [m/s].
TURN_TIME = 0.2
BRISK = 0.5


def hug(flock: Flock, velocity: Float, surface: Surface, dt: float) -> Flock:
    """Return the flock after one step at a velocity in plan (N, 3) [m/s] (its z is not used).

    The position moves over the connected triangles of the surface; the velocity becomes tangent
    to the triangle it ends on. The body stays upright and its heading, horizontal, follows the
    velocity at a limited rate, and hardly at all while it shuffles.
    """
    position, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * dt)
    normal = surface.mesh.normals[face]
    tangent = np.array(velocity)
    tangent[:, 2] = -(normal[:, 0] * velocity[:, 0] + normal[:, 1] * velocity[:, 1]) / normal[:, 2]
    level = velocity * [1.0, 1.0, 0.0]
    # The slower it moves, the less its direction of motion means.
    share = (1.0 - np.exp(-dt / TURN_TIME)) * np.clip(length(level) / BRISK, 0.0, 1.0) ** 2
    return flock.moved(
        position=position,
        velocity=tangent,
        heading=turned(flock.heading, level, flock.max_turn_rate * dt, share),
        up=np.broadcast_to(WORLD_UP, position.shape),
        face=face,
    )
