"""The goal of a group in formation: how its members enter it and get places in it."""

import numpy as np

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.behaviors.groups.goal_area.area import THERE, GoalArea
from rmp3d.behaviors.groups.goal_area.held_up import HeldUp
from rmp3d.behaviors.groups.passages.followers import Followers
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.behaviors.groups.passages.start_and_goal import ends_in_goal, goal_entry
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length


class GroupGoal:
    """The goal region of a group that comes in formation.

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
        self._held_up = HeldUp(len(area.taken))
        self._entry = goal_entry(task)
        # Vehicles turn to their places from the lane: they have to know them before the entrance.
        self._opens = max(0.0, self._entry - task.character.parameters.turn_radius)
        end = np.array([task.path.length])
        self._heading = task.path.frames(end, window)[0][:, 0]
        self.follow(plan, window)

    def follow(self, plan: FormationPlan, window: float) -> None:
        """Find out whether the last formation of a plan fits in the region.

        Then the group enters in this formation; else each member leaves it at the entrance. So do
        vehicles that stand in stalls: from the formation's places they would have to maneuver into
        stalls beside them, where others stand in their way.
        """
        slots = plan.options[int(plan.choice[-1])].slots
        in_stalls = self.area.angle is not None
        self._keeps_formation = not in_stalls and ends_in_goal(self._task, slots, window)

    @property
    def has_place(self) -> Bool:
        """(n,) members that have a place in the region."""
        return self.area.taken >= 0

    def enter(
        self, members: Membership, followers: Followers, leader: float, position: Float, late: Bool
    ) -> Bool:
        """Give places to the members that have come; return which (n,) are there.

        Args:
            members: With their places along the path.
            followers: May keep members from entering.
            leader: Arc length of the virtual leader [m].
            position: (n, 3) of the members [m].
            late: (n,) members that have come to the group on its way: they may be far behind it.
        """
        path, station = self._task.path, members.frame.station
        inside = self.area.inside(position)
        if self._keeps_formation:
            at_goal = np.full(len(position), leader >= path.length)
            at_goal &= followers.have_reached(self._entry, position)
            at_goal &= (station >= self._entry) | ~late
            if members.frame.levels is not None:
                at_goal &= station >= self._entry
        else:
            at_goal = station >= self._opens
        coming = np.flatnonzero(at_goal & ~self.has_place)
        if len(coming):
            coming = coming[np.argsort(-station[coming], kind="stable")]
            entry = path.at(np.array([self._entry]))[0]
            if self.area.stalls is None:
                self.area.admit(coming, position, entry, self._heading)
            else:
                self.area.admit_abreast(coming, position, entry)
        on_level = members.frame.in_reach(position)
        there: Bool = self.heads_for_place(members.frame, position)
        there |= (station >= self._entry) & on_level
        return there & inside

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers have no place yet."""
        self.area.turn_over(members)
        self._held_up.turn_over(members)

    def exchange(self, position: Float, time: float) -> None:
        """Let vehicles (n, 3) that come no nearer to their places exchange these.

        Walkers pass one another. A vehicle may stand before its place, in the way of the next one,
        and have no room to turn into it, as the next one waits behind it.
        """
        if self.area.stalls is None:
            return
        left = length(self.area.subgoal(position) - position)
        there = ~self.has_place | (left < self.area.near(THERE * self.area.space.world.body.radius))
        held = np.flatnonzero(self._held_up.look(left, there, time))
        if len(held) > 1:
            self.area.exchange(held, position)

    def heads_for_place(self, frame: FormationFrame, position: Float) -> Bool:
        """Return which members (n,), at (n, 3) [m], leave the path for their places in the region.

        On stairs only where they come straight there over the ground.
        """
        heads = self.has_place
        if frame.levels is not None:
            rows = np.flatnonzero(heads)
            places = self.area.places[self.area.taken[rows]]
            heads[rows] = frame.levels.joins(position[rows], places)
        return heads
