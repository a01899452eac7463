"""Forage: wander about until something to eat is in sight, go there, and eat it up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.noise_wander import NoiseWander
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("forage")
@dataclass(frozen=True)
class Forage:
    """Arrive at the nearest thing in sight that is left; else wander.

    A thing lasts ``amount`` seconds of one eater, which must be within reach; several share it.
    Reynolds 1999, "Steering behaviors for autonomous characters", names foraging: "wandering with
    resource seeking". The wandering is `NoiseWander`.

    Attributes:
        resources: [x, y, z] of the things [m].
        sight: From how far they are noticed [m].
        reach: From how far they are eaten [m], beyond the body.
        amount: How long each lasts [s].
    """

    shares_memory: ClassVar[bool] = True

    resources: Sequence[tuple[float, float, float]] = ()
    sight: float = 6.0
    reach: float = 0.5
    amount: float = 5.0

    def __post_init__(self) -> None:
        for name in ("sight", "reach", "amount"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        self._places()

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return how much is left (R,) of each thing [s]."""
        places = self._places()
        left = np.full(len(places), self.amount) if around.memory is None else around.memory
        nearest, there = self._nearest(flock, left, self.reach + flock.bodies.radius)
        eaters = np.bincount(nearest[there], minlength=len(places))
        return np.maximum(left - around.dt * eaters, 0.0)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        left = self.remembered(flock, around) if around.memory is None else around.memory
        wander = NoiseWander().steering_force(flock, around)
        nearest, seen = self._nearest(flock, left, np.full(len(flock), self.sight))
        if not seen.any():
            return wander
        place = flock.position + level(flock, self._places()[nearest] - flock.position)
        arrive = Arrive(target_radius=0.5 * self.reach)
        eat = arrive.force_to(flock, place, np.zeros_like(place))
        return np.where(seen[:, None], eat, wander)

    def _places(self) -> Float:
        places = np.array(list(self.resources), float).reshape(-1, 3)
        if not np.isfinite(places).all():
            raise InputError("`resources` must be a list of [x, y, z]")
        return places

    def _nearest(self, flock: Flock, left: Float, reach: Float) -> tuple[Index, np.ndarray]:
        """Return the nearest thing left (N,) of each agent, and whether it is within reach (N,)."""
        from scipy.spatial import cKDTree  # slow to load

        rows = np.flatnonzero(left > 0.0)
        if len(rows) == 0 or len(flock) == 0:
            return np.zeros(len(flock), np.intp), np.zeros(len(flock), np.bool_)
        places = self._places()[rows]
        _, found = cKDTree(places).query(flock.position)
        gap = length(level(flock, places[found] - flock.position))
        return rows[found], gap <= reach
