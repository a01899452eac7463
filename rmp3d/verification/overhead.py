"""Checks walkers against ground that they do not stand on: decks over their heads, edges.

Here, a walker is the upright capsule of its character. Let t be the tangent of the steepest slope
of the scene's ground. Ground that carries the feet is higher than the feet by at most t times the
distance in plan, plus a curb. A ball around a point h over the feet is above all such ground, with
a margin, if its radius is at most ``(h - curb) cos(slope) - margin``. The balls of this kind inside
the capsule form two rods: the widest one, and a line up from the feet. Ground that touches a rod is
inside the body.

A triangle can touch a rod only if its plane is higher over the feet than a curb. This sorts out the
ground under the feet, and all ground level with it, for all moments at once; python-fcl tests the
rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

import fcl
import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.models import Character
from rmp3d.scenes import Scene
from rmp3d.verification.advancement import TOLERANCE
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.report import Finding

CURB = 0.022
"""Beyond an edge, ground may be this much higher [m], and a walker can step onto it."""
SPARE = 2e-3
"""Distance [m] of rods from the ground under the feet; for radii above a meter, in proportion."""
PAIRS = 4_000_000
"""Largest number of motions times triangles that are tested together, to limit memory."""


class Rod(NamedTuple):
    """An upright capsule: radius, and heights of the ends of its axis over the feet [m]."""

    radius: float
    low: float
    high: float


class OverheadCheck:
    """Checks that no ground is inside the body of a walker, at frames and between them."""

    def __init__(self, scene: Scene, characters: tuple[Character, ...], dt: float) -> None:
        self._scene = scene
        self._dt = dt
        self._walkers: dict[int, _Walker] = {}
        walkable = scene.walkable
        if walkable is not None:
            for kind, character in enumerate(characters):
                if character.grounded:
                    self._walkers[kind] = _Walker(scene, character)

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the contacts of a block, for one kind of body after another."""
        for kind, walker in self._walkers.items():
            members = np.flatnonzero(block.body_of == kind)
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

    def __init__(self, scene: Scene, character: Character) -> None:
        mesh = scene.walkable
        assert mesh is not None
        normal = mesh.normals
        self._gradient = -normal[:, :2] / normal[:, 2:]
        self._slope = float(np.hypot(*self._gradient.T).max())
        self._corners = mesh.triangles
        self._lower, self._upper = self._corners.min(axis=1), self._corners.max(axis=1)
        self._part_of = scene.walkable_part
        self._radius = character.body.radius
        self._top = character.body.capsule_axis[1] + character.body.radius
        self.rods = rods(character, self._slope)
        self._ground = RigidMesh(mesh).placed(np.eye(3), np.zeros(3))

    def doubts(self, start: Float, end: Float) -> Bool:
        """Return in which motions (B, n), given as (B, n, 3), a triangle could touch the body."""
        shape = start.shape[:2]
        start, end = start.reshape(-1, 3), end.reshape(-1, 3)
        found = np.zeros(len(start), np.bool_)
        size = max(1, PAIRS // len(self._lower))
        for first in range(0, len(start), size):
            rows = slice(first, first + size)
            found[rows] = self._near(start[rows], end[rows])
        return found.reshape(shape)

    def _near(self, start: Float, end: Float) -> Bool:
        """Return in which motions (M,) a triangle is near and high enough to touch the body."""
        low, high = np.minimum(start, end), np.maximum(start, end)
        near = self._upper[:, 2] >= low[:, 2, None] + CURB
        near &= self._lower[:, 2] <= high[:, 2, None] + self._top
        for axis in range(2):
            near &= self._lower[:, axis] <= high[:, axis, None] + self._radius + SPARE
            near &= self._upper[:, axis] >= low[:, axis, None] - self._radius - SPARE
        motion, face = np.nonzero(near)
        found = np.zeros(len(start), np.bool_)
        for feet in (start[motion], end[motion]):
            ahead = self._corners[face, 0] - feet
            over = ahead[:, 2] - np.einsum("pi,pi->p", self._gradient[face], ahead[:, :2])
            found[motion[over > CURB]] = True
        return found

    def contacts(self, start: Float, end: Float) -> tuple[float, int] | None:
        """Return the share of a motion at which the body touches ground, and the part, or None.

        At the frames, the rods have their full length. Between two frames, the surface may be
        higher or lower than the straight line, by half its length in plan times the slope; rods are
        shorter by that at both ends.
        """
        sag = 0.5 * self._slope * float(np.hypot(*(end - start)[:2]))
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
        shape = fcl.Capsule(rod.radius + more + TOLERANCE, rod.high - rod.low)
        place = feet + np.array([0.0, 0.0, 0.5 * (rod.low + rod.high)])
        request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)
        result = fcl.CollisionResult()
        body = fcl.CollisionObject(shape, fcl.Transform(place))
        if fcl.collide(body, self._ground, request, result) == 0:
            return -1
        return max(result.contacts[0].b1, result.contacts[0].b2)


def rods(character: Character, slope: float) -> tuple[Rod, Rod]:
    """Return the two rods in a standing character; the ground under its feet never touches them.

    Args:
        character: Stands upright.
        slope: Tangent of the steepest slope of the ground.
    """
    body = character.body
    cosine, top = float(np.cos(np.arctan(slope))), body.capsule_axis[1] + body.radius
    spare = SPARE * max(1.0, body.radius)
    # The line begins at the height h where (h - curb) cos = spare; it ends at the top at least.
    begin = min(CURB + spare / cosine, top)
    # A ball of radius w under the top has its middle at top - w: (top - w - begin) cos = w.
    width = min(body.radius, (top - begin) * cosine / (1.0 + cosine))
    low = max(begin + width / cosine, body.capsule_axis[0] - body.radius + width)
    line = max(begin, body.capsule_axis[0] - body.radius)
    return Rod(width, min(low, top - width), top - width), Rod(0.0, line, top)
