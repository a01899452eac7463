"""``.glb``: scene and characters as an animation, for Blender, game engines and web viewers."""

from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import quaternion_from_matrix
from rmp3d.scenes import Part
from rmp3d.viewer.cameras.presets import iso
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.glb_skins import Boned, Skins
from rmp3d.viewer.export.gltf_document import GltfDocument
from rmp3d.viewer.export.gltf_meshes import Meshes, dyed, y_up, y_up_xyzw
from rmp3d.viewer.export.keyframes import (
    Keys,
    Tolerances,
    orientation_keys,
    position_keys,
)
from rmp3d.viewer.export.part_keys import PartKeys, part_keys
from rmp3d.viewer.palette import group_color, linear
from rmp3d.viewer.playback.bounds import lift, scene_bounds
from rmp3d.viewer.playback.near_origin import drawing_origin, near_origin
from rmp3d.viewer.playback.playback import Playback

ASPECT = 16 / 9
MOST_BONED = 10_000
SHARE = 0.98  # of the tolerance; the rest is for times in single precision


@EXPORTERS.register(".glb")
@dataclass(frozen=True)
class AnimatedScene(Tolerances):
    """Animated glTF 2.0: the scene's parts, a node per member with its motion, and the paths.

    Nodes are named as in RMP3D: a part by its name, a member by its group and row. A part that
    moves has its hinge at its node's origin, and channels as a member has. Members of one
    group and kind share a mesh. The events are in the animation's ``extras``. Between key frames
    positions are linear and rotations turn through the smaller angle (glTF's ``LINEAR``). A scene
    far from the origin is moved near it, by the ``origin`` in the ``extras`` of the asset.

    The first members have bones and step as in the viewer; the others are rigid.

    Attributes:
        bones: How many members have bones at most; those of a minute take about 0.2 MB each.
    """

    bones: int = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.bones <= MOST_BONED:
            raise InputError(f"`bones` must be from 0 to {MOST_BONED:,}, got {self.bones}")

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a GLB file; see `Exporter.write`."""
        origin = drawing_origin(playback.scene)
        playback = near_origin(playback, origin)
        extras = {"extras": {"origin": origin.tolist()}} if origin.any() else {}
        document = GltfDocument({"generator": "rmp3d", **extras})
        nodes = _Nodes(document, playback, self.bones)
        moving = part_keys(playback, self, _single, _single)
        scene, parts = nodes.scene(moving)
        roots = [scene, *nodes.paths(), nodes.camera()]
        moved = [_Animated(parts, *_turned_up(moving.moves, moving.turns))] if parts else []
        nodes.shown = dict(zip(parts, moving.shown, strict=True))
        if playback.member_count:
            keys = self._keys(playback, progress)
            moved.insert(0, _Animated(nodes.members(*keys), *keys))
            roots += [*nodes.groups(moved[0].nodes), *nodes.bodies]
        if moved and playback.frame_count > 1:
            _add_animation(document, playback, moved, nodes)
        document.add("scenes", {"name": playback.title or playback.scene.name, "nodes": roots})
        document.write(file)

    def _keys(self, playback: Playback, progress: Progress | None) -> tuple[Keys, Keys]:
        """Return the keys of positions and of rotations, in glTF's frame, scalar last."""
        position, turns = playback.drawn, np.asarray(playback.orientation_wxyz)

        def turned(done: int, total: int) -> None:
            if progress:
                progress(total + done, 2 * total)

        def moved(done: int, total: int) -> None:
            if progress:
                progress(done, 2 * total)

        moves = position_keys(position, _single(position), SHARE * self.tolerance, moved)
        spins = orientation_keys(turns, _single(turns), SHARE * self.angle_tolerance, turned)
        return _turned_up(moves, spins)


@dataclass(frozen=True)
class _Animated:
    """Nodes, and the key frames of their places and rotations in glTF's frame, scalar last."""

    nodes: list[int]
    moves: Keys
    turns: Keys


