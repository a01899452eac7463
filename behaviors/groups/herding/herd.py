"""The flock as its shepherds see it: its circle, and the strays outside it."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.groups.herding.circle import smallest_ball
from rmp3d.behaviors.groups.herding.grid import DistanceField, WalkableGrid
from rmp3d.geometry.arrays import Bool, Float, Index

# Free ground that an animal takes, in squares of (2 r + 0.5 m); and how loose a flock may be.
PACKING, LOOSE = 0.8, 2.0
# Animals this far from others, in radii of the allowed circle, belong to another part.
APART = 0.8
# Collecting ends when all are within this share of the circle allowed.
TOGETHER = 0.85


def circle_allowed(count: int, radius: float, half_width: float, stated: float = 0.0) -> float:
    r"""Return the radius [m] of the circle that n bodies of a flock have to be in.

    The radius stated, or 1 m more than what a loose flock needs,
    :math:`1 + 2 \sqrt{0.8 n / \pi} (2 r + 0.5)`. Where the corridor is narrower than that, half the
    length of the strip that they fill.

    Args:
        count: n.
        radius: r of a body [m].
        half_width: Of the corridor [m].
        stated: By the user [m]; 0 for none.
    """
    apart = 2.0 * radius + 0.5
    area = PACKING * count * apart**2
    free = stated or 1.0 + LOOSE * float(np.sqrt(area / np.pi))
    strip = 1.0 + 0.5 * LOOSE * area / max(2.0 * half_width, apart)
    return max(free, strip) if half_width < free else free


def largest_part(points: Float, reach: float) -> Bool:
    """Return which points (N, 3) belong to the largest part, (N,); the earlier of equal ones.

    Points within ``reach`` [m] of each other are of one part.
    """
    from scipy.sparse import coo_matrix  # slow to load
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    pairs = cKDTree(points).query_pairs(reach, output_type="ndarray")
    links = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), [len(points)] * 2)
    label = connected_components(links, directed=False)[1]
    part: Bool = label == np.bincount(label).argmax()
    return part


@dataclass(frozen=True, eq=False)
class Herd:
    """The animals of a flock that are herded now.

    Attributes:
        rows: (n,) of them in the flock.
        inside: (n,) animals in the circle.
        field: Distances to the middle of these; at home, to the end of the path.
        at_home: Whether the circle is the goal: all but a few are in it.
    """

    rows: Index
    inside: Bool
    field: DistanceField
    at_home: bool = False

    @classmethod
    def of(cls, grid: WalkableGrid, rows: Index, points: Float, allowed: float) -> "Herd":
        """Tell animals in the flock's circle from strays.

        The circle is around the middle of the flock's largest part. An animal whose distance to
        the middle, round obstacles, is more than allowed is a stray.

        Args:
            grid: Places that shepherds can go to.
            rows: (n,) of the animals that count, n >= 1.
            points: (n, 3) of these animals [m].
            allowed: Radius of the circle [m].
        """
        part = largest_part(points, APART * allowed)
        middle = points[part].mean(axis=0)
        heart = points[part][np.argmin(((points[part] - middle) ** 2).sum(axis=1))]
        seen = grid.clear(heart, middle)[0]
        field = grid.field(middle if seen else heart)
        inside = field.at(points) <= allowed
        if not inside.any():
            inside[np.argmin(field.at(points))] = True
        return cls(rows, inside, field)

    @property
    def strays(self) -> Index:
        """Rows of the strays in the flock."""
        return self.rows[~self.inside]

    @property
    def core(self) -> Index:
        """Rows of the animals in the circle."""
        return self.rows[self.inside]


def circle_of(points: Float, grounded: bool) -> tuple[Float, float]:
    """Return center (3,) and radius [m] of the smallest circle around points (N, 3) in plan.

    For flyers of the smallest ball.
    """
    if not grounded:
        return smallest_ball(points)
    flat = points.copy()
    flat[:, 2] = points[:, 2].mean()
    return smallest_ball(flat)
