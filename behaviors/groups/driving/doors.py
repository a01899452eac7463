"""Ends of routes before and behind the doors that a guide leads through."""

import numpy as np

from rmp3d.behaviors.groups.driving.ends import AHEAD, FARTHER
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length
from rmp3d.planner.paths.doors import doors_along
from rmp3d.planner.paths.polyline import stations
from rmp3d.planner.spaces import GroundHeadingSpace
from rmp3d.planner.spaces.ground_heading import plane_poses

# So many doors are looked for on the part of a guide to which routes lead.
MOST = 2
# A vehicle is at a pose that is nearer than this [m].
AT_POSE = 0.3


def with_doors(
    space: GroundHeadingSpace, points: Float, ends: Float, price: Float
) -> tuple[Float, Float, bool]:
    """Return the ends of routes along a guide, and those straight before and behind its doors.

    Between the latter a vehicle drives straight, in the middle of a door that it just fits through.

    Args:
        space: Where the vehicle drives.
        points: (G, 3) of its guide [m]; the vehicle is at the first one.
        ends: (E, 4), and
        price: (E,) as of `ends.ends_along`.

    Returns:
        The same of all ends, and whether there are doors.
    """
    along = stations(points * [1.0, 1.0, 0.0])
    near = along < AHEAD[-1] * space.turn_radius
    doors = doors_along(space, points[: int(near.sum()) + 1], MOST)
    if not doors:
        return ends, price, False
    poses = np.concatenate([door.poses for door in doors])
    station = np.concatenate([door.station for door in doors])
    # Poses that it has passed count, too: there it goes back to, if it is aslant before a door.
    there = length((poses[:, :3] - points[0])[:, :2]) < AT_POSE
    kept = ~there & (station < along[-1])
    poses, station = poses[kept], station[kept]
    left = along[-1] - (1.0 - FARTHER) * station
    at_doors = np.column_stack([plane_poses(poses), poses[:, 2]])
    return np.concatenate([ends, at_doors]), np.append(price, left), True
