"""Read a rig from a binary glTF file: its skeleton, its skinned meshes and its animations.

A file of RMP3D's says besides which joints are legs and how far a clip goes; of others' files that
is found by the names of the joints, see `rmp3d.models.bone_names`.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.geometry.rotations import quaternion_from_matrix
from rmp3d.models.few_joints import few_joints
from rmp3d.models.gltf_scene import MAX_POSES, GltfScene, sampled
from rmp3d.models.rig_writing import GENERATOR
from rmp3d.models.skeleton import MOST_WEIGHTS, CharacterRig, Clip, LegJoints, Look, Skeleton, Skin
from rmp3d.scenes.formats.colors import srgb_from_linear
from rmp3d.scenes.formats.pictures import Pictures
from rmp3d.scenes.formats.textures import TextureError, Textures
from rmp3d.scenes.paint import NO_PICTURE, Paint, joined_places

Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From glTF's world, y up, to ours, z up."""
PHASES = 32
"""Phases of a clip of a file that is not RMP3D's."""
GRAY = 0.6
LONGEST_HEAD = 2**26
"""So many bytes of the description of a file are looked through for a word."""


def is_rig(path: Path) -> bool:
    """Whether a mesh file is a rig that RMP3D has written; it may be damaged.

    Files of others need ``rmp3d models add``; until then they are rigid meshes.
    """
    if path.suffix.lower() != ".glb":
        return False
    try:
        with path.open("rb") as file:
            head = file.read(20)
            text = file.read(min(int.from_bytes(head[12:16], "little"), LONGEST_HEAD))
    except OSError:
        return False
    return GENERATOR.encode() in text


def has_bones(path: Path) -> bool:
    """Whether a file is a glTF file with a skeleton, whoever wrote it; it may be damaged."""
    kind = path.suffix.lower()
    if kind not in (".glb", ".gltf"):
        return False
    try:
        with path.open("rb") as file:
            head = file.read(20)
            size = int.from_bytes(head[12:16], "little")
            text = file.read(min(size, LONGEST_HEAD)) if kind == ".glb" else file.read(LONGEST_HEAD)
    except OSError:
        return False
    return b'"skins"' in head + text


