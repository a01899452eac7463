"""A recording in blocks of frames, so that a long recording need not fit in memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import angle_between, matrix_from_quaternion, slerp
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordingReader
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.capsules import BlockCapsules

BLOCK_MOTIONS = 64
"""Motions of a block, at most."""
LEAST_MOTIONS = 4
BLOCK_POSES = 1_500_000
"""Poses of a block of more motions than the least, at most: the checks hold arrays of them."""


@dataclass(frozen=True, eq=False)
class Block:
    """B motions of all members, their B + 1 frames, and the next frame if there is one.

    Attributes:
        first: Number of the first frame.
        motions: B.
        position: (B + 1 or B + 2, N, 3) [m].
        orientation_wxyz: (B + 1 or B + 2, N, 4) unit quaternions.
        bodies: Kinds of body.
        body_of: (N,) row in ``bodies`` of each member; -1 of those that never come.
        there: (B + 1 or B + 2, N) whether each member is there. Where it is not, it is taken to
            stand where it comes first, or was last.
    """

    first: int
    motions: int
    position: Float
    orientation_wxyz: Float
    bodies: tuple[RigidMesh, ...]
    body_of: Index
    there: Bool

    def meet(self, first: int, last: int, i: Index, j: Index) -> Bool:
        """Return in which motions from frame ``first`` to ``last`` pairs may meet, (K, P).

        Those are there together at the start or the end. If the frames are the same, (1, P).
        """
        both: Bool = self.there[first : last + 1, i] & self.there[first : last + 1, j]
        return both if first == last else both[:-1] | both[1:]

    @cached_property
    def rotation(self) -> Float:
        """(B + 1, N, 3, 3) matrices of the orientations."""
        return matrix_from_quaternion(self.orientation_wxyz[: self.motions + 1])

    @cached_property
    def capsules(self) -> BlockCapsules:
        """Upright capsules that hold the bodies."""
        count = self.motions + 1
        kinds = [body.capsule for body in self.bodies]
        return BlockCapsules(
            self.position[:count], self.orientation_wxyz[:count], kinds, self.body_of
        )

    @cached_property
    def turning(self) -> Float:
        """(B, N) largest distance [m] that a body point can move by the turn in each motion."""
        start = self.orientation_wxyz[: self.motions]
        end = self.orientation_wxyz[1 : self.motions + 1]
        axis = _relative_axis(start, end)
        reach = np.empty(axis.shape[:2])
        for kind, body in enumerate(self.bodies):
            rows = self.body_of == kind
            reach[:, rows] = body.turning_reach(axis[:, rows, 2])
        return angle_between(start, end) * reach

    @cached_property
    def travel(self) -> Float:
        """(B, N) largest distance [m] that a body point can move in each motion."""
        steps = np.diff(self.position[: self.motions + 1], axis=0)
        return length(steps) + self.turning

    @cached_property
    def center(self) -> Float:
        """(B + 1, N, 3) middles of the bounding spheres [m]."""
        offsets = np.array([body.center for body in self.bodies])[self.body_of]
        return self.position[: self.motions + 1] + np.einsum("tnij,nj->tni", self.rotation, offsets)

    def body(self, member: int) -> RigidMesh:
        """Return the body of a member."""
        return self.bodies[self.body_of[member]]

    def pose(self, member: int, frame: int, share: float) -> tuple[Float, Float]:
        """Return rotation (3, 3) and position (3,) at ``share`` of the motion after a frame.

        Between frames, positions are linear and orientations slerp, as in the viewer.
        """
        if share == 0.0:
            return self.rotation[frame, member], self.position[frame, member]
        start, end = self.position[frame : frame + 2, member]
        before, after = self.orientation_wxyz[frame : frame + 2, member]
        turn = slerp(before, after, np.asarray(share))
        return matrix_from_quaternion(turn), start + share * (end - start)

    def points(self, member: int, frame: int, share: float) -> Float:
        """Return the points (P, 3) [m] of a member's body at which depths are measured."""
        rotation, position = self.pose(member, frame, share)
        return self.body(member).points @ rotation.T + position

    def triangles(self, member: int, frame: int, share: float) -> Float:
        """Return the triangles (F, 3, 3) [m] of a member's body."""
        rotation, position = self.pose(member, frame, share)
        corners: Float = self.body(member).mesh.triangles @ rotation.T + position
        return corners


