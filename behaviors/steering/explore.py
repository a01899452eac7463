"""Explore: see all of a region, and keep having seen it lately."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.roam import box_of, check_box
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    level,
    offset_to,
)
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import unit

MOST_CELLS = 20_000
# A cell that another member is nearer to counts as this much farther off.
ANOTHERS = 2.0
# Share of the distance that a cell dead ahead is cheaper than one behind.
KEEPING_ON = 0.3


@STEERING_BEHAVIORS.register("explore")
@dataclass(frozen=True)
class Explore:
    r"""Go where nobody of the group has been for longest, for the distance that it costs.

    The region is cut into cells; the group remembers when each was last within ``sight`` of a
    member. Every member goes for the cell with the least

    .. math:: d - c \min(A, H)

    with the distance d (doubled where another member is nearer, so that they share the region
    out; less straight ahead), cruise speed c, age A of what is known of it, and the horizon H.
    Cells never seen have age H. Walkers explore the ground in plan, flyers space. Cells without
    ground, nearer to an obstacle than the body is wide, or inside a closed one, are left out.

    Reynolds 1999, "Steering behaviors for autonomous characters", names exploration ("to
    exhaustively cover a region") without a construction; this one is frontier exploration
    (Yamauchi 1997) with ages.

    Attributes:
        cell: Edge of a cell [m].
        sight: A cell's middle this near to a member is seen [m].
        horizon: Time after which a place counts as never seen: H [s].
        lower: Corner of the region [m]; empty for the scene's bounds.
        upper: The opposite corner [m].
    """

    shares_memory: ClassVar[bool] = True

    cell: float = 2.0
    sight: float = 3.0
    horizon: float = 120.0
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    needs: ClassVar[tuple[str, ...]] = ("bounds",)

    def __post_init__(self) -> None:
        check_box(self.lower, self.upper)
        for name in ("cell", "sight", "horizon"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return the cells (C, 4): their middles [m], and when each was last seen [s]."""
        from scipy.spatial import cKDTree  # slow to load

        if around.memory is None:
            cells = self._cells(flock, around)
        else:
            cells = np.array(around.memory)
        if len(cells) and len(flock):
            apart, _ = cKDTree(_seen_from(flock, flock.position)).query(
                _seen_from(flock, cells[:, :3]), distance_upper_bound=self.sight
            )
            cells[np.isfinite(apart), 3] = around.time
        return cells

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        from scipy.spatial import cKDTree  # slow to load

        cells = self.remembered(flock, around) if around.memory is None else around.memory
        if len(cells) == 0 or len(flock) == 0:
            return np.zeros((len(flock), 3))
        age = np.minimum(around.time - cells[:, 3], self.horizon)
        place = np.ascontiguousarray(_seen_from(flock, cells[:, :3]))
        here = np.ascontiguousarray(_seen_from(flock, flock.position))
        _, owner = cKDTree(here).query(place)
        best = np.empty(len(flock), np.intp)
        course = unit(level(flock, flock.velocity))
        _best_cells(
            here, course, flock.bodies.cruise_speed, place, age, owner.astype(np.intp), best
        )
        offset = offset_to(flock, cells[best, :3])
        return force_towards(flock, flock.bodies.cruise_speed[:, None] * unit(offset))

    def _cells(self, flock: Flock, around: Surroundings) -> Float:
        box = box_of(self.lower, self.upper, around)
        if box is None or len(flock) == 0:
            return np.zeros((0, 4))
        flat = bool(flock.bodies.grounded.all())
        count = np.maximum(np.ceil((box[1] - box[0]) / self.cell), 1).astype(int)
        if flat:
            count[2] = 1
        if count.prod() > MOST_CELLS:
            raise InputError(
                f"`cell` {self.cell} m cuts the region into {count.prod()} cells, more than "
                f"{MOST_CELLS}; make it larger, or give a smaller `lower` and `upper`"
            )
        axes = [box[0, k] + (np.arange(n) + 0.5) * (box[1] - box[0])[k] / n
                for k, n in enumerate(count)]  # fmt: skip
        middle = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        good: Bool = np.ones(len(middle), np.bool_)
        if flat and around.surface is not None:
            middle, face = around.surface.locate(middle, np.inf, np.inf)
            good &= face >= 0
        if around.obstacles is not None:
            rise = float(flock.bodies.capsule_axis.mean()) * np.array([0.0, 0.0, 1.0])
            radius = float(flock.bodies.radius.max())
            gap, _, _ = around.obstacles.closest_point(middle + rise, radius)
            good &= gap >= radius
            if around.obstacles.mesh.is_watertight:
                good &= ~around.obstacles.contains(middle + rise)
        return np.column_stack([middle[good], np.full(int(good.sum()), -np.inf)])


def _seen_from(flock: Flock, points: Float) -> Float:
    """Return points (M, 3), flattened if all of the flock walk."""
    return points * [1.0, 1.0, 0.0] if flock.bodies.grounded.all() else points


@compiled
def _best_cells(here, course, cruise, place, age, owner, best):
    for i in range(here.shape[0]):
        least = np.inf
        for k in range(place.shape[0]):
            x, y, z = place[k, 0] - here[i, 0], place[k, 1] - here[i, 1], place[k, 2] - here[i, 2]
            d = np.sqrt(x * x + y * y + z * z)
            ahead = x * course[i, 0] + y * course[i, 1] + z * course[i, 2]
            cost = d - 0.5 * KEEPING_ON * ahead
            if owner[k] != i:
                cost *= ANOTHERS
            cost -= cruise[i] * age[k]
            if cost < least:
                least = cost
                best[i] = k
