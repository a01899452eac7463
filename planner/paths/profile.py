"""Clearance and room along a path, as arrays over its length."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.paths.corridor import measure_corridor
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import Space

STEP, LANE, MARGIN = 0.5, 0.25, 0.05  # times the body's radius
LONGEST = 2000  # stations, at most


@dataclass(frozen=True, eq=False)
class Profile:
    """What is free around a path.

    Attributes:
        station: (J,) arc lengths [m], ascending, from 0 to the path's length.
        clearance: (J,) [m].
        left: (J,) how far the body may be moved to the left [m], see `measure_room`.
        right: (J,) the same to the right, positive.
        above: (J,) how far a flying body may be moved up [m]; zero for others.
        below: (J,) the same down, positive.
        most: Where all of them were not looked at any more [m].
    """

    station: Float
    clearance: Float
    left: Float
    right: Float
    above: Float
    below: Float
    most: float


def measure_profile(space: Space, path: CertifiedPath) -> Profile:
    """Measure clearance and room along a path, every half body radius, up to ten radii.

    A path longer than a thousand radii is measured at 2,000 places. Of a body that turns only the
    clearance at the path's points is told: how far it may be moved depends on how it may be
    turned, and all room is zero.
    """
    if path.quaternion_wxyz is not None:  # also where the heading alone turns
        none = np.zeros(len(path.station))
        return Profile(path.station, path.clearance, none, none, none, none, 0.0)
    radius = space.world.body.radius
    most = CLEARANCE_CAP * radius
    room = measure_corridor(
        space,
        path,
        most,
        lane=LANE * radius,
        step=max(STEP * radius, path.length / LONGEST),
        margin=MARGIN * radius,
        window=3.0 * radius,
    )
    clearance = np.asarray(space.world.clearance(path.at(room.station), most))
    return Profile(room.station, clearance, room.left, room.right, room.above, room.below, most)
