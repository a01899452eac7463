"""Hunt: pursue the quarry in sight, otherwise take the shortest route to it over the ground."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.pursue import Pursue
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    offset_to,
    where_known,
)
from rmp3d.behaviors.terrain.ground import arrival, free_links, ground_of
from rmp3d.behaviors.terrain.routes import (
    distances_around,
    next_point,
    own_start,
    route_to,
    straight_to,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import unit

# The route is searched anew in every period of this length [s].
PERIOD = 0.3


@STEERING_BEHAVIORS.register("hunt")
@dataclass(frozen=True)
class Hunt:
    """Pursue; round what is between it and the quarry, take the shortest route over the ground.

    Where the straight line to the quarry is free for the body, this is `Pursue` by interception.
    Otherwise the agent follows the shortest route (Dijkstra 1959) over the cells of the walkable
    surface that lead round obstacles and the ground's borders, at its largest speed, shortened
    to straight lines as far as they are free. The route is searched anew every 0.3 s. Flyers,
    walkers on no known ground, and walkers that no route leads to the quarry pursue.

    Attributes:
        cell: Edge of a cell [m]; passages not much wider than body and cell may be overlooked.
        max_prediction: Longest time to the interception that is counted on [s].
    """

    cell: float = 0.75
    max_prediction: float = 1.5
    needs: ClassVar[tuple[str, ...]] = ("quarry", "surface")

    def __post_init__(self) -> None:
        Pursue(max_prediction=self.max_prediction)
        if not 0.0 < self.cell < np.inf:
            raise InputError(f"`cell` must be positive, got {self.cell}")

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return for each agent (N, 5): what it goes for [m], whether it pursues, and the period.

        Of those that pursue (1), the place means nothing.
        """
        if around.memory is None:
            kept = np.hstack([flock.position, np.tile([1.0, -1.0], (len(flock), 1))])
        else:
            kept = np.array(around.memory)
        if around.surface is None:
            return kept
        period = np.floor(around.time / PERIOD + 1e-9)
        looking = around.other("quarry").known & flock.bodies.grounded & (kept[:, 4] != period)
        for row in np.flatnonzero(looking):
            kept[row, :4] = self._place(flock, around, around.surface, int(row))
            kept[row, 4] = period
        return kept

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        kept = self.remembered(flock, around) if around.memory is None else around.memory
        direction = unit(offset_to(flock, kept[:, :3]))
        force = np.where(
            kept[:, 3:4] > 0.0,
            Pursue(max_prediction=self.max_prediction).steering_force(flock, around),
            force_towards(flock, flock.bodies.max_speed[:, None] * direction),
        )
        return where_known(around.other("quarry").known, force)

    def _place(
        self, flock: Flock, around: Surroundings, surface: WalkableSurface, row: int
    ) -> Float:
        """Return what one agent goes for (3,) and whether it pursues, as (4,)."""
        quarry = around.other("quarry").expected[row]
        pursuing = np.append(quarry, 1.0)
        if straight_to(flock, around, row, quarry[None])[0]:
            return pursuing
        ground = ground_of(surface, self.cell)
        low, high = flock.bodies.capsule_axis[row]
        radius, speed = float(flock.bodies.radius[row]), float(flock.bodies.max_speed[row])
        free = free_links(surface, self.cell, around.obstacles, radius, low, high)
        own = own_start(flock, around, ground, row, 2.0 * self.cell, speed)
        time, previous = arrival(ground, free, speed, own)
        time = time + distances_around(ground, quarry, 3.0 * self.cell) / speed
        nearest = int(np.argmin(time))
        if time[nearest] == np.inf:
            return pursuing
        route = ground.point[route_to(previous, nearest)]
        return np.append(next_point(flock, around, row, route), 0.0)
