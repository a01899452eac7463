"""Following a leader of another group."""

from typing import Protocol

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.companions import CompanionRun
from rmp3d.behaviors.groups.guided.leader_choice import MemberRule
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.steering import FollowLeader, LookAheadAvoidance
from rmp3d.behaviors.steering_behavior import KnownAgent, SteeringOutput
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import clip_length, length

# Obstacles count this much beside keeping behind the leader.
AVOIDANCE = 0.5


class FollowingOptions(Protocol):
    """What is asked of `LeaderFollowing`; see there."""

    @property
    def leader(self) -> MemberRule: ...  # noqa: D102
    @property
    def group(self) -> str: ...  # noqa: D102
    @property
    def distance(self) -> float: ...  # noqa: D102
    @property
    def sight(self) -> float: ...  # noqa: D102
    @property
    def clear_time(self) -> float: ...  # noqa: D102
    @property
    def personal_distance(self) -> float: ...  # noqa: D102


class FollowOtherRun(CompanionRun):
    """Members that follow an agent of another group; see `LeaderFollowing`."""

    def __init__(self, task: Task, own: FollowingOptions) -> None:
        super().__init__(task, own.group, own.leader, "leader")
        self._sight = own.sight
        self._follow = FollowLeader(
            distance=own.distance, clear_time=own.clear_time,
            personal_distance=own.personal_distance,
        )  # fmt: skip
        self._avoid = LookAheadAvoidance()

    def places(self, flock: Flock, agent: Flock, time: float) -> tuple[Float, Float]:
        """Return the leader's place and motion, for all."""
        shape = flock.position.shape
        return (
            np.broadcast_to(agent.position, shape).copy(),
            np.broadcast_to(agent.velocity, shape).copy(),
        )

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering over the roadmap; that of members that see the leader, behind it."""
        steering = super().steer(world, rows, intent)
        if self._agent is None or self._guidance is None:
            return steering
        offset = world.flock.position[rows] - self._agent.position
        near = np.flatnonzero(self._guidance.last & (length(offset) < self._sight))
        if len(near) == 0:
            return steering
        own = rows[near]
        flock = world.flock.select(own)
        leader = KnownAgent.row_of(self._agent, np.zeros(len(own), np.intp))
        around = world.surroundings(
            own, world.close.of(own), intent.subgoal[near], intent.subgoal_velocity[near],
            {"leader": leader},
        )  # fmt: skip
        force = self._follow.steering_force(flock, around)
        force += AVOIDANCE * self._avoid.steering_force(flock, around)
        forces = steering.force.copy()
        forces[near] = clip_length(force, flock.bodies.max_force)
        return steering._replace(force=forces)
