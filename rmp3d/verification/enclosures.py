"""Bodies in obstacles, obstacles in bodies, and bodies in bodies, whose surfaces do not touch.

A motion that touches no surface neither enters nor leaves a closed one. So it is enough to look at
the first frame of every block, and at all frames of the members that were in contact in it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import RigidMesh, depth_inside
from rmp3d.verification.cohorts import Cohort
from rmp3d.verification.pieces import Pieces
from rmp3d.verification.report import Finding

IDENTITY = np.eye(3)
ORIGIN = np.zeros(3)


@dataclass(frozen=True, eq=False)
class _Solid:
    """The closed pieces of one part of a scene."""

    part: int
    pieces: Pieces

    @cached_property
    def body(self) -> RigidMesh:
        """The closed pieces as a mesh at rest."""
        assert self.pieces.solid is not None
        return RigidMesh(self.pieces.solid)


class SceneSolids:
    """The closed pieces that must not contain a body, and those that no body may contain.

    For walkers, these are the obstacles; for all others the ground, too. A closed piece that is
    turned inside out is a room where roles are not stated, and in the ground.
    """

    def __init__(self, scene: Scene, walks: bool) -> None:
        self._names = scene.part_names
        roles = ("obstacle",) if walks else ("obstacle", "ground")
        rows = [row for row, part in enumerate(scene.parts) if part.role in roles]
        self._all = [
            _Solid(row, Pieces(scene.parts[row].mesh, rooms=_may_be_rooms(scene, row)))
            for row in rows
        ]
        self._solids = [solid for solid in self._all if solid.pieces.solid is not None]
        meshes = [solid.pieces.solid for solid in self._solids]
        self._query = MeshQuery(join([m for m in meshes if m is not None])) if meshes else None
        cosine = np.cos(scene.max_slope) - 1e-9 if walks and not scene.roles_stated else 2.0
        points = [_points(solid.pieces, cosine) for solid in self._all]
        self._points = np.concatenate([np.empty((0, 3)), *points])
        self._part_of = np.repeat([solid.part for solid in self._all], [len(p) for p in points])
        self._tree = cKDTree(self._points) if len(self._points) else None

    def depth(self, part: int, points: Float) -> float | None:
        """Return how deep [m] a point of ``points`` (M, 3) is in a part; None if that is open."""
        for solid in self._solids:
            if solid.part == part:
                return depth_inside(points, solid.body, IDENTITY, ORIGIN)
        return None

    def around(self, points: Float) -> Index:
        """Return the part (M,) in which each point (M, 3) is, or -1."""
        found = np.full(len(points), -1)
        if self._query is None:
            return found
        rows = np.flatnonzero(self._query.contains(points))
        for solid in self._solids:
            if len(rows):
                inside = solid.pieces.contains(points[rows])
                found[rows[inside]] = solid.part
                rows = rows[~inside]
        return found

    def inside(self, body: RigidMesh, rotation: Float, position: Float) -> int:
        """Return a part that has a piece inside a placed body, or -1."""
        if self._tree is None or body.pieces.solid is None:
            return -1
        middle = position + rotation @ body.center
        near = np.array(self._tree.query_ball_point(middle, body.radius), np.intp)
        if len(near) == 0:
            return -1
        near = near[body.pieces.contains((self._points[near] - position) @ rotation)]
        return int(self._part_of[near[0]]) if len(near) else -1

    def may_be_inside(self, middle: Float, radius: float) -> Bool:
        """Return which balls (M,) have a point of a piece in them."""
        if self._tree is None:
            return np.zeros(len(middle), np.bool_)
        near: Bool = self._tree.query(middle, distance_upper_bound=radius)[0] <= radius
        return near


class EnclosureCheck:
    """Finds bodies in obstacles and obstacles in bodies."""

    def __init__(self, scene: Scene, cohorts: Sequence[Cohort], dt: float) -> None:
        self._dt = dt
        self._names = scene.part_names
        walks = {cohort.kind: cohort.terrain is not None for cohort in cohorts}
        made = {on_foot: SceneSolids(scene, on_foot) for on_foot in set(walks.values())}
        self._solids = {kind: made[on_foot] for kind, on_foot in walks.items()}

    def solids_of(self, kind: int) -> SceneSolids:
        """Return the solids for a kind of body."""
        return self._solids[kind]

    def findings(self, block: Block, touched: Bool) -> Iterator[Finding]:
        """Yield the findings of a block.

        Args:
            block: The block.
            touched: (N,) members that were in contact in it, at a frame or between frames.
        """
        for kind, body in enumerate(block.bodies):
            members = np.flatnonzero(block.body_of == kind)
            if len(members) == 0:
                continue
            solids = self._solids[kind]
            first = self._enclosed(block, solids, body, np.zeros_like(members), members)
            suspects = members[touched[members] | np.isin(members, first[1])]
            frames = np.repeat(np.arange(block.motions + 1), len(suspects))
            enclosed = self._enclosed(
                block, solids, body, frames, np.tile(suspects, block.motions + 1)
            )
            for row in zip(*(column.tolist() for column in enclosed), strict=True):
                yield self._finding(block, solids, *row)

    def _enclosed(
        self, block: Block, solids: SceneSolids, body: RigidMesh, frames: Index, members: Index
    ) -> tuple[Index, Index, Index, Bool]:
        """Return frame, member and part of what is found, and whether the part is in the body."""
        rotation, position = block.rotation[frames, members], block.position[frames, members]
        part = np.full(len(frames), -1)
        for anchor in body.pieces.points:
            rows = np.flatnonzero(part < 0)
            part[rows] = solids.around(position[rows] + rotation[rows] @ anchor)
        swallows = np.zeros(len(frames), np.bool_)
        near = solids.may_be_inside(position + rotation @ body.center, body.radius)
        for row in np.flatnonzero(near & (part < 0)).tolist():
            part[row] = solids.inside(body, rotation[row], position[row])
            swallows[row] = part[row] >= 0
        found = part >= 0
        return frames[found], members[found], part[found], swallows[found]

    def _finding(
        self, block: Block, solids: SceneSolids, frame: int, member: int, part: int, swallows: bool
    ) -> Finding:
        time, name = (block.first + frame) * self._dt, self._names[part]
        text = f"member {member} is inside `{name}`"
        depth = None
        if swallows:
            text = f"`{name}`, or a piece of it, is inside member {member}"
        else:
            depth = solids.depth(part, block.points(member, frame, 0.0))
        return Finding("inside", time, time, (member,), name, depth, text)


def swallowed(first: RigidMesh, second: RigidMesh, offset: Float, rotation: Float) -> bool:
    """Return whether a piece of one body is inside the other.

    Args:
        first: A body.
        second: Another one.
        offset: (3,) position of the second in the frame of the first [m].
        rotation: (3, 3) its rotation there.
    """
    theirs = second.pieces.points @ rotation.T + offset
    mine = (first.pieces.points - offset) @ rotation
    return bool(first.pieces.contains(theirs).any() or second.pieces.contains(mine).any())


def _points(pieces: Pieces, cosine: float) -> Float:
    """Return a point (P, 3) of each piece that has no face as level as ``cosine`` says."""
    level = np.zeros(pieces.count, np.bool_)
    level[pieces.piece[pieces.mesh.normals[:, 2] >= cosine]] = True
    return pieces.points[~level]


def _may_be_rooms(scene: Scene, row: int) -> bool:
    return not scene.roles_stated or scene.parts[row].role != "obstacle"
