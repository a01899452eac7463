"""How a scene was made, so that it can be made again: from a file, or in another process."""

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short
from rmp3d.scenes.assembly import is_in_memory, mesh_files
from rmp3d.scenes.description import RegionDescription, SceneDescription
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.part import Part
from rmp3d.scenes.region import Box, Region, Sphere

GivenRegion: TypeAlias = Box | Sphere | Region


@dataclass(frozen=True, eq=False)
class SceneSource:
    """A description, and the meshes in it that are in no file.

    Attributes:
        description: Its paths are absolute.
        meshes: Meshes by the names that the description gives them, such as ``memory:yard``.
    """

    description: SceneDescription
    meshes: Mapping[str, Sequence[NamedMesh]] = field(default_factory=dict)

    @property
    def is_held(self) -> bool:
        """Whether the meshes are here, and in no file."""
        return any(is_in_memory(file) for file in mesh_files(self.description))


def description_of(
    parts: Sequence[Part],
    regions: Mapping[str, Region],
    bounds: Float,
    max_slope: float,
    roles_stated: bool,
) -> SceneDescription:
    """Return a description with the values that are given for each part, without the meshes."""
    roles = {glob.escape(part.name): part.stated_role for part in parts} if roles_stated else {}
    return SceneDescription(
        roles=roles,
        max_slope=float(np.degrees(max_slope)),
        bounds=(_vector(bounds[0]), _vector(bounds[1])),
        regions=region_descriptions(regions),
    )


def region_descriptions(regions: Mapping[str, GivenRegion]) -> dict[str, RegionDescription]:
    """Return the regions as the table of a scenario file.

    Args:
        regions: A `Box`, `Sphere` or `Region` for each name.

    Raises:
        InputError: It is something else; names it, and says what is right.
    """
    if not isinstance(regions, Mapping):
        raise InputError(
            "`regions` must be a dictionary such as {'door': Box((0, 0, 0), (1, 1, 2))}, "
            f"got {in_short(regions)}"
        )
    return {name: _described(name, region) for name, region in regions.items()}


def _described(name: str, region: GivenRegion) -> RegionDescription:
    if not isinstance(region, Box | Sphere | Region):
        raise InputError(
            f"`regions`: `{name}` must be `Box(lower, upper)` or `Sphere(center, radius)`, "
            f"got {in_short(region)}"
        )
    if isinstance(region, Sphere) or (isinstance(region, Region) and region.kind == "sphere"):
        return RegionDescription(center=_vector(region.center), radius=float(region.radius))
    return RegionDescription(lower=_vector(region.lower), upper=_vector(region.upper))


def _vector(point: ArrayLike) -> tuple[float, float, float]:
    x, y, z = np.asarray(point, np.float64).tolist()
    return x, y, z
