"""Rigged models made by scripts: shapes that follow joints, clips of their motions, several looks.

They are written to one binary glTF file with skins and animations, that any viewer plays.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import matrix_from_quaternion, quaternion_from_matrix
from rmp3d.models.legs import TwoBones, ankle, foot_pitch, foot_place, lift_of, standing
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.simplifying import with_levels
from rmp3d.models.skeleton import MOST_WEIGHTS, CharacterRig, Clip, LegJoints, Look, Skeleton, Skin

PHASES = 24
"""Key frames of a clip."""
Weights = Callable[[Float], Mapping[str, Float]]
Turn = tuple[Float | float, Float | float, Float | float]
"""Rotations of a joint about x, y and z [rad], each for all phases (R,) or one for all."""


def chain(names: Sequence[str], breaks: Sequence[float], half: float, axis: int = 2) -> Weights:
    """Return the weights of shapes along a chain of joints, from high to low coordinates.

    Args:
        names: Of the joints, the one with the highest coordinates first.
        breaks: Coordinates where one passes to the next, one fewer [m].
        half: Half of the length over which it does [m].
        axis: 0 to 2, of the coordinate.
    """

    def weights(points: Float) -> Mapping[str, Float]:
        passed = [np.ones(len(points))]
        passed += [np.clip((b + half - points[:, axis]) / (2.0 * half), 0.0, 1.0) for b in breaks]
        passed.append(np.zeros(len(points)))
        return {name: passed[row] - passed[row + 1] for row, name in enumerate(names)}

    return weights


class RiggedModel:
    """Shapes, each following joints; the shapes of one look after another.

    Attributes:
        skeleton: The joints.
        legs: What it walks on.
        steered: Names of joints that turn with the curve that is driven.
        wheelbase: Distance of the axles [m].
    """

    def __init__(self, joints: Mapping[str, tuple[str | None, Sequence[float]]]) -> None:
        """Begin with joints: name to its parent (None for the root) and place [m]."""
        names = tuple(joints)
        parents = [-1 if above is None else names.index(above) for above, _ in joints.values()]
        places = np.array([place for _, place in joints.values()], float)
        self.skeleton = Skeleton(names, np.array(parents), places)
        self.legs: tuple[LegJoints, ...] = ()
        self.steered: tuple[str, ...] = ()
        self.wheelbase = 1.0
        self._looks: list[list[tuple[TriangleMesh, str, Float]]] = []
        self._clips: dict[str, Clip] = {}

    def look(self) -> None:
        """Begin another look."""
        self._looks.append([])

    def add(self, color: str, shape: TriangleMesh, weights: str | Weights) -> None:
        """Add a shape to the last look.

        Args:
            color: As on the web: ``#rrggbb``.
            shape: In the rest pose [m].
            weights: The joint that it follows, or the weights of several by its points.
        """
        table = np.zeros((len(shape.vertices), len(self.skeleton.names)))
        if isinstance(weights, str):
            table[:, self.skeleton.names.index(weights)] = 1.0
        else:
            for name, share in weights(shape.vertices).items():
                table[:, self.skeleton.names.index(name)] += share
        self._looks[-1].append((shape, color, table))

    def also(self, colors: Mapping[str, str]) -> None:
        """Add a look like the first one with some colors replaced."""
        first = self._looks[0]
        self._looks.append([(mesh, colors.get(color, color), own) for mesh, color, own in first])

    def mapped(
        self, place: Callable[[Float], Float], colors: Sequence[Mapping[str, str]]
    ) -> "RiggedModel":
        """Return the model with all points put elsewhere, without clips, its looks recolored."""
        own = self.skeleton
        names = [None if row < 0 else own.names[row] for row in own.parents]
        moved = place(own.position)
        joints = {n: (up, at) for n, up, at in zip(own.names, names, moved, strict=True)}
        other = RiggedModel(joints)
        for look, dye in zip(self._looks, colors, strict=False):
            other._looks.append(
                [(TriangleMesh(place(mesh.vertices), mesh.faces), dye.get(color, color), table)
                 for mesh, color, table in look]
            )  # fmt: skip
        return other

    def clip(
        self,
        name: str,
        duration: float,
        turns: Mapping[str, Turn],
        root: Turn = (0.0, 0.0, 0.0),
        *,
        stride: float = 0.0,
        duty: float = 0.0,
    ) -> None:
        """Add a clip.

        Args:
            name: Of the clip.
            duration: Of the cycle [s].
            turns: Rotations of joints, over `PHASES` phases.
            root: Displacement of the root (x, y, z) [m].
            stride: How far the body goes [m].
            duty: Share of the cycle that a foot is on the ground; 0: `turns` move the legs.
        """
        own = self.skeleton
        rotation = np.broadcast_to(np.eye(3), (PHASES, len(own.names), 3, 3)).copy()
        for joint, (x, y, z) in turns.items():
            rotation[:, own.names.index(joint)] = _about(2, z) @ _about(1, y) @ _about(0, x)
        moved = np.stack([np.broadcast_to(np.asarray(each, float), PHASES) for each in root], -1)
        if duty > 0.0:
            rotation, moved = stepping(own, self.legs, rotation, moved, stride, duty)
        turned = quaternion_from_matrix(rotation)
        self._clips[name] = Clip(name, turned, moved, duration, stride)

    def rig(self) -> CharacterRig:
        """Return the rig."""
        rows = tuple(self.skeleton.names.index(name) for name in self.steered)
        looks = tuple(with_levels(_look(shapes)) for shapes in self._looks)
        return CharacterRig(self.skeleton, looks, self._clips, self.legs, rows, self.wheelbase)

    def write(self, path: Path) -> None:
        """Write the rig as a binary glTF file: the same rig gives the same bytes."""
        write_rig(path, self.rig())


def leg(
    skeleton: Skeleton, names: tuple[str, str, str], swing: float, heel: float, ball: float
) -> LegJoints:
    """Return a leg by the names of its joints, from the hip down; see `LegJoints`."""
    upper, lower, foot = (skeleton.names.index(name) for name in names)
    return LegJoints(upper, lower, foot, swing, heel, ball)


def _look(shapes: list[tuple[TriangleMesh, str, Float]]) -> Look:
    table = np.concatenate([weights for _, _, weights in shapes])
    joints = np.argsort(-table, axis=1, kind="stable")[:, :MOST_WEIGHTS]
    if joints.shape[1] < MOST_WEIGHTS:
        joints = np.pad(joints, ((0, 0), (0, MOST_WEIGHTS - joints.shape[1])))
        weights = np.pad(np.take_along_axis(table, joints, 1)[:, : table.shape[1]],
                         ((0, 0), (0, MOST_WEIGHTS - table.shape[1])))  # fmt: skip
    else:
        weights = np.take_along_axis(table, joints, 1)
    joints = np.where(weights > 0.0, joints, 0)
    colors = [np.tile(_rgb(color), (len(mesh.faces), 1)) for mesh, color, _ in shapes]
    mesh = join([mesh for mesh, _, _ in shapes])
    return Look(mesh, np.concatenate(colors), Skin(joints, weights))


def _rgb(color: str) -> Float:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


def _about(axis: int, angle: Float | float) -> Float:
    """Return rotations (R, 3, 3) about an axis."""
    half = 0.5 * np.broadcast_to(np.asarray(angle, float), PHASES)
    turned = np.zeros((PHASES, 4))
    turned[:, 0], turned[:, 1 + axis] = np.cos(half), np.sin(half)
    return matrix_from_quaternion(turned)


def stepping(
    skeleton: Skeleton,
    legs: Sequence[LegJoints],
    rotation: Float,
    root: Float,
    stride: float,
    duty: float,
) -> tuple[Float, Float]:
    """Return rotations and roots of a cycle whose legs walk straight ahead on flat ground."""
    phase = np.arange(PHASES) / PHASES
    ankles, feet, bearing = [], [], []
    bones = [TwoBones(skeleton, each) for each in legs]
    for own in legs:
        rest = skeleton.position[own.foot]
        since = np.mod(phase - own.swing + 0.5, 1.0) - 0.5  # phase since the middle of the step
        half = 0.5 * (1.0 - duty)
        swing = np.where(np.abs(since) < half, (since + half) / max(2.0 * half, 1e-9), -1.0)
        stance = np.mod(since - half, 1.0) / duty
        places = []
        for later in (-0.5, 0.5):  # where the foot was and will be, seen from the body
            ahead = stride * (later - since)
            places.append(np.stack([rest[0] + ahead, 0 * ahead + rest[1], 0 * ahead], axis=-1))
        start = np.where((swing < 0.0)[:, None] & (since > 0.0)[:, None], places[1], places[0])
        lift = np.full(PHASES, lift_of(bones[0].reach))
        flat = foot_place(start, places[1], swing, lift)
        pitch = foot_pitch(swing, stance, np.ones(PHASES))
        at, foot = ankle(flat, 0.0 * phase, pitch, own, float(rest[2]))
        ankles.append(at)
        feet.append(foot)
        bearing.append(np.where(swing < 0.0, 1.0, (1.0 - 2.0 * swing) ** 2))
    return standing(
        skeleton, bones, rotation, root, np.array(ankles), np.array(feet), np.array(bearing)
    )
