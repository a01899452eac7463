"""A scene: named mesh parts with roles, regions, bounds, and what follows from them."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.registry import unknown_name
from rmp3d.scenes.region import Region

Role: TypeAlias = Literal["obstacle", "ground", "decor"]
DEFAULT_MAX_SLOPE = np.pi / 4


@dataclass(frozen=True, eq=False)
class Part:
    """One named mesh of a scene.

    Attributes:
        name: Unique in its scene.
        role: ``obstacle`` must not be touched, ``ground`` is walked on, ``decor`` is only seen.
        mesh: World frame [m].
        colors: (F, 3) red, green, blue of each face, each 0 to 1.
    """

    name: str
    role: Role
    mesh: TriangleMesh
    colors: Float

    def __post_init__(self) -> None:
        colors = frozen(self.colors)
        if colors.shape != (len(self.mesh.faces), 3):
            raise ValueError(
                f"`colors` must have shape ({len(self.mesh.faces)}, 3), got {colors.shape}"
            )
        object.__setattr__(self, "colors", colors)


@dataclass(frozen=True, eq=False)
class Scene:
    """Where characters move, read-only.

    Attributes:
        name: For messages and recordings.
        parts: At least one; names are unique.
        regions: Named boxes and spheres that serve as start and goal.
        bounds: (2, 3) corners [m] that every character stays within.
        max_slope: Steepest slope [rad] that a walker can climb.
        roles_stated: False if the author gave no role and no ground at all: then every part is an
            obstacle to a flyer, and whatever is flat enough is ground to a walker.
        notes: What the reader changed or noticed (triangles without area, ...), one line each.

    Raises:
        InputError: No part, a name used twice, or bounds that are not finite and in order.
    """

    name: str
    parts: tuple[Part, ...]
    regions: Mapping[str, Region]
    bounds: Float
    max_slope: float = DEFAULT_MAX_SLOPE
    roles_stated: bool = True
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = [part.name for part in self.parts]
        if not names:
            raise InputError(f"scene `{self.name}` has no parts")
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise InputError(f"scene `{self.name}` has two parts named `{twice[0]}`")
        bounds = frozen(self.bounds)
        if bounds.shape != (2, 3) or not np.isfinite(bounds).all() or (bounds[0] > bounds[1]).any():
            raise InputError(
                f"`scene.bounds`: must be [[x, y, z], [x, y, z]], finite, the lower corner first, "
                f"given {bounds.tolist()}"
            )
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "regions", MappingProxyType(dict(self.regions)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Between processes; a read-only view of a dictionary cannot be sent as it is.
        values = (getattr(self, field.name) for field in fields(self))
        return Scene, tuple(dict(v) if isinstance(v, Mapping) else v for v in values)

    def region(self, name: str) -> Region:
        """Return the region called ``name``.

        Raises:
            InputError: There is none; names the nearest, and all.
        """
        if name not in self.regions:
            raise InputError(unknown_name("region", name, self.regions))
        return self.regions[name]

    def part(self, name: str) -> Part:
        """Return the part called ``name``.

        Raises:
            InputError: There is none; names the nearest, and all.
        """
        for part in self.parts:
            if part.name == name:
                return part
        raise InputError(unknown_name("part", name, list(self.part_names)))

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of the parts, in order; `obstacle_part` counts in them."""
        return tuple(part.name for part in self.parts)

    @cached_property
    def obstacles(self) -> TriangleMesh | None:
        """What must not be touched: obstacle parts, and what of the ground cannot be walked on.

        None if there is nothing. A walker stands on `walkable`, so that is not in it, unless
        no roles are stated: then it is all the scene, which is safe; see `walking_obstacles`
        and `flying_obstacles` for the two meanings kept apart.
        """
        return (self.walking_obstacles if self.roles_stated else self.flying_obstacles)[0]

    @cached_property
    def obstacle_part(self) -> Index:
        """Row in `parts` (F,) of each triangle of `obstacles`."""
        return (self.walking_obstacles if self.roles_stated else self.flying_obstacles)[1]

    @cached_property
    def walking_obstacles(self) -> tuple[TriangleMesh | None, Index]:
        """What a walker must not touch, all but decor and `walkable`, and the part of each."""
        return self._collect(
            [None if part.role == "decor" else ~self._walkable_faces(part) for part in self.parts]
        )

    @cached_property
    def flying_obstacles(self) -> tuple[TriangleMesh | None, Index]:
        """What a flyer must not touch, all but decor, and the part of each triangle."""
        return self._collect(
            [
                None if part.role == "decor" else np.ones(len(part.mesh.faces), bool)
                for part in self.parts
            ]
        )

    @property
    def walkable(self) -> TriangleMesh | None:
        """What can be stood on: triangles of the ground facing up, no steeper than `max_slope`.

        None if there is no such triangle. With no roles stated, all parts count as ground.
        """
        return self._walkable[0]

    @property
    def walkable_part(self) -> Index:
        """Row in `parts` (F,) of each triangle of `walkable`."""
        return self._walkable[1]

    @cached_property
    def _walkable(self) -> tuple[TriangleMesh | None, Index]:
        return self._collect([self._walkable_faces(part) for part in self.parts])

    @cached_property
    def solids(self) -> tuple[TriangleMesh, ...]:
        """The closed obstacle parts: to be inside one is a collision."""
        return tuple(self.parts[row].mesh for row in self.solid_part)

    @cached_property
    def solid_part(self) -> Index:
        """Row in `parts` of each of `solids`."""
        return np.array(
            [
                row
                for row, part in enumerate(self.parts)
                if part.role == "obstacle" and part.mesh.is_watertight
            ],
            np.intp,
        )

    @cached_property
    def hash(self) -> str:
        """SHA-256 of all that matters to a run: parts without colors, regions, bounds, slope."""
        digest = hashlib.sha256()
        for part in self.parts:
            digest.update(f"{part.name}\0{part.role}\0{len(part.mesh.vertices)}\0".encode())
            digest.update(part.mesh.vertices.astype("<f8").tobytes())
            digest.update(part.mesh.faces.astype("<i8").tobytes())
        for name, region in sorted(self.regions.items()):
            digest.update(f"{name}\0{region.kind}\0".encode())
            digest.update(region.bounds.astype("<f8").tobytes())
        numbers = [*self.bounds.reshape(-1), self.max_slope, float(self.roles_stated)]
        digest.update(np.array(numbers, "<f8").tobytes())
        return digest.hexdigest()

    def _walkable_faces(self, part: Part) -> Bool:
        is_ground = part.role == "ground" or (part.role == "obstacle" and not self.roles_stated)
        flat = part.mesh.normals[:, 2] >= np.cos(self.max_slope) - 1e-9
        return flat & is_ground

    def _collect(self, masks: list[Bool | None]) -> tuple[TriangleMesh | None, Index]:
        """Join the chosen faces of each part; also return the part of each face (F,)."""
        chosen = [
            (row, self.parts[row].mesh.select(mask))
            for row, mask in enumerate(masks)
            if mask is not None and mask.any()
        ]
        rows = np.repeat(
            np.array([row for row, _ in chosen], np.intp), [len(mesh.faces) for _, mesh in chosen]
        )
        return (join([mesh for _, mesh in chosen]) if chosen else None), frozen(rows, np.intp)
