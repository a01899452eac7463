"""The `[scene]` table of a scenario file, as typed structures."""

from typing import Annotated, Literal

import msgspec

from rmp3d.scenes.part import Role

Vector = tuple[float, float, float]
Positive = Annotated[float, msgspec.Meta(gt=0)]


class RegionDescription(msgspec.Struct, forbid_unknown_fields=True):
    """A named region: a box (``lower``, ``upper``) or a ball (``center``, ``radius``) [m]."""

    lower: Vector | None = None
    upper: Vector | None = None
    center: Vector | None = None
    radius: Positive | None = None


class GroundDescription(msgspec.Struct, forbid_unknown_fields=True):
    """A level floor at ``height`` [m] under the whole scene, for meshes that have none."""

    height: float = 0.0


class SceneDescription(msgspec.Struct, forbid_unknown_fields=True):
    """The scene: a built-in one, or meshes and how they are placed.

    Either ``name`` (a built-in scene) or ``mesh`` (one file or several; relative paths start at the
    folder of this file). With ``name``, only ``regions``, ``bounds`` and ``max_slope`` may be
    given: regions are added, the others replaced.

    Attributes:
        name: A built-in scene.
        mesh: Mesh file or files.
        up: The axis of the files that points up; by default y for glTF, as its standard says, else
            z. A y-up file is turned: (x, y, z) becomes (x, -z, y).
        center: ``vertices`` first moves the mean of all the files' vertices to the origin.
        scale: Meters per unit of the files; applied before ``position``.
        position: New position of the files' origin [m].
        roles: Role by part name. Names are patterns (``"tree *"``); the first matching one counts,
            in the order of the file. A part without a match is an obstacle.
        max_slope: Steepest slope that characters can walk [degrees].
        bounds: Corners of the box that characters stay inside [m]; default: around the parts.
        ground: Adds a level floor over the bounds, as the part ``ground plane``.
        regions: Named places for start and goal.
        embed: Whether recordings contain the meshes, so that they can be replayed and verified
            without the files; else they only name the files.
    """

    name: str | None = None
    mesh: str | list[str] | None = None
    up: Literal["z", "y"] | None = None
    center: Literal["none", "vertices"] = "none"
    scale: Positive = 1.0
    position: Vector = (0.0, 0.0, 0.0)
    roles: dict[str, Role] = {}
    max_slope: Annotated[float, msgspec.Meta(ge=0, lt=90)] | None = None
    bounds: tuple[Vector, Vector] | None = None
    ground: GroundDescription | None = None
    regions: dict[str, RegionDescription] = {}
    embed: bool = False
