"""Checks walkers against ground that they do not stand on: decks over their heads, edges.

Here, a walker is the upright capsule of its character. Let t be the tangent of the steepest slope
of the scene's ground. Ground that carries the feet is higher than the feet by at most t times the
distance in plan, plus a curb. A ball around a point h over the feet is above all such ground, with
a margin, if its radius is at most ``(h - curb) cos(slope) - margin``. The balls of this kind inside
the capsule form two rods: the widest one, and a line up from the feet. Ground that touches a rod is
inside the body.

A triangle can touch a rod only if its plane is higher over the feet than a curb. This sorts out the
ground under the feet, and all ground level with it; python-fcl tests the rest.

Where walkers go over steps higher than a curb, a curb is as high as such a step, the slope is the
steepest one that can be walked at least, and the faces of steps count as ground.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import fcl
import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.tree import build_tree
from rmp3d.models import Character
from rmp3d.scenes import Scene
from rmp3d.verification.advancement import TOLERANCE
from rmp3d.verification.blocks import Block
from rmp3d.verification.cohorts import Cohort
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.fixed_mesh import FixedMesh
from rmp3d.verification.ground_kernels import near_bodies
from rmp3d.verification.report import Finding
from rmp3d.verification.steps import LEAST_STEP, WalkerTerrain

CURB = 2e-3
"""Beyond an edge, ground may be higher than a step by this much [m], and a walker steps onto it."""
UNEVEN = 1e-3
"""Treads of a stair may be this much [m] higher than the highest step."""
SPARE = 2e-3
"""Distance [m] of rods from the ground under the feet; for radii above a meter, in proportion."""


class Rod(NamedTuple):
    """An upright capsule: radius, and heights of the ends of its axis over the feet [m]."""

    radius: float
    low: float
    high: float


class OverheadCheck:
    """Checks that no ground is inside the body of a walker, at frames and between them."""

    def __init__(self, scene: Scene, cohorts: Sequence[Cohort], dt: float) -> None:
        self._scene = scene
        self._dt = dt
        fixed: dict[int, FixedMesh] = {}
        self._walkers: list[tuple[Cohort, _Walker]] = []
        for cohort in cohorts:
            terrain = cohort.terrain
            if terrain is not None and terrain.ground is not None:
                ground = fixed.setdefault(id(terrain), FixedMesh(terrain.ground))
                walker = _Walker(terrain, cohort.character, ground)
                self._walkers.append((cohort, walker))

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the contacts of a block, for one kind of body after another."""
        log.add(self._findings(block))

    def _findings(self, block: Block) -> Iterator[Finding]:
        for cohort, walker in self._walkers:
            members = cohort.members
            feet = block.position[: block.motions + 1, members]
            after = feet[1:] if block.motions else feet
            for frame, row in np.argwhere(walker.doubts(feet[: len(after)], after)).tolist():
                moments = walker.contacts(feet[frame, row], after[frame, row])
                if moments is not None:
                    yield self._finding(block.first + frame, int(members[row]), *moments)

    def _finding(self, frame: int, member: int, share: float, part: int) -> Finding:
        time, name = (frame + share) * self._dt, self._scene.part_names[part]
        where = "between frames" if 0.0 < share < 1.0 else "in a frame"
        text = f"ground of `{name}` in the body of member {member}, {where}"
        return Finding("collision", time, time, (member,), name, None, text)


