"""Stimuli: noises, smells and the like, which sensors detect while they last."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.perception.zone import check_positive
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length


@dataclass(frozen=True, kw_only=True)
class Stimulus:
    """Something that spreads from a place, as far and as long as stated, through walls too.

    A sensor detects it if the ball that it reaches and that of its own range meet (thesis, 2.3,
    after Maruichi and others: an area of transmission, and a duration).

    Attributes:
        name: Sensors that ``detect`` this name, or everything, detect it.
        place: A point [m], or a group: each of its members gives it off.
        range: How far it spreads [m].
        start: When it begins [s].
        duration: How long it lasts [s].
        every: It comes again so long after each beginning [s]; 0: never.
    """

    name: str
    place: str | tuple[float, float, float]
    range: float = 5.0
    start: float = 0.0
    duration: float = np.inf
    every: float = 0.0

    def __post_init__(self) -> None:
        check_positive(range=self.range)
        if not self.duration > 0.0:
            raise InputError(f"`duration` must be positive, got {self.duration}")
        for name in ("start", "every"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more seconds, got {getattr(self, name)}")
        if 0.0 < self.every < self.duration < np.inf:
            raise InputError(
                f"`every` {self.every} s must not be less than `duration` {self.duration} s"
            )

    def lasts(self, time: float) -> bool:
        """Return whether it is there at a time [s]."""
        passed = time - self.start
        if passed < 0.0:
            return False
        return (passed % self.every if self.every > 0.0 else passed) < self.duration

    def reaches(self, world: WorldState, rows: Index, reach: float) -> tuple[Float, Bool]:
        """Return the offset (n, 3) [m] from members to its nearest place, and which sense it (n,).

        Args:
            world: Everything.
            rows: (n,) members, rows of the flock.
            reach: Range of their sensor [m].

        Raises:
            InputError: ``place`` is a group that there is not.
        """
        middle = world.middle[rows]
        if not self.lasts(world.time):
            return np.zeros_like(middle), np.zeros(len(rows), np.bool_)
        if isinstance(self.place, str):
            if self.place not in world.groups:
                problem = unknown_name("group", self.place, list(world.groups))
                raise InputError(f"`stimuli`: `place`: {problem}")
            source = np.flatnonzero(world.group_of == world.groups.index(self.place))
            offset = world.middle[source][None] - middle[:, None]  # (n, M, 3)
            apart = length(offset)
            apart[source[None] == rows[:, None]] = np.inf
            nearest = np.argmin(apart, axis=1)
            offset = offset[np.arange(len(rows)), nearest]
            found = np.isfinite(apart.min(axis=1, initial=np.inf))
        else:
            offset, found = np.array(self.place) - middle, np.ones(len(rows), np.bool_)
        return offset, found & (length(offset) <= reach + self.range)
