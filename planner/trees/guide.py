"""What guides the search: shrunk bodies, and tight places of the body itself."""

import numpy as np

from rmp3d.geometry import Float, TriangleMesh
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.guiding_way import GuidingWay
from rmp3d.planner.trees.shrunk import ShrunkBody
from rmp3d.planner.trees.thinner import inward_shift
from rmp3d.planner.trees.tight_places import TightPlaces

# What bodies lack of the size, one after the other; and of the thickness.
SMALLER: tuple[float, ...] = (0.6, 0.4, 0.2, 0.1, 0.0)
THINNER: tuple[float, ...] = (0.8, 0.6, 0.4, 0.2, 0.1, 0.0)
# Work for shrunk bodies, and for tight places, for one of the search itself.
SHRUNK_SHARE, TIGHT_SHARE = 0.5, 1.0


class Guide:
    """Finds paths of shrunk bodies, in two ways that take turns, and passages at tight places.

    A smaller body has the same shape. A thinner one has the same reach: it stays hanging in what
    the body hangs in, and a thread stays a thread. There is one if the body's mesh is closed.
    Tight places are looked for where body and obstacles have gaps.

    Args:
        space: Of the body itself.
        start: (7,), free.
        goal: (7,), free.
        rng: Source of randomness.

    Attributes:
        path: (G, 7) configurations along a path of a shrunk body, the one found last; may be empty.
        answer: (K, 7) a path of the body itself, once there is one; else empty.
    """

    def __init__(
        self, space: RigidBodySpace, start: Float, goal: Float, rng: np.random.Generator
    ) -> None:
        self.path = np.zeros((0, 7))
        self.answer = np.zeros((0, 7))
        ends = np.stack([start, goal])
        robot = space.world.problem.robot
        shift = inward_shift(robot)

        def smaller(lack: float) -> RigidBodySpace:
            return space.resized(1.0 - lack)

        def thinner(lack: float) -> RigidBodySpace:
            if shift is None or lack == 0.0:
                return smaller(lack)
            return space.with_body(TriangleMesh(robot.vertices + lack * shift, robot.faces))

        self._shrunk = [ShrunkBody(space, ends, smaller, SMALLER, rng, thinner)]
        self._tight: TightPlaces | None = None
        if shift is not None:
            self._shrunk.append(ShrunkBody(space, ends, thinner, THINNER, rng, thinner))
            half = float(np.median(np.linalg.norm(shift, axis=1)))
            self._tight = TightPlaces(space, ends, thinner, half, rng)

    @property
    def share(self) -> float:
        """Work for it, for one of the search itself."""
        return SHRUNK_SHARE + TIGHT_SHARE * (self._tight is not None and not self._tight.is_done)

    @property
    def spent(self) -> float:
        """Work so far, in motion queries."""
        return sum(way.spent for way in self._ways)

    @property
    def _ways(self) -> list[GuidingWay]:
        return [*self._shrunk, *([] if self._tight is None else [self._tight])]

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return len(self.answer) > 0 or all(way.is_done for way in self._ways)

    def advance(self) -> None:
        """Go on for one turn with the way that has had the least of its share."""
        ways = [each for each in self._ways if not each.is_done]
        way = min(ways, key=lambda each: each.spent / self._share_of(each))
        before = way.path
        way.advance()
        if way.path is not before:
            self.path = way.path
        self.answer = way.answer

    def _share_of(self, way: GuidingWay) -> float:
        return TIGHT_SHARE if way is self._tight else SHRUNK_SHARE / len(self._shrunk)
