"""Members that drive: they follow lanes, queue, and go to places in the goal."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.lanes import lane_velocity, queued
from rmp3d.behaviors.groups.formation.overtaking import overtaken
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length

# The place of a vehicle keeps this share of the spacing to the vehicle before it in its lane.
APART = 0.65
# So far ahead lies what guides a vehicle in its lane [m].
AHEAD = np.arange(1.0, 24.0)


@dataclass(eq=False)
class LaneFollowers:
    """Vehicles that move along their heading only, and turn on a radius; see `Followers`.

    Attributes:
        members: With their slots.
        area: With their places in the goal.
    """

    waits: ClassVar[bool] = False

    members: Membership
    area: GoalArea

    def overtaken(self, flock: Flock) -> list[list[int]]:
        """Return pairs of members: the other one has passed the first."""
        if self.members.tail is not None:
            return []
        along = self.members.frame.along(flock.position)
        lag, free = self.members.slots[:, 0], self.area.taken < 0
        behind = self.members.frame.station - along > self.members.frame.spacing
        return overtaken(np.flatnonzero(behind).tolist(), along, lag, free, flock.bodies.radius)

    def allowed(self, station: Float, position: Float) -> Float:
        """Return arc lengths (n,) [m] behind the vehicles that are before each in its lane."""
        frame = self.members.frame
        apart = APART * frame.spacing
        limit = queued(frame, self.members.slots, position, apart, self.area.taken >= 0)
        return np.minimum(station, limit)

    def have_reached(self, station: float, position: Float) -> Bool:
        """Return which vehicles (n,) are behind an arc length [m].

        A vehicle that was left behind, wedged, follows its lane: it does not see the goal.
        """
        reached: Bool = self.members.frame.along(position) >= station
        return reached

    def lead(
        self, flock: Flock, place: Float, velocity: Float, goal: Float, in_goal: Bool
    ) -> tuple[Float, Float]:
        """Return where vehicles are, and the velocities of their lanes; see `Followers.lead`."""
        lanes = lane_velocity(self.members.frame, flock, velocity)
        subgoal = flock.position.copy()
        subgoal[in_goal], lanes[in_goal] = goal[in_goal], 0.0
        return subgoal, lanes

    def completed(self, intent: Intent, flock: Flock, aside: Float, in_goal: Bool) -> Intent:
        """Return the intent with the guides of vehicles; those out of the goal are not parked.

        A vehicle may have rolled on, out of the goal. One that has a place there, and does not come
        straight to it yet, keeps to its lane. One that is parked before its stall, as all are in
        the goal, stands: it may have been on a curve that leads out of the goal and in again.
        """
        parked = intent.parked & self.area.inside(flock.position)
        pace = np.where(in_goal, flock.bodies.cruise_speed, length(intent.subgoal_velocity))
        off = length(intent.subgoal - flock.position) >= self.area.near(0.5 * flock.bodies.radius)
        pace[parked & off] = 0.0
        station = self.members.frame.along(flock.position)

        def points(member: int) -> Float:
            if in_goal[member]:
                lane = self._lane(member, float(station[member]))
                lane = lane[~self.area.inside(lane)]
                return np.concatenate([lane, intent.subgoal[member, None]])
            return self._lane(member, float(station[member]))

        guides = Guides(points, pace, in_goal, course=self.area.course)
        return replace(intent, parked=parked, guides=guides)

    def _lane(self, member: int, station: float) -> Float:
        """Return points (G, 3) of a member's lane ahead of it."""
        frame = self.members.frame
        ahead = np.minimum(station + AHEAD, frame.path.length)
        aside = np.broadcast_to(frame.aside[member], (len(ahead), 2))
        return frame.position(ahead, frame.within_corridor(ahead, aside))
