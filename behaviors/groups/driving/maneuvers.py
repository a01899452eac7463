"""Maneuvers: how a vehicle that cannot go on ahead backs up and drives on to its lane.

A maneuver is an arc or a straight line backward, which may be of no length, and from there a Dubins
path ahead to one of several poses. All of these are tried, the shortest first, and the first one is
taken that keeps clear of the scene and of characters that stand; motion backward counts double.
The space of
Reeds and Shepp (1990, "Optimal paths for a car that goes both forwards and backwards") has shorter
ones with more changes of direction.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.curves import drive, sample_path
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.planner.spaces.ground_heading import posed

# Between the samples of a maneuver, and the clearance of each: half of that, and a margin [m].
STEP, CLEAR = 0.1, 0.07
# A body that is nearer to something at the start leaves it by this share of its motion at least.
LEAVING = 0.02
# Longest motion backward, and between the lengths tried [m].
FARTHEST_BACK, BACK_STEP = 9.0, 0.5
# A motion backward counts as so many times its length.
BACK_PRICE = 2.0
# A vehicle that makes room for others goes back by this at most [m].
RETREAT = 3.0
# So many maneuvers are tested at once, and so many in all at most.
AT_ONCE, MOST = 48, 480
# A longer path is no maneuver [m].
LONGEST = 40.0


@dataclass(frozen=True, eq=False)
class Maneuver:
    """A motion that is free: samples of it, and the gear in which each is driven.

    Attributes:
        point: (K, 3) [m], on the surface.
        course: (K,) angle of the motion in plan [rad].
        gear: (K,) 1 ahead, -1 backward.
    """

    point: Float
    course: Float
    gear: Index


def find_maneuver(
    space: Space, position: Float, angle: float, ends: Float, radius: float, others: Float
) -> Maneuver | None:
    """Return the cheapest free maneuver from a pose to one of others, or None.

    Args:
        space: Where the reference point moves, and what is free.
        position: (3,) [m], on the surface.
        angle: Of the heading in plan [rad].
        ends: (E, 3) poses in plan: x, y [m], angle [rad].
        radius: Of all turns [m].
        others: (P, 3) characters that stand: x, y, and how near the reference point may come.
    """
    pose = np.array([position[0], position[1], angle])
    free_space = _FreeSpace(space, position, others)
    curvature, back = _backward(free_space, pose, radius)
    begin = drive(np.broadcast_to(pose, (len(back), 3)), curvature, -back)
    starts, goals = (
        grid.reshape(-1, 3) for grid in np.broadcast_arrays(begin[:, None], ends[None])
    )
    sides, lengths = dubins_paths(starts, goals, radius)  # (B * E, 4, 3)
    first = np.repeat(np.arange(len(back)), len(ends) * sides.shape[1])
    sides, lengths = sides.reshape(-1, 3), lengths.reshape(-1, 3)
    price = lengths.sum(axis=1) + BACK_PRICE * back[first]
    order = np.argsort(price, kind="stable")
    order = order[price[order] < LONGEST][:MOST]
    for rows in np.split(order, np.arange(AT_ONCE, len(order), AT_ONCE)):
        bends = np.column_stack([curvature[first[rows]], sides[rows]])
        pieces = np.column_stack([-back[first[rows]], lengths[rows]])
        poses, along = sample_path(np.broadcast_to(pose, (len(rows), 3)), bends, pieces, STEP)
        total = np.abs(pieces).sum(axis=1)
        point, free = free_space.walk(poses, along, total)
        if free.any():
            row = int(np.argmax(free))
            keep = along < total[row] + STEP
            gear = np.where(along[keep] < back[first[rows[row]]] - 1e-9, -1, 1)
            course = poses[row, keep, 2] + np.where(gear < 0, np.pi, 0.0)
            return Maneuver(point[row, keep], course, gear)
    return None


def find_retreat(
    space: Space, position: Float, angle: float, radius: float, others: Float
) -> Maneuver | None:
    """Return the longest free motion backward, up to `RETREAT`, or None; see `find_maneuver`."""
    pose = np.array([position[0], position[1], angle])
    free_space = _FreeSpace(space, position, others)
    curvature, back = _backward(free_space, pose, radius)
    back = np.minimum(back, RETREAT)
    row = int(np.argmax(back))
    if back[row] == 0.0:
        return None
    poses, along = sample_path(pose[None], curvature[row, None, None], -back[row, None, None], STEP)
    point, _ = free_space.walk(poses, along, back[row, None])
    return Maneuver(point[0], poses[0, :, 2] + np.pi, np.full(len(along), -1))


def _backward(free_space: "_FreeSpace", pose: Float, radius: float) -> tuple[Float, Float]:
    """Return curvatures and lengths (B,) of free motions backward; one has no length."""
    sides = np.array([0.0, 1.0, -1.0]) / radius
    count = len(sides)
    pieces = np.full((count, 1), -FARTHEST_BACK)
    poses, along = sample_path(np.broadcast_to(pose, (count, 3)), sides[:, None], pieces, STEP)
    reach = free_space.reach(poses, along)
    lengths = np.arange(BACK_STEP, FARTHEST_BACK + 1e-9, BACK_STEP)
    row, column = np.nonzero(lengths <= reach[:, None] + 1e-9)
    return np.append(0.0, sides[row]), np.append(0.0, lengths[column])


@dataclass(eq=False)
class _FreeSpace:
    """Which motions from one place are free."""

    space: Space
    position: Float
    others: Float

    def walk(self, poses: Float, along: Float, total: Float) -> tuple[Float, Bool]:
        """Return the points (M, K, 3) of motions (M, K, 3), whether each is free to its end (M,).

        A body that has arrived at its end, ``total`` (M,) [m] away, stays there.
        """
        point, good = self._good(poses, along)
        free: Bool = np.all(good | (along > total[:, None] + STEP), axis=1)
        return point, free

    def reach(self, poses: Float, along: Float) -> Float:
        """Return how far (M,) [m] motions (M, K, 3) are free."""
        good = self._good(poses, along)[1]
        bad = np.where(good.all(axis=1), len(along), np.argmin(good, axis=1))
        reach: Float = along[np.maximum(bad - 1, 0)]
        return reach

    def _good(self, poses: Float, along: Float) -> tuple[Float, Bool]:
        """Return the points (M, K, 3) on the surface, and which are clear of everything (M, K)."""
        count, samples = poses.shape[:2]
        point = np.empty((count, samples, 3))
        good = np.ones((count, samples), np.bool_)
        point[:, 0] = self.position
        ground = self.space.ground if isinstance(self.space, GroundHeadingSpace) else self.space
        for k in range(1, samples):
            step = np.zeros((count, 3))
            step[:, :2] = poses[:, k, :2] - poses[:, k - 1, :2]
            point[:, k], arrived = ground.move(point[:, k - 1], step)
            good[:, k] = good[:, k - 1] & arrived
        places = point.reshape(-1, 3)
        if isinstance(self.space, GroundHeadingSpace):
            places = posed(places, poses[..., 2].reshape(-1))
        clearance = self.space.world.clearance(places, 2.0 * CLEAR)
        clearance = clearance.reshape(count, samples)
        least = np.minimum(CLEAR, 0.5 * np.maximum(clearance[:, :1], 0.0) + LEAVING * along)
        good &= clearance >= least
        for x, y, apart in self.others:
            gap = np.hypot(point[..., 0] - x, point[..., 1] - y)
            good &= gap >= np.minimum(apart, gap[:, :1] + LEAVING * along)
        return point, good
