"""The safety constraint: from a wished velocity to the nearest one that can be proved safe.

Invariant: the braking capsules (see `behaviors.safety.pairs`) of all bodies are disjoint, those of
round walkers in one queue at equal moments (see `behaviors.safety.timed`), and the path on which
each body would stop is free of the scene. A step keeps it, from the old state only:

1. For each near pair a plane parts the two old braking capsules; both must stay on their sides.
   Near triangles of the scene and borders of the surface give planes that guide.
2. What is proposed is cut to what gentle braking could end before the planes of pairs, and is come
   to as fast as forces grow. This is only for comfort.
3. The displacement w until the next stop, E(|v'|) v'/|v'|, is projected on these planes. Braking
   straight satisfies all pair planes at once, so there always is an answer.
4. Certificate: on the line from braking to the projected wish the farthest point is taken that
   the forces (thrust, brake and side force: an ellipse) and the turn radius allow, and whose whole
   motion until the stop, over the surface for walkers, is proved free of the scene by a sweep.
   Braking is free by the previous step's proof; it has no part across the motion, so that neither
   side force nor turn radius forbid it.

The steps of all bodies are simultaneous; the order of the rows does not matter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.environment import ONE_FOR_ALL, Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.kept_pairs import LOOKED_THROUGH
from rmp3d.behaviors.safety.clearing import KnownAround
from rmp3d.behaviors.safety.covered import Covered
from rmp3d.behaviors.safety.elongated import covered_while_braking
from rmp3d.behaviors.safety.filtering import filter_rows
from rmp3d.behaviors.safety.ground import FAR_AWAY, SafetyGround, SafetyGrounds
from rmp3d.behaviors.safety.moving import MovingBodies
from rmp3d.behaviors.safety.pairs import SKIN, pair_planes, pairs_that_meet, rows_of_pairs
from rmp3d.behaviors.safety.rows import BodyRows, PairPlanes, SceneArrays
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.parallel import in_blocks, meanwhile
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes import Scene

# Bodies that a thread filters at a time, at least.
FILTERED = 64
# Bounds of empty space.
EVERYWHERE = [[-np.inf] * 3, [np.inf] * 3]


@dataclass
class SafetyReport:
    """What the constraint has seen so far.

    Attributes:
        smallest_gap: Smallest gap between two braking capsules, in one queue at equal moments [m];
            never negative but for rounding.
        held_back: Body-steps in which the wish was changed to keep a certificate.
        braked: Body-steps in which only braking was left.
    """

    smallest_gap: float = np.inf
    held_back: int = 0
    braked: int = 0


class SafetyConstraint:
    """Filters wished velocities for one flock in one scene.

    Args:
        walking: What walkers must not touch, or None.
        flying: What flyers must not touch, or None.
        surface: Where walkers stand, or None.
        bounds: (2, 3) [m] that centers, thickened by their radius, stay inside of; by default
            none.
        dt: Time step [s].
        others: What the scene is to walkers that take other steps, by these [m].

    Attributes:
        flying: What flyers must not touch.
        bounds: (2, 3) [m] that centers, thickened by their radius, stay inside of; by default
            none.
        dt: Time step [s].
        report: Counts, over all calls.
    """

    def __init__(
        self,
        walking: MeshQuery | None = None,
        flying: MeshQuery | None = None,
        surface: WalkableSurface | None = None,
        bounds: Float | None = None,
        dt: float = 1.0 / 30.0,
        others: Mapping[float, Environment] = ONE_FOR_ALL,
    ) -> None:
        self.flying = flying or MeshQuery(FAR_AWAY)
        self._grounds = SafetyGrounds(SafetyGround(walking, surface), others)
        self.bounds = np.array(EVERYWHERE if bounds is None else bounds, float)
        self.dt = dt
        self.report = SafetyReport()
        self._moving = MovingBodies(dt)
        self._known = KnownAround()
        self._bodies: tuple[Bodies | None, Index | None, Any] = None, None, None

    @classmethod
    def of(cls, around: Environment | Scene, dt: float = 1.0 / 30.0) -> "SafetyConstraint":
        """Return the constraint for a scene, or for what was made of it."""
        if isinstance(around, Scene):
            around = Environment.of(around)
        return cls(around.walking, around.flying, around.surface, around.bounds, dt, around.others)

    def velocity(
        self,
        flock: Flock,
        proposal: Float,
        desire: Float,
        weight: Float | None = None,
        queue: Index | None = None,
        awake: Index | None = None,
    ) -> Float:
        """Return the safe velocity (N, 3) [m/s] nearest to the proposed one, for the next step.

        Walkers' velocities are in plan (z is zero): their limits hold there, and the surface
        gives the height.

        Args:
            flock: The state, which satisfies the invariant (bodies at rest and apart do).
            proposal: (N, 3) velocity asked for in the next step [m/s].
            desire: (N, 3) velocity wanted in the long run; decides which body gets a gap [m/s].
                Bodies with a `force_time` come to this one, with forces that grow as it says, and
                slow down gently before others.
            weight: (N,) factor on that wish: less than one yields.
            queue: (N,) number of the queue that a body is in, -1 for none. Round walkers of one
                follow each other more closely; None: nobody is in one.
            awake: Rows of those that are asked about; zero is returned of the others. None: all.
        """
        count = len(flock.position)
        if count == 0:
            return np.zeros((0, 3))
        weight = np.ones(count) if weight is None else np.ascontiguousarray(weight)
        asked = None
        if awake is not None:
            asked = np.zeros(count, np.bool_)
            asked[awake] = True
        order, number = flock.nearby.order(flock.position), flock.numbers
        if order is None:
            return self._filtered(flock, number, proposal, desire, weight, queue, asked)
        placed = flock.in_order(order, self._bodies_in_order(flock.bodies, order))
        safe = np.empty((count, 3))
        safe[order] = self._filtered(
            placed, number[order], proposal.take(order, axis=0), desire.take(order, axis=0),
            weight[order], None if queue is None else queue[order],
            None if asked is None else asked[order],
        )  # fmt: skip
        return safe

    def _bodies_in_order(self, bodies: Bodies, order: Index) -> Bodies:
        """Return bodies in an order of rows; both often stay the same over steps."""
        before, order_before, _ = self._bodies
        if before is not bodies or order_before is not order:
            self._bodies = bodies, order, bodies.select(order)
        return self._bodies[2]

    def _filtered(
        self,
        flock: Flock,
        number: Index,
        proposal: Float,
        desire: Float,
        weight: Float,
        queue: Index | None,
        asked: Bool | None,
    ) -> Float:
        """Return the safe velocities of those ``asked`` about in any order of rows, given numbers.

        It does not depend on the order: the planes of each body are in that of the numbers.
        """
        known = self._known.of(number)
        bodies = self._moving.rows(flock, proposal, desire, queue)
        planes = self._pair_planes(flock, number, bodies, weight)
        safe = np.zeros((len(flock), 3))  # of those at rest it stays so
        for ground, rows in self._grounds.rows(flock):
            for component, own in ground.components(flock, rows):
                scene = ground.arrays(flock, component, self.flying, self.bounds, known)
                own = own if asked is None else own[asked[own]]

                def some(block: slice, own: Index = own, scene: SceneArrays = scene) -> Index:
                    counts = np.zeros(2, np.int64)
                    filter_rows(bodies, planes, scene, self.dt, own[block], safe, counts)
                    return counts

                for counts in in_blocks(some, len(own), FILTERED):
                    self.report.held_back += int(counts[0])
                    self.report.braked += int(counts[1])
        return safe

    def covered(self, flock: Flock) -> Covered:
        """Return what the bodies cover if they brake from now on, as the last step proved it."""
        rest = np.zeros((len(flock), 3))
        bodies = self._moving.rows(flock, rest, rest)
        start, core = covered_while_braking(bodies)
        low, high = self._stretched(flock, bodies.reach)
        start = flock.position + start
        return Covered(start, start + core, low, high, bodies.radius)

    def _pair_planes(
        self, flock: Flock, number: Index, bodies: BodyRows, weight: Float
    ) -> PairPlanes:
        """Return the planes between bodies that could meet; note the smallest gap."""
        low, high = self._stretched(flock, bodies.reach)
        around = bodies.sight + flock.bodies.far + bodies.swing
        pairs = self._near_pairs(flock, bodies, around, low, high)
        normal, bound, goes_on = (np.empty((len(pairs), size)) for size in (3, 2, 2))
        share = np.empty(len(pairs))
        start, core = covered_while_braking(bodies)
        entries = meanwhile(partial(rows_of_pairs, pairs, len(flock)), len(pairs))

        def some(rows: slice) -> float:
            gap: float = pair_planes(
                pairs[rows], bodies, start, core, low, high, bodies.desire, weight, self.dt,
                normal[rows], bound[rows], goes_on[rows], share[rows],
            )  # fmt: skip
            return gap

        gap = min(in_blocks(some, len(pairs)))
        self.report.smallest_gap = min(self.report.smallest_gap, gap)
        begin, entry = entries()
        return PairPlanes(normal, bound, goes_on, share, pairs, begin, entry, number)

    def _stretched(self, flock: Flock, reach: Float) -> tuple[Float, Float]:
        """Return lower and upper ends (N,) of the upright segments over the reference points.

        Walkers' are stretched by what the surface rises and falls in reach, so that moving in
        plan covers where they come to.
        """
        low, high = flock.bodies.heights[:, 0].copy(), flock.bodies.heights[:, 1].copy()
        walks = flock.bodies.grounded
        for ground, members in self._grounds.rows(flock):
            rows = members[walks[members]]
            if len(rows):
                heights = ground.heights(flock, rows, reach)
                low[rows] += heights[:, 0]
                high[rows] += heights[:, 1]
        return low, high

    def _near_pairs(
        self, flock: Flock, bodies: BodyRows, reach: Float, low: Float, high: Float
    ) -> Index:
        """Return (P, 2) rows i < j of bodies that could meet before they can stop."""
        half = 0.5 * (high - low)
        # Walkers are parted in plan: up to a body's radius of height does not count.
        around = flock.bodies.half_width * (1.0 + flock.bodies.grounded) + reach + half + 2.0 * SKIN
        near = flock.nearby.candidates(flock.position, around, 0.5 * (low + high))

        def some(rows: slice) -> Index:
            met: Index = pairs_that_meet(near[rows], bodies, low, high, reach)
            return met

        return np.concatenate(in_blocks(some, len(near), LOOKED_THROUGH))
