"""Being carried: the body is where a schedule has it, turned as that says."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.vehicles.vehicle import VEHICLES, Motion
from rmp3d.geometry.arrays import Float


def carried_to(flock: Flock, pose: tuple[Float, Float], dt: float) -> Flock:
    """Return the flock at positions (N, 3) [m] and rotations (N, 3, 3), ``dt`` [s] later."""
    position, rotation = pose
    return flock.moved(
        position=position,
        velocity=(position - flock.position) / dt,
        heading=rotation[:, :, 0],
        up=rotation[:, :, 2],
    )


@VEHICLES.register("carried")
class CarriedVehicle:
    """Go where a schedule says, turned as that says; nothing moves by itself."""

    grounded, space = False, "rigid"

    def move(self, flock: Flock, motion: Motion) -> Flock:
        """Return the flock at rest: the schedule of its group carries it."""
        return flock.moved(velocity=np.zeros_like(flock.velocity))
