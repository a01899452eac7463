"""The narrowest place of a path, and a thinner body that still gets through."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models import Body
from rmp3d.planner.paths.corridor import measure_corridor
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import Space
from rmp3d.scenes.build.shapes import box

# The corridor is measured in so many lanes over the farthest distance.
LANES = 50


@dataclass(frozen=True, eq=False)
class Narrow:
    """The narrowest place of a path.

    Attributes:
        place: (3,) [m].
        width: From wall to wall [m]; for a body that flies the least one all round.
    """

    place: Float
    width: float


def narrowest(space: Space, path: CertifiedPath, most: float) -> Narrow:
    """Return where the room around a path is least; wider than 2 ``most`` [m] is not told."""
    radius = space.world.body.radius
    lane = most / LANES
    room = measure_corridor(
        space, path, max(most - radius, lane), lane=lane, step=0.5 * radius, margin=0.0,
        window=4.0 * most,
    )  # fmt: skip
    half = room.around.shape[1] // 2
    width = (room.around[:, :half] + room.around[:, half:]).min(axis=1) + 2.0 * radius
    tightest = int(np.argmin(width))
    return Narrow(path.at(room.station[tightest : tightest + 1])[0], float(width[tightest]))


def thinner(body: Body, share: float) -> Body:
    """Return a body of the same height whose radius is a share of the body's."""
    middle, half = 0.5 * sum(body.capsule_axis), 0.1 * share * body.radius
    probe = box((-half, -half, middle - half), (half, half, middle + half))
    return Body(probe, share * body.radius, body.capsule_axis)
