"""Members that drive: they follow lanes, queue, maneuver, and stop in the goal."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.lanes import lane_velocity, misses, queued, stopping_point
from rmp3d.behaviors.groups.driving.reversing import Reversing
from rmp3d.behaviors.groups.formation.overtaking import overtaken
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# A vehicle whose lane asks for more than this share of its cruise speed wants to move on.
WANTS = 0.1
# The place of a vehicle keeps this share of the spacing to the vehicle before it in its lane.
APART = 0.65
# How far ahead in its lane a maneuver may end [m], and from how many sides one at a place.
AHEAD, SIDES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 13.0]), 12


@dataclass(eq=False)
class LaneFollowers:
    """Vehicles that move along their heading only, and turn on a radius; see `Followers`.

    Attributes:
        members: With their slots.
        area: With their places in the goal.
        reversing: Their maneuvers.
        crowd: All characters there are at the moment.
    """

    waits: ClassVar[bool] = False

    members: Membership
    area: GoalArea
    reversing: Reversing
    crowd: Flock = field(init=False)
    _halted: Bool = field(init=False)
    _velocity: Float = field(init=False)

    def __post_init__(self) -> None:
        self._halted = np.zeros(self.reversing.count, np.bool_)

    @property
    def maneuvers(self) -> bool:
        """Whether a vehicle maneuvers at the moment."""
        return bool(self.reversing.maneuvers)

    def look(self, crowd: Flock) -> None:
        """Know all characters: vehicles maneuver around them."""
        self.crowd = crowd

    def overtaken(self, flock: Flock) -> list[list[int]]:
        """Return pairs of members: one maneuvers, the other has passed it."""
        if self.members.tail is not None:
            return []
        along = self.members.frame.along(flock.position)
        lag, free = self.members.slots[:, 0], self.area.taken < 0
        return overtaken(self.reversing.maneuvers, along, lag, free, flock.bodies.radius)

    def allowed(self, station: Float, position: Float) -> Float:
        """Return arc lengths (n,) [m] behind the vehicles that are before each in its lane."""
        frame = self.members.frame
        limit = queued(frame, self.members.slots, position, APART * frame.spacing)
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
        """Return where vehicles are, and the velocities of their lanes; see `Followers.lead`.

        A vehicle that has a place in the goal heads for it. If it would have to drive round, it
        stays where it can stop.
        """
        lanes = lane_velocity(self.members.frame, flock, velocity)
        subgoal, goal = flock.position.copy(), goal.copy()
        stops = self.area.inside(stopping_point(flock)) & misses(flock, goal)
        self._halted |= in_goal & stops
        goal[self._halted] = flock.position[self._halted]
        subgoal[in_goal], lanes[in_goal] = goal[in_goal], 0.0
        return subgoal, lanes

    def completed(self, intent: Intent, flock: Flock, aside: Float) -> Intent:
        """Return the intent with the gears of maneuvers; vehicles out of the goal are not parked.

        A vehicle may have rolled on, out of the goal.
        """
        parked = intent.parked & self.area.inside(flock.position)
        in_goal = self.area.taken >= 0
        pace = np.where(
            in_goal, length(intent.subgoal - flock.position), length(intent.subgoal_velocity)
        )
        least = np.where(in_goal, flock.bodies.radius, WANTS * flock.bodies.cruise_speed)
        station = self.members.frame.along(flock.position)

        def ends(member: int) -> Float:
            if in_goal[member]:
                around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
                place = intent.subgoal[member, :2]
                return np.column_stack([np.tile(place, (SIDES, 1)), around])
            return self._poses_in_lane(member, station[member])

        wants = (pace > least) & ~parked
        gear, self._velocity = self.reversing.step(flock, wants, ends, intent.remaining, self.crowd)
        return replace(intent, parked=parked, gear=gear)

    def _poses_in_lane(self, member: int, station: float) -> Float:
        """Return poses (E, 3) in plan, ahead in a member's lane, that it may drive on from."""
        frame = self.members.frame
        ahead = np.minimum(station + AHEAD, frame.path.length)
        aside = np.broadcast_to(frame.aside[member], (len(ahead), 2))
        at = frame.position(ahead, frame.within_corridor(ahead, aside))
        heading = frame.path.frames(ahead, frame.window)[:, :, 0]
        return np.column_stack([at[:, :2], np.arctan2(heading[:, 1], heading[:, 0])])

    def steered(self, steering: SteeringOutput, flock: Flock, gear: Index) -> SteeringOutput:
        """Return the steering; a vehicle in a maneuver follows its maneuver alone."""
        force = (self._velocity - flock.velocity) * flock.bodies.mass[:, None] / RESPONSE_TIME
        return steering._replace(force=np.where(gear[:, None] != 0, force, steering.force))
