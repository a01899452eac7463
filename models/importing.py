"""Make a character of a rigged glTF file: its bones, clips and body in our frame.

The result is a rig as RMP3D writes it: x ahead, meters, feet on z = 0, clips by our names, each
with its stride. What the file lacks is made or left out, and said.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion, quaternion_from_matrix
from rmp3d.models.bone_names import Side, arms_of, clip_of, legs_of
from rmp3d.models.gltf_scene import GltfScene
from rmp3d.models.hanging_arms import hanging_arms
from rmp3d.models.rig_file import read_rig
from rmp3d.models.rigging import stepping
from rmp3d.models.simplifying import with_levels
from rmp3d.models.skeleton import MOST_JOINTS, CharacterRig, Clip, LegJoints, Skeleton

UNITS = ((1.0, "meters"), (0.01, "centimeters"), (0.001, "millimeters"))
"""Of what a file may be in the first in which the character is at most so high is taken:"""
TALLEST, SMALLEST = 10.0, 0.01
"""Heights [m] between which a character is believed to be."""
MOST_COLORS = 32
ON_GROUND = 0.03
"""An ankle this little above its lowest place, of the leg's length, is taken to stand."""
APART = 0.001
"""Joints nearer than that, of the height, are in one place."""
LOW_HAND = 0.4
"""Hands lower than that, of the height of the hips, are paws."""
WALK_STRIDE, WALK_PACE = 1.6, 1.0
"""Stride of a made walk, of the leg's length; and cycles a second of a leg 0.8 m long."""


@dataclass(frozen=True)
class Imported:
    """A rig made of somebody's file.

    Attributes:
        rig: Of the character.
        height: Of the rest pose [m].
        notes: What was found, made and left out, a line each.
    """

    rig: CharacterRig
    height: float
    notes: tuple[str, ...]


def import_rig(path: Path, height: float | None = None) -> Imported:
    """Return the rig of a rigged glTF file in our frame.

    Args:
        path: A glTF file with a skin.
        height: Of the character [m]; None: as the file says, in meters, or else in centimeters
            or millimeters.

    Raises:
        InputError: There is no skin, something is wrong in the file, or nobody is so high.
    """
    rig = read_rig(path)
    notes = [f"{len(rig.skeleton.names)} joints, {len(rig.looks[0].mesh.faces):,} triangles"]
    stated = len(GltfScene(path).rows("skins")[0]["joints"])
    if stated > len(rig.skeleton.names):
        notes.append(
            f"it has {stated} joints, and {MOST_JOINTS} are drawn: the shortest ends, as of "
            "fingers and faces, go along with what holds them"
        )
    found = legs_of(rig.skeleton.names)
    whole = _is_whole(found) and _are_apart(rig, found)
    rig = _ahead(rig, found if whole else None, notes)
    rig, tall = _sized(rig, path, height, notes)
    rig = _few_colors(rig, notes)
    if GltfScene(path).rows("textures") and not any(look.paint for look in rig.looks):
        notes.append("its textures are damaged, or in other files: faces have plain colors")
    rig = replace(rig, looks=tuple(with_levels(look) for look in rig.looks))
    clips = _named(rig, notes)
    if not whole:
        notes.append(_no_legs(found))
        clips.pop("walk", None)
        return Imported(
            replace(rig, clips=_without_legs(clips, notes), legs=()), tall, tuple(notes)
        )
    legs = _legs(rig, found, clips.get("walk"), notes)
    if "walk" not in clips:
        clips["walk"] = _made_walk(rig, legs)
        text = "no clip is called a walk: the legs step without one"
        if len(legs) == 2 and hanging_arms(rig.skeleton, np.zeros((1, 2))):
            notes.append(f"{text}, and the arms, which are spread, hang and swing")
            clips.setdefault("idle", _made_stand(rig))
        else:
            notes.append(text if len(legs) > 2 else f"{text}, the arms do not swing")
    measured = {n: _measured(rig, legs, c, notes) if n in ("walk", "run") else c
                for n, c in clips.items()}  # fmt: skip
    if "run" in measured and measured["run"].speed <= 1.1 * measured["walk"].speed:
        notes.append("its run is no faster than its walk and is left out")
        del measured["run"]
    return Imported(replace(rig, clips=measured, legs=legs), tall, tuple(notes))


