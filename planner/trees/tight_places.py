"""Tight places of the body itself, found before any path: gaps of body and obstacles meet there.

Where two bodies with gaps hang in one another, as the two tubes of the alpha puzzle, the only way
out leads through a place where a gap of the one is in a gap of the other. Nothing leads there: a
tree that grows from the start does not find it, and a path of a thinner body takes another way. But
it is known about where that place is: the middles of both gaps are near each other. What is left to
guess is the orientation (Zhang, Belfer, Kry and Vouga 2020, "C-space tunnel discovery for puzzle
path planning", choose such configurations by features, too).

So configurations are drawn at which two gaps meet. A body that lacks a tenth of its thickness is
moved to the middle there, then a thicker one, then the body itself. Only those count that stay
tight. Each passage is followed both ways to where it opens; from there, searches join it to start
and goal (`Joining`).
"""

from collections.abc import Generator, Sequence

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.rotations import rotate, uniform_rotations
from rmp3d.geometry.vectors import unit
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.trees.centering import CHUNK, centered
from rmp3d.planner.trees.following import followed
from rmp3d.planner.trees.guiding_way import GuidingWay
from rmp3d.planner.trees.joining import Joining
from rmp3d.planner.trees.mesh_gaps import Gaps, gaps_of
from rmp3d.planner.trees.passages import Body
from rmp3d.planner.trees.sliding import twist_between
from rmp3d.planner.trees.turns import Turns

DRAWN = 4000  # configurations at a time
AROUND = 0.5  # how far apart the middles of two gaps are at most, times their mean width
LACKING = (0.1, 0.05, 0.0)  # of the thickness, by bodies that are moved to the middle
TIGHT = 0.02  # greatest gap of what counts, times the reach; more for a body that lacks some
DISTINCT = 0.1  # from a passage that is known, times the reach
SHORTEST = 0.3  # passage, times the reach
TURNS = 2  # in which a passage is followed each way: it is short
LINKS = 6  # searches after each passage, and after configurations without one
DRAW_WORK = 0.06  # of testing one configuration, in motion queries (profile)


class TightPlaces(GuidingWay):
    """Finds places where gaps meet, follows the passages there, and joins them to a path.

    Where body or obstacles have no gap, or the body does not turn freely, it is done at once.

    Args:
        whole: Space of the body itself.
        ends: (2, 7) start and goal, free.
        body: Returns the space of a body that lacks a share of its thickness.
        thickness: Half of the body's [m].
        rng: Source of randomness.
    """

    def __init__(
        self, whole: RigidBodySpace, ends: Float, body: Body, thickness: float,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        # Of its own: what is drawn here leaves the other draws as they are.
        super().__init__(whole, rng.spawn(1)[0])
        self._body, self._thickness = body, thickness
        self._joining = Joining(whole, ends, self._searched)
        self._known = np.zeros((0, 7))
        self.is_done = whole.kind != "rigid"

    def _all(self) -> Generator[None, None, None]:
        """Draw, follow and join, until there is a path; nothing where there are no gaps."""
        problem, reach = self._whole.world.problem, self._whole.reach
        own = gaps_of(problem.robot, reach, self._rng)
        if len(own.width) == 0 or problem.obstacles is None:
            return
        others = gaps_of(problem.obstacles, reach, self._rng)
        if len(others.width) == 0:
            return
        bodies = [self._body(lack) for lack in LACKING]
        while len(self.answer) == 0:
            for place in (yield from self._places(self._drawn(own, others), bodies)):
                passage = yield from self._passage(place)
                if len(passage):
                    self._joining.add(passage)
                    self.answer = yield from self._joining.advance(LINKS)
                    if len(self.answer):
                        break
            else:
                self.answer = yield from self._joining.advance(LINKS)
            yield
        self.path = self.answer

    def _drawn(self, own: Gaps, others: Gaps) -> Float:
        """Return configurations (M, 7) at which a gap of the body is about in one of the others."""
        rng = self._rng
        one, two = (
            rng.integers(len(own.width), size=DRAWN),
            rng.integers(len(others.width), size=DRAWN),
        )
        orientation = uniform_rotations(rng.random((DRAWN, 3)))
        far = AROUND * 0.5 * (own.width[one] + others.width[two]) * rng.random(DRAWN) ** (1.0 / 3.0)
        beside = far[:, None] * unit(rng.normal(size=(DRAWN, 3)))
        position = others.middle[two] + beside - rotate(orientation, own.middle[one])
        return np.hstack([position, orientation])

    def _places(self, rows: Float, bodies: Sequence[RigidBodySpace]) -> Turns:
        """Return tight places (M, 7) of the body itself, in the middle of their passages.

        Args:
            rows: Configurations at which to begin.
            bodies: Spaces of the bodies that lack `LACKING`.
        """
        rows = rows[in_bounds(rows, self._whole.bounds)]
        # Most that are free at once are in the open.
        self._uncounted -= (1.0 - DRAW_WORK) * len(rows)
        rows = rows[~self._whole.world.is_free(rows)]
        for space, lack in zip(bodies, LACKING, strict=True):
            room = TIGHT + lack * self._thickness / self._whole.reach
            self._uncounted -= (1.0 - DRAW_WORK) * len(rows)
            rows = rows[space.world.is_free(rows)]
            parts = []
            for first in range(0, len(rows), CHUNK):
                moved, gap = centered(space, rows[first : first + CHUNK], room)
                parts.append(moved[gap < 0.999 * room * self._whole.reach])
                yield
            rows = np.concatenate(parts) if parts else rows
        return rows

    def _passage(self, place: Float) -> Turns:
        """Return the passage (K, 7) through a place, none if it is known or very short."""
        whole = self._whole
        if len(self._known):
            far = whole.distance(np.repeat(place[None], len(self._known), 0), self._known)
            if far.min() < DISTINCT * whole.reach:
                return np.zeros((0, 7))
        wanted = whole.reach * unit(self._rng.normal(size=(1, 6)))[0]
        on, _ = yield from followed(whole, place, wanted, TURNS)
        if len(on):
            twist_between(place, on[0], whole.lever, wanted)
        back, _ = yield from followed(whole, place, -wanted, TURNS)
        passage = np.concatenate([back[::-1], place[None], on])
        self._known = np.concatenate([self._known, passage])
        long = whole.distance(passage[:-1], passage[1:]).sum() > SHORTEST * whole.reach
        return passage if long else passage[:0]
