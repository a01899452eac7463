"""Configuration spaces by name."""

from typing import Any, Literal

from rmp3d.geometry import Float, InputError
from rmp3d.geometry.surface import CURB
from rmp3d.models import Body
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.spaces.ground import GroundSpace
from rmp3d.planner.spaces.ground_heading import GroundHeadingSpace
from rmp3d.planner.spaces.rigid import RigidBodySpace
from rmp3d.planner.spaces.space import SPACES, Space
from rmp3d.planner.spaces.translation import TranslationSpace
from rmp3d.scenes import Scene

__all__ = [
    "SPACES",
    "GroundHeadingSpace",
    "GroundSpace",
    "RigidBodySpace",
    "Space",
    "TranslationSpace",
    "make_space",
]


def make_space(
    name: str,
    scene: Scene,
    body: Body,
    *,
    backend: Literal["auto", "fcl"] = "auto",
    tolerance: float | None = None,
    bounds: Float | None = None,
    max_step: float = CURB,
    turn_radius: float = 0.0,
    reverses: bool = True,
) -> Space:
    """Return a space of a scene for a body, with its collision world.

    Args:
        name: "ground" (walkable ground carries the body), "ground_heading" (it carries a vehicle,
            which drives along its heading), "translation" (it is an obstacle), or "rigid" (an
            obstacle too, and the body turns).
        scene: Where the body moves.
        body: Its bounding capsule is planned for; in "ground_heading" its row of capsules, in
            "rigid" its collision mesh.
        backend: "auto", the compiled kernels; or "fcl", python-fcl alone.
        tolerance: What comes as near as this [m] is in collision; None: a thousandth of the
            radius. In "rigid" there is none but that of the proofs, and None must be given.
        bounds: (2, 3) corners [m]; None: the scene's.
        max_step: Highest step [m] that a body on the ground goes up and down.
        turn_radius: Of the tightest turn [m], on the ground; 0: the body turns where it stands.
        reverses: Whether the vehicle drives backward, in "ground_heading".

    Raises:
        InputError: No such space or backend, or a ground space of a scene without ground.
    """
    kind: Any = SPACES[name]
    if kind is RigidBodySpace:
        if tolerance is not None:
            raise InputError("the space `rigid` takes no `tolerance`: contact is exact there")
        return RigidBodySpace.of_scene(scene, body, bounds, backend)
    if kind is GroundHeadingSpace:
        return GroundHeadingSpace.of_scene(
            scene, body, bounds, backend, tolerance, max_step, turn_radius, reverses
        )
    world = CollisionWorld(
        scene, body, backend=backend, tolerance=tolerance, flying=not kind.grounded,
        max_step=max_step,
    )  # fmt: skip
    if kind is GroundSpace:
        return GroundSpace(world, bounds, turns_anywhere=turn_radius == 0.0)
    space: Space = kind(world, bounds)
    return space
