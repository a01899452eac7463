"""Skeletons, skins and clips: what moves a character's mesh when it is drawn.

In the rest pose all joints have the axes of the body frame: x ahead, y left, z up. The rotation of
a joint is relative to its parent, so a pose is a rotation for each joint and a displacement of the
root. Kavan & Žára (2005) call the way vertices follow linear blend skinning: a vertex v with
weights w goes to the sum of ``w_j K_j v``, with ``K_j`` the motion of joint j since the rest pose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.short_repr import short_repr
from rmp3d.scenes.paint import Paint

STANDING = "stand"
"""What members at rest do that do nothing else, beside the names of `clips_at_rest`."""
MOST_JOINTS = 128
MOST_WEIGHTS = 4
"""Joints that a vertex follows at most, as in glTF."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """J joints, each after its parent.

    Attributes:
        names: Of the joints.
        parents: (J,) row of each joint's parent, -1 for the root, which is the first.
        position: (J, 3) of the joints in the rest pose, body frame [m].

    Raises:
        InputError: A joint is before its parent, or there is more than one root, or too many.
    """

    names: tuple[str, ...]
    parents: Index
    position: Float

    __repr__ = short_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", frozen(self.parents, np.intp))
        object.__setattr__(self, "position", frozen(self.position))
        count = len(self.names)
        if not 0 < count <= MOST_JOINTS:
            raise InputError(f"a skeleton has 1 to {MOST_JOINTS} joints, got {count}")
        if self.parents.shape != (count,) or self.position.shape != (count, 3):
            raise InputError(f"a skeleton of {count} joints needs a parent and a place for each")
        later = self.parents >= np.arange(count)
        if self.parents[0] != -1 or later.any() or (self.parents[1:] < 0).any():
            raise InputError("a skeleton begins with its only root, and a joint follows its parent")

    @property
    def levels(self) -> list[Index]:
        """The joints below the root by their distance from it: rows whose parents come before."""
        depth = np.zeros(len(self.names), np.intp)
        for row in range(1, len(depth)):
            depth[row] = depth[self.parents[row]] + 1
        return [np.flatnonzero(depth == level) for level in range(1, int(depth.max()) + 1)]

    def row(self, name: str) -> int:
        """Return the row of a joint, -1 if there is none of this name."""
        return self.names.index(name) if name in self.names else -1

    def posed(self, rotation: Float, root: Float) -> tuple[Float, Float]:
        """Return how the joints are turned and where they are in poses (forward kinematics).

        Args:
            rotation: (N, J, 3, 3) of the joints relative to their parents.
            root: (N, 3) displacement of the root [m].

        Returns:
            (N, J, 3, 3) rotations and (N, J, 3) places [m], body frame.
        """
        turn, place = rotation.copy(), np.empty((*rotation.shape[:2], 3))
        place[:, 0] = self.position[0] + root
        for rows in self.levels:
            above = self.parents[rows]
            turn[:, rows] = turn[:, above] @ rotation[:, rows]
            bone = self.position[rows] - self.position[above]
            place[:, rows] = place[:, above] + np.einsum("njab,jb->nja", turn[:, above], bone)
        return turn, place

    def motion(self, turn: Float, place: Float) -> Float:
        """Return the motions K (N, J, 3, 4) of the joints since the rest pose.

        Args:
            turn: (N, J, 3, 3) rotations.
            place: (N, J, 3) [m].
        """
        moved = place - np.einsum("njab,jb->nja", turn, self.position)
        return np.concatenate([turn, moved[..., None]], axis=-1)


@dataclass(frozen=True, eq=False)
class Skin:
    """Which joints the V vertices of a mesh follow.

    Attributes:
        joints: (V, 4) rows of joints.
        weights: (V, 4), not negative; the sum of a row is one.

    Raises:
        InputError: Weights are negative, or all of a vertex are zero.
    """

    joints: Index
    weights: Float

    __repr__ = short_repr

    def __post_init__(self) -> None:
        weights = np.asarray(self.weights, np.float64)
        total = weights.sum(axis=1)
        good = np.isfinite(weights).all(axis=1) & (weights >= 0.0).all(axis=1) & (total > 1e-6)
        if not good.all():
            raise InputError(f"vertex {int(np.argmin(good))} follows no joint")
        object.__setattr__(self, "joints", frozen(self.joints, np.intp))
        object.__setattr__(self, "weights", frozen(weights / total[:, None]))

    def moved(self, vertices: Float, motion: Float) -> Float:
        """Return vertices (V, 3) in poses whose joints have motions (N, J, 3, 4), (N, V, 3) [m]."""
        found = np.zeros((len(motion), len(vertices), 3))
        for column in range(self.joints.shape[1]):
            each = motion[:, self.joints[:, column]]
            point = np.einsum("nvab,vb->nva", each[..., :3], vertices) + each[..., 3]
            found += self.weights[None, :, column, None] * point
        return found


@dataclass(frozen=True, eq=False)
class Clip:
    """One cycle of a motion, at R phases that divide it evenly; the last is followed by the first.

    Attributes:
        name: Such as ``walk``.
        rotation: (R, J, 4) unit quaternions (scalar first) of the joints relative to their parents.
        root: (R, 3) displacement of the root [m].
        duration: Of the cycle [s].
        stride: How far the body goes in it [m]; 0 for a motion in place.
    """

    name: str
    rotation: Float
    root: Float
    duration: float
    stride: float = 0.0

    __repr__ = short_repr

    def __post_init__(self) -> None:
        rotation = frozen(self.rotation)
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "root", frozen(self.root))
        if not (self.duration > 0.0 and self.stride >= 0.0):
            raise InputError(f"clip `{self.name}` needs a `duration` above 0 and a `stride`")
        if len(rotation) == 0 or self.root.shape != (len(rotation), 3):
            raise InputError(f"clip `{self.name}` has no phases, or not as many of its root")

    @property
    def speed(self) -> float:
        """How fast a body goes for which it was made [m/s]."""
        return self.stride / self.duration

    @cached_property
    def _following(self) -> Float:
        """(R, J, 4) of the phase after each, with the sign of the short way."""
        after = np.roll(self.rotation, -1, axis=0)
        return after * np.where((after * self.rotation).sum(-1) < 0.0, -1.0, 1.0)[..., None]

    def at(self, phase: Float) -> tuple[Float, Float]:
        """Return rotations (N, J, 4) and displacements of the root (N, 3) at phases (N,).

        A phase of one is a whole cycle; between the stated phases all is interpolated.
        """
        row = np.mod(phase, 1.0) * len(self.rotation)
        first = np.minimum(row.astype(np.intp), len(self.rotation) - 1)
        share, after = row - first, (first + 1) % len(self.rotation)
        share = share[:, None, None]
        turned = (1.0 - share) * self.rotation[first] + share * self._following[first]
        turned /= np.sqrt(np.einsum("njq,njq->nj", turned, turned))[..., None]
        share = share[:, 0]
        return turned, self.root[first] + share * (self.root[after] - self.root[first])


@dataclass(frozen=True)
class LegJoints:
    """A leg of two bones and a foot, as rows of joints.

    Attributes:
        upper: Joint at the hip or shoulder.
        lower: At the knee or elbow.
        foot: At the ankle.
        swing: Phase, 0 to 1, in the middle of its step through the air.
        heel: How far behind the ankle the foot is on the ground [m].
        ball: How far ahead of it [m].
    """

    upper: int
    lower: int
    foot: int
    swing: float
    heel: float
    ball: float


@dataclass(frozen=True, eq=False)
class Look:
    """One of the bodies that members of a kind have.

    Attributes:
        mesh: In the rest pose, body frame: x ahead, y left, z up [m].
        colors: (F, 3) of its faces, 0 to 1.
        skin: Which joints its vertices follow.
        levels: Simpler meshes of it, for where it is small, from finer to coarser ones.
        paint: Pictures on its faces, if it has some; those have the mean color of theirs.
    """

    mesh: TriangleMesh
    colors: Float
    skin: Skin
    levels: "tuple[Look, ...]" = ()
    paint: Paint | None = None

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class CharacterRig:
    """What moves a character's mesh.

    Attributes:
        skeleton: Its joints.
        looks: The bodies that it moves, at least one.
        clips: Its motions by their names.
        legs: What it walks on; none for what flies, swims or rolls.
        steered: Rows of joints that turn about z with the curve that is driven.
        wheelbase: Distance [m] of the steered axle from the one that is not.
    """

    skeleton: Skeleton
    looks: tuple[Look, ...]
    clips: Mapping[str, Clip]
    legs: tuple[LegJoints, ...] = ()
    steered: tuple[int, ...] = ()
    wheelbase: float = 1.0

    __repr__ = short_repr

    def motion(self, turned: Float, root: Float) -> Float:
        """Return the motions (N, J, 3, 4) of joints turned by (N, J, 4), the root moved (N, 3)."""
        return self.skeleton.motion(*self.skeleton.posed(matrix_from_quaternion(turned), root))


def mixed(start: Float, end: Float, share: Float) -> Float:
    """Return unit quaternions (..., 4) between two, on the short arc; share (...) is 0 to 1.

    Linear, then of unit length: within 1 degree of slerp for rotations up to 60 degrees apart.
    """
    dot = np.einsum("...i,...i->...", start, end)
    share = np.asarray(share)[..., None]
    found = (1.0 - share) * start + np.where(dot[..., None] < 0.0, -share, share) * end
    return np.asarray(found / np.sqrt(np.einsum("...i,...i->...", found, found))[..., None])


def clips_at_rest(rig: CharacterRig) -> tuple[str, ...]:
    """Return the clips that members at rest may be told to do: those in place, of walkers."""
    if not rig.legs:
        return ()
    return tuple(
        clip.name
        for clip in rig.clips.values()
        if clip.stride == 0.0 and clip.name != "idle" and not clip.name.startswith("turn_")
    )
