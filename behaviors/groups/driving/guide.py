"""The guide of a vehicle: the points ahead of it, at the height of the ground between them."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.ends import AHEAD
from rmp3d.behaviors.groups.intent import Guides
from rmp3d.geometry.arrays import Float
from rmp3d.planner.paths.polyline import stations
from rmp3d.planner.spaces import GroundHeadingSpace

# The ground is looked up so densely [m]; where it is so much above or below the straight line
# between two points [m], the guide gets one more.
EACH, OFF = 1.5, 0.1


def guide_of(member: int, guides: Guides, flock: Flock) -> Float:
    """Return the points (G, 3) of the guide of a member [m]; the member is at the first one."""
    return np.concatenate([flock.position[member, None], guides.points(member)])


def ground_guide(member: int, guides: Guides, flock: Flock, space: GroundHeadingSpace) -> Float:
    """Return the guide of a member as `guide_of`, on the ground."""
    return on_ground(space, guide_of(member, guides, flock))


def on_ground(space: GroundHeadingSpace, points: Float) -> Float:
    """Return the points (G, 3) of a guide, with more between them where the ground bends.

    Two points may lie on both sides of a hill, or of a bridge with its ramps. Routes end on the
    level of the guide, so the guide follows the ground as far ahead as routes lead.

    Args:
        space: Where the vehicle drives.
        points: [m]; their walks in a straight line lead over the ground.
    """
    along = stations(points * [1.0, 1.0, 0.0])
    at = np.arange(EACH, min(along[-1], AHEAD[-1] * space.turn_radius + EACH), EACH)
    line = np.column_stack([np.interp(at, along, points[:, axis]) for axis in range(3)])
    start = points[np.searchsorted(along, at, side="right") - 1]
    walked, arrived = space.ground.move(start, line - start)
    bends = arrived & (np.abs(walked[:, 2] - line[:, 2]) > OFF)
    order = np.argsort(np.append(along, at[bends]), kind="stable")
    return np.concatenate([points, walked[bends]])[order]
