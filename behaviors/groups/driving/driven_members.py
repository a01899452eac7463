"""Members that drive: how they are led along their lanes, queue, maneuver and stop in the goal."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.lanes import lane_velocity, misses, queued, stopping_point
from rmp3d.behaviors.groups.driving.reversing import Reversing
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.overtaking import overtaken
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# A vehicle whose lane asks for more than this share of its cruise speed wants to move on.
WANTS = 0.1
# A vehicle is not led nearer to the one before it in its lane than this share of the spacing.
APART = 0.65
# How far ahead in its lane a maneuver may end [m], and from how many sides one at a place.
AHEAD, SIDES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 13.0]), 12


@dataclass(eq=False)
class DrivenMembers:
    """Members of a marching group that move along their heading only, and turn on a radius.

    Attributes:
        march: Whose places they follow.
        area: Where they have places in the end.
        reversing: Their maneuvers.
        crowd: All characters there are at the moment.
    """

    march: FormationFrame
    area: GoalArea
    reversing: Reversing
    crowd: Flock = field(init=False)
    _halted: Bool = field(init=False)
    _velocity: Float = field(init=False)

    def __post_init__(self) -> None:
        self._halted = np.zeros(self.reversing.count, np.bool_)

    @property
    def maneuvers(self) -> bool:
        """Whether somebody maneuvers."""
        return bool(self.reversing.way)

    def behind_others(self, station: Float, slots: Float, position: Float) -> Float:
        """Return arc lengths (n,) [m] to follow, of slots (n, 3), behind those who are before."""
        limit = queued(self.march, slots, position, APART * self.march.spacing)
        return np.minimum(station, limit)

    def overtaken(self, slots: Float, position: Float, radius: Float) -> list[list[int]]:
        """Return pairs of members who change places: one maneuvers, the other has passed it."""
        pairs = overtaken(
            self.reversing.way, self.march.along(position), slots[:, 0], self.area.taken < 0, radius
        )
        return pairs

    def lead(self, flock: Flock, velocity: Float, goal: Float) -> tuple[Float, Float]:
        """Return subgoals (n, 3) [m] and their velocities (n, 3) [m/s], given the places' own.

        Who has a place in the goal heads for ``goal`` (n, 3), or stays where it can stop if it
        would have to drive round.
        """
        subgoal, velocity = flock.position.copy(), lane_velocity(self.march, flock, velocity)
        in_goal = self.area.taken >= 0
        stops = self.area.inside(stopping_point(flock)) & misses(flock, goal)
        self._halted |= in_goal & stops
        goal[self._halted] = flock.position[self._halted]
        subgoal[in_goal], velocity[in_goal] = goal[in_goal], 0.0
        return subgoal, velocity

    def maneuver(
        self, flock: Flock, subgoal: Float, velocity: Float, remaining: Float, parked: Bool
    ) -> Index:
        """Return which way (n,) members drive in maneuvers; see `Intent.gear`."""
        in_goal = self.area.taken >= 0
        pace = np.where(in_goal, length(subgoal - flock.position), length(velocity))
        least = np.where(in_goal, flock.bodies.radius, WANTS * flock.bodies.cruise_speed)
        station = self.march.along(flock.position)

        def ends(member: int) -> Float:
            if in_goal[member]:
                around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
                return np.column_stack([np.tile(subgoal[member, :2], (SIDES, 1)), around])
            march = self.march
            ahead = np.minimum(station[member] + AHEAD, march.path.length)
            aside = np.broadcast_to(march.aside[member], (len(ahead), 2))
            at = march.position(ahead, march.within_room(ahead, aside))
            heading = march.path.frames(ahead, march.window)[:, :, 0]
            return np.column_stack([at[:, :2], np.arctan2(heading[:, 1], heading[:, 0])])

        wants = (pace > least) & ~parked
        gear, self._velocity = self.reversing.step(flock, wants, ends, remaining, self.crowd)
        return gear

    def steered(self, steering: SteeringOutput, flock: Flock, gear: Index) -> SteeringOutput:
        """Return the steering in which those in a maneuver follow their way alone."""
        force = (self._velocity - flock.velocity) * flock.bodies.mass[:, None] / RESPONSE_TIME
        return steering._replace(force=np.where(gear[:, None] != 0, force, steering.force))
