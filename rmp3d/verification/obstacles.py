"""Members against the scene."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Scene
from rmp3d.verification.advancement import ROUNDING, Allowance, MovingPair, check_motions
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import gap
from rmp3d.verification.cohorts import Cohort
from rmp3d.verification.crossing import NearFaces, crossing
from rmp3d.verification.enclosures import EnclosureCheck
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.fixed_mesh import FixedMesh
from rmp3d.verification.report import Finding

SWEEP = 1e-6
"""Clearance [m] that a proof of a capsule's motion leaves, at most."""
DEPTHS = 8
"""Contacts of a member in frames, or between them, of which one depth is measured."""


class _Obstacles(NamedTuple):
    """Triangles that some members must not touch: for python-fcl, for queries, and their parts."""

    mesh: TriangleMesh
    fixed: FixedMesh
    query: MeshQuery
    near: NearFaces
    part: Index


class ObstacleCheck:
    """Checks every motion of every member: it touches no obstacle, and is inside none.

    Most motions are proved by upright capsules around the bodies. The rest is proved or refuted by
    python-fcl, mesh against mesh.

    Attributes:
        nearest: Smallest clearance [m] at a frame so far; infinite without obstacles.
    """

    def __init__(self, scene: Scene, cohorts: Sequence[Cohort], dt: float) -> None:
        self.nearest = np.inf
        self._dt = dt
        self._scene = scene
        self._allowance = Allowance()
        self._enclosures = EnclosureCheck(scene, cohorts, dt)
        made: dict[int, _Obstacles | None] = {}
        self._obstacles: list[tuple[Cohort, _Obstacles]] = []
        for cohort in cohorts:
            terrain = cohort.terrain
            if id(terrain) not in made:
                own = terrain and (terrain.obstacles, terrain.obstacle_part)
                made[id(terrain)] = _prepared(*(own or scene.flying_obstacles))
            obstacles = made[id(terrain)]
            if obstacles is not None and len(cohort.members):
                self._obstacles.append((cohort, obstacles))

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the contacts of a block, and what is inside something else."""
        touched = np.zeros(block.position.shape[1], np.bool_)
        for cohort, obstacles in self._obstacles:
            bound, free = self._by_capsules(block, cohort, obstacles)
            near = np.flatnonzero((bound < self.nearest).any(axis=0) | ~free.all(axis=0))
            for row in near[np.argsort(bound[:, near].min(axis=0), kind="stable")].tolist():
                member = int(cohort.members[row])
                own = bound[:, row]
                clear = free[:, row] & (own[:-1] >= self.nearest) & (own[1:] >= self.nearest)
                if clear.all() and own.min() >= self.nearest:
                    continue
                found = list(self._contacts(block, member, obstacles, clear, free[:, row]))
                touched[member] = bool(found)
                log.add(found)
        log.add(self._enclosures.findings(block, touched))

    def _by_capsules(
        self, block: Block, cohort: Cohort, obstacles: _Obstacles
    ) -> tuple[Float, Bool]:
        """Return lower bounds (B + 1, n) of clearances [m], and which motions (B, n) are free."""
        members, capsule = cohort.members, block.bodies[cohort.kind].capsule
        position = block.position[: block.motions + 1, members]
        radius = block.capsules.radius[:, members]
        moved = length(np.diff(position, axis=0))
        axis = capsule.low, capsule.high
        most = float(moved.max(initial=0.0)) + self.nearest
        query, points = obstacles.query, position.reshape(-1, 3)
        distance, _ = query.capsule_clearance(points, axis, 0.0, most + float(radius.max()))
        bound = distance.reshape(radius.shape) - radius
        if not np.isfinite(self.nearest):
            frame, least = divmod(int(bound.argmin()), len(members))
            body = block.body(int(members[least]))
            pose = block.pose(int(members[least]), frame, 0.0)
            self.nearest = gap(body.placed(*pose), obstacles.fixed.placed)[0]
        free = bound[:-1] + bound[1:] > moved + 2.0 * ROUNDING
        motion, row = np.nonzero(~free & (bound[:-1] > SWEEP) & (bound[1:] > SWEEP))
        if len(motion):
            thickest = float(np.maximum(radius[motion, row], radius[motion + 1, row]).max())
            start, end = position[motion, row], position[motion + 1, row]
            free[motion, row] = query.sweep_capsule(start, end, axis, thickest, SWEEP)[0]
        return bound, free

    def _contacts(
        self, block: Block, member: int, obstacles: _Obstacles, clear: Bool, free: Bool
    ) -> Iterator[Finding]:
        body = block.body(member)

        def measure(frame: int, share: float) -> tuple[float, int]:
            return gap(body.placed(*block.pose(member, frame, share)), obstacles.fixed.placed)

        def cross(frame: int, start: float, end: float) -> int:
            before, after = (block.triangles(member, frame, share) for share in (start, end))
            corners = np.concatenate([before, after]).reshape(-1, 3)
            faces = obstacles.near.within(corners.min(axis=0), corners.max(axis=0))
            others = obstacles.mesh.triangles[faces]
            row = crossing(before, after, others, others)
            return int(faces[row]) if row >= 0 else -1

        motions = MovingPair(block.travel[:, member], measure, cross, self._allowance, free)
        track = check_motions(motions, self.nearest, clear if block.motions else None)
        self.nearest = track.nearest
        seen = [0, 0]  # contacts in frames, and between
        for frame, share, face in track.contacts:
            measured = seen[share > 0.0] % DEPTHS == 0
            seen[share > 0.0] += 1
            part = int(obstacles.part[face])
            yield self._collision(block, member, frame, share, part, measured)
        for frame, share, least in track.unproved:
            time = (block.first + frame + share) * self._dt
            text = (
                f"member {member} comes to {1e6 * least:.3g} micrometers of the scene on a motion "
                f"of {block.travel[frame, member]:.3g} m: not proved free"
            )
            yield Finding("unproved", time, time, (member,), None, None, text)

    def _collision(
        self, block: Block, member: int, frame: int, share: float, part: int, measured: bool
    ) -> Finding:
        time = (block.first + frame + share) * self._dt
        name = self._scene.part_names[part]
        depth = None
        if measured:
            solids = self._enclosures.solids_of(int(block.body_of[member]))
            depth = solids.depth(part, block.points(member, frame, share))
        between = "between frames" if share else "in a frame"
        text = f"member {member} in `{name}`, {between}"
        return Finding("collision", time, time, (member,), name, depth, text)


def _prepared(mesh: TriangleMesh | None, part: Index) -> _Obstacles | None:
    if mesh is None:
        return None
    return _Obstacles(mesh, FixedMesh(mesh), MeshQuery(mesh), NearFaces(mesh), part)