def _is_whole(found: Mapping[Side, Mapping[str, int]]) -> bool:
    return all(len(parts) == 3 for parts in found.values())


def _are_apart(rig: CharacterRig, found: Mapping[Side, Mapping[str, int]]) -> bool:
    """Whether the joints of each leg are in different places, and left and right thighs too."""
    tall = float(np.ptp(rig.looks[0].mesh.vertices[:, 2]))
    at = rig.skeleton.position
    chains = [at[[parts[each] for each in ("thigh", "shin", "foot")]] for parts in found.values()]
    gaps = [np.linalg.norm(np.diff(chain, axis=0), axis=1).min() for chain in chains]
    left, right = (chain[0, :2] for chain in chains)
    return bool(min(*gaps, np.linalg.norm(left - right)) > APART * tall)


def _legs(
    rig: CharacterRig, hind: Mapping[Side, dict[str, int]], walk: Clip | None, notes: list[str]
) -> tuple[LegJoints, ...]:
    """Return the legs; arms are legs, too, of one whose hands are near the ground.

    The order in which four legs step is that of the walk, or the one of most animals.
    """
    found = [*hind.values()]
    fore, height = arms_of(rig.skeleton.names), rig.skeleton.position[:, 2]
    if _is_whole(fore) and all(
        height[fore[side]["foot"]] < LOW_HAND * height[hind[side]["thigh"]] for side in fore
    ):
        notes.append("its arms are near the ground: it goes on four legs")
        found += fore.values()
    swing = np.array([0.75, 0.25, 0.0, 0.5][: len(found)])
    feet = [parts["foot"] for parts in found]
    if walk is not None and len(found) == 4:
        speed = _speed_of(rig, walk, feet)
        swing = np.mod(0.75 + (speed.argmax(axis=0) - speed[:, 0].argmax()) / len(speed), 1.0)
    return tuple(_leg(rig, parts, float(share)) for parts, share in zip(found, swing, strict=True))


def _speed_of(rig: CharacterRig, clip: Clip, feet: list[int]) -> Float:
    """Return how fast feet go ahead of the body at the phases of a clip, (R, L) [m a cycle]."""
    shares = np.arange(len(clip.root))[:, None] / max(len(clip.root) - 1, 1)
    root = clip.root - shares * (clip.root[-1] - clip.root[0]) * [1.0, 1.0, 0.0]
    _, place = rig.skeleton.posed(matrix_from_quaternion(clip.rotation), root)
    ahead = place[:, feet, 0]
    found: Float = 0.5 * len(ahead) * (np.roll(ahead, -1, axis=0) - np.roll(ahead, 1, axis=0))
    return found


def _no_legs(found: dict) -> str:
    missing = [f"{side} {part}" for side, parts in found.items()
               for part in ("thigh", "shin", "foot") if part not in parts]  # fmt: skip
    if not missing:
        return "joints of its legs are in one place: it slides along in its rest pose"
    return f"no joint is called {', '.join(missing)}: it slides along in its rest pose"


def _without_legs(clips: dict[str, Clip], notes: list[str]) -> dict[str, Clip]:
    """Return the clips that can be played without legs: those that go with the time."""
    kept = {name: clip for name, clip in clips.items() if name in ("fly", "glide")}
    if kept:
        notes[-1] = f"no legs; played are {', '.join(kept)}"
    return kept


def _ahead(rig: CharacterRig, legs: dict | None, notes: list[str]) -> CharacterRig:
    """Return the rig turned to face +x: by its legs, or from +z of glTF."""
    at = rig.skeleton.position
    ahead = np.array([0.0, -1.0, 0.0])
    if legs is not None:
        left = at[legs["left"]["thigh"]] - at[legs["right"]["thigh"]]
        ahead = np.cross(left, [0.0, 0.0, 1.0])
        ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    else:
        notes.append("taken to look along +z of its file, as glTF says")
    turn = np.array([[ahead[0], ahead[1], 0.0], [-ahead[1], ahead[0], 0.0], [0.0, 0.0, 1.0]])
    return _moved(rig, turn, 1.0, np.zeros(3))