class _Nodes:
    """Adds the nodes of a playback to a document.

    Attributes:
        skins: Adds bones.
        boned: Members that have some.
        bodies: Nodes of their meshes.
        shown: In which frames nodes of parts appear or go; see `PartKeys.shown`.
    """

    def __init__(self, document: GltfDocument, playback: Playback, bones: int) -> None:
        self._document, self._playback = document, playback
        self._meshes = Meshes(document)
        self.skins = Skins(document, playback, self._meshes)
        self.boned: list[Boned] = []
        self.shown: dict[int, tuple[Index, Bool]] = {}
        self.bodies: list[int] = []
        self._bones = bones if playback.frame_count > 1 else 0

    def scene(self, moving: PartKeys) -> tuple[int, list[int]]:
        """Add the parts under one node; return it, and the nodes of those that move."""
        column = {row: k for k, row in enumerate(moving.row.tolist())}
        moves, turns = _turned_up(moving.moves, moving.turns)
        parts, moved = [], []
        for row, part in enumerate(self._playback.scene.parts):
            if row not in column:
                parts.append(self._node(part.name, mesh=self._part(part)))
                continue
            k = column[row]
            place, turn = moves.of(k)[1][0], turns.of(k)[1][0]
            node = self._node(
                part.name,
                mesh=self._part(moving.parts[k]),
                translation=place.tolist(),
                rotation=turn.tolist(),
            )
            parts.append(node)
            moved.append(node)
        return self._node(self._playback.scene.name, children=parts), moved

    def _part(self, part: Part) -> int:
        if part.paint is None:
            return self._meshes.add(part.name, part.mesh, linear(part.colors))
        return self._meshes.add_painted(part.name, part.mesh, linear(part.colors), part.paint)

    def paths(self) -> list[int]:
        """Add the path of each group that has one, as a line a little above the ground."""
        found = []
        for group, path in enumerate(self._playback.paths):
            if len(path) > 1:
                name = f"path of {self._playback.group_names[group]}"
                color = linear(group_color(group))
                line = self._meshes.add_line(name, path + lift(self._playback, group), color)
                found.append(self._node(name, mesh=line))
        return found

    def camera(self) -> int:
        """Add a camera that sees all of it."""
        view = iso(scene_bounds(self._playback), ASPECT)
        lens = {
            "type": "perspective",
            "name": "overview",
            "perspective": {
                "aspectRatio": ASPECT,
                "yfov": view.field_of_view,
                "znear": view.distance / 100.0,
                "zfar": view.distance * 20.0,
            },
        }
        rotation = quaternion_from_matrix(y_up(view.axes).T)  # looks along -z, as glTF's do
        return self._node(
            "overview",
            camera=self._document.add("cameras", lens),
            translation=y_up(view.eye).tolist(),
            rotation=np.roll(rotation, -1).tolist(),
        )

    def members(self, moves: Keys, turns: Keys) -> list[int]:
        """Add a node per member, standing where its motion begins."""
        playback = self._playback
        looks: dict[tuple[int, int], int] = {}
        nodes, roots = [], self._skeletons()
        for member in range(playback.member_count):
            group, kind = int(playback.group_of[member]), int(playback.character_of[member])
            if member in roots:
                own: dict[str, Any] = {"children": [roots[member]]}
            elif (group, kind) not in looks:
                character, name = playback.characters[kind], playback.group_names[group]
                colors = dyed(character.colors, group_color(group))
                mesh = self._meshes.add(f"{character.name} of {name}", character.mesh, colors)
                looks[group, kind] = mesh
            if member not in roots:
                own = {"mesh": looks[group, kind]}
            nodes.append(
                self._node(
                    f"{playback.group_names[group]} {member}",
                    **own,
                    translation=moves.of(member)[1][0].tolist(),
                    rotation=turns.of(member)[1][0].tolist(),
                )
            )
        return nodes

    def _skeletons(self) -> dict[int, int]:
        """Add the bones of the first members that have some; return their first joints."""
        roots: dict[int, int] = {}
        first = np.arange(min(self._bones, self._playback.member_count))
        for row, kind in enumerate(self._playback.characters):
            own = first[self._playback.character_of[first] == row]
            if kind.rig is not None and len(own):
                boned, bodies = self.skins.add(row, own)
                self.boned.append(boned)
                self.bodies += bodies
                roots |= {m: nodes[0] for m, nodes in zip(own.tolist(), boned.nodes, strict=True)}
        return roots

    def groups(self, members: list[int]) -> list[int]:
        """Add a node per group that has members, over its members' nodes."""
        rows = [self._playback.members(group) for group in range(len(self._playback.group_names))]
        return [
            self._node(name, children=[members[row] for row in own])
            for name, own in zip(self._playback.group_names, rows, strict=True)
            if len(own)
        ]

    def _node(self, name: str, **properties: Any) -> int:
        return self._document.add("nodes", {"name": name, **properties})


