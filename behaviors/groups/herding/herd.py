"""The flock as its shepherds see it: its circle, and who has strayed from it."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from rmp3d.behaviors.groups.herding.circle import smallest_ball
from rmp3d.behaviors.groups.herding.grid import DistanceField, WalkableGrid
from rmp3d.geometry.arrays import Bool, Float, Index

# Free ground that one of a flock takes, in squares of (2 r + 0.5 m); and how loose it may be.
PACKING, LOOSE = 0.8, 2.0
# Who is this far from the others, in radii of the circle that is allowed, belongs to another part.
APART = 0.8
# Collecting ends when all are within this share of the circle allowed.
TOGETHER = 0.85


def circle_allowed(count: int, radius: float, room: float, stated: float = 0.0) -> float:
    r"""Return the radius [m] of the circle that n bodies of a flock have to be in.

    The radius stated, or 1 m more than what a loose flock needs,
    :math:`1 + 2 \sqrt{0.8 n / \pi} (2 r + 0.5)`; where the way is narrower than that, half the
    length of the strip that they fill.

    Args:
        count: n.
        radius: r of a body [m].
        room: Half the width of the way [m].
        stated: By the user [m]; 0 for none.
    """
    apart = 2.0 * radius + 0.5
    area = PACKING * count * apart**2
    free = stated or 1.0 + LOOSE * float(np.sqrt(area / np.pi))
    strip = 1.0 + 0.5 * LOOSE * area / max(2.0 * room, apart)
    return max(free, strip) if room < free else free


def largest_part(points: Float, reach: float) -> Bool:
    """Return which points (N, 3) belong to the largest part, (N,); the earlier of equal ones.

    Points within ``reach`` [m] of each other are of one part.
    """
    pairs = cKDTree(points).query_pairs(reach, output_type="ndarray")
    links = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), [len(points)] * 2)
    label = connected_components(links, directed=False)[1]
    part: Bool = label == np.bincount(label).argmax()
    return part


@dataclass(frozen=True, eq=False)
class Herd:
    """Those of a flock that are herded now.

    Attributes:
        rows: (n,) who they are among the flock.
        kept: (n,) who is in the circle.
        field: How far it is to the middle of those.
    """

    rows: Index
    kept: Bool
    field: DistanceField

    @classmethod
    def of(cls, ways: WalkableGrid, rows: Index, points: Float, allowed: float) -> "Herd":
        """Tell those in the flock's circle from its strays.

        The circle is around the middle of the largest part; who has farther to it than allowed,
        round what is in the way, is a stray.

        Args:
            ways: Of the shepherds.
            rows: (n,) who counts, n >= 1.
            points: (n, 3) where they are [m].
            allowed: Radius of the circle [m].
        """
        part = largest_part(points, APART * allowed)
        middle = points[part].mean(axis=0)
        heart = points[part][np.argmin(((points[part] - middle) ** 2).sum(axis=1))]
        seen = ways.clear(heart, middle)[0]
        field = ways.field(middle if seen else heart)
        kept = field.at(points) <= allowed
        if not kept.any():
            kept[np.argmin(field.at(points))] = True
        return cls(rows, kept, field)

    @property
    def strays(self) -> Index:
        """Who has strayed, among the flock."""
        return self.rows[~self.kept]

    @property
    def core(self) -> Index:
        """Who has not, among the flock."""
        return self.rows[self.kept]


def circle_of(points: Float, grounded: bool) -> tuple[Float, float]:
    """Return center (3,) and radius [m] of the smallest circle around points (N, 3) in plan.

    For flyers of the smallest ball.
    """
    if not grounded:
        return smallest_ball(points)
    flat = points.copy()
    flat[:, 2] = points[:, 2].mean()
    return smallest_ball(flat)
