"""The parameters of herding."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rmp3d.behaviors.groups.herding.slots import Shape
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.models import Character

# One or two shepherds push from this share of the fear distance.
NEAR = 0.45


@dataclass(frozen=True, kw_only=True)
class HerdingParameters:
    """The parameters of shepherds.

    Attributes:
        flock: Group that is herded; empty: the only other one.
        mode: ``drive`` the flock to its goal (a `herded` group); ``cover`` an area with it, until
            it has been everywhere; ``patrol`` the border of a region and turn back animals that
            cross it.
        formation: Of two and more shepherds that drive: ``line`` or ``arc``.
        fear_distance: The flock flees a shepherd that is nearer than this [m].
        distance: Distance between the flock's circle and the shepherds that push [m]; 0: 0.45 of
            the fear distance, farther for more than two, so that they are feared as two.
        inset: By how much a line of shepherds is shorter than the flock is wide [m].
        circle: The flock counts as gathered in a circle of this radius [m]; 0 takes one that suits
            number and bodies. Where the route is narrow the flock may be as much longer.
        subgoal_spacing: Distance between subgoals of the flock [m].
        region: Region that is covered or patrolled; empty: everywhere (only ``cover``).
        keep: Whether the flock is kept ``in`` the region that is patrolled, or ``out`` of it.
        swath: Ground this near to a member of the flock counts as covered [m].
        cell: Size of the cells of the grid in which shepherds find their routes [m].
        spacing: Distance between places at the start [m]; 0 takes one that suits body and speed.
    """

    flock: str = ""
    mode: Literal["drive", "cover", "patrol"] = "drive"
    formation: Shape = "line"
    fear_distance: float = 6.0
    distance: float = 0.0
    inset: float = 2.0
    circle: float = 0.0
    subgoal_spacing: float = 5.0
    region: str = ""
    keep: Literal["in", "out"] = "in"
    swath: float = 3.0
    cell: float = 1.0
    spacing: float = 0.0

    def __post_init__(self) -> None:
        for name in ("fear_distance", "subgoal_spacing", "swath", "cell"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        for name in ("distance", "inset", "circle", "spacing"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")
        if self.distance >= self.fear_distance:
            raise InputError(
                f"`distance` {self.distance} m must be less than `fear_distance` "
                f"{self.fear_distance} m: farther off no animal is afraid"
            )
        if self.mode == "patrol" and not self.region:
            raise InputError("`region`: the mode `patrol` needs the name of a region")

    def push_distance(self, count: int) -> float:
        r"""Return the distance [m] between the flock's circle and ``count`` that push side by side.

        Fear falls linearly to 0 at the fear distance D, and adds up. With more than two, k, the
        distance is such that the flock fears them together as it fears two at 0.45 D,
        :math:`D (0.45 + 0.55 (1 - 2 / k))`: pressed harder in the middle, it parts to the sides.
        """
        share = NEAR + (1.0 - NEAR) * (1.0 - 2.0 / max(count, 2))
        return self.distance or share * self.fear_distance

    def flock_name(self, groups: tuple[str, ...], own: int) -> str:
        """Return the name of the group that is herded.

        Raises:
            InputError: It is none, the own one, or not stated among several.
        """
        others = [name for row, name in enumerate(groups) if row != own]
        if self.flock in others:
            return self.flock
        if not self.flock and len(others) == 1:
            return others[0]
        if not others:
            raise InputError("`flock`: there is no other group to herd; add one to `groups`")
        if not self.flock:
            raise InputError(f"`flock`: say which group to herd: {', '.join(others)}")
        raise InputError(f"`flock`: {unknown_name('other group', self.flock, others)}")


def check_steps_aside(character: Character, behavior: str, because: str) -> None:
    """Refuse vehicles that cannot step aside; those that turn on the spot can come there.

    Args:
        character: Of the group.
        behavior: Its name.
        because: Why it has to.

    Raises:
        InputError: The character drives on a turn radius, and does not turn on the spot.
    """
    own = character.parameters
    if own.turn_radius > 0.0 and not own.pivots:
        raise InputError(
            f"the behavior `{behavior}` is not for `{character.name}`: {because}, and a vehicle "
            f"with a `turn_radius` ({own.turn_radius:g} m) cannot; choose a character that moves "
            "in any direction, such as `dog` or `sheep`, or one that `pivots`"
        )
