"""A scene: named mesh parts with roles, regions and bounds; its obstacles and walkable ground."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.surface import CURB
from rmp3d.scenes.assembly import (
    DEFAULT_MAX_SLOPE,
    absolute_name,
    assembled,
    mesh_files,
    regions_of,
)
from rmp3d.scenes.description import PlacedMesh, SceneDescription
from rmp3d.scenes.fingerprint import fingerprint
from rmp3d.scenes.footing import Footing, footing_of, may_join
from rmp3d.scenes.given import GivenMesh, files_in, named_meshes
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.part import Part, Role
from rmp3d.scenes.part_faces import flying_obstacles, ground, walking_obstacles
from rmp3d.scenes.presence import Motions, Presences, with_stated
from rmp3d.scenes.region import Region
from rmp3d.scenes.source import GivenRegion, SceneSource, description_of, region_descriptions
from rmp3d.scenes.stating import (
    at_rest,
    description_at,
    naming_arguments,
    own_meshes,
    placed_source,
    stated_description,
)


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene in which characters move, read-only.

    Make one with `Scene.load` (a built-in scene, a mesh file, a scenario file, a mesh), or, with
    roles, regions and a place for it, with `Scene.from_mesh`.

    Attributes:
        name: For messages and recordings.
        parts: At least one; names are unique.
        regions: Named boxes and spheres that serve as start and goal.
        bounds: (2, 3) corners [m] of the box that every character stays inside.
        max_slope: Steepest slope [rad] that a walker can climb.
        roles_stated: False if no role and no ground is given: then every part is an obstacle for a
            flyer, and every triangle that is flat enough is ground for a walker.
        notes: Changes and warnings of the reader (triangles without area, ...), one line each.
        source: How it was made, from which it can be made again; None: from these parts.

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
    source: SceneSource | None = None

    def __repr__(self) -> str:
        parts = f"{len(self.parts)} part{'s' * (len(self.parts) != 1)}"
        regions = f", regions {', '.join(self.regions)}" if self.regions else ""
        return f"<Scene `{self.name}` of {parts}{regions}>"

    @classmethod
    def load(cls, target: str | Path | GivenMesh) -> "Scene":
        """Return a built-in scene, or the scene of a file or a mesh.

        >>> Scene.load("parking").part_names  # doctest: +SKIP

        Args:
            target: A built-in scene or scenario (``parking``, ``steering/seek``), a mesh file, or
                a TOML file with a `[scene]` table; or a mesh, as `from_mesh` takes it.

        Raises:
            InputError: No such name or file; names the nearest; or what is wrong in the file.
        """
        if not isinstance(target, str | Path):
            return cls.from_mesh(target)
        return cls.described(*description_at(target))

    @classmethod
    def from_mesh(
        cls,
        mesh: GivenMesh | Mapping[str, GivenMesh],
        *,
        name: str = "scene",
        regions: Mapping[str, GivenRegion] = MappingProxyType({}),
        roles: Mapping[str, Role] = MappingProxyType({}),
        ground: float | None = None,
        up: Literal["z", "y"] | None = None,
        center: Literal["none", "vertices"] = "none",
        scale: float | None = None,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        flip: bool | Sequence[str] = False,
        meshes: Sequence[PlacedMesh] = (),
        bounds: ArrayLike | None = None,
        max_slope: float | None = None,
        embed: bool = False,
    ) -> "Scene":
        """Return a scene of meshes of your own.

        >>> floor = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]], [[0, 1, 2], [0, 2, 3]]
        >>> Scene.from_mesh({"floor": floor}, roles={"floor": "ground"}).part_names
        ('floor',)

        Args:
            mesh: A trimesh, arrays (vertices (V, 3), faces (F, 3)), a `TriangleMesh`; a dictionary
                of those, a part each; or the path of a mesh file, or several. Meshes that are
                given here are kept by recordings; files are named in them.
            name: Of a scene that is in no file.
            regions: Places for start and goal: a `Box` or `Sphere` for each name.
            roles: ``obstacle``, ``ground`` or ``decor`` by name of part; names are patterns
                (``"tree *"``), the first that fits counts; what none fits is an obstacle.
            ground: Adds a level floor at this height [m] under the whole scene.
            up: Axis of the mesh that points up; by default z, and y for glTF files.
            center: ``vertices`` moves the mean of all vertices to the origin first.
            scale: Meters per unit of the mesh; by default what its file says, else 1.
            position: (3,) where the origin of the mesh comes to lie [m].
            flip: Turns faces to the other side: all, or those of the parts that a pattern fits.
            meshes: Further mesh files with a place each, such as furniture.
            bounds: (2, 3) corners that characters stay within [m]; default: around the parts.
            max_slope: Steepest slope that can be walked [degrees]; default 45.
            embed: Whether recordings contain the meshes of files, too.

        Raises:
            InputError: Names the argument, what was given, and what would be right.
        """
        description = stated_description(
            up=up, center=center, scale=scale, position=position, roles=roles, ground=ground,
            bounds=bounds, max_slope=max_slope, regions=regions, flip=flip, meshes=meshes,
        )  # fmt: skip
        files = files_in(mesh)
        with naming_arguments():
            if not files:
                given = named_meshes(mesh, name)
                return cls._made(placed_source(name, given, description))
            description.mesh, description.embed = files[0] if len(files) == 1 else files, embed
            return cls.described(description)

    @classmethod
    def described(
        cls, description: SceneDescription, folder: Path | str = "", held: SceneSource | None = None
    ) -> "Scene":
        """Return the scene of the `[scene]` table of a file.

        A relative mesh path starts at ``folder`` and may lead out of it; an absolute path is used
        as it is. A file that a mesh file refers to (a material, a buffer) must lie in the mesh's
        folder.

        Args:
            description: The table.
            folder: Where the file with that table is.
            held: Has the meshes that are in no file.

        Raises:
            InputError: Names the key or the mesh file, what is wrong, and what would be right.
        """
        stated = msgspec.structs.replace(description)
        if description.mesh:
            paths = [absolute_name(file, folder) for file in mesh_files(description)]
            stated.mesh = paths[0] if isinstance(description.mesh, str) else paths
        stated.meshes = [
            msgspec.structs.replace(entry, file=absolute_name(entry.file, folder))
            for entry in description.meshes
        ]
        scene = cls._made(SceneSource(stated, held.meshes if held else {}))
        if not description.embed or scene.source is None or scene.source.is_held:
            return scene
        # Its recordings contain the meshes, so it is the same scene whether it was read or given.
        return cls._made(
            placed_source(scene.name, own_meshes(scene.parts), at_rest(stated, scene.parts))
        )

    @classmethod
    def _made(cls, source: SceneSource) -> "Scene":
        made = assembled(source.description, Path(), source.meshes)
        own = {field.name: getattr(made, field.name) for field in fields(made)}
        return cls(**own, source=source)

    @cached_property
    def reproducible(self) -> "Scene":
        """The same scene with a `source`; from its parts where it was made of them."""
        if self.source is not None:
            return self
        description = description_of(
            self.parts, self.regions, self.bounds, self.max_slope, self.roles_stated
        )
        meshes = [NamedMesh(part.name, part.mesh, part.colors, part.paint) for part in self.parts]
        return type(self)._made(placed_source(self.name, meshes, description))

    @cached_property
    def moving(self) -> Index:
        """Rows (K,) in `parts` of those that move, in order."""
        return frozen([row for row, part in enumerate(self.parts) if part.motion], np.intp)

    def with_motions(self, motions: Motions = (), presence: Presences = ()) -> "Scene":
        """Return the scene with further parts that move, or appear and go.

        Args:
            motions: What `[[scene.motions]]` of a scenario file has.
            presence: What `[[scene.presence]]` has.

        Raises:
            InputError: Names the part, the time, and what is wrong.
        """
        source = self.reproducible.source
        assert source is not None
        description = with_stated(source.description, motions, presence)
        with naming_arguments():
            return type(self)._made(SceneSource(description, source.meshes))

    def with_regions(self, regions: Mapping[str, GivenRegion]) -> "Scene":
        """Return the scene with further places for start and goal.

        Args:
            regions: A `Box` or `Sphere` for each name; one of a name that there is replaces it.

        Raises:
            InputError: It is something else; names it.
        """
        source = self.reproducible.source
        assert source is not None
        added = {**source.description.regions, **region_descriptions(regions)}
        description = msgspec.structs.replace(source.description, regions=added)
        own = {**self.reproducible.regions, **regions_of(region_descriptions(regions))}
        return replace(
            self.reproducible, regions=own, source=SceneSource(description, source.meshes)
        )

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
        """The obstacles: the obstacle parts, and the ground that cannot be walked on.

        None if there are none. `walkable` ground is no obstacle, because walkers stand on it. But
        if no roles are given, the whole scene counts, which is safe. `walking_obstacles` and
        `flying_obstacles` are the exact obstacles of walkers and of flyers.
        """
        return (self.walking_obstacles if self.roles_stated else self.flying_obstacles)[0]

    @cached_property
    def obstacle_part(self) -> Index:
        """Row in `parts` (F,) of each triangle of `obstacles`."""
        return (self.walking_obstacles if self.roles_stated else self.flying_obstacles)[1]

    @cached_property
    def walking_obstacles(self) -> tuple[TriangleMesh | None, Index]:
        """All but decor and `walkable`, and the part of each face.

        For walkers that take no steps these are the obstacles; `footing` is about those that do.
        """
        return walking_obstacles(self.parts, self.roles_stated, self.max_slope)

    @cached_property
    def flying_obstacles(self) -> tuple[TriangleMesh | None, Index]:
        """The obstacles of a flyer, all but decor, and the part of each triangle."""
        return flying_obstacles(self.parts)

    @property
    def walkable(self) -> TriangleMesh | None:
        """The walkable ground: its triangles that face up and are no steeper than `max_slope`.

        None if there is no such triangle. If no roles are given, all parts count as ground.
        """
        return self._walkable[0]

    @property
    def walkable_part(self) -> Index:
        """Row in `parts` (F,) of each triangle of `walkable`."""
        return self._walkable[1]

    @cached_property
    def _walkable(self) -> tuple[TriangleMesh | None, Index]:
        return ground(self.parts, self.roles_stated, self.max_slope)

    def footing(self, max_step: float) -> Footing:
        """Return the ground and the obstacles of walkers that take steps of up to a height [m].

        Raises:
            InputError: Its triangles lie over one another at too many places.
        """
        if max_step not in self._footings:
            obstacles, part_of = self.walking_obstacles
            joins = may_join(self.parts, self.roles_stated, self.max_slope, obstacles, part_of)
            own = *self._walkable, obstacles, part_of, joins
            try:
                made = footing_of(*own, max_step, self.max_slope)
            except InputError as error:
                raise InputError(f"scene `{self.name}`: {error}") from None
            if max_step > CURB and not made.has_steps:  # it is that of all lower steps, too
                made = self._footings.setdefault(CURB, made)
            self._footings[max_step] = made
        return self._footings[max_step]

    @cached_property
    def _footings(self) -> dict[float, Footing]:
        return {}

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
        """SHA-256 of all that affects a run: parts without colors, regions, bounds, slope."""
        numbers = [*self.bounds.reshape(-1), self.max_slope, float(self.roles_stated)]
        return fingerprint(self.parts, self.regions, numbers)