def read_rig(path: Path) -> CharacterRig:
    """Return the rig of a file that has a skin, in the axes of its world, z up [m].

    Raises:
        InputError: Something is wrong in it; the error names the file and the element.
    """
    state = path.stat()
    return _kept(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _kept(path: Path, changed: int, size: int) -> CharacterRig:
    """Return the rig of a file; one that has not changed since is not read again."""
    try:
        with np.errstate(all="ignore"):
            return _RigReader(GltfScene(path)).rig()
    except InputError as error:
        text = str(error)
        name = shown_path(path)
        raise InputError(text if text.startswith(name) else f"{name}: {text}") from None
    except (TypeError, KeyError, AttributeError, ValueError, IndexError, OverflowError) as error:
        raise InputError(
            f"{shown_path(path)}: its skin or animations are damaged: {plain_cause(error)}"
        ) from None


class _RigReader:
    """Reads the first skin of a scene, and the nodes that have it."""

    def __init__(self, scene: GltfScene) -> None:
        self._scene = scene
        self._textures, self._pictures = Textures(), Pictures()
        self._images: dict[int, Any] = {}
        skin = scene.referred("skins", 0, "skins[0]")
        stated = skin.get("joints")
        if not isinstance(stated, list) or not stated:
            raise InputError("skins[0].joints should be a list of nodes")
        for row, joint in enumerate(stated):
            scene.referred("nodes", joint, f"skins[0].joints[{row}]")
        if len(set(stated)) < len(stated):
            raise InputError("skins[0].joints names a node twice")
        self._own: dict[str, Any] = skin.get("extras") or {}
        depth = {joint: self._depth(joint) for joint in stated}
        order = sorted(range(len(stated)), key=lambda k: depth[stated[k]])
        bind = np.tile(np.eye(4), (len(stated), 1, 1))
        if "inverseBindMatrices" in skin:
            rows = scene.array(skin["inverseBindMatrices"], "skins[0].inverseBindMatrices", 16)
            if len(rows) < len(stated) or not np.isfinite(rows).all():
                raise InputError("skins[0].inverseBindMatrices has too few, or not finite numbers")
            bind = rows[: len(stated)].reshape(-1, 4, 4).transpose(0, 2, 1)
        bind = bind[order]
        if (np.abs(np.linalg.det(bind)) < 1e-12).any():
            raise InputError("skins[0].inverseBindMatrices has a matrix without an inverse")
        self._joints = [stated[k] for k in order]  # parents first
        parents = np.array([self._above(joint) for joint in self._joints])
        kept, instead = few_joints(
            [str(scene.nodes[joint].get("name", "")) for joint in self._joints],
            parents, np.asarray(np.linalg.inv(bind)[:, :3, 3], np.float64),
        )  # fmt: skip
        self._row_of = np.empty(len(stated), np.intp)
        self._row_of[order] = instead
        self._joints, self._bind = [self._joints[row] for row in kept], bind[kept]
        rest = scene.transforms({}, 1)[0, self._joints]
        self._to_world = rest[0] @ self._bind[0]
        self._from_world = np.linalg.inv(self._to_world)

    def rig(self) -> CharacterRig:
        """Return all of it."""
        skeleton = self._skeleton()
        looks: dict[int, dict[int, list[Look]]] = {}
        for row, node in enumerate(self._scene.nodes):
            own = node.get("extras") or {}
            is_seen = "level" in own or self._scene.is_drawn(row)
            if node.get("skin") == 0 and "mesh" in node and is_seen:
                levels = looks.setdefault(int(own.get("look", 0)), {})
                levels.setdefault(int(own.get("level", 0)), []).append(self._look(node))
        if not looks:
            raise InputError("no mesh has its skin")
        count, nodes = len(self._scene.rows("animations")), len(self._scene.nodes)
        if count * nodes > MAX_POSES:
            raise InputError(
                f"{count:,} animations of {nodes:,} nodes; animations times nodes may be "
                f"{MAX_POSES:,} at most: leave some out"
            )
        clips = [self._clip(row, skeleton) for row in range(count)]
        own = self._own
        return CharacterRig(
            skeleton,
            tuple(_leveled(looks[which]) for which in sorted(looks)),
            {clip.name: clip for clip in clips if clip is not None},
            tuple(
                LegJoints(*(int(self._row_of[k]) for k in row[:3]), *map(float, row[3:]))
                for row in own.get("legs", [])
            ),
            tuple(int(self._row_of[k]) for k in own.get("steered", [])),
            float(own.get("wheelbase", 1.0)),
        )

    def _skeleton(self) -> Skeleton:
        parents = [self._above(joint) for joint in self._joints]
        parents = [parent if row == 0 else max(parent, 0) for row, parent in enumerate(parents)]
        places = (self._to_world @ np.linalg.inv(self._bind))[:, :3, 3] @ Z_UP.T
        names = [
            str(self._scene.nodes[joint].get("name", f"joint {joint}")) for joint in self._joints
        ]
        return Skeleton(tuple(names), np.array(parents), places)

    def _depth(self, node: int) -> int:
        depth = 0
        while (node := int(self._scene.parents[node])) >= 0:
            depth += 1
        return depth

    def _above(self, node: int) -> int:
        """Return the row of the nearest joint above a node, -1 for none."""
        while (node := int(self._scene.parents[node])) >= 0:
            if node in self._joints:
                return self._joints.index(node)
        return -1

    def _look(self, node: dict[str, Any]) -> Look:
        """Return a skinned mesh in the rest pose."""
        mesh = self._scene.referred("meshes", node["mesh"], "nodes[].mesh")
        found = []
        for row, primitive in enumerate(mesh["primitives"]):
            here = f"meshes[{node['mesh']}].primitives[{row}]"
            if primitive.get("mode", 4) != 4:
                raise InputError(f"{here}: only triangles are read in a skinned mesh")
            found.append(self._primitive(primitive, here))
        return _joined(found)

    def _primitive(self, primitive: dict[str, Any], here: str) -> Look:
        scene, names = self._scene, primitive["attributes"]
        points = scene.array(names.get("POSITION"), f"{here}.POSITION", 3)
        joints = scene.array(names.get("JOINTS_0"), f"{here}.JOINTS_0", MOST_WEIGHTS)
        weights = scene.array(names.get("WEIGHTS_0"), f"{here}.WEIGHTS_0", MOST_WEIGHTS)
        if not len(points) == len(joints) == len(weights):
            raise InputError(f"{here}: not as many joints and weights as places")
        count = len(self._row_of)
        if len(joints) and not 0 <= joints.min() <= joints.max() < count:
            raise InputError(f"{here}.JOINTS_0 refers to none of the {count} joints")
        world = points @ self._to_world[:3, :3].T + self._to_world[:3, 3]
        corners: Index = np.arange(len(points))
        if "indices" in primitive:
            corners = scene.array(primitive["indices"], f"{here}.indices", 1)[:, 0]
        faces = corners[: len(corners) // 3 * 3].reshape(-1, 3)
        if np.linalg.det(self._to_world[:3, :3]) < 0.0:
            faces = faces[:, ::-1]
        skin = Skin(self._row_of[joints], weights)
        mesh = TriangleMesh(world @ Z_UP.T, faces)
        keep: Bool = mesh.areas > 1e-14
        colors, paint = self._colors(primitive, faces, here)
        if not keep.any():
            raise InputError(f"{here}: none of its triangles has an area")
        paint = paint if paint is None else paint.select(keep)
        return Look(TriangleMesh(mesh.vertices, faces[keep]), colors[keep], skin, paint=paint)

    def _colors(
        self, primitive: dict[str, Any], faces: Index, here: str
    ) -> tuple[Float, Paint | None]:
        """Return the colors (F, 3) of faces, and the picture on them if there is one.

        The colors are those of the material, times the mean of its texture.
        """
        colors = np.full((len(faces), 3), GRAY)
        if "material" not in primitive:
            return colors, None
        scene = self._scene
        material = scene.referred("materials", primitive["material"], f"{here}.material")
        own = material.get("pbrMetallicRoughness") or {}
        factor = np.array(own.get("baseColorFactor", [1.0] * 4), float)[:3]
        colors[:] = srgb_from_linear(np.clip(factor, 0.0, 1.0))
        texture = own.get("baseColorTexture")
        if texture:
            uv = primitive["attributes"].get(f"TEXCOORD_{texture.get('texCoord', 0)}")
            image = self._image(texture.get("index"), f"{here}: its texture")
            if uv is not None and image is not None:
                places = scene.array(uv, f"{here}.TEXCOORD", 2)
                places = np.stack([places[:, 0], 1.0 - places[:, 1]], axis=-1)
                places, shade = places[faces], colors[0] if len(colors) else None
                try:
                    colors = np.clip(colors * self._textures.mean_colors(image, places), 0.0, 1.0)
                except TextureError:
                    return colors, None  # drawn without it
                row = self._pictures.row(image, shade)
                if row != NO_PICTURE and np.isfinite(places).all():
                    return colors, Paint(
                        tuple(self._pictures.encoded), np.full(len(faces), row), places
                    )
        return colors, None

    def _image(self, row: Any, here: str) -> Any:
        """Return a picture for Pillow, the same each time; None if the file does not have it."""
        if row not in self._images:
            self._images[row] = self._scene.image(row, here)
        return self._images[row]

    def _clip(self, row: int, skeleton: Skeleton) -> Clip | None:
        """Return an animation of the joints, sampled; None if it moves none of them."""
        animation = self._scene.rows("animations")[row]
        here = f"animations[{row}]"
        channels = self._scene.channels(animation, here)
        if not channels:
            return None
        start = min(float(times[0]) for times, _, _ in channels.values())
        end = max(float(times[-1]) for times, _, _ in channels.values())
        stride = (animation.get("extras") or {}).get("stride")
        count = PHASES
        if stride is not None:
            count = max(len(times) for times, _, _ in channels.values()) - 1
        if not (end > start and count >= 1):
            return None
        times = start + (end - start) * np.arange(count) / count
        moved = {key: sampled(each, key[1], times) for key, each in channels.items()}
        world = self._scene.transforms(moved, count)[:, self._joints]
        motion = world @ self._bind @ self._from_world
        turn = _rotations(Z_UP @ motion[..., :3, :3] @ Z_UP.T)
        local = turn.copy()
        local[:, 1:] = turn[:, skeleton.parents[1:]].transpose(0, 1, 3, 2) @ turn[:, 1:]
        origin = skeleton.position[0] @ Z_UP
        root = (motion[:, 0, :3, :3] @ origin + motion[:, 0, :3, 3]) @ Z_UP.T
        name = str(animation.get("name", f"clip {row}"))
        turned = quaternion_from_matrix(local)
        return Clip(name, turned, root - skeleton.position[0], end - start, float(stride or 0.0))


def _rotations(matrices: Float) -> Float:
    """Return the rotations nearest to matrices (..., 3, 3)."""
    left, _, right = np.linalg.svd(matrices)
    flip = np.linalg.det(left @ right)
    left = left.copy()
    left[..., 2] *= np.where(flip < 0.0, -1.0, 1.0)[..., None]
    return left @ right


def _leveled(levels: dict[int, list[Look]]) -> Look:
    """Return the first of the levels of a look, with the others as simpler meshes of it."""
    whole, *simpler = (_joined(levels[row]) for row in sorted(levels))
    return replace(whole, levels=tuple(simpler))


def _joined(looks: list[Look]) -> Look:
    """Return several skinned meshes as one."""
    if len(looks) == 1:
        return looks[0]
    starts = np.cumsum([0] + [len(look.mesh.vertices) for look in looks[:-1]])
    faces = [look.mesh.faces + start for look, start in zip(looks, starts, strict=True)]
    vertices = np.concatenate([look.mesh.vertices for look in looks])
    skin = Skin(
        np.concatenate([look.skin.joints for look in looks]),
        np.concatenate([look.skin.weights for look in looks]),
    )
    colors = np.concatenate([look.colors for look in looks])
    picture, places = joined_places(
        [(None, None, len(each.colors)) if each.paint is None
         else (each.paint.picture, each.paint.places, len(each.colors)) for each in looks]
    )  # fmt: skip
    paint = None
    if picture is not None and places is not None:
        # Each has the pictures that the file had given until then: the longest row has all.
        pictures = max((each.paint.pictures for each in looks if each.paint), key=len)
        paint = Paint(pictures, picture, places)
    return Look(TriangleMesh(vertices, np.concatenate(faces)), colors, skin, paint=paint)
