"""The collision world of a long body that stays upright and turns: a row of capsules."""

from functools import cached_property
from typing import Literal

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh
from rmp3d.geometry.rotations import angle_between, rotate, slerp
from rmp3d.geometry.surface import CURB
from rmp3d.models import Body
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.world import CollisionWorld
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import rod

TOLERANCE = 0.01  # times the radius of the widest capsule
SHARE = 0.25  # of the tolerance, by which a capsule may leave its straight motion as it turns


class RowCollisionWorld:
    r"""Where a row of upright capsules may be, and which of its motions are proved free.

    A configuration is (7,): the reference point [m], and a unit quaternion about z, scalar first.
    In a motion the point goes straight and the heading turns at constant speed. A capsule at the
    offset f along the heading then leaves the straight line between its ends by at most
    :math:`f \theta^2 / 8` for a turn :math:`\theta`. Motions are cut until that is a quarter of
    the tolerance; the straight motions of the capsules are proved to keep half of it.

    Args:
        scene: See `CollisionWorld`.
        body: Its ``capsules`` make the row.
        backend: See `CollisionWorld`.
        tolerance: What comes as near as this [m] counts as in collision; None: a hundredth of the
            radius of the widest capsule.
        max_step: Highest step [m] that the body goes up and down.

    Attributes:
        worlds: Of the capsules, each of which only translates.
        forward: (K,) their offsets along the heading [m].
        reach: Largest distance [m] in plan of a point of the row from the reference point.
        counts: The work done so far, of all capsules.
    """

    flying = False

    def __init__(
        self,
        scene: Scene,
        body: Body,
        *,
        backend: Literal["auto", "fcl"] = "auto",
        tolerance: float | None = None,
        max_step: float = CURB,
    ) -> None:
        row = body.capsules
        self.scene, self.body, self.max_step = scene, body, max_step
        self.counts = QueryCounts()
        self.tolerance = TOLERANCE * float(row[:, 1].max()) if tolerance is None else tolerance
        self.forward = row[:, 0]
        self.reach = float((np.abs(row[:, 0]) + row[:, 1]).max())
        self.worlds = [
            CollisionWorld(
                scene, capsule_body(*each[1:]), backend=backend, tolerance=self.tolerance,
                max_step=max_step,
                offset=abs(each[0]), counts=self.counts,
            )
            for each in row.tolist()
        ]  # fmt: skip

    @cached_property
    def largest_turn(self) -> float:
        """The largest turn [rad] of a motion that is not cut."""
        lever = max(float(np.abs(self.forward).max()), 1e-3)
        return float(np.sqrt(8.0 * SHARE * self.tolerance / lever))

    def places(self, configurations: Float) -> Float:
        """Return the reference points (K, M, 3) of the capsules."""
        heading = rotate(configurations[:, 3:], np.array([1.0, 0.0, 0.0]))
        places: Float = configurations[None, :, :3] + self.forward[:, None, None] * heading
        return places

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) keep more than the tolerance from everything."""
        free = np.ones(len(configurations), np.bool_)
        for world, place in zip(self.worlds, self.places(configurations), strict=True):
            free[free] = world.is_free(place[free])
        return free

    def clearance(self, configurations: Float, cap: float = np.inf) -> Float:
        """Return the least clearance (M,) [m] of the capsules, at most ``cap``."""
        clearance, feet = np.full(len(configurations), cap), configurations[:, :3]
        for world, place in zip(self.worlds, self.places(configurations), strict=True):
            clearance = np.minimum(clearance, world.clearance(place, cap, feet=feet))
        return clearance

    def keeps(self, configurations: Float, least: Float) -> Bool:
        """Return which configurations (M, 7) have clearances of at least ``least`` (M,) [m]."""
        kept, feet = np.ones(len(configurations), np.bool_), configurations[:, :3]
        for world, place in zip(self.worlds, self.places(configurations), strict=True):
            rows = np.flatnonzero(kept)
            if len(rows) == 0:
                break
            # A clearance that is cut to the cap may be a rounding error less than it.
            cap = float(least[rows].max()) + self.tolerance
            kept[rows] = world.clearance(place[rows], cap, feet=feet[rows]) >= least[rows]
        return kept

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which motions start[i] -> end[i], (M, 7) each, are proved free."""
        first, last, motion = self._cut(start, end)
        free = np.ones(len(first), np.bool_)
        ends = self.places(first), self.places(last)
        for world, one, other in zip(self.worlds, *ends, strict=True):
            free[free] = world.motions_are_free(one[free], other[free])
        proved = np.ones(len(start), np.bool_)
        proved[motion[~free]] = False
        return proved

    def colliding_part(self, configuration: Float) -> str | None:
        """Return the part that a configuration (7,) collides with, or None."""
        for world, place in zip(self.worlds, self.places(configuration[None]), strict=True):
            part = world.colliding_part(place[0])
            if part is not None:
                return part
        return None

    def surfaces_of(self, part: str, over: float) -> list[TriangleMesh]:
        """Return what of a part the body must not touch; see `CollisionWorld.surfaces_of`."""
        return self.worlds[0].surfaces_of(part, over)

    def confirm(self, points: Float) -> None:
        """Let python-fcl judge every configuration and motion of an answer, points (K, 7).

        Raises:
            ConfirmationError: It finds a contact; the kernels and it disagree.
        """
        first, last, _ = self._cut(points[:-1], points[1:])
        dense = np.concatenate([first, last[-1:]]) if len(points) > 1 else points
        for world, place in zip(self.worlds, self.places(dense), strict=True):
            world.confirm(place)

    def _cut(self, start: Float, end: Float) -> tuple[Float, Float, Index]:
        """Return the ends (T, 7) of the parts of motions that turn little, and the motions (T,)."""
        turn = angle_between(start[:, 3:], end[:, 3:])
        parts = np.maximum(1, np.ceil(turn / self.largest_turn - 1e-9)).astype(np.intp)
        motion = np.repeat(np.arange(len(start)), parts)
        step = np.arange(len(motion)) - np.repeat(np.cumsum(parts) - parts, parts)
        ends = []
        for share in (step / parts[motion], (step + 1) / parts[motion]):
            place = start[motion, :3] + share[:, None] * (end[motion, :3] - start[motion, :3])
            ends.append(np.hstack([place, slerp(start[motion, 3:], end[motion, 3:], share)]))
        return ends[0], ends[1], motion


def capsule_body(radius: float, low: float, high: float) -> Body:
    """Return a body that is an upright capsule; its mesh is a rod along the axis."""
    top = high if high > low else low + 0.5 * radius
    return Body(rod((0.0, 0.0, low), (0.0, 0.0, top), 0.25 * radius, 3), radius, (low, high))
