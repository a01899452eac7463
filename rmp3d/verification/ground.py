"""Walkers stay on the ground: their feet at frames, and their straight ways between frames."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.tree import build_tree
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.cohorts import Cohort
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.ground_kernels import FOUND, NO_GROUND, follow
from rmp3d.verification.riding import Riders
from rmp3d.verification.steps import LEAST_STEP

GROUND_TOLERANCE = 0.01
"""Largest distance [m] between the feet of a walker and the ground."""
HOP = 4e-3
"""By how much [m] the height of feet over their ground may change from one frame to the next."""
CRACK = 2.5e-3
"""Ground goes on across a crack of twice this width [m]."""
STEP_SLACK = 4e-3
"""A step may be this much [m] higher than `max_step`, because of cracks on slopes and rounding."""
WADES = 0.022
"""Other ground lies at most so high [m] above the feet, or higher than a step."""
SAG = 0.04
"""Between frames, the ground may be this far [m] from the straight line, besides what a change of
slope and a step make."""


class GroundCheck:
    """Checks that feet are on the walkable surface, and that each motion follows it.

    In every frame, the feet are within `GROUND_TOLERANCE` of the surface, and from one to the next
    their height over it changes by at most `HOP`: else a walker could tremble up and down. Between
    two frames, the straight way in plan is cut exactly at the borders of the triangles that lie
    under it. It must lead from the first foothold to the second, over triangles that meet, or
    overlap in plan at heights that differ by at most the walker's step. So a chasm, a slit wider
    than a crack, a step that is too high, and a jump to another level are found however fast a
    member moves.

    No other ground lies straight above the feet, by up to the walker's step: else it would wade in
    a platform, whose side is no obstacle to it, and whose top is too low to be in its way.

    Who rides on a part that carries is on ground; see `rmp3d.verification.riding`.

    The surface must also stay near the straight line that the body moves on: the line may cut off a
    step and one change of slope, between the slopes at both ends.
    """

    def __init__(
        self, scene: Scene, cohorts: Sequence[Cohort], dt: float, riders: Riders | None = None
    ) -> None:
        self._dt, self._riders = dt, riders
        self._cohorts = [cohort for cohort in cohorts if cohort.terrain is not None]
        self._mesh = scene.walkable
        self._query = MeshQuery(scene.walkable) if self._cohorts and scene.walkable else None
        still = np.array([part.motion is None for part in scene.parts])[scene.walkable_part]
        self._fixed = None
        if self._mesh is not None:
            if still.any() and any(_climbs(cohort) for cohort in self._cohorts):
                self._fixed = MeshQuery(self._mesh.select(np.flatnonzero(still)))
            normal = self._mesh.normals
            self._gradient = -normal[:, :2] / normal[:, 2:]

    def check(self, block: Block, log: FindingLog) -> None:
        """Mark the frames off the ground, and the motions that do not follow it."""
        for cohort in self._cohorts:
            members = cohort.members
            feet = block.position[: block.motions + 1, members]
            off = np.full(feet.shape[:2], np.inf)
            over = np.zeros(feet.shape[:2])
            face = np.zeros(feet.shape[:2], np.intp)
            if self._query is not None:
                distance, point, nearest = self._query.closest_point(feet.reshape(-1, 3))
                off, face = distance.reshape(off.shape), nearest.reshape(off.shape)
                over = feet[..., 2] - point[:, 2].reshape(off.shape)
            stands = off <= GROUND_TOLERANCE
            if self._riders is not None and self._riders.parts:
                rides = self._riders.all(block)[0][:, members]
                off, stands = np.where(rides, 0.0, off), stands & ~rides
            self._mark_off(block, log, members, off)
            self._mark_hops(block, log, members, np.abs(np.diff(over, axis=0)), stands)
            if self._fixed is not None and _climbs(cohort):
                self._mark_wading(block, log, cohort, feet, stands)
            if self._query is not None and block.motions:
                self._follow(block, log, cohort, feet, face, off)

    def _mark_off(self, block: Block, log: FindingLog, members: Index, off: Float) -> None:
        log.mark(
            "off_ground", off > GROUND_TOLERANCE, first=block.first, members=members, depth=off,
            text=lambda frame, row: (
                f"member {members[row]} is {off[frame, row]:.3g} m off the ground"
            ),
        )  # fmt: skip

    def _mark_hops(
        self, block: Block, log: FindingLog, members: Index, hop: Float, stands: Bool
    ) -> None:
        """Mark motions in which feet change their height over the ground, by ``hop`` (T, n) [m].

        ``stands`` (T + 1, n) says whether feet are on the ground, and on no part that carries.
        """
        log.mark(
            "off_ground", (hop > HOP) & stands[1:] & stands[:-1], first=block.first,
            members=members, depth=hop, lasts=1,
            text=lambda frame, row: (
                f"member {members[row]} hops by {hop[frame, row]:.3g} m over its ground"
            ),
        )  # fmt: skip

    def _mark_wading(
        self, block: Block, log: FindingLog, cohort: Cohort, feet: Float, stands: Bool
    ) -> None:
        """Mark frames in which ground is over the feet (T, n, 3), by no more than a step."""
        assert self._fixed is not None
        assert cohort.terrain is not None
        members, reach = cohort.members, cohort.terrain.step - WADES
        start = feet.reshape(-1, 3) + np.array([0.0, 0.0, WADES])
        height, face = self._fixed.cast_ray(start, np.array([0.0, 0.0, 1.0]), reach)
        over = (face >= 0).reshape(stands.shape) & stands
        depth = np.where(over, height.reshape(stands.shape) + WADES, 0.0)
        log.mark(
            "off_ground", over & block.there[: len(over), members], first=block.first,
            members=members, depth=depth,
            text=lambda frame, row: (
                f"member {members[row]} wades: other ground is {depth[frame, row]:.3g} m over its "
                "feet"
            ),
        )  # fmt: skip

    def _follow(
        self,
        block: Block,
        log: FindingLog,
        cohort: Cohort,
        feet: Float,
        face: Index,
        off: Float,
    ) -> None:
        """Mark the motions whose way in plan is not over ground.

        Those that begin and end on one triangle are over ground. Those that begin or end off the
        ground are marked for that.
        """
        assert self._mesh is not None
        assert cohort.terrain is not None
        stands = off <= GROUND_TOLERANCE
        doubtful = (face[1:] != face[:-1]) & stands[1:] & stands[:-1]
        if self._riders is not None and self._riders.parts:
            doubtful &= ~self._riders.all(block)[1][:, cohort.members]
        motion, row = np.nonzero(doubtful)
        if len(motion) == 0:
            return
        start, end = feet[motion, row], feet[motion + 1, row]
        step = cohort.terrain.step + STEP_SLACK
        change = self._gradient[face[motion + 1, row]] - self._gradient[face[motion, row]]
        band = SAG + step + 0.25 * np.abs(np.einsum("mi,mi->m", change, (end - start)[:, :2]))
        verdict = np.empty(len(motion), np.intp)
        tree = build_tree(self._mesh)
        follow(
            tree.boxes, tree.ranges, tree.triangles, tree.first_leaf,
            np.ascontiguousarray(start), np.ascontiguousarray(end),
            CRACK, step, band, GROUND_TOLERANCE, verdict,
        )  # fmt: skip
        whole = np.full(doubtful.shape, FOUND)
        whole[motion, row] = verdict
        members, lost = cohort.members, whole == NO_GROUND
        log.mark(
            "off_ground", lost, first=block.first, members=members, lasts=1,
            text=lambda _, row: f"member {members[row]} crosses a gap in the ground",
        )  # fmt: skip
        climb = np.abs(np.diff(feet[..., 2], axis=0))
        way = length(np.diff(feet[..., :2], axis=0))
        log.mark(
            "level_jump", (whole != FOUND) & ~lost, first=block.first, members=members,
            depth=climb, lasts=1,
            text=lambda frame, row: (
                f"member {members[row]} changes height by {climb[frame, row]:.3g} m on "
                f"{way[frame, row]:.3g} m, and no ground leads there over steps of "
                f"{cohort.max_step:g} m"
            ),
        )  # fmt: skip


def _climbs(cohort: Cohort) -> bool:
    """Return whether walkers go over steps in the scene."""
    return cohort.terrain is not None and cohort.terrain.step > LEAST_STEP