def blocks(recording: RecordingReader, bodies: tuple[RigidMesh, ...]) -> Iterator[Block]:
    """Yield the blocks of a recording in order; a single frame is a block without a motion.

    The more members, the fewer motions, so that memory does not grow with them.
    """
    first, fill = 0, Absent(recording)
    room = BLOCK_POSES // max(len(recording.life), 1)
    size = min(BLOCK_MOTIONS, max(LEAST_MOTIONS, room))
    body_of = np.where(recording.life[:, 1] > 0, recording.header.character_of, -1)
    while first == 0 or first < recording.frames - 1:
        motions = min(size, recording.frames - 1 - first)
        stop = first + motions + 2
        yield Block(
            first,
            motions,
            fill(recording.position(first, stop), first, "position"),
            fill(recording.orientation_wxyz(first, stop), first, "orientation_wxyz"),
            bodies,
            body_of,
            recording.presence(first, stop),
        )
        first += size


class Absent:
    """Puts members that are not there where they come first, or were last.

    So nobody jumps, and every rule may look at whole arrays; only members that are there can meet.
    Those that never come stand where the first one does that is there.
    """

    def __init__(self, recording: RecordingReader) -> None:
        life = recording.life
        self._life, self._frames = life, recording.frames
        comes = life[:, 1] > 0
        changes = comes & ((life[:, 0] > 0) | (life[:, 1] < recording.frames))
        self._rows = np.flatnonzero(changes | ~comes)
        if len(self._rows) == 0:
            return
        someone = int(np.argmax(comes)) if comes.any() else 0
        whose = np.where(comes, np.arange(len(life)), someone)[self._rows]
        first = life[whose, 0]
        last = np.maximum(life[whose, 1] - 1, 0)
        self._kept = {
            name: [_poses(recording, name, frame, whose) for frame in (first, last)]
            for name in ("position", "orientation_wxyz")
        }

    def __call__(self, values: Float, first: int, name: str) -> Float:
        """Return the values (T', N, ...) from a frame on, with those of members not there put."""
        if len(self._rows) == 0:
            return values
        frame = np.arange(first, first + len(values))[:, None]
        before = frame < self._life[self._rows, 0]
        after = frame >= self._life[self._rows, 1]
        comes, leaves = self._kept[name]
        own = np.where(after[..., None], leaves, values[:, self._rows])
        values[:, self._rows] = np.where(before[..., None], comes, own)
        return values


def _poses(recording: RecordingReader, name: str, frame: Index, member: Index) -> Float:
    """Return the positions or orientations (M, ...) of members, each at a frame of its own."""
    read = getattr(recording, name)
    found = [
        (rows, read(int(at), int(at) + 1)[0, member[rows]])
        for at in np.unique(frame)
        for rows in [np.flatnonzero(frame == at)]
    ]
    values = np.empty((len(member), found[0][1].shape[1]))
    for rows, own in found:
        values[rows] = own
    return values


def _relative_axis(start: Float, end: Float) -> Float:
    """Return the axes (..., 3) of the turns ``start^-1 end``, body frame; zero for no turn."""
    w0, v0 = start[..., :1], start[..., 1:]
    w1, v1 = end[..., :1], end[..., 1:]
    vector = w0 * v1 - w1 * v0 - np.cross(v0, v1)
    size = length(vector)[..., None]
    return np.divide(vector, size, out=np.zeros_like(vector), where=size > 1e-12)
