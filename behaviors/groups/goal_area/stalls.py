"""Stalls: places for vehicles that stand side by side, all heading the same way."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.groups.driving.gaps import cores_at, gaps_between
from rmp3d.behaviors.groups.goal_area.places import (
    NOBODY,
    NoRoomError,
    Standing,
    in_sight,
    places_in,
)
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import Region

# Least gaps between vehicles side by side, and one behind the other [m]; what they are inside the
# region [m].
ASIDE, BEHIND, INSIDE = 0.4, 0.6, 0.1
# Gaps are wider where there is room, by these shares of what would be enough to turn.
LOOSER = (1.0, 0.6, 0.3, 0.0)
# A meter aside makes a place as late as so many nearer to where the vehicles come.
ASIDE_COSTS = 0.5
# A vehicle so near to the middle of its stall is there [m].
IN_STALL = 0.15
# Rows and lanes of stalls are farther apart than this [m].
PITCH = 0.5


@dataclass(frozen=True, eq=False)
class Stalls:
    """Lays out stalls for vehicles of one kind.

    Attributes:
        space: Where they drive.
        toward: (3,) the direction in which they come, or leave.
    """

    space: GroundHeadingSpace
    toward: Float

    @property
    def size(self) -> tuple[float, float]:
        """Length and width of a vehicle [m]."""
        row, width = self.space.world.body.capsules, self.space.world.body.half_width
        return float(np.ptp(row[:, 0])) + 2.0 * width, 2.0 * width

    def places(
        self, region: Region, count: int, center: Float, others: Standing = NOBODY
    ) -> tuple[Float, float]:
        """Return at least ``count`` stalls (K, 3), the middle ones first, and their angle.

        They head where the vehicles come, or along one of the axes; of these the angle is taken
        that has enough of the loosest. It is that of the heading in plan [rad].

        Raises:
            NoRoomError: The region is too small for so many.
        """
        toward = float(np.arctan2(self.toward[1], self.toward[0]))
        quarter = 0.5 * np.pi * np.round(toward / (0.5 * np.pi))
        side = quarter + np.copysign(0.5 * np.pi, toward - quarter)
        most = 0
        for looser in LOOSER:
            for angle in (toward, quarter, side):
                found = self.places_at(region, center, float(angle), others, looser)
                most = max(most, len(found))
                if len(found) >= count:
                    return found, float(angle)
        raise NoRoomError(region, most, count, "{:.2f} m long and {:.2f} m wide".format(*self.size))

    def order(self, places: Float) -> Index:
        """Return the rows of places (K, 3) by their depth; those far aside come later."""
        ahead = self.toward * [1.0, 1.0, 0.0]
        ahead /= max(float(length(ahead)), 1e-9)
        left = np.array([-ahead[1], ahead[0], 0.0])
        offset = places - places.mean(axis=0)
        late = ASIDE_COSTS * np.abs(offset @ left) - offset @ ahead
        return np.argsort(np.round(late, 6), kind="stable")

    def deepest(self, places: Float) -> Float:
        """Return the places (K, 3) in their `order`."""
        return places[self.order(places)]

    def apart(self, places: Float, taken: Float, angle: float) -> Float:
        """Return those of places (K, 3) that keep their distance to taken ones (M, 3)."""
        own, others = self._cores(places, angle), self._cores(taken, angle)
        free: Float = places[(gaps_between(own, others) > 0.9 * ASIDE).all(axis=1)]
        return free

    def can_be_left(self, places: Float, angle: float) -> Bool:
        """Return out of which places (K, 3) a vehicle gets by its length, straight or in a curve.

        Right beside a wall that leans towards it, or in a corner, it has no such way.
        """
        poses = posed(places, np.full(len(places), angle))
        turn, way = 1.0 / self.space.turn_radius, self.size[0]
        left = np.zeros(len(poses), np.bool_)
        for curvature in (0.0, turn, -turn):
            for size in (way, -way) if self.space.reverses else (way,):
                rows = np.flatnonzero(~left)
                if len(rows) == 0:
                    return left
                piece = np.ones((len(rows), 1))
                driven = self.space.driven(poses[rows], curvature * piece, size * piece)
                left[rows] = [polyline is not None for polyline in driven]
        return left

    def _cores(self, places: Float, angle: float) -> Float:
        row, width = self.space.world.body.capsules, self.space.world.body.half_width
        heading = np.tile([np.cos(angle), np.sin(angle)], (len(places), 1))
        ends = np.tile([row[:, 0].min(), row[:, 0].max()], (len(places), 1))
        return cores_at(places, heading, ends, width)

    def places_at(
        self, region: Region, center: Float, angle: float, others: Standing = NOBODY,
        looser: float = 0.0,
    ) -> Float:  # fmt: skip
        """Return stalls (K, 3) with a heading [rad], in sight of the center, the middle ones first.

        Args:
            region: That they are in.
            center: (3,) of one of them [m].
            angle: Of the heading.
            others: Keep their distance.
            looser: See `LOOSER`.
        """
        ground, (long, wide) = self.space.ground, self.size
        turned = 2.0 * self.space.reach
        long += BEHIND + looser * max(0.0, turned - long)
        wide += ASIDE + looser * max(0.0, turned - wide)
        ahead = np.array([np.cos(angle), np.sin(angle), 0.0])
        left = np.array([-ahead[1], ahead[0], 0.0])
        most = np.ceil(length(np.ptp(region.bounds, axis=0)[:2]) / np.array([long, wide]))
        grid = np.meshgrid(*(np.arange(-n, n + 1) for n in most), indexing="ij")
        offset = np.stack(grid, axis=-1).reshape(-1, 2) @ np.stack([long * ahead, wide * left])
        inside = np.ones(len(offset), np.bool_)
        for step in (INSIDE * ahead, -INSIDE * ahead, INSIDE * left, -INSIDE * left):
            inside &= region.contains(center + offset + step)
        offset = offset[inside]
        found, arrived = ground.move(np.tile(center, (len(offset), 1)), offset)
        found = found[arrived & region.contains(found)]
        found = found[self.space.is_free(posed(found, np.full(len(found), angle)))]
        found = found[self.can_be_left(found, angle)]
        body = self.space.world.body
        found = found[others.admit(found, body.radius, body.capsule_axis)]
        found = found[in_sight(ground, found, center, 1.5 * long)]
        middle = found.mean(axis=0) if len(found) else center
        return found[np.argsort(length(found - middle), kind="stable")]


def places_or_stalls(
    space: Space, region: Region, count: int, spacing: float, center: Float,
    stalls: Stalls | None, others: Standing = NOBODY,
) -> tuple[Float, float | None]:  # fmt: skip
    """Return at least ``count`` places (K, 3) in which bodies can turn; else stalls, their angle.

    See `places_in` and `Stalls.places`. Where the space is that of a vehicle's widest part alone,
    there is no room to turn.

    Raises:
        NoRoomError: The region is too small for so many.
    """
    if stalls is None or space.world.body.radius >= stalls.space.reach:
        try:
            return places_in(space, region, count, spacing, center, others), None
        except NoRoomError:
            if stalls is None:
                raise
    return stalls.places(region, count, center, others)


def in_cells(places: Float, angle: float) -> Float:
    """Return the numbers (K, 2) of the row and the lane of each of stalls (K, 3), up to a constant.

    Args:
        places: [m].
        angle: Of their heading in plan [rad].
    """
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    found = places[:, :2] @ axes
    for axis in (0, 1):
        gaps = np.diff(np.sort(found[:, axis]))
        found[:, axis] /= gaps[gaps > PITCH].min(initial=np.inf)
    return found
