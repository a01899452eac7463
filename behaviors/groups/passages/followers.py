"""The contract of followers: how the members of a formation follow their slots."""

from typing import ClassVar, Protocol

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.geometry.arrays import Bool, Float


class Followers(Protocol):
    """Members that follow slots: `SlotFollowers` walk or fly, `LaneFollowers` drive.

    Attributes:
        waits: Whether members can come to their slots while the virtual leader stands. Then the
            group gathers behind passages, and its members stroll in the goal.
    """

    waits: ClassVar[bool]

    def overtaken(self, flock: Flock) -> list[list[int]]:
        """Return pairs of members that are to exchange their slots: one has passed the other."""
        ...

    def allowed(self, station: Float, position: Float) -> Float:
        """Return how far along the path (n,) [m] slots may be, given where they are (n,) [m]."""
        ...

    def have_reached(self, station: float, position: Float) -> Bool:
        """Return which members (n,), at (n, 3) [m], may go to the goal behind an arc length [m]."""
        ...

    def lead(
        self, flock: Flock, place: Float, velocity: Float, goal: Float, in_goal: Bool
    ) -> tuple[Float, Float]:
        """Return subgoals (n, 3) [m] and their velocities (n, 3) [m/s].

        Args:
            flock: The members.
            place: (n, 3) of the members' places along the path [m].
            velocity: (n, 3) of these places [m/s].
            goal: (n, 3) of members that have a place in the goal [m].
            in_goal: (n,) members that go there.
        """
        ...

    def completed(self, intent: Intent, flock: Flock, aside: Float, in_goal: Bool) -> Intent:
        """Return the intent with what only these followers know: lanes, or guides.

        Args:
            intent: What the members want.
            flock: The members.
            aside: (n, 2) left and up of the slots that the members follow [m].
            in_goal: (n,) members that go to their places in the goal.
        """
        ...
