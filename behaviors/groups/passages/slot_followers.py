"""Members that walk or fly: they can stop, step aside and turn anywhere, and hold their slots."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.formation.overtaking import passed_in_file
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.geometry.arrays import Bool, Float


@dataclass(eq=False)
class SlotFollowers:
    """Walkers and flyers in formation; see `Followers`.

    Attributes:
        members: With their slots.
        area: With their places in the goal.
    """

    waits: ClassVar[bool] = True

    members: Membership
    area: GoalArea

    def overtaken(self, flock: Flock) -> list[list[int]]:
        """Return pairs of members in one file: one fell back, the other has passed it."""
        members = self.members
        in_file = members.in_file & (self.area.taken < 0)
        if not in_file.any():
            return []
        radius = flock.bodies.radius
        return passed_in_file(members.frame, flock.position, members.slots_in_file, in_file, radius)

    def allowed(self, station: Float, position: Float) -> Float:
        """Return the arc lengths (n,) [m] as they are."""
        return station

    def have_reached(self, station: float, position: Float) -> Bool:
        """Return that all (n,) may go to the goal."""
        return np.ones(len(position), np.bool_)

    def lead(
        self, flock: Flock, place: Float, velocity: Float, goal: Float, in_goal: Bool
    ) -> tuple[Float, Float]:
        """Return the places along the path, or in the goal; see `Followers.lead`."""
        subgoal, velocity = place.copy(), velocity.copy()
        subgoal[in_goal], velocity[in_goal] = goal[in_goal], 0.0
        return subgoal, velocity

    def completed(self, intent: Intent, flock: Flock, aside: Float, in_goal: Bool) -> Intent:
        """Return the intent with the members that keep to the lanes of their slots."""
        in_lane = ~((self.area.taken >= 0) | self.members.in_file)
        in_lane &= self.members.frame.in_lane(aside, flock.position)
        return replace(intent, in_lane=in_lane)
