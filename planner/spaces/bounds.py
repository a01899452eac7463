"""The box that configurations stay in."""

import numpy as np

from rmp3d.geometry import Bool, Float, InputError
from rmp3d.models import Character
from rmp3d.planner.errors import PlacementError
from rmp3d.scenes import Scene

SLACK = 1e-9  # [m] outside a bound that rounding may put a configuration


def check_bounds(bounds: Float) -> None:
    """Check the corners (2, 3) of a box.

    Raises:
        InputError: Wrong shape, not finite, or upper below lower.
    """
    if bounds.shape != (2, 3) or not np.isfinite(bounds).all():
        raise InputError(f"`bounds` must be two finite corners (2, 3), got {bounds.tolist()}")
    if (bounds[1] < bounds[0]).any():
        raise InputError(f"`bounds` must go from lower to upper corner, got {bounds.tolist()}")


def reference_bounds(scene: Scene, character: Character) -> Float:
    """Return the corners (2, 3) [m] that keep the whole body within the scene's bounds.

    A walker's height is the ground's affair. Where the body is wider than the bounds, its middle
    is left.
    """
    inset = np.full(3, character.body.radius)
    if character.grounded:
        inset[2] = 0.0
    lower, upper = scene.bounds[0] + inset, scene.bounds[1] - inset
    middle = scene.bounds.mean(axis=0)
    return np.stack([np.minimum(lower, middle), np.maximum(upper, middle)])


def in_bounds(configurations: Float, bounds: Float) -> Bool:
    """Return which configurations (M, W) are in the box (2, 3), up to rounding."""
    place = configurations[:, :3]
    inside: Bool = ((place >= bounds[0] - SLACK) & (place <= bounds[1] + SLACK)).all(axis=1)
    return inside


def out_of_bounds(bounds: Float, scene: Float) -> PlacementError:
    """Return the error for a place out of bounds (2, 3), which may be narrower than the scene's."""
    corners = np.round(bounds, 3).tolist()
    less = float(np.abs(bounds - scene)[:, :2].max())
    body = f" (the scene's, less {less:.3g} m for the body)" if less > 1e-3 else ""
    return PlacementError(f"out of bounds {corners}{body}", "out of bounds")
