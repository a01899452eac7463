"""Align: take over the quarry's orientation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.offset_pursuit import level_axes
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings
from rmp3d.behaviors.vehicles.spinning import SPIN_GAIN, SPIN_TIME, rotation_between, turning_to
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import length, unit


@dataclass(frozen=True)
class Turning:
    """What behaviors share that steer the orientation, and nothing else.

    Attributes:
        gain: Rate at which small angles are made up [1/s].
        target_angle_deg: An angle within which nothing is turned any more [degrees].
        time_to_target: In which a wanted angular velocity is taken up [s].
        slow_angle_deg: Millington's slow radius [degrees]: the wanted rate is the largest one,
            times the angle over this where it is less. 0: by ``gain`` and the stopping angle.
    """

    gain: float = SPIN_GAIN
    target_angle_deg: float = 0.0
    time_to_target: float = SPIN_TIME
    slow_angle_deg: float = 0.0

    def __post_init__(self) -> None:
        for name in ("gain", "time_to_target"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        for name in ("target_angle_deg", "slow_angle_deg"):
            if not 0.0 <= getattr(self, name) <= 180.0:
                raise InputError(f"`{name}` must be from 0 to 180, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return no force (N, 3): the motion is left to others."""
        return np.zeros((len(flock), 3))

    def turn_into(self, flock: Flock, heading: Float, up: Float, known: Bool) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] into frames, where ``known`` (N,).

        Args:
            flock: Present state.
            heading: (N, 3) of the wanted frames; made level for walkers.
            up: (N, 3) of the wanted frames.
            known: (N,) which agents have one.
        """
        heading = np.where(known[:, None], heading, flock.heading)
        up = np.where(known[:, None], up, flock.up)
        wanted = frame(*level_axes(flock, heading, up))
        present = frame(*level_axes(flock, flock.heading, flock.up))
        rotation = rotation_between(present, wanted)
        near = length(rotation) <= np.radians(self.target_angle_deg)
        rotation = np.where(near[:, None], 0.0, rotation)
        if self.slow_angle_deg > 0.0:
            share = length(rotation) / np.radians(self.slow_angle_deg)
            rate = flock.bodies.max_turn_rate * np.minimum(share, 1.0)
            turning = (rate[:, None] * unit(rotation) - flock.spin) / self.time_to_target
        else:
            turning = turning_to(flock, rotation, self.gain, self.time_to_target)
        return np.where(known[:, None], turning, 0.0), known.copy()


@STEERING_BEHAVIORS.register("align")
@dataclass(frozen=True)
class Align(Turning):
    """Turn into the quarry's orientation by the shortest rotation, and stop there.

    The rotation vector from the own frame to the quarry's is made up like the distance in `Arrive`:
    proportionally when small, by the largest torque when large, at the largest turn rate at most
    (Millington 2019, "Artificial Intelligence for Games", 3.3; there angles in the plane, here
    rotations in space; for walkers about the vertical).

    Attributes:
        gain: Rate at which small angles are made up [1/s].
        target_angle_deg: An angle within which nothing is turned any more [degrees].
        time_to_target: In which a wanted angular velocity is taken up [s].
        slow_angle_deg: Millington's slow radius [degrees], instead of ``gain``; 0: none.
    """

    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] and which agents it orients (N,)."""
        quarry = around.other("quarry")
        return self.turn_into(flock, quarry.heading, quarry.up, quarry.known)
