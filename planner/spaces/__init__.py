"""Configuration spaces by name."""

from typing import Any, Literal

from geometry import Float
from models import Body
from planner.collision import CollisionWorld
from planner.spaces.ground import GroundSpace
from planner.spaces.space import SPACES, Space
from planner.spaces.translation import TranslationSpace
from scenes import Scene

__all__ = ["SPACES", "GroundSpace", "Space", "TranslationSpace", "make_space"]


def make_space(
    name: str,
    scene: Scene,
    body: Body,
    *,
    backend: Literal["auto", "fcl"] = "auto",
    tolerance: float | None = None,
    bounds: Float | None = None,
) -> Space:
    """Return a space of a scene for a body, with its collision world.

    Args:
        name: "ground" (walkable ground carries the body) or "translation" (it is an obstacle).
        scene: Where the body moves.
        body: Its bounding capsule is planned for.
        backend: "auto", the compiled kernels; or "fcl", python-fcl alone.
        tolerance: What comes as near as this [m] is in collision; None: a thousandth of the
            radius.
        bounds: (2, 3) corners [m]; None: the scene's.

    Raises:
        InputError: No such space or backend, or a ground space of a scene without ground.
    """
    kind: Any = SPACES[name]
    world = CollisionWorld(
        scene, body, backend=backend, tolerance=tolerance, flying=not kind.grounded
    )
    space: Space = kind(world, bounds)
    return space
