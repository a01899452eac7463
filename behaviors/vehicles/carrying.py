"""Being carried: the body is where a schedule has it, turned as that says."""

from rmp3d.behaviors.flock import Flock
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
