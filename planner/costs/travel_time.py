"""The cost `time`: how long the character takes, turns and changes of gear included."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.geometry.rotations import angle_between, rotate
from rmp3d.models import Character
from rmp3d.planner.costs.cost import COSTS
from rmp3d.planner.spaces import GroundHeadingSpace, Space

FORWARD = np.array([1.0, 0.0, 0.0])


@COSTS.register("time")
@dataclass(frozen=True)
class TravelTimeCost:
    """The time that the body takes at its cruising speed, as fast as it may turn.

    A piece takes as long as the slower of moving and turning. Where a vehicle changes its gear, it
    brakes to a stop and comes up to speed again, which takes ``stop`` seconds.

    Attributes:
        speed: Of the reference point [m/s]; 0: the cruising speed of the character.
        turn_rate: Of a body that turns [rad/s]; 0: that of the character.
        stop: Of a change of gear [s]; 0: from the character's forces.
    """

    speed: float = 0.0
    turn_rate: float = 0.0
    stop: float = 0.0

    unit: ClassVar[str] = "s"

    def __post_init__(self) -> None:
        for name in ("speed", "turn_rate", "stop"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must not be negative, got {getattr(self, name)}")

    def of_body(self, character: Character | None) -> Self:
        """Return the cost with the speeds of the character where none are stated.

        Raises:
            InputError: There is no character, and `speed` or `turn_rate` is not stated.
        """
        if character is None:
            if not (self.speed > 0.0 and self.turn_rate > 0.0):
                raise InputError(
                    "the cost `time` of a body without a character needs its speeds: "
                    '{ name = "time", speed = 1.0, turn_rate = 1.0 }, in m/s and rad/s'
                )
            return self
        own = character.parameters
        speed = self.speed or own.cruise_speed
        stop = speed * own.mass * (1.0 / own.max_force + 1.0 / own.max_braking)
        return replace(
            self, speed=speed, turn_rate=self.turn_rate or own.max_turn_rate, stop=self.stop or stop
        )

    def spacing(self, space: Space) -> float:
        """Return that pieces of any length are measured."""
        return np.inf

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the times (K - 1,) [s]."""
        time = self.least(space, points[:-1], points[1:])
        if not isinstance(space, GroundHeadingSpace):
            return time
        ahead = rotate(points[:-1, 3:], FORWARD)
        backward = ((points[1:, :3] - points[:-1, :3]) * ahead).sum(axis=1) < 0.0
        time[1:] += self.stop * (backward[1:] != backward[:-1])
        return time

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return the times (M,) [s] of straight motions without changes of gear."""
        time: Float = np.linalg.norm(end[..., :3] - start[..., :3], axis=-1) / self.speed
        if space.width == 7 and self.turn_rate > 0.0:
            turn = angle_between(start[..., 3:], end[..., 3:]) / self.turn_rate
            time = np.maximum(time, turn)
        return time

    def per_meter(self, space: Space) -> float:
        """Return the time that a meter takes [s]."""
        return 1.0 / self.speed
