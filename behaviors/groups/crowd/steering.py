"""How the members of a crowd steer: those that are awake, the others ask for nothing."""

import numpy as np

from rmp3d.behaviors.awake import FEWER
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.crowd.headway import keep_headway
from rmp3d.behaviors.groups.guided.onward import onward
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.behaviors.steering_behavior import (
    NOT_BEGUN,
    SteeringBehavior,
    SteeringOutput,
    begin,
    blend,
)
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index


class CrowdSteering:
    """The steering behaviors of a crowd at work."""

    def __init__(self) -> None:
        self._weighted: list[tuple[float, SteeringBehavior]] = [
            (1.0, Arrive()),
            (0.6, Separation()),
            (0.5, LookAheadAvoidance()),
        ]
        self._begun = NOT_BEGUN
        # Numbers of those that steer, None: all; of those, who is at rest; and all that steer.
        self._own: Index | None = None
        self._resting = np.zeros(0, np.intp)
        self._flock: Flock | None = None

    def begin(self, world: WorldState, rows: Index) -> None:
        """Let other threads begin with what asks about the scene alone, of members ``rows``."""
        self._own, self._resting = world.awake.among(rows), self._resting[:0]
        if self._own is not None and len(self._own) >= FEWER * len(rows):
            # To take out a few that rest costs more than to let them steer for nothing.
            everyone = np.ones(len(rows), np.bool_)
            everyone[self._own] = False
            self._own, self._resting = None, np.flatnonzero(everyone)
        acting = rows if self._own is None else rows[self._own]
        self._flock = world.flock.select(acting)
        self._begun = NOT_BEGUN
        if len(acting):
            self._begun = begin(self._weighted, self._flock, world.obstacles(acting))

    def steer(
        self, world: WorldState, rows: Index, intent: Intent, headway: Float
    ) -> SteeringOutput:
        """Return the steering of members ``rows`` (n,) that keep so many seconds apart (n,)."""
        own, flock = self._own, self._flock
        acting = rows if own is None else rows[own]
        force = np.zeros((len(rows), 3))
        if flock is not None and len(acting):
            subgoal, velocity, headway = (
                each if own is None else each.take(own, axis=0)
                for each in (intent.subgoal, intent.subgoal_velocity, headway)
            )
            around = world.surroundings(acting, world.close.of(acting), subgoal, velocity)
            asked = onward(flock, blend(self._weighted, flock, around, self._begun), subgoal)
            if headway.any():
                asked = keep_headway(flock, asked, world.flock.velocity, around.neighbors, headway)
            if own is None:
                force = asked
                force[self._resting] = 0.0
            else:
                force[own] = asked
        self._begun, self._flock = NOT_BEGUN, None
        return SteeringOutput(force, np.zeros_like(force), np.zeros(len(rows), np.bool_))
