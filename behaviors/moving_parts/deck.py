"""What walkers stand on of a part that carries them."""

import numpy as np

from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length

FEET = 0.02
"""Feet are on a deck within so far [m] of it."""
BESIDE = 0.03
"""Who stands on a deck keeps so far [m] from its border, besides the radius of the body."""
BETWEEN = 0.12
"""Between two who stand on it [m]."""
KEEPS = 0.1
"""A part that moves comes no nearer to a member than this [m]: who stands between two parts could
not come out again if both came as near as they can."""


class Deck:
    """The faces of a part that carries, as the scene has it; see `Deck.on`.

    Args:
        part: The part.
        max_slope: Steepest slope that can be walked [rad].

    Attributes:
        box: (2, 3) its corners [m].
    """

    def __init__(self, part: SweptPart, max_slope: float) -> None:
        mesh = part.deck(max_slope)
        assert mesh is not None
        self._query = MeshQuery(mesh)
        self._start, self._end = part.border(max_slope)
        corners = mesh.triangles.reshape(-1, 3)
        self.box = np.stack([corners.min(axis=0), corners.max(axis=0)])

    def on(self, feet: Float, displacement: Float) -> Bool:
        """Return which feet (M, 3) [m] stand on it where it is displaced by so much (3,) [m]."""
        above = feet - displacement + [0.0, 0.0, FEET]
        down = np.array([0.0, 0.0, -1.0])
        found: Bool = self._query.cast_ray(above, down, 2.0 * FEET)[1] >= 0
        return found

    def inside(self, feet: Float, displacement: Float, radius: Float) -> Bool:
        """Return which bodies of radii (M,) [m] stand on it with all that they are, in plan."""
        found = self.on(feet, displacement)
        rows = np.flatnonzero(found)
        points = (feet - displacement)[rows]
        found[rows] = self._to_border(points) >= radius[rows]
        return found

    def apart(self, point: Float, displacement: Float) -> float:
        """Return how far a point (3,) is from its box [m]; far, if on another level."""
        own = point - displacement
        offset = own - np.clip(own, self.box[0], self.box[1])
        return float(length(offset * [1.0, 1.0, 10.0]))

    def places(self, radius: float, entry: Float) -> Float:
        """Return where bodies of a radius [m] can stand on it (S, 3), those far from entry first.

        Where there is room they are `KEEPS` from the border: a door closes right beside it, and
        waits for whoever is nearer to it.

        Args:
            radius: [m].
            entry: (3,) where they step on [m].
        """
        low, high = self.box[0, :2] + radius, self.box[1, :2] - radius
        room = high - low - 4.0 * BESIDE
        if (room < 0.0).any():
            return np.zeros((0, 3))
        apart = 2.0 * radius + BETWEEN
        counts = (room / apart).astype(int) + 1
        left = 0.5 * (high - low - (counts - 1) * apart)
        inset = np.minimum(np.maximum(left, 2.0 * BESIDE), KEEPS + BESIDE)
        axes = []
        for least, most, count in zip(low + inset, high - inset, counts.tolist(), strict=True):
            axes.append(np.linspace(least, most, count) if count > 1 else [0.5 * (least + most)])
        plan = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        top = np.column_stack([plan, np.full(len(plan), self.box[1, 2] + FEET)])
        down = np.array([0.0, 0.0, -1.0])
        distance, face = self._query.cast_ray(top, down, float(np.ptp(self.box[:, 2])) + 1.0)
        points = top[face >= 0] - np.outer(distance[face >= 0], [0.0, 0.0, 1.0])
        points = points[self._to_border(points) >= radius + BESIDE]
        far = length((points - entry)[:, :2])
        found: Float = points[np.argsort(-far, kind="stable")]
        return found

    def _to_border(self, points: Float) -> Float:
        """Return the distances (M,) in plan from points (M, 3) to the border [m]."""
        start, way = self._start[:, :2], (self._end - self._start)[:, :2]
        offset = points[:, None, :2] - start[None]
        size = np.maximum((way * way).sum(axis=1), 1e-18)
        share = np.clip((offset * way).sum(axis=2) / size, 0.0, 1.0)
        apart = length(offset - share[..., None] * way)
        found: Float = apart.min(axis=1, initial=np.inf)
        return found
