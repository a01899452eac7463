"""The goal of a formation: members enter it, get places in it, spread out and wander."""

import numpy as np

from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.group_behavior import GroupEvent, GroupTask
from rmp3d.behaviors.groups.passages.followers import Followers
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.behaviors.groups.passages.start_and_goal import ends_in_goal, goal_entry
from rmp3d.geometry.arrays import Bool, Float


class GroupGoal:
    """The goal region of a group that comes in formation, and which members are in it.

    Args:
        task: Of the group.
        area: The places in the region.
        plan: Of the formations.
        window: Over which the path's frames are smoothed [m].

    Attributes:
        area: The places in the region.
    """

    def __init__(self, task: GroupTask, area: GoalArea, plan: FormationPlan, window: float) -> None:
        self.area = area
        self._task = task
        self._entry = goal_entry(task)
        end = np.array([task.path.length])
        self._heading = task.path.frames(end, window)[0][:, 0]
        self._arrived = np.zeros(task.count, np.bool_)
        self.follow(plan, window)

    def follow(self, plan: FormationPlan, window: float) -> None:
        """Find out whether the last formation of a plan has room in the region.

        Then the group enters in this formation; else each member leaves it at the entrance.
        """
        slots = plan.options[int(plan.choice[-1])].slots
        self._keeps_formation = ends_in_goal(self._task, slots, window)

    @property
    def has_place(self) -> Bool:
        """(n,) members that have a place in the region."""
        return self.area.taken >= 0

    @property
    def is_complete(self) -> bool:
        """Whether all members are there."""
        return bool((self._arrived & self.has_place).all())

    def enter(
        self, members: Membership, followers: Followers, leader: float, position: Float, time: float
    ) -> list[GroupEvent]:
        """Give places to the members that have come; return events of those that arrived.

        Args:
            members: With their places along the path.
            followers: May keep members from entering.
            leader: Arc length of the virtual leader [m].
            position: (n, 3) of the members [m].
            time: Now [s].
        """
        path, station = self._task.path, members.frame.station
        inside = self.area.inside(position)
        if self._keeps_formation:
            at_goal = np.full(len(position), leader >= path.length)
            at_goal &= followers.have_reached(self._entry, position)
        else:
            at_goal = station >= self._entry
        coming = np.flatnonzero(at_goal & ~self.has_place)
        if len(coming):
            coming = coming[np.argsort(-station[coming], kind="stable")]
            entry = path.at(np.array([self._entry]))[0]
            self.area.admit(coming, position, entry, self._heading)
        there = inside & (self.has_place | (station >= self._entry))
        arrived = np.flatnonzero(there & ~self._arrived)
        self._arrived[arrived] = True
        return [GroupEvent(time, "arrived", int(row), "in the goal region") for row in arrived]

    def subgoal(self, position: Float, wanders: bool, time: float) -> Float:
        """Return where (n, 3) [m] members with a place are to be; the own position of others.

        If the group ``wanders``, the members stroll as soon as all are there.
        """
        strolls = self.is_complete and wanders
        return self.area.subgoal(position, strolls, time, self._task.rng)
