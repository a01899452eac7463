"""Escape: run where the threat cannot cut one off, to where it comes last, off dead ends."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.flee import flight
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    STEERING_BEHAVIORS,
    KnownAgent,
    Surroundings,
    force_towards,
    level,
    offset_to,
    where_known,
)
from rmp3d.behaviors.terrain.dead_ends import dead_ends
from rmp3d.behaviors.terrain.ground import (
    arrival,
    cells_within,
    free_links,
    ground_of,
    soonest_near,
)
from rmp3d.behaviors.terrain.routes import distances_around, next_point, own_start, route_to
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length, unit

# The route is searched anew in every period of this length [s].
PERIOD = 0.3
# What can be counted on of the own speed, which is not reached at once and not kept in turns.
COUNTED_ON = 0.8
# No threat is taken to be slower than this [m/s], not even one that has not moved yet.
SLOWEST = 1.0
# A place is kept, and with it a wider gap, while the threat needs this share of the time to it that
# it needs to the best one.
LOYALTY = 0.8
# Later than this is never [s]; a place nearer by a second is worth a threat sooner by so much [s].
NEVER, NEARER = 600.0, 0.1
# A place to which the threat comes this soon [s] is none.
SOON = 2.0
# Gaps that are tried, over the one to be kept; less than that only if nothing is safe with it.
GAP_SHARES = (1.8, 1.4, 1.0, 0.7, 0.4, 0.0)


@STEERING_BEHAVIORS.register("escape")
@dataclass(frozen=True)
class Escape:
    r"""Run to where the threat comes last, on a route all along which it comes too late.

    The walkable surface is cut into cells. With :math:`t_o(c)` and :math:`t_p(c)` the times in
    which the agent and the threat can get to the cell c, each round all that its body must not
    touch, the safe reachable set is what the agent reaches through cells of which each has

    .. math:: t_o(c) < \min_{\|c' - c\| \le R} t_p(c')

    with the gap R. On such a route the threat does not come nearer than R, as far as both keep
    their speeds in turns. Of the cells of the set the agent runs to the one where the threat comes
    last, but to none that one other agent, standing at the right place, could close off
    (`behaviors.terrain.dead_ends`), unless there is nothing else: it keeps to rings and away from
    dead ends and corners. A gap wider than
    R is kept where that costs little; if nothing is safe with R, it is reduced step by step; and
    if nothing is safe at all, the agent runs straight away. A place is kept while it is nearly as
    good, and the route is searched anew every 0.3 s.

    The threat's speed is the largest seen so far. Being faster is not enough everywhere: where
    there is no ring and no gap to slip through, the agent is caught all the same.
    This is for walkers; flyers, and walkers on no known ground, run straight away.

    Isaacs 1965, "Differential games" (dominance regions); Zhou, Takei, Huang and Tomlin 2012, "A
    general, open-loop formulation for reach-avoid games" (safe reachable sets).

    Attributes:
        panic_distance: A threat farther off is left alone [m]; ``inf`` always runs.
        gap: Between the bodies, to be kept [m].
        cell: Edge of a cell [m]; passages not much wider than body and cell may be overlooked.
    """

    panic_distance: float = np.inf
    gap: float = 2.5
    cell: float = 0.75
    needs: ClassVar[tuple[str, ...]] = ("threat", "surface")

    def __post_init__(self) -> None:
        if not self.panic_distance > 0.0:
            raise InputError(f"`panic_distance` must be positive, got {self.panic_distance}")
        if not 0.0 <= self.gap < np.inf:
            raise InputError(f"`gap` must be 0 or more, got {self.gap}")
        if not 0.0 < self.cell < np.inf:
            raise InputError(f"`cell` must be positive, got {self.cell}")

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return for each agent (N, 6): what it runs for [m], the cell it wants, or -1 for none.

        The last two are the period, and the largest speed of the threat seen so far [m/s].
        """
        threat = around.other("threat")
        pace = length(level(flock, threat.velocity))
        if around.memory is None:
            kept = np.hstack([flock.position, np.tile([-1.0, -1.0, SLOWEST], (len(flock), 1))])
        else:
            kept = np.array(around.memory)
        kept[:, 5] = np.maximum(kept[:, 5], np.where(threat.known, pace, 0.0))
        if around.surface is None:
            return kept
        period = np.floor(around.time / PERIOD + 1e-9)
        looking = self._alarmed(flock, threat) & flock.bodies.grounded & (kept[:, 4] != period)
        for row in np.flatnonzero(looking):
            kept[row, :4] = self._place(flock, around, around.surface, int(row), kept[row])
            kept[row, 4] = period
        return kept

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        kept = self.remembered(flock, around) if around.memory is None else around.memory
        threat = around.other("threat")
        offset = offset_to(flock, kept[:, :3])
        speed = np.minimum(flock.bodies.max_speed, length(offset) / RESPONSE_TIME)
        run = force_towards(flock, speed[:, None] * unit(offset))
        force = np.where(kept[:, 3:4] >= 0.0, run, flight(flock, threat.expected))
        return where_known(self._alarmed(flock, threat), force)

    def _alarmed(self, flock: Flock, threat: KnownAgent) -> Bool:
        near: Bool = length(threat.expected - flock.position) < self.panic_distance
        return threat.known & near

    def _place(
        self, flock: Flock, around: Surroundings, surface: WalkableSurface, row: int, kept: Float
    ) -> Float:
        """Return what one agent runs for (3,) and its cell, -1 if nothing is safe, as (4,)."""
        ground = ground_of(surface, self.cell)
        threat, (low, high) = around.other("threat"), flock.bodies.capsule_axis[row]
        radius, other = float(flock.bodies.radius[row]), float(threat.radius[row])
        solid = around.obstacles
        pursuit = float(kept[5])
        theirs = distances_around(ground, threat.expected[row], 2.0 * self.cell) / pursuit
        links = free_links(surface, self.cell, solid, other, low, high)
        theirs, _ = arrival(ground, links, pursuit, theirs)
        speed = COUNTED_ON * float(flock.bodies.max_speed[row])
        own = own_start(flock, around, ground, row, 2.0 * self.cell, speed)
        links = free_links(surface, self.cell, solid, radius, low, high)
        reach = self.gap + radius + other
        start, near = cells_within(surface, self.cell, GAP_SHARES[0] * reach)
        closed = dead_ends(surface, self.cell, solid, radius, low, high, reach)
        found, most = np.append(kept[:3], -1.0), 0.0
        for share in GAP_SHARES:
            sure = soonest_near(ground.point, start, near, share * reach, theirs)
            time, previous = arrival(ground, links, speed, own, sure)
            safe = np.isfinite(time) & (sure > SOON)
            if (safe & ~closed).any():
                safe &= ~closed
            worth = np.where(safe, np.minimum(sure, NEVER) - NEARER * time, -np.inf)
            best = int(np.argmax(worth))
            if LOYALTY * worth[best] > most:
                most, cell = float(worth[best]), int(kept[3])
                if cell < 0 or worth[cell] < LOYALTY * most:
                    cell = best
                route = route_to(previous, cell)
                found = np.append(next_point(flock, around, row, ground.point[route]), cell)
            if share <= 1.0 and most > 0.0:
                break
        return found
