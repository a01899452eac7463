"""The storeys of a scene, and where to cut it so that one can look into each from above."""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.storeys import LEAST_AREA, LEVEL, storey_at, storey_heights
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene
from rmp3d.viewer.cameras.cutaway import GAP, LOWER, UP, scene_query

PLACES = 4000  # on the ground, at random, that are asked for their height and what is over them
KNEE = 0.5  # [m] above the ground from where it is looked up: what lies there is no ceiling
COVERED = 0.08  # share of a storey's places that have a ceiling: houses stand in gardens
EVEN, MOST_EVEN = 0.3, 0.5  # [m] about the usual ceiling; share of ceilings there: not so trees
LEAST_ROOM = 1.0  # [m] between a floor and its cut


class StoreyCut(NamedTuple):
    """A storey, and how it is looked into; both heights [m], the cut inf where nothing is over it.

    Attributes:
        height: Of its floor.
        cut: All above is left out.
    """

    height: float
    cut: float


@weak_cache
def storey_cuts(scene: Scene) -> tuple[StoreyCut, ...]:
    """Return the storeys, from below; hilly ground is one, a scene without ground has none."""
    if scene.walkable is None:
        return ()
    mesh = scene.walkable
    share = mesh.areas / mesh.areas.sum()
    rng = np.random.default_rng(0)
    face = rng.choice(len(share), PLACES, p=share)
    corner = np.sort(rng.random((PLACES, 2)), axis=1)
    weight = np.column_stack([corner[:, 0], np.diff(corner, axis=1)[:, 0], 1.0 - corner[:, 1]])
    place = np.einsum("mc,mcx->mx", weight, mesh.triangles[face])
    normal = mesh.normals[face]
    level = np.hypot(normal[:, 0], normal[:, 1]) < LEVEL * normal[:, 2]
    least = LEAST_AREA * PLACES / float(mesh.areas.sum())
    heights = storey_heights(place[level, 2], place[:, 2], least)
    query = scene_query(scene)
    reach, over = query.cast_ray(place + KNEE * UP, UP)
    # Inside a wall that stands on the ground, its top is above, and faces up: no ceiling.
    under = (over >= 0) & (query.mesh.normals[over, 2] < 0.0)
    ceiling = np.where(under, place[:, 2] + KNEE + reach, np.inf)
    row = storey_at(heights, place[:, 2])
    return tuple(
        StoreyCut(float(height), _cut(heights, number, ceiling[row == number]))
        for number, height in enumerate(heights.tolist())
    )


def _cut(heights: Float, number: int, ceiling: Float) -> float:
    """Return where to cut a storey [m], below most of its ceilings (M,) [m]."""
    over = ceiling[np.isfinite(ceiling) & (ceiling > heights[number] + LEAST_ROOM)]
    even = np.abs(over - np.median(over)) <= EVEN if len(over) else np.zeros(0, np.bool_)
    if len(over) > COVERED * len(ceiling) and even.mean() >= MOST_EVEN:
        return float(np.percentile(over, LOWER)) - GAP
    if number + 1 < len(heights):
        return float(heights[number + 1]) - max(GAP, 0.1)
    return np.inf
