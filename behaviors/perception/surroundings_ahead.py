"""What sensors read of a place ahead: how the ground rises to it, and who sees it."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.perception.sight import lines_are_clear
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index

# How far above and below the slope of 45 degrees ground is looked for [m].
SPARE = 1.0


def slope_ahead(world: WorldState, rows: Index, axis: Float, reach: float) -> Float:
    """Return the rise over run (n,) of the ground up to ``reach`` [m] along level axes (n, 3).

    Infinite where there is no ground within 45 degrees; zero for flyers.
    """
    surface = world.surface_of(rows) if len(rows) else None
    if surface is None:
        return np.zeros(len(rows))
    level = axis * [1.0, 1.0, 0.0]
    run = reach * np.linalg.norm(level, axis=1)
    here = world.flock.position[rows]
    there, face = surface.locate(here + reach * level, reach + SPARE, reach + SPARE)
    rise = there[:, 2] - here[:, 2]
    slope = np.divide(rise, run, out=np.zeros_like(rise), where=run > 1e-9)
    return np.where(face >= 0, slope, np.inf)


def exposure_ahead(
    world: WorldState, rows: Index, axis: Float, reach: float, kinds: Sequence[bool]
) -> Float:
    """Return 1 (n,) where the place ``reach`` [m] along the axes (n, 3) is in sight, else 0.

    Args:
        world: Everything.
        rows: (n,) members, rows of the flock.
        axis: (n, 3) unit.
        reach: [m].
        kinds: (G,) whose eyes count, by group; a member's own do not.
    """
    place = world.middle[rows] + reach * axis
    other = np.flatnonzero(np.array(kinds, np.bool_)[world.group_of])
    own, eye = (pair.ravel() for pair in np.meshgrid(np.arange(len(rows)), other, indexing="ij"))
    clear = rows[own] != eye
    if world.solid is not None:
        clear &= lines_are_clear(world.solid, world.eye[eye], place[own])
    seen = np.zeros(len(rows))
    seen[own[clear]] = 1.0
    return seen
