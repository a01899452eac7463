"""The characters' map: which places each has seen, and when."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.perception import Perception
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.planner.spaces import GroundSpace, Space

# A place on the ground is looked at so far above it [m].
ABOVE_GROUND = 0.3
MOST_CELLS = 20_000


@dataclass(frozen=True)
class MapOptions:
    """How the characters' map is kept.

    Attributes:
        cell: Distance of its places in each direction [m].
        every: Time between two looks around [s].
    """

    cell: float = 2.0
    every: float = 0.5

    def __post_init__(self) -> None:
        if not (0.0 < self.cell < np.inf and 0.0 <= self.every < np.inf):
            raise InputError("`cell` must be positive, and `every` 0 or more")


class CharacterMap:
    """Places over the scene, and when each of n members last saw them.

    Walkers' places are on the walkable surface, on all its levels; flyers' fill the bounds. Both
    are places where a member can be.

    Attributes:
        places: (C, 3) [m].
        seen_at: (n, C) time when each was last in view [s]; -inf for never.
    """

    def __init__(self, options: MapOptions, space: Space, count: int) -> None:
        self.places = _places(space, options.cell)
        self.seen_at = np.full((count, len(self.places)), -np.inf)
        self._every = options.every
        self._next = -np.inf

    @property
    def share(self) -> Float:
        """(n,) share of the places that each member has ever seen, 0 to 1."""
        if len(self.places) == 0:
            return np.ones(len(self.seen_at))
        return np.isfinite(self.seen_at).mean(axis=1)

    def seen(self, since: float = 0.0) -> Bool:
        """Return which places each member has seen since a time [s], (n, C)."""
        recent: Bool = self.seen_at >= since
        return recent

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers have seen nothing."""
        self.seen_at = members.of(self.seen_at, -np.inf)

    def look(self, perception: Perception, world: WorldState, rows: Index) -> None:
        """Note what is in view of the members, which are ``rows`` (n,) of the world's flock."""
        if world.time < self._next - 1e-9:
            return
        self._next = world.time + self._every
        member, place = perception.places_in_view(world, rows, self.places)
        self.seen_at[member, place] = world.time


def _places(space: Space, cell: float) -> Float:
    low, high = space.bounds
    axes = [np.arange(a + 0.5 * min(cell, b - a), b, cell) for a, b in zip(low, high, strict=True)]
    cells = len(axes[0]) * len(axes[1]) * (1 if space.grounded else len(axes[2]))
    if cells > MOST_CELLS:
        raise InputError(
            f"`map.cell`: {cell:g} m makes {cells} places, more than {MOST_CELLS}; make it larger"
        )
    if not isinstance(space, GroundSpace):
        places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        return places[space.is_free(places)]
    x, y = (axis.reshape(-1) for axis in np.meshgrid(axes[0], axes[1], indexing="ij"))
    found = []
    top = np.full(len(x), space.surface.mesh.bounds[1, 2] + 1e-6)
    depth = float(np.ptp(space.surface.mesh.bounds[:, 2])) + 1.0
    while len(x):
        points, face = space.surface.locate(np.stack([x, y, top], axis=1), 0.0, depth)
        hit = face >= 0
        free = points[hit][space.is_free(points[hit])]
        found.append(free + np.array([0.0, 0.0, ABOVE_GROUND]))
        x, y, top = x[hit], y[hit], points[hit, 2] - 0.5
    return np.concatenate(found)
