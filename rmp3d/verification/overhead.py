"""Checks walkers against ground that they do not stand on: decks over their heads, edges.

Here, a walker is the upright capsule of its character, or a row of them along its heading. Let t be
the tangent of the steepest slope of the scene's ground. Ground that carries the feet is higher than
the feet by at most t times the distance in plan, plus a curb. A ball around a point h over the feet
is above all such ground, with a margin, if its radius is at most ``(h - curb) cos(slope) -
margin``. The balls of this kind inside the capsule form two rods: the widest one, and a line up
from the feet. Ground that touches a rod is inside the body.

Under a capsule of a row, the feet are at its offset; ground there is higher by t times the offset.

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
from rmp3d.geometry.vectors import unit
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
PLAN = np.array([1.0, 1.0, 0.0])
SPARE = 2e-3
"""Distance [m] of rods from the ground under the feet; for radii above a meter, in proportion."""


class Rod(NamedTuple):
    """An upright capsule: radius, heights of the axis's ends over the feet, offset ahead [m]."""

    radius: float
    low: float
    high: float
    ahead: float = 0.0


class Way(NamedTuple):
    """A motion: feet (3,) [m] and unit headings in plan (3,), before and after."""

    start: Float
    end: Float
    before: Float
    after: Float

    def place(self, share: float, ahead: float) -> Float:
        """Return the point (3,) under a rod at a share of the motion."""
        heading = unit(self.before + share * (self.after - self.before))
        place: Float = self.start + share * (self.end - self.start) + ahead * heading
        return place

    def travel(self, ahead: float) -> float:
        """Return how far [m] a rod moves at most."""
        turn = float(np.linalg.norm(self.after - self.before))
        return float(np.linalg.norm(self.end - self.start)) + 1.2 * abs(ahead) * turn


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
            doubtful = np.argwhere(walker.doubts(feet[: len(after)], after)).tolist()
            heading = unit(block.rotation[..., 0][:, members] * PLAN) if doubtful else feet
            for frame, row in doubtful:
                last = min(frame + 1, block.motions)
                moments = walker.contacts(
                    Way(
                        feet[frame, row], after[frame, row], heading[frame, row], heading[last, row]
                    )
                )
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
        row = character.body.capsules
        self._radius = float((np.abs(row[:, 0]) + row[:, 1]).max()) + SPARE
        self._top = float((row[:, 3] + row[:, 1]).max())
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

    def contacts(self, way: Way) -> tuple[float, int] | None:
        """Return the share of a motion at which the body touches ground, and the part, or None.

        At the frames, the rods have their full length. Between two frames, the surface may be
        higher or lower than the straight line, by half its length in plan times the slope, and by a
        step that is higher than a curb; rods are shorter by that at both ends.
        """
        found = [moment for rod in self.rods if (moment := self._contact(way, rod)) is not None]
        return min(found, default=None)

    def _contact(self, way: Way, rod: Rod) -> tuple[float, int] | None:
        sag = 0.5 * self._slope * float(np.hypot(*(way.end - way.start)[:2])) + self._step
        for share in (0.0, 1.0):
            face = self._touched(way.place(share, rod.ahead), rod, 0.0)
            if face >= 0:
                return share, int(self._part_of[face])
        low, high = rod.low + sag, rod.high - sag
        return self._between(way, rod._replace(low=low, high=high)) if low <= high else None

    def _between(self, way: Way, rod: Rod) -> tuple[float, int] | None:
        pieces = [(0.0, 1.0)]
        travel = way.travel(rod.ahead)
        while pieces:
            first, last = pieces.pop()
            share, half = 0.5 * (first + last), 0.5 * (last - first) * travel
            place = way.place(share, rod.ahead)
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


def rods(character: Character, slope: float, curb: float) -> tuple[Rod, ...]:
    """Return two rods in each capsule of a standing character; what carries it touches none.

    Args:
        character: Stands upright.
        slope: Tangent of the steepest slope of the ground.
        curb: Height [m] of ground beyond an edge that it can step onto.
    """
    found: list[Rod] = []
    for ahead, radius, low, high in character.body.capsules.tolist():
        found += _rods(radius, low, high, slope, curb + slope * abs(ahead), ahead)
    return tuple(found)


def _rods(
    radius: float, low: float, high: float, slope: float, curb: float, ahead: float
) -> tuple[Rod, Rod]:
    cosine, top = float(np.cos(np.arctan(slope))), high + radius
    spare = SPARE * max(1.0, radius)
    # The line begins at the height h where (h - curb) cos = spare; it ends at the top at least.
    begin = min(curb + spare / cosine, top)
    # A ball of radius w under the top has its middle at top - w: (top - w - begin) cos = w.
    width = min(radius, (top - begin) * cosine / (1.0 + cosine))
    bottom = max(begin + width / cosine, low - radius + width)
    line = max(begin, low - radius)
    wide = Rod(width, min(bottom, top - width), top - width, ahead)
    return wide, Rod(0.0, line, top, ahead)
