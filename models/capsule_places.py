"""Where the capsules are that hold bodies: one each, or the row along the heading of a long one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import unit
from rmp3d.models.body import Body


class PlacedCapsules(NamedTuple):
    """C upright capsules in the world.

    Attributes:
        owner: (C,) row of the body that each is of.
        position: (C, 3) reference points [m].
        radius: (C,) [m].
        axis: (C, 2) heights of the ends of the axes over the reference points [m].
    """

    owner: Index
    position: Float
    radius: Float
    axis: Float


def placed_capsules(
    bodies: Sequence[Body], body_of: Index, position: Float, orientation_wxyz: Float
) -> PlacedCapsules:
    """Return the capsules of N bodies, which stay upright however the bodies lean.

    Args:
        bodies: Kinds of body.
        body_of: (N,) kind of each.
        position: (N, 3) reference points [m].
        orientation_wxyz: (N, 4) unit quaternions, body to world.
    """
    heading = rotate(orientation_wxyz, np.array([1.0, 0.0, 0.0])) * [1.0, 1.0, 0.0]
    parts = []
    for kind, body in enumerate(bodies):
        own, row = np.flatnonzero(body_of == kind), body.capsules
        owner, capsule = np.repeat(own, len(row)), np.tile(row, (len(own), 1))
        place = position[owner]
        if body.elongated:
            place = place + capsule[:, :1] * unit(heading[owner])
        parts.append((owner, place, capsule[:, 1], capsule[:, 2:]))
    return PlacedCapsules(*(np.concatenate(each) for each in zip(*parts, strict=True)))
