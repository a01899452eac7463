"""Members that go with an agent of another group: which one, and how they come to it."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GroupRun
from rmp3d.behaviors.groups.guided.leader_choice import RULES, MemberRule, chosen
from rmp3d.behaviors.groups.guided.navigation import Guidance, Navigator
from rmp3d.behaviors.groups.guided.onward import onward
from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes, covering_roadmap
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length

# The roadmap that leads to the agent has so many nodes.
NODES = 300
# Members hurry to an agent that is faster than they cruise: so many times its speed.
HURRY = 1.25
# An agent that no member finds a way to for this time [s] is given up for another one.
LOST_AFTER = 8.0


class CompanionRun(GroupRun):
    """Members that go with an agent of another group, wherever it goes.

    Args:
        task: Of the group; it has no goal.
        group: Name of the other group.
        rule: Which of its members.
        key: The option that says so, for errors: what the agent is called.

    Attributes:
        agent: Row of the agent in the flock; -1 where there is none: before the first look, and
            when it has left.
    """

    takes_turnover: ClassVar[bool] = True

    def __init__(self, task: Task, group: str, rule: MemberRule, key: str) -> None:
        super().__init__(task)
        others = [name for name in task.groups if name != task.groups[task.own]]
        if group not in others:
            raise InputError(f"`group`: {unknown_name('other group', group, others)}")
        self._task, self._rule, self._key = task, rule, key
        self._group = task.groups.index(group)
        count = task.counts[self._group]
        if isinstance(rule, int) and rule >= count:
            raise InputError(
                f"`{key}`: `{group}` has no member {rule}; its members are numbered from 0 to "
                f"{count - 1}"
            )
        if isinstance(rule, str) and rule not in RULES:
            raise InputError(
                f"`{key}`: of another group, say {', '.join(f'`{each}`' for each in RULES)}, or "
                f"the number of a member, got {rule!r}"
            )
        self.agent = -1
        self.figures = {key: -1, "group": group}
        self._all = np.ones(task.count, np.bool_)
        self._given_up: set[int] = set()  # rows of the flock
        self._without_way = 0.0
        self._agent: Flock | None = None
        self._guidance: Guidance | None = None
        self._had_one = False
        self._navigator: Navigator | None = None

    @abstractmethod
    def places(self, flock: Flock, agent: Flock, time: float) -> tuple[Float, Float]:
        """Return where members are to be (n, 3) [m] and how that moves (n, 3) [m/s].

        Args:
            flock: The n members.
            agent: The agent, alone.
            time: Now [s].
        """

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members, and the others, that are there now."""
        super().turn_over(own, everyone, rows)
        self._task, self._all = self._task.with_count(len(own)), np.ones(len(own), np.bool_)
        self.agent = int(everyone.rows(np.array([self.agent]))[0])
        given_up = everyone.rows(np.array(sorted(self._given_up), np.intp))
        self._given_up = set(given_up[given_up >= 0].tolist())
        if self._navigator is not None:
            self._navigator.turn_over(own)

    def look(self, world: WorldState, rows: Index) -> None:
        """See the agent; choose one at first, and another one when there is no way to it."""
        flock = world.flock.select(rows)
        others = np.flatnonzero(world.group_of == self._group)
        if len(others) and (self.agent < 0 or self._without_way > LOST_AFTER):
            self._choose(world, flock, others)
        self._agent = world.flock.select(np.array([self.agent])) if self.agent >= 0 else None

    def step(self, flock: Flock, time: float) -> Intent:
        """Lead every member to its place; without an agent all stay where they are."""
        if self._agent is None:
            self._guidance = None
            return Intent.towards(flock, flock.position)
        if self._navigator is None:
            ends = [self.start[0], self._agent.position[0]]
            roadmap = covering_roadmap(self._task.space, NODES, ends, self._task.rng)
            self._navigator = Navigator(RoadmapRoutes(roadmap), self._task.count, self._task.dt)
        place, motion = self.places(flock, self._agent, time)
        bodies = flock.bodies
        hurry = HURRY * float(length(self._agent.velocity)[0])
        pace = np.clip(hurry, bodies.cruise_speed, bodies.max_speed)
        way = self._navigator.lead(flock.position, place, motion, self._all, pace, time)
        self._without_way = self._without_way + self._task.dt if np.isinf(way.left).all() else 0.0
        self._guidance = way
        return Intent(
            way.subgoal, way.motion, np.nan_to_num(way.left, posinf=0.0), np.isinf(way.left)
        )

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering to the places; on the way it never asks to stand."""
        steering = super().steer(world, rows, intent)
        if self._guidance is None:
            return steering
        flock = world.flock.select(rows)
        force = onward(flock, steering.force, intent.subgoal)
        return steering._replace(
            force=np.where(self._guidance.last[:, None], steering.force, force)
        )

    def _choose(self, world: WorldState, flock: Flock, others: Index) -> None:
        """Choose the agent among ``others``, rows of the world's flock."""
        before, crowd = self.agent, world.flock.select(others)
        if before >= 0:
            self._given_up.add(before)
        if len(self._given_up) == len(others):
            self._given_up = {before} - {-1}
        may: Bool = ~np.isin(others, list(self._given_up))
        rule = str(self._rule)
        if isinstance(self._rule, int):
            rule = "first"
            may = may if self._had_one else world.number[others] == self._rule
        offset = crowd.position - crowd.position.mean(axis=0)
        ahead = np.einsum("ij,ij->i", offset, crowd.heading)
        left = length(crowd.position - flock.position.mean(axis=0))
        self.agent = int(others[chosen(rule, may, crowd.position, ahead, left)])
        self._without_way = 0.0
        number = int(world.number[self.agent])
        self.figures[self._key] = number
        text = f"member {number} of {self._task.groups[self._group]}"
        why = ", as no way leads on" if before >= 0 else ", as the one before has left"
        self.tell(world.time, self._key, text + why if self._had_one else text)
        self._had_one = True
