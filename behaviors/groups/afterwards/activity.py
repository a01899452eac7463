"""The contract of activities: where members go, one place after another, after they have arrived.

An activity of one's own is two classes: a frozen dataclass that is an `Activity`, whose fields are
its options, and an `PlaceChooser`, of which only ``next_place`` has to be written.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.area import Area
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import Registry

ACTIVITIES = Registry("activity")


class PlaceChooser(ABC):
    """Where n members go, one place after another.

    Attributes:
        places: (K, 3) where members may go [m].
        any_will_do: Whether a vehicle that is held up on its way goes to another place instead.
    """

    any_will_do: ClassVar[bool] = False
    places: Float

    @abstractmethod
    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return the row of the place that a member goes to next; -1: it has none and stays.

        Args:
            member: Row in the flock.
            flock: The n members in their present state.
            going: (n,) rows of the places that members are going to or have come to; -1: none.
        """

    def turn_over(self, members: Turnover, came: Float) -> None:  # noqa: B027 (most need not)
        """Go on with the members that are there now.

        Args:
            members: What becomes of the n members.
            came: (m, 3) where newcomers stand, in the order of their rows [m].
        """

    def is_last(self, member: int) -> bool:
        """Return whether a member stays at the place that it is going to."""
        return False

    def look(self, flock: Flock, time: float) -> None:  # noqa: B027 (most need not look)
        """See where the members are at a time [s], once a step."""


class Activity(ABC):
    """What members do after all of their group have arrived.

    Attributes:
        stays: Whether members keep to the places in the goal that their behavior gave them.
    """

    stays: ClassVar[bool] = False

    @abstractmethod
    def chooser(self, area: Area) -> PlaceChooser | None:
        """Return where the members go; None: there is no room to go about, so they stay.

        Args:
            area: What can be reached, for which group.

        Raises:
            InputError: An option is wrong for this scene; names it.
        """
