"""A trip for flyers: two places far apart in the air, joined by flights that are proved."""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.graphs import adjacency, component_numbers, search
from rmp3d.inspection.trip import LONGEST, Box, ProposedTrip
from rmp3d.models import Character
from rmp3d.planner.spaces import TranslationSpace
from rmp3d.scenes import Scene

SITES = 30_000
ROOM_EACH = 3.0  # times the body's width: side of the cube of air for each member


def flight_over(space: TranslationSpace, members: int) -> ProposedTrip | None:
    """Return a start and a goal in the air; None if there is no room."""
    low, high = space.bounds
    size = np.maximum(high - low, 1e-6)
    radius = space.world.body.radius
    while members > 0:
        half = 0.5 * ROOM_EACH * 2.0 * radius * float(np.cbrt(members))
        cell = max(float(np.cbrt(size.prod() / SITES)), 2.0 * radius)
        count = np.maximum(size / cell, 1.0)
        while count.prod() > 2.0 * SITES:  # a long and thin scene has fewer cells along it
            count = np.maximum(0.8 * count, 1.0)
        count = count.astype(int)
        axes = [low[k] + size[k] * (np.arange(count[k]) + 0.5) / count[k] for k in range(3)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        found = _far_apart(space, grid, count, half)
        if found is not None:
            one, two, length = found
            return ProposedTrip(_box(space, one, half), _box(space, two, half), members, length)
        members //= 2
    return None


def _far_apart(
    space: TranslationSpace, grid: Float, count: Float, half: float
) -> tuple[Float, Float, float] | None:
    number = np.arange(len(grid)).reshape(count)
    links = np.concatenate(
        [
            np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1),
            np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1),
            np.stack([number[:, :, :-1].ravel(), number[:, :, 1:].ravel()], axis=1),
        ]
    )
    free = space.is_free(grid)
    links = links[free[links].all(axis=1)]
    links = links[space.connects(grid[links[:, 0]], grid[links[:, 1]])]
    clear = np.zeros(len(grid))
    clear[free] = space.world.clearance(grid[free], 2.0 * half)
    inner = ((grid - half >= space.bounds[0]) & (grid + half <= space.bounds[1])).all(axis=1)
    component = component_numbers(len(grid), links)
    largest = int(np.bincount(component[free]).argmax()) if free.any() else -1
    roomy = np.flatnonzero(free & inner & (component == largest) & (clear >= 0.8 * half))
    if len(roomy) < 2:
        return None
    # The middle height is where most flights go on.
    level = np.abs(grid[roomy, 2] - space.bounds[:, 2].mean())
    roomy = roomy[level <= np.quantile(level, 0.3) + 1e-9]
    cost = np.linalg.norm(grid[links[:, 0]] - grid[links[:, 1]], axis=1)
    graph = adjacency(np.ascontiguousarray(links, np.int64), len(grid))
    one, length = int(roomy[0]), 0.0
    two = one
    for _ in range(3):
        found = search(*graph, cost, np.zeros(len(grid)), one, -1)
        far = found[0][roomy]
        far = np.where(far <= sqrt(2.0) * LONGEST, far, -1.0)
        if far.max() <= length:
            break
        one, two, length = int(roomy[int(far.argmax())]), one, float(far.max())
    if np.abs(grid[one] - grid[two]).max() <= 2.0 * half:
        return None
    return grid[two], grid[one], length


def flying_space(scene: Scene, character: Character) -> TranslationSpace:
    """Return where a flyer can be in a scene."""
    from rmp3d.inspection.survey import prepared_space

    space = prepared_space(scene, character)
    assert isinstance(space, TranslationSpace)
    return space


def _box(space: TranslationSpace, middle: Float, half: float) -> Box:
    lower = np.maximum(middle - half, space.bounds[0]).round(2).tolist()
    upper = np.minimum(middle + half, space.bounds[1]).round(2).tolist()
    return tuple(lower), tuple(upper)