def _sized(
    rig: CharacterRig, path: Path, height: float | None, notes: list[str]
) -> tuple[CharacterRig, float]:
    """Return the rig in meters, its lowest point on z = 0 and its root over the origin."""
    low, high = rig.looks[0].mesh.bounds
    tall = float(high[2] - low[2])
    if tall <= 0.0:
        raise InputError(f"{shown_path(path)}: the character is flat")
    if height is None:
        scale, unit = next(((s, u) for s, u in UNITS if s * tall <= TALLEST), (0.0, ""))
        if scale * tall < SMALLEST:
            raise InputError(
                f"{shown_path(path)}: the character is {tall:.4g} units high; as meters, "
                f"centimeters or millimeters that is not from {SMALLEST:g} to {TALLEST:g} m; "
                "state its height [m], as in `--height 1.75`"
            )
        if scale < 1.0:
            notes.append(f"{tall:.4g} units high: taken as {unit}; `--height` says otherwise")
    elif height < SMALLEST:
        raise InputError(f"`--height` must be at least {SMALLEST:g} m, got {height:g}")
    else:
        scale = height / tall
    middle = np.array([*rig.skeleton.position[0, :2], low[2]])
    return _moved(rig, np.eye(3), scale, -scale * middle), scale * tall


def _moved(rig: CharacterRig, turn: Float, scale: float, offset: Float) -> CharacterRig:
    """Return a rig turned, scaled and moved."""
    skeleton = rig.skeleton
    places = scale * skeleton.position @ turn.T + offset
    looks = tuple(
        replace(
            look,
            mesh=TriangleMesh(scale * look.mesh.vertices @ turn.T + offset, look.mesh.faces),
        )
        for look in rig.looks
    )
    clips = {}
    for name, clip in rig.clips.items():
        rotation = turn @ matrix_from_quaternion(clip.rotation) @ turn.T
        root = scale * clip.root @ turn.T
        clips[name] = replace(clip, rotation=quaternion_from_matrix(rotation), root=root)
    moved = Skeleton(skeleton.names, skeleton.parents, places)
    return replace(rig, skeleton=moved, looks=looks, clips=clips)


def _few_colors(rig: CharacterRig, notes: list[str]) -> CharacterRig:
    """Return the rig with few colors; the color of a face with a texture is its mean."""
    from PIL import Image

    looks = []
    for look in rig.looks:
        shades = np.round(255 * look.colors).astype(np.uint8)
        if len(np.unique(shades, axis=0)) > MOST_COLORS:
            few = Image.fromarray(shades[None]).quantize(MOST_COLORS).convert("RGB")
            shades = np.asarray(few)[0]
        looks.append(replace(look, colors=shades / 255.0))
    count = sum(len(look.paint.used()) for look in rig.looks if look.paint)
    if count:
        notes.append(f"textures kept: {count}; from afar, faces have {MOST_COLORS} colors at most")
    return replace(rig, looks=tuple(looks))


def _named(rig: CharacterRig, notes: list[str]) -> dict[str, Clip]:
    """Return the clips by our names; the first of each."""
    found: dict[str, Clip] = {}
    left = []
    for name, clip in rig.clips.items():
        ours = clip_of(name)
        if ours is None or ours in found:
            left.append(name)
        else:
            in_place = _facing_ahead(clip) if ours.startswith("turn") else clip
            found[ours] = replace(in_place, name=ours)
    if found:
        notes.append(f"clips: {', '.join(f'{c} ({c_of})' for c, c_of in _sources(rig, found))}")
    if left:
        notes.append(f"not used: {', '.join(left[:8])}{', ...' if len(left) > 8 else ''}")
    return found


def _facing_ahead(clip: Clip) -> Clip:
    """Return a clip whose root does not turn about the vertical, as the body does that for it."""
    rotation = matrix_from_quaternion(clip.rotation)
    heading = rotation[:, 0, :, 0]
    yaw = np.arctan2(heading[:, 1], heading[:, 0])
    c, s, zero = np.cos(yaw), np.sin(yaw), 0.0 * yaw
    back = np.stack([c, s, zero, -s, c, zero, zero, zero, zero + 1.0], -1).reshape(-1, 3, 3)
    rotation[:, 0] = back @ rotation[:, 0]
    return replace(clip, rotation=quaternion_from_matrix(rotation))


def _sources(rig: CharacterRig, found: dict[str, Clip]) -> list[tuple[str, str]]:
    names = [name for name in rig.clips if clip_of(name) in found]
    return [(ours, next(n for n in names if clip_of(n) == ours)) for ours in found]