class _Walker:
    """One kind of walker, and the ground that its body could touch."""

    def __init__(self, terrain: WalkerTerrain, character: Character, ground: FixedMesh) -> None:
        assert terrain.ground is not None
        self._slope = terrain.slope
        self._step = terrain.step if terrain.step > LEAST_STEP else 0.0
        self._curb = (self._step + UNEVEN if self._step else LEAST_STEP) + CURB
        self._tree = build_tree(terrain.ground)
        self._part_of = terrain.ground_part
        self._radius = character.body.radius + SPARE
        self._top = character.body.capsule_axis[1] + character.body.radius
        self.rods = rods(character, self._slope, self._curb)
        self._ground = ground

    def doubts(self, start: Float, end: Float) -> Bool:
        """Return in which motions (B, n), given as (B, n, 3), a triangle could touch the body."""
        tree = self._tree
        found = np.empty(start.shape[:2], np.bool_)
        near_bodies(
            tree.boxes, tree.ranges, tree.triangles, tree.first_leaf,
            np.ascontiguousarray(start.reshape(-1, 3)), np.ascontiguousarray(end.reshape(-1, 3)),
            self._radius, self._curb, self._top, found.reshape(-1),
        )  # fmt: skip
        return found

    def contacts(self, start: Float, end: Float) -> tuple[float, int] | None:
        """Return the share of a motion at which the body touches ground, and the part, or None.

        At the frames, the rods have their full length. Between two frames, the surface may be
        higher or lower than the straight line, by half its length in plan times the slope, and by a
        step that is higher than a curb; rods are shorter by that at both ends.
        """
        sag = 0.5 * self._slope * float(np.hypot(*(end - start)[:2])) + self._step
        for rod in self.rods:
            for share, place in ((0.0, start), (1.0, end)):
                face = self._touched(place, rod, 0.0)
                if face >= 0:
                    return share, int(self._part_of[face])
            low, high = rod.low + sag, rod.high - sag
            found = self._between(start, end, rod._replace(low=low, high=high))
            if low <= high and found is not None:
                return found
        return None

    def _between(self, start: Float, end: Float, rod: Rod) -> tuple[float, int] | None:
        pieces = [(0.0, 1.0)]
        travel = float(np.linalg.norm(end - start))
        while pieces:
            first, last = pieces.pop()
            share, half = 0.5 * (first + last), 0.5 * (last - first) * travel
            place = start + share * (end - start)
            if self._touched(place, rod, half) < 0:
                continue
            face = self._touched(place, rod, 0.0)
            if face >= 0:
                return share, int(self._part_of[face])
            if half >= TOLERANCE:
                pieces += [(share, last), (first, share)]
        return None

    def _touched(self, feet: Float, rod: Rod, more: float) -> int:
        """Return a triangle that touches a rod thickened by ``more`` [m], or -1."""
        radius, length = rod.radius + more + TOLERANCE, rod.high - rod.low
        shape = fcl.Capsule(radius, length)
        place = feet + np.array([0.0, 0.0, 0.5 * (rod.low + rod.high)])
        reach = radius + np.array([0.0, 0.0, 0.5 * abs(length)])
        ground, rows = self._ground.within(place - reach, place + reach)
        if ground is None:
            return -1
        request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)
        result = fcl.CollisionResult()
        body = fcl.CollisionObject(shape, fcl.Transform(place))
        if fcl.collide(body, ground, request, result) == 0:
            return -1
        return int(rows[max(result.contacts[0].b1, result.contacts[0].b2)])


def rods(character: Character, slope: float, curb: float) -> tuple[Rod, Rod]:
    """Return the two rods in a standing character; the ground under its feet never touches them.

    Args:
        character: Stands upright.
        slope: Tangent of the steepest slope of the ground.
        curb: Height [m] of ground beyond an edge that it can step onto.
    """
    body = character.body
    cosine, top = float(np.cos(np.arctan(slope))), body.capsule_axis[1] + body.radius
    spare = SPARE * max(1.0, body.radius)
    # The line begins at the height h where (h - curb) cos = spare; it ends at the top at least.
    begin = min(curb + spare / cosine, top)
    # A ball of radius w under the top has its middle at top - w: (top - w - begin) cos = w.
    width = min(body.radius, (top - begin) * cosine / (1.0 + cosine))
    low = max(begin + width / cosine, body.capsule_axis[0] - body.radius + width)
    line = max(begin, body.capsule_axis[0] - body.radius)
    return Rod(width, min(low, top - width), top - width), Rod(0.0, line, top)
