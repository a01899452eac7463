"""A recording in blocks of frames, so that a long recording need not fit in memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import angle_between, matrix_from_quaternion, slerp
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordingReader
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.capsules import BlockCapsules

BLOCK_MOTIONS = 64


@dataclass(frozen=True, eq=False)
class Block:
    """B motions of all members, their B + 1 frames, and the next frame if there is one.

    Attributes:
        first: Number of the first frame.
        motions: B.
        position: (B + 1 or B + 2, N, 3) [m].
        orientation_wxyz: (B + 1 or B + 2, N, 4) unit quaternions.
        bodies: Kinds of body.
        body_of: (N,) row in ``bodies`` of each member.
    """

    first: int
    motions: int
    position: Float
    orientation_wxyz: Float
    bodies: tuple[RigidMesh, ...]
    body_of: Index

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


def blocks(
    recording: RecordingReader, bodies: tuple[RigidMesh, ...], size: int = BLOCK_MOTIONS
) -> Iterator[Block]:
    """Yield the blocks of a recording in order; a single frame is a block without a motion."""
    first = 0
    while first == 0 or first < recording.frames - 1:
        motions = min(size, recording.frames - 1 - first)
        stop = first + motions + 2
        yield Block(
            first,
            motions,
            recording.position(first, stop),
            recording.orientation_wxyz(first, stop),
            bodies,
            recording.header.character_of,
        )
        first += size


def _relative_axis(start: Float, end: Float) -> Float:
    """Return the axes (..., 3) of the turns ``start^-1 end``, body frame; zero for no turn."""
    w0, v0 = start[..., :1], start[..., 1:]
    w1, v1 = end[..., :1], end[..., 1:]
    vector = w0 * v1 - w1 * v0 - np.cross(v0, v1)
    size = length(vector)[..., None]
    return np.divide(vector, size, out=np.zeros_like(vector), where=size > 1e-12)