def _leg(rig: CharacterRig, parts: dict[str, int], swing: float) -> LegJoints:
    """Return a leg; heel and ball from the vertices at the floor that follow the foot."""
    own, foot = rig.skeleton, parts["foot"]
    below = [foot]
    for row in range(len(own.names)):
        if own.parents[row] in below:
            below.append(row)
    look = rig.looks[0]
    heaviest = look.skin.joints[np.arange(len(look.skin.joints)), look.skin.weights.argmax(axis=1)]
    points = look.mesh.vertices[np.isin(heaviest, below)]
    tall = float(np.ptp(look.mesh.vertices[:, 2]))
    flat = points[points[:, 2] < 0.03 * tall] if len(points) else points
    ankle = float(own.position[foot, 0])
    heel, ball = 0.03 * tall, 0.07 * tall
    if len(flat):
        heel = max(ankle - float(flat[:, 0].min()), 0.0)
        ball = max(0.75 * (float(flat[:, 0].max()) - ankle), 0.0)
    return LegJoints(parts["thigh"], parts["shin"], foot, swing, heel, ball)


def _made_walk(rig: CharacterRig, legs: tuple[LegJoints, ...]) -> Clip:
    """Return a walk of the legs alone."""
    reach = float(rig.skeleton.position[legs[0].upper, 2])
    still = np.tile(np.eye(3), (24, len(rig.skeleton.names), 1, 1))
    low = np.tile([0.0, 0.0, -0.04 * reach], (24, 1))
    stride = WALK_STRIDE * reach
    if len(legs) == 2:  # an arm goes ahead with the leg of the other side
        phase = 2.0 * np.pi * (np.arange(24)[:, None] / 24 - [leg.swing for leg in legs])
        for row, turned in hanging_arms(rig.skeleton, -np.sin(phase)).items():
            still[:, row] = turned
    rotation, root = stepping(rig.skeleton, legs, still, low, stride, 0.6)
    duration = float(np.sqrt(reach / 0.8)) / WALK_PACE
    return Clip("walk", quaternion_from_matrix(rotation), root, duration, stride)


def _made_stand(rig: CharacterRig) -> Clip:
    """Return a clip of one that stands with hanging arms."""
    still = np.tile(np.eye(3), (2, len(rig.skeleton.names), 1, 1))
    for row, turned in hanging_arms(rig.skeleton, np.zeros((2, 2))).items():
        still[:, row] = turned
    return Clip("idle", quaternion_from_matrix(still), np.zeros((2, 3)), 4.0, 0.0)


def _measured(rig: CharacterRig, legs: tuple[LegJoints, ...], clip: Clip, notes: list[str]) -> Clip:
    """Return a clip in place with its stride, begun when the left foot is half-way through the air.

    The stride is how far the root goes, else how fast feet on the ground go back.
    """
    count = len(clip.rotation)
    gone = (clip.root[-1] - clip.root[0]) * count / max(count - 1, 1)
    reach = float(rig.skeleton.position[legs[0].upper, 2])
    stride, root = float(np.linalg.norm(gone[:2])), clip.root.copy()
    shares = np.arange(count)[:, None] / count
    root[:, :2] -= shares * gone[:2]
    _, place = rig.skeleton.posed(matrix_from_quaternion(clip.rotation), root)
    feet = place[:, [leg.foot for leg in legs]]  # (R, L, 3)
    speed = 0.5 * count * (np.roll(feet, -1, axis=0) - np.roll(feet, 1, axis=0))[..., 0]
    if stride < 0.2 * reach:
        flat = feet[..., 2] < feet[..., 2].min(axis=0) + ON_GROUND * reach
        stride = -float(np.median(speed[flat]))
    if stride < 0.2 * reach:
        stride = WALK_STRIDE * reach * (2.0 if clip.name == "run" else 1.0)
        notes.append(f"the feet of its {clip.name} do not go back: a stride of {stride:.2f} m")
    notes.append(f"{clip.name}: {stride:.2f} m a cycle, {stride / clip.duration:.2f} m/s")
    first = int(speed[:, 0].argmax()) - round(legs[0].swing * count)
    rotation = np.roll(clip.rotation, -first, axis=0)
    return Clip(clip.name, rotation, np.roll(root, -first, axis=0), clip.duration, stride)
