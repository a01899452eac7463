"""The ways of those who step off a part that carries: who waits for the part leaves them free.

Riders step off first, and go on through the place where others wait to step on. So these stand on
both sides of that way, not on it.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

LONG = 8.0
"""So much [m] of the way off a part is left free."""
ABREAST = 2
"""So many riders can go along the way side by side."""
BETWEEN = 0.1
"""Between those who wait beside the way and those who come along it [m]."""
GENTLE = 2.0
"""Members come to the border of the way, or leave it, so fast for each meter to there [1/s]."""
ASIDE = 0.5
"""At most with this share of their largest speed."""
AHEAD, DENSE = 1.0, 81
"""Who is led along the way looks so far ahead [m]; points between which the way is searched."""
LEVEL = 1.0
"""Who is farther above or below the way [m] is not on it."""


@dataclass(frozen=True, eq=False)
class WayOff:
    """The way of riders who have stepped off.

    Attributes:
        points: (K, 3) from the middle of the part where it stops [m]; two at least.
        radius: Of the riders [m].
    """

    points: Float
    radius: float

    def left_free(self, flock: Flock, desire: Float) -> Float:
        """Return velocities (n, 3) [m/s] of members that wait: they leave the way to its sides.

        The wish along the way stays as it is. Who is before its beginning or beyond its end is not
        concerned.

        Args:
            flock: The n members that wait.
            desire: (n, 3) what they want [m/s].
        """
        out, apart, beside = self.aside(flock.position)
        room = apart - (flock.bodies.half_width + ABREAST * self.radius + BETWEEN)
        allowed = np.maximum(GENTLE * room, -ASIDE * flock.bodies.max_speed)
        toward = -np.einsum("ij,ij->i", desire[:, :2], out)
        excess = np.where(beside, np.maximum(toward - allowed, 0.0), 0.0)
        found = np.array(desire)
        found[:, :2] += excess[:, None] * out
        return found

    def aside(self, position: Float) -> tuple[Float, Float, Bool]:
        """Return directions (n, 2) in plan that lead off the way, and distances (n,) from it [m].

        And which of the positions (n, 3) are beside the way (n,).
        """
        offset, along, beside = self._seen_from(position)
        apart = length(offset)
        left = np.column_stack([-along[:, 1], along[:, 0]])  # for who is on the line itself
        return np.where(apart[:, None] > 1e-6, unit(offset), left), apart, beside

    def onward(self, position: Float) -> Float:
        """Return the direction (3,) in plan from a position (3,) to where the way is `AHEAD` on."""
        points = self.points
        offset, _, _ = self._seen_from(position[None])
        nearest = position[:2] - offset[0]
        size = np.concatenate([[0.0], np.cumsum(length(np.diff(points[:, :2], axis=0)))])
        dense = np.linspace(0.0, size[-1], DENSE)
        line = np.column_stack([np.interp(dense, size, points[:, axis]) for axis in range(2)])
        here = dense[length(line - nearest).argmin()]
        ahead = line[np.searchsorted(dense, min(here + AHEAD, size[-1]))]
        direction: Float = unit(np.append(ahead - position[:2], 0.0))
        return direction

    def _seen_from(self, position: Float) -> tuple[Float, Float, Bool]:
        """Return offsets (n, 2) in plan of positions (n, 3) from the way, its directions (n, 2).

        And which of them (n,) are beside the way.
        """
        start, ways = self.points[:-1], np.diff(self.points, axis=0)
        size = np.maximum((ways[:, :2] ** 2).sum(axis=1), 1e-18)
        share = np.einsum("nkj,kj->nk", (position[:, None] - start)[..., :2], ways[:, :2]) / size
        nearest = start + np.clip(share, 0.0, 1.0)[..., None] * ways  # (n, K - 1, 3)
        offset = position[:, None] - nearest
        flat, level = length(offset[..., :2]), np.abs(offset[..., 2]) < LEVEL
        pick = np.where(level, flat, np.inf).argmin(axis=1)
        rows, last = np.arange(len(position)), len(ways) - 1
        own = share[rows, pick]
        beyond = ((pick == 0) & (own < 0.0)) | ((pick == last) & (own > 1.0))
        return offset[rows, pick, :2], unit(ways[pick, :2]), level[rows, pick] & ~beyond


def beginning(points: Float, long: float = LONG) -> Float:
    """Return the first so many meters of a path (K, 3) [m]."""
    along = np.concatenate([[0.0], np.cumsum(length(np.diff(points, axis=0)))])
    end = min(long, float(along[-1]))
    at = np.append(along[along < end], end)
    return np.column_stack([np.interp(at, along, points[:, axis]) for axis in range(3)])
