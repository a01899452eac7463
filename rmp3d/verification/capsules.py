"""Upright capsules around bodies: a fast and safe bound on where a body is.

A body is in an upright capsule around the z axis of its frame. If it tilts by an angle a from
upright, no point moves further than ``2 sin(a / 2) reach``, so a capsule that is thicker by that
still holds it. A ball about the origin holds a body however it turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import length

UP = np.array([0.0, 0.0, 1.0])
ROUNDING = 1e-9
"""Added to the radius [m]."""


@dataclass(frozen=True)
class Capsule:
    """An upright capsule that holds a body.

    Attributes:
        low: Height of the lower end of its axis in the body frame [m].
        high: Height of the upper one [m].
        radius: [m].
        reach: Largest distance [m] of a point of the body from its origin; 0 if the capsule is a
            ball about the origin, which holds the body however it turns.
    """

    low: float
    high: float
    radius: float
    reach: float

    @classmethod
    def of_mesh(cls, mesh: TriangleMesh, low: float, high: float) -> "Capsule":
        """Return the capsule around a mesh with an axis from height ``low`` to ``high`` [m]."""
        corners = mesh.triangles.reshape(-1, 3)
        axis = np.zeros_like(corners)
        axis[:, 2] = np.clip(corners[:, 2], low, high)
        radius = float(length(corners - axis).max()) + ROUNDING
        reach = 0.0 if low == high == 0.0 else float(length(corners).max())
        return cls(low, high, radius, reach)


class BlockCapsules:
    """The capsules of all members in one block.

    Args:
        position: (B + 1, N, 3) [m].
        orientation_wxyz: (B + 1, N, 4) unit quaternions.
        kinds: Capsules of the kinds of body.
        kind_of: (N,) row in ``kinds`` of each member.

    Attributes:
        low: (N,) heights of the lower ends of the axes over the positions [m].
        high: (N,) heights of the upper ends [m].
        radius: (B + 1, N) radii that hold the bodies in the motions before and after a frame [m].
    """

    def __init__(
        self,
        position: Float,
        orientation_wxyz: Float,
        kinds: Sequence[Capsule],
        kind_of: Index,
    ) -> None:
        self._position = position
        self.low = np.array([capsule.low for capsule in kinds])[kind_of]
        self.high = np.array([capsule.high for capsule in kinds])[kind_of]
        radius = np.array([capsule.radius for capsule in kinds])[kind_of]
        reach = np.array([capsule.reach for capsule in kinds])[kind_of]
        self.radius = np.broadcast_to(radius, position.shape[:2]).copy()
        members = np.flatnonzero(reach > 0.0)
        if len(members):
            tilt = _around(_tilt(orientation_wxyz[:, members]))
            self.radius[:, members] += 2.0 * np.sin(0.5 * tilt) * reach[members]

    def gaps(self, first: int, last: int, i: Index, j: Index) -> Float:
        """Return a lower bound (K, P) on the gaps [m] of pairs of bodies.

        In each motion from frame ``first`` to frame ``last``; if these are the same, (1, P), at the
        frame.
        """
        rows = slice(first, last + 1)
        offset = self._position[rows, j] - self._position[rows, i]  # (K + 1, P, 3)
        both = self.radius[rows, i] + self.radius[rows, j]
        above = offset[..., 2] + (self.low[j] - self.high[i])
        below = -offset[..., 2] + (self.low[i] - self.high[j])
        apart = np.maximum(np.maximum(above, below), 0.0)
        gap = np.hypot(np.hypot(offset[..., 0], offset[..., 1]), apart) - both
        if first == last:
            return gap
        moved = np.diff(offset, axis=0)
        spare = 0.5 * (gap[:-1] + gap[1:] - length(moved))
        passing = _least(offset[:-1, :, :2], moved[..., :2]) - np.maximum(both[:-1], both[1:])
        found: Float = np.maximum(spare, passing)
        return found


def _tilt(orientation: Float) -> Float:
    """Return the angles (...) [rad] from upright."""
    up = rotate(orientation, UP)
    return np.arctan2(np.hypot(up[..., 0], up[..., 1]), up[..., 2])


def _around(tilt: Float) -> Float:
    """Return for each frame (B + 1, n) an angle that no tilt before or after it exceeds.

    In a motion, a turn about one axis, the up axis goes on a circle by at most half of it. So it
    stays within the larger tilt at the two ends, and half of the angle between the two.
    """
    most = tilt.copy()
    most[1:] = np.maximum(most[1:], tilt[:-1])
    most[:-1] = np.maximum(most[:-1], tilt[1:])
    return np.minimum(2.0 * most, np.pi)


def _least(start: Float, moved: Float) -> Float:
    """Return the least length (...) of ``start + s moved`` (..., 2), for s from 0 to 1."""
    size = np.einsum("...i,...i->...", moved, moved)
    along = -np.einsum("...i,...i->...", start, moved)
    share = np.divide(along, size, out=np.zeros_like(size), where=size > 0.0)
    return length(start + np.clip(share, 0.0, 1.0)[..., None] * moved)
