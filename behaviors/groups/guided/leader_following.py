"""Leader following: one member knows the path, the others keep behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior, GroupRun
from rmp3d.behaviors.groups.guided.following_others import FollowOtherRun
from rmp3d.behaviors.groups.guided.leader_choice import (
    MemberRule,
    check_rule,
    chosen,
    eligible,
)
from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided, SelfGuidedRun
from rmp3d.behaviors.groups.guided.waypoints import LOOK_EVERY, LOST_AFTER
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import GroupTask, default_spacing
from rmp3d.behaviors.steering import FollowLeader, LookAheadAvoidance
from rmp3d.behaviors.steering_behavior import KnownAgent, SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length, length

# The leader goes no slower than this share of its cruise speed to wait for the others.
SLOWEST = 0.3
# Obstacles count this much beside keeping behind the leader.
AVOIDANCE = 0.5
# A leader slower than this share of its cruise speed stands; after so long [s] those before it
# go on along the path.
STANDS, GIVES_WAY_AFTER = 0.1, 2.0
# Followers find out where on the path they are after so many looks for the leader.
KEEPS_UP_EVERY = 3
# A leader that has come no nearer by this distance [m] for this time [s] leads no more.
NEARER, STUCK_FOR_GOOD = 0.5, 15.0


@GROUP_BEHAVIORS.register("leader_following")
@dataclass(frozen=True)
class LeaderFollowing(GroupBehavior):
    """One leader is self-guided; the rest arrive behind it, step out of its path, keep apart.

    The ``leader`` is a member of the group; in a group of several characters, one with that of
    member 0, if the option names no other. When it is stuck for good, another one leads. It follows
    the path's subgoals as in `self_guided`, and slows down when the last falls behind. A member
    that sees the leader (the swept body could go there straight) follows it by the steering
    behavior `leader_following`. A member that has lost sight of it goes by the leader's path; the
    roadmap brings it back to the path. Members before the leader let it by. At the goal all settle
    in the region (thesis, 4.3).

    With ``group``, the leader is a member of another group, and this group has no goal: all follow
    that member wherever it goes, those that do not see it by the roadmap.

    Attributes:
        leader: Which member leads: ``first`` along the path, ``nearest`` to the goal by the
            roadmap, ``central`` in the group; the number of a member, counted from 0; or the name
            of a character, of which the first leads. Of another group ``nearest`` is the one
            nearest to the followers.
        group: The name of another group that the leader is in; empty: its own.
        distance: Distance between the leader's body and those behind it [m].
        sight: How far a follower sees the leader [m].
        clear_time: How far ahead in time followers keep the leader's path clear [s].
        personal_distance: Distance between followers [m].
        patience: The leader slows down when the last member is farther behind on the path than
            this plus half the length of the group in file [m].
        sensor_range: How far the leader, and members that follow the path, see its subgoals [m].
        spacing: Distance between places at start and goal [m]; 0 takes one that suits body and
            speed.
    """

    leader: MemberRule = "first"
    group: str = ""
    distance: float = 0.8
    sight: float = 10.0
    clear_time: float = 1.5
    personal_distance: float = 0.6
    patience: float = 8.0
    sensor_range: float = 4.0
    spacing: float = 0.0

    def __post_init__(self) -> None:
        names = ("distance", "sight", "clear_time", "personal_distance", "patience", "sensor_range")
        for name in names:
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")
        check_rule("leader", self.leader)
        if self.group:
            object.__setattr__(self, "needs_goal", False)

    def guided(self) -> SelfGuided:
        """Return the rule for members that go by the path."""
        return SelfGuided(
            sensor_range=self.sensor_range, neighborhood=self.patience, spacing=self.spacing
        )

    def begin(self, task: GroupTask) -> GroupRun:
        """Cut the path into subgoals, place the members, and choose the leader.

        Raises:
            InputError: There is no such member or group.
        """
        if self.group:
            return FollowOtherRun(task, self)
        return LeaderFollowingRun(task, self)


class LeaderFollowingRun(SelfGuidedRun):
    """A group behind its leader; see `LeaderFollowing`."""

    def __init__(self, task: GroupTask, parameters: LeaderFollowing) -> None:
        super().__init__(task, parameters.guided())
        self._follow(parameters)
        self._rule, self._may_lead = eligible(
            "leader", parameters.leader, task.everyone, task.like_first
        )
        ahead = (self.start - task.path.points[0]) @ self.heading[0]
        left = self._ways_left() if self._rule == "nearest" else ahead
        self._leader = chosen(self._rule, self._may_lead, self.start, ahead, left)
        self._tried = np.zeros(task.count, np.bool_)
        self._leader_left, self._leader_since = np.inf, 0.0
        self._avoid = LookAheadAvoidance()
        self._sees = np.ones(task.count, np.bool_)
        self._unseen = np.zeros(task.count)
        self._lost = np.zeros(task.count, np.bool_)
        self._following = np.zeros(task.count, np.bool_)
        self._behind = 0.0
        self._stood = 0.0
        self._turn = 0
        self.figures = {"leader": self._leader, "lost_sight": 0}
        self.tell(0.0, "leader", "leads", self._leader)

    def change(self, behavior: Any, flock: Flock) -> None:
        """Follow at other distances from now on; places at the goal stay.

        Raises:
            InputError: Another leader is asked for.
        """
        for name in ("leader", "group"):
            if getattr(behavior, name) != getattr(self._followed, name):
                raise InputError(f"`{name}` cannot be changed while it runs; begin the run anew")
        super().change(behavior.guided(), flock)
        self._follow(behavior)

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; another one leads if the leader has left."""
        super().turn_over(own, everyone, rows)
        self._leader = int(own.rows(np.array([self._leader]))[0])
        self._may_lead = own.of(self._may_lead, bool(self._may_lead.all()))
        self._tried, self._sees = own.of(self._tried, False), own.of(self._sees, True)
        self._unseen, self._lost = own.of(self._unseen, 0.0), own.of(self._lost, False)
        self._following = own.of(self._following, False)
        self._follow(self._followed)

    def _follow(self, parameters: LeaderFollowing) -> None:
        self._followed = parameters
        spacing = parameters.spacing or default_spacing(self._task.character)
        self._patience = parameters.patience + 0.5 * spacing * (self._task.count - 1)
        self._follow_leader = FollowLeader(
            distance=parameters.distance,
            clear_time=parameters.clear_time,
            personal_distance=parameters.personal_distance,
        )

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return how far the last is behind on the path [m], and how many see the leader."""
        return {"behind": self._behind, "seeing": float(self._sees.sum())}

    def step(self, flock: Flock, time: float) -> Intent:
        """Look for the leader; give out subgoals: on the path, or the leader itself."""
        if self._leader < 0:
            remaining = self._waypoints.remaining(flock.position)
            self._lead_by_another(self._area.taken < 0, flock, remaining, time)
            self.tell(time, "leader", "leads, as the one before has left", self._leader)
        self._look_for_leader(flock, time)
        intent = super().step(flock, time)
        leader, position = self._leader, flock.position
        remaining = self._waypoints.remaining(position)
        arrived = self._area.taken >= 0
        late = remaining[~arrived].max(initial=0.0) - remaining[leader]
        self._behind = 0.0 if arrived[leader] else float(max(0.0, late))
        self._watch_leader(flock)
        self._replace_stuck_leader(flock, remaining, time)
        leader = self._leader
        before, self._following = self._following, self._who_follows(remaining)
        self._keep_up(np.flatnonzero(before & ~self._following), position)
        subgoal, velocity = intent.subgoal.copy(), intent.subgoal_velocity.copy()
        subgoal[self._following] = position[leader]
        velocity[self._following] = flock.velocity[leader]
        if not arrived[leader]:
            ease = 2.0 - self._behind / self._patience
            share = float(np.clip(ease, SLOWEST, 1.0))
            subgoal[leader] = position[leader] + share * (subgoal[leader] - position[leader])
            velocity[leader] *= share
        # The others give way to the leader, and then to members near it.
        distance = remaining[leader] + length(position - position[leader])
        distance = np.where(self._following, distance, intent.remaining)
        return replace(intent, subgoal=subgoal, subgoal_velocity=velocity, remaining=distance)

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering along the path; that of followers leads behind the leader."""
        steering = super().steer(world, rows, intent)
        following = np.flatnonzero(self._following)
        if len(following) == 0:
            return steering
        own = rows[following]
        flock = world.flock.select(own)
        leader = KnownAgent.row_of(world.flock, np.full(len(own), rows[self._leader]))
        around = world.surroundings(
            own, world.close.of(own), intent.subgoal[following],
            intent.subgoal_velocity[following], {"leader": leader},
        )  # fmt: skip
        force = self._follow_leader.steering_force(flock, around)
        force += AVOIDANCE * self._avoid.steering_force(flock, around)
        forces = steering.force.copy()
        forces[following] = clip_length(force, flock.bodies.max_force)
        return steering._replace(force=forces)

    def _look_for_leader(self, flock: Flock, time: float) -> None:
        """Let the members whose turn it is look for the leader; tell which lost or found it."""
        members = np.arange(self._task.count)[self._turn % LOOK_EVERY :: LOOK_EVERY]
        self._turn += 1
        members = members[(self._area.taken[members] < 0) & (members != self._leader)]
        target = np.tile(flock.position[self._leader], (len(members), 1))
        near = length(target - flock.position[members]) < self._followed.sight
        sees = near.copy()
        sees[near] = self._task.space.connects(flock.position[members[near]], target[near])
        self._sees[members] = sees
        if self._turn % KEEPS_UP_EVERY == 0:
            self._keep_up(members[self._following[members]], flock.position)
        unseen = self._unseen[members] + LOOK_EVERY * self._task.dt
        self._unseen[members] = np.where(sees, 0.0, unseen)
        for member in members.tolist():
            if not self._lost[member] and self._unseen[member] > LOST_AFTER:
                self._lost[member] = True
                self.figures["lost_sight"] += 1
                text = "goes by the path until it sees the leader"
                self.tell(time, "lost_leader", text, member)
            elif self._lost[member] and self._sees[member]:
                self._lost[member] = False
                self.tell(time, "found_leader", "sees it again", member)

    def _keep_up(self, members: Index, position: Float) -> None:
        """Let members (m,) that have not gone by the path go on from where they are on it."""
        if len(members):
            self._waypoints.rejoin(members, position)

    def _watch_leader(self, flock: Flock) -> None:
        speed = float(length(flock.velocity[self._leader]))
        stands = speed < STANDS * self._task.cruise_speed and self._area.taken[self._leader] < 0
        self._stood = self._stood + self._task.dt if stands else 0.0

    def _replace_stuck_leader(self, flock: Flock, remaining: Float, time: float) -> None:
        """Let another member lead when the leader has come no nearer to the goal for long."""
        leader, arrived = self._leader, self._area.taken >= 0
        if arrived[leader] or abs(remaining[leader] - self._leader_left) > NEARER:
            self._leader_left, self._leader_since = float(remaining[leader]), time
        if time - self._leader_since < STUCK_FOR_GOOD:
            return
        self._tried[leader] = True
        self._leader_since, self._leader_left = time, np.inf
        others = ~self._tried & ~arrived
        if not others.any():
            self._tried[:] = False
            return
        self._lead_by_another(others, flock, remaining, time)
        number = self.number[leader]
        text = f"leads, as member {number} has come no nearer for {STUCK_FOR_GOOD:g} s"
        self.tell(time, "leader", text, self._leader)

    def _lead_by_another(self, among: Bool, flock: Flock, remaining: Float, time: float) -> None:
        """Let one ``among`` (n,) some members lead, if possible one that the option names."""
        liked = among & self._may_lead
        self._leader = chosen(
            self._rule, liked if liked.any() else among, flock.position, -remaining, remaining
        )
        self._leader_since, self._leader_left, self._stood = time, np.inf, 0.0
        self.figures["leader"] = int(self.number[self._leader])

    def _ways_left(self) -> Float:
        """Return how far (n,) [m] members have to go from the start by the roadmap."""
        goal = self._task.path.points[-1]
        routes = RoadmapRoutes(self._task.roadmap)
        return routes.distances(routes.entries(self.start), goal)

    def _who_follows(self, remaining: Float) -> Bool:
        """Return which members (n,) keep behind the leader, rather than go by the path.

        Members before a leader that cannot get on cannot let it by: they go on.
        """
        follows = self._sees & (self._area.taken < 0)
        follows &= self._area.taken[self._leader] < 0
        follows[self._leader] = False
        if self._stood > GIVES_WAY_AFTER:
            follows &= remaining > remaining[self._leader]
        return follows
