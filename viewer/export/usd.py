"""``.usdz``, ``.usdc``, ``.usda``: scene and characters as USD, for Blender, Houdini, Omniverse."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import write_whole
from rmp3d.viewer.cameras.presets import iso
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.gltf_meshes import dyed
from rmp3d.viewer.export.keyframes import Tolerances, orientation_keys, position_keys
from rmp3d.viewer.export.part_keys import part_keys
from rmp3d.viewer.export.usd_skins import UsdSkins
from rmp3d.viewer.export.usd_stage import FPS, UsdStage, turns, usd, vectors
from rmp3d.viewer.palette import group_color, linear
from rmp3d.viewer.playback.bounds import lift, scene_bounds
from rmp3d.viewer.playback.near_origin import drawing_origin, near_origin
from rmp3d.viewer.playback.playback import Playback

Track: TypeAlias = tuple[Index, Float]

ASPECT = 16 / 9
MOST_BONED = 10_000
APERTURE = 24.0
"""Height of the camera's picture [mm], as USD states lenses."""


@dataclass(frozen=True)
class UsdScene(Tolerances):
    """A USD stage, z up, in meters, 30 time codes a second: parts, a node per member, paths.

    Members with bones refer to skinned bodies (UsdSkel) that step as in the viewer; others
    are instances of their meshes. Between key frames all is linear, rotations on the short arc. Who
    comes or leaves is invisible before and after. The events, and the ``origin`` of a scene that
    was moved near it, are in ``customLayerData``.

    Attributes:
        bones: How many members have bones at most; those of a minute take about 0.5 MB each.
        instanced: Whether those with bones are instances, too. It saves memory where a program
            supports it. Blender 5 does not: it shows all of them in one pose.

    Raises:
        InputError: usd-core is not installed.
    """

    bones: int = 64
    instanced: bool = False
    suffix: ClassVar[str] = ".usdc"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.bones <= MOST_BONED:
            raise InputError(f"`bones` must be from 0 to {MOST_BONED:,}, got {self.bones}")
        usd()

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a USD file; see `Exporter.write`."""
        origin = drawing_origin(playback.scene)
        playback = near_origin(playback, origin)
        layer = ".usda" if self.suffix == ".usda" else ".usdc"
        made = UsdStage(layer)
        _Builder(made, playback, self, progress).build()
        made.layer.customLayerData = _facts(playback, origin)
        made.stage.SetStartTimeCode(0.0)
        made.stage.SetEndTimeCode(playback.duration * FPS)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"scene{layer}"
            made.layer.Export(str(path))
            for name, data in made.pictures.values():
                picture = Path(folder) / name
                picture.parent.mkdir(exist_ok=True)
                write_whole(picture, data)
            file.write((_packed(path) if self.suffix == ".usdz" else path).read_bytes())


@EXPORTERS.register(".usdz")
@dataclass(frozen=True)
class UsdPackage(UsdScene):
    """The same in one package: scene with its pictures, characters with bones, animation."""

    suffix: ClassVar[str] = ".usdz"


@EXPORTERS.register(".usdc")
@dataclass(frozen=True)
class UsdBinary(UsdScene):
    """The same as a binary layer; faces with pictures have their mean colors."""

    suffix: ClassVar[str] = ".usdc"


@EXPORTERS.register(".usda")
@dataclass(frozen=True)
class UsdText(UsdScene):
    """The same as text, to read and to compare; large."""

    suffix: ClassVar[str] = ".usda"


def _packed(layer: Path) -> Path:
    """Return the package of a layer and of the files it names, which lie beside it."""
    from pxr import Sdf, UsdUtils

    target = layer.with_suffix(".usdz")
    if not UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(layer)), str(target)):
        raise InputError("usd-core could not write the package")
    return target


def _facts(playback: Playback, origin: Any) -> dict[str, Any]:
    """Return what is known beside the picture: the events, and how far the scene was moved."""
    from pxr import Gf, Vt

    events = playback.events
    facts = {
        "creator": "rmp3d",
        "eventTimes": Vt.DoubleArray([event.time for event in events]),
        "eventKinds": Vt.StringArray([event.kind for event in events]),
        "eventTexts": Vt.StringArray([event.text for event in events]),
    }
    return facts | ({"origin": Gf.Vec3d(*origin.tolist())} if origin.any() else {})


class _Builder:
    """Adds a playback to a stage."""

    def __init__(
        self, made: UsdStage, playback: Playback, options: UsdScene, progress: Progress | None
    ) -> None:
        self._made, self._playback, self._options = made, playback, options
        self._progress = progress

    def build(self) -> None:
        """Add all of it."""
        from pxr import Kind, Usd

        world = self._made.xform("", "World")
        Usd.ModelAPI(world.GetPrim()).SetKind(Kind.Tokens.assembly)
        world.GetPrim().SetDisplayName(self._playback.title or self._playback.scene.name)
        self._made.stage.SetDefaultPrim(world.GetPrim())
        self._scene()
        self._paths()
        self._camera()
        if self._playback.member_count:
            self._members()

    def _scene(self) -> None:
        """Add the parts; those that move are seen from their hinges."""
        above = str(self._made.xform("/World", "Scene").GetPath())
        moving = part_keys(self._playback, self._options)
        column = {row: k for k, row in enumerate(moving.row.tolist())}
        for row, part in enumerate(self._playback.scene.parts):
            k = column.get(row, -1)
            shown = part if k < 0 else moving.parts[k]
            paint = part.paint if self._options.suffix == ".usdz" else None
            node = self._made.mesh(
                above, part.name, shown.mesh, linear(part.colors), f"{above}/Materials", paint
            )
            if k >= 0:
                self._move(node, moving.moves.of(k), moving.turns.of(k))
                frames, there = moving.shown[k]
                if len(frames) > 1 or not there[0]:
                    seen = ["inherited" if shown else "invisible" for shown in there.tolist()]
                    times = frames * self._playback.dt
                    self._made.samples(node.CreateVisibilityAttr(), times, seen)

    def _move(self, node: Any, moves: Track, spins: Track) -> None:
        """Let a node go and turn as frames (k,) and values (k, D) say."""
        made, dt = self._made, self._playback.dt
        made.samples(node.AddTranslateOp().GetAttr(), moves[0] * dt, vectors(moves[1]))
        made.samples(node.AddOrientOp().GetAttr(), spins[0] * dt, turns(spins[1]))

    def _paths(self) -> None:
        """Add the path of each group that has one, as a line a little above the ground."""
        from pxr import UsdGeom, UsdShade, Vt

        size = float(np.linalg.norm(np.ptp(scene_bounds(self._playback), axis=0)))
        for group, path in enumerate(self._playback.paths):
            if len(path) < 2:
                continue
            above = str(self._made.xform("/World", "Paths").GetPath())
            name = self._made.name(above, self._playback.group_names[group])
            points = (path + lift(self._playback, group)).astype(np.float32)
            made = UsdGeom.BasisCurves.Define(self._made.stage, name)
            made.CreateTypeAttr(UsdGeom.Tokens.linear)
            made.CreateCurveVertexCountsAttr([len(points)])
            made.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
            made.CreateWidthsAttr([0.0018 * size])
            made.SetWidthsInterpolation(UsdGeom.Tokens.constant)
            color = linear(group_color(group))
            made.CreateDisplayColorAttr(Vt.Vec3fArray.FromNumpy(color[None].astype(np.float32)))
            made.CreateExtentAttr(UsdGeom.Boundable.ComputeExtentFromPlugins(made, 0.0))
            material = self._made.material(f"{above}/Materials", color)
            UsdShade.MaterialBindingAPI.Apply(made.GetPrim()).Bind(material)

    def _camera(self) -> None:
        """Add a camera that sees all of it."""
        from pxr import Gf, UsdGeom

        view = iso(scene_bounds(self._playback), ASPECT)
        made = UsdGeom.Camera.Define(self._made.stage, self._made.name("/World", "Overview"))
        made.CreateHorizontalApertureAttr(APERTURE * ASPECT)
        made.CreateVerticalApertureAttr(APERTURE)
        made.CreateFocalLengthAttr(float(APERTURE / 2.0 / np.tan(view.field_of_view / 2.0)))
        made.CreateClippingRangeAttr(
            Gf.Vec2f(float(view.distance / 100.0), float(view.distance * 20.0))
        )
        place = np.eye(4)
        place[:3, :3], place[3, :3] = view.axes, view.eye  # rows; it looks along -z
        made.AddTransformOp().Set(Gf.Matrix4d(*place.ravel().tolist()))

    def _members(self) -> None:
        playback, made = self._playback, self._made
        moves = position_keys(playback.drawn, None, self._options.tolerance, self._progress)
        turns = np.asarray(playback.orientation_wxyz)
        spins = orientation_keys(turns, None, self._options.angle_tolerance)
        above = str(made.xform("/World", "Members").GetPath())
        groups = [str(made.xform(above, name).GetPath()) for name in playback.group_names]
        nodes: dict[int, str] = {}
        for member in range(playback.member_count):
            group = int(playback.group_of[member])
            node = made.xform(groups[group], f"{playback.group_names[group]} {member}")
            nodes[member] = str(node.GetPath())
            self._move(node, moves.of(member), spins.of(member))
            if playback.life is not None:
                times, seen = _comings(playback, member)
                made.samples(node.CreateVisibilityAttr(), times, seen)
        self._bodies(nodes)

    def _bodies(self, nodes: dict[int, str]) -> None:
        """Add a body to each member: with bones to the first of those that can have some."""
        from pxr import Sdf, UsdGeom

        playback, made = self._playback, self._made
        made.stage.CreateClassPrim("/World/Characters")
        boned = {row for row, kind in enumerate(playback.characters) if kind.rig is not None}
        first = np.arange(min(self._options.bones, playback.member_count))
        packs = self._options.suffix == ".usdz"
        instanced, done = self._options.instanced, set()
        skins = UsdSkins(made, playback, "/World/Characters", pictures=packs, instanced=instanced)
        for row in sorted(boned):
            own = first[playback.character_of[first] == row]
            done |= set(own.tolist())
            if len(own):
                skins.add(row, own, nodes)
        rigid: dict[tuple[int, int], str] = {}
        for member in range(playback.member_count):
            if member in done:
                continue
            key = int(playback.character_of[member]), int(playback.group_of[member])
            if key not in rigid:
                rigid[key] = self._rigid(*key)
            body = UsdGeom.Xform.Define(made.stage, made.name(nodes[member], "Body")).GetPrim()
            body.GetReferences().AddInternalReference(Sdf.Path(rigid[key]))
            body.SetInstanceable(True)

    def _rigid(self, kind: int, group: int) -> str:
        """Add the mesh of a kind in the color of a group; return the path of its node."""
        character, name = self._playback.characters[kind], self._playback.group_names[group]
        node = self._made.xform("/World/Characters", f"{character.name} of {name}")
        path, colors = str(node.GetPath()), dyed(character.colors, group_color(group))
        self._made.mesh(path, "Mesh", character.mesh, colors, f"{path}/Materials")
        return path


def _comings(playback: Playback, member: int) -> tuple[Any, list[str]]:
    """Return times (K,) [s] and whether a member is seen from then on."""
    assert playback.life is not None
    first, end = playback.life[member].tolist()
    keys = [(0.0, first == 0 < end)]
    if 0 < first < end:
        keys.append((first * playback.dt, True))
    if 0 < end < playback.frame_count:
        keys.append((end * playback.dt, False))
    seen = ["inherited" if there else "invisible" for _, there in keys]
    return np.array([time for time, _ in keys]), seen