def _add_animation(
    document: GltfDocument, playback: Playback, moved: list[_Animated], nodes: _Nodes
) -> None:
    """Add one animation with two channels per node that moves, and those of the joints."""
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for each in moved:
        for keys, path in ((each.moves, "translation"), (each.turns, "rotation")):
            tracks = [keys.of(row) for row in range(len(each.nodes))]
            times = [np.asarray(frame * playback.dt, np.float32) for frame, _ in tracks]
            inputs = document.add_series(times, bounds=True)
            outputs = document.add_series([np.asarray(value, np.float32) for _, value in tracks])
            for node, source, result in zip(each.nodes, inputs, outputs, strict=True):
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
                samplers.append({"input": source, "output": result, "interpolation": "LINEAR"})
    for member, life in enumerate([] if playback.life is None else playback.life.tolist()):
        keys_of_one = _comings(life, playback.dt)
        source = document.add_series([keys_of_one[0]], bounds=True)[0]
        result = document.add_series([keys_of_one[1]])[0]
        channels.append(
            {"sampler": len(samplers), "target": {"node": moved[0].nodes[member], "path": "scale"}}
        )
        samplers.append({"input": source, "output": result, "interpolation": "STEP"})
    for node, (frames, there) in nodes.shown.items():
        if len(frames) > 1 or not there[0]:
            moments = np.asarray(frames * playback.dt, np.float32)
            source = document.add_series([moments], bounds=True)[0]
            scales = np.repeat(there.astype(np.float32)[:, None], 3, axis=1)
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": "scale"}})
            output = document.add_series([scales])[0]
            samplers.append({"input": source, "output": output, "interpolation": "STEP"})
    for boned in nodes.boned:
        nodes.skins.animate(boned, channels, samplers)
    events = [
        {"time": event.time, "kind": event.kind, "group": event.group, "text": event.text}
        for event in playback.events
    ]
    animation = {"name": "motion", "channels": channels, "samplers": samplers}
    document.add("animations", {**animation, "extras": {"events": events}})


def _comings(life: list[int], dt: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return times (K,) [s] and scales (K, 3) of a node that is not there before and after."""
    first, end = life
    keys = [(0.0, float(first == 0 < end))]
    if 0 < first < end:
        keys.append((first * dt, 1.0))
    if 0 < end:
        keys.append((end * dt, 0.0))
    times, scales = np.array(keys, np.float32).T
    return times, np.repeat(scales[:, None], 3, axis=1)


def _turned_up(moves: Keys, turns: Keys) -> tuple[Keys, Keys]:
    """Return key frames of places and rotations in glTF's frame, scalar last."""
    return (
        Keys(moves.frame, y_up(moves.value), moves.start),
        Keys(turns.frame, y_up_xyzw(turns.value), turns.start),
    )


def _single(values: Float) -> Float:
    """Return values as the file can store them."""
    return values.astype(np.float32).astype(np.float64)
