"""Queues of openings, and openings that are passed both ways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.groups.openings.finding import OFF_JAMBS, NarrowOpening
from rmp3d.behaviors.groups.openings.turns import Turns
from rmp3d.behaviors.groups.openings.two_ways import Side
from rmp3d.geometry.arrays import Float, Index
from rmp3d.planner.spaces import GroundSpace


@dataclass(eq=False)
class OpeningQueue:
    """An opening that members of some groups pass.

    Attributes:
        opening: Where.
        space: Of these members.
        rest: (G,) path left behind it for each group [m]; nan for those whose members have routes
            of their own.
        order: Rows of the members in the order of passing.
        side: Its members that make room for those who come the other way.
        meet: Whether some come, or will come soon, the other way, too.
    """

    opening: NarrowOpening
    space: GroundSpace
    rest: Float
    order: Index
    side: Side
    meet: bool = False

    @property
    def radius(self) -> float:
        """Of a body [m]."""
        return float(self.space.world.body.radius)

    def is_narrow(self, gap: float) -> bool:
        """Return whether there is no room for two abreast, so far apart [m]."""
        return 2.0 * (self.opening.half - OFF_JAMBS) < 2.0 * self.radius + gap

    def forget(self) -> None:
        """Let everybody go."""
        self.order, self.side, self.meet = np.zeros(0, np.intp), Side(), False


class BothWays(NamedTuple):
    """An opening that is passed both ways.

    Attributes:
        back: Queue of the other direction.
        turns: That the sides take; None where they pass side by side.
    """

    back: int
    turns: Turns | None


def pairs_of(queues: Sequence[OpeningQueue], gap: float, dt: float) -> dict[int, BothWays]:
    """Return the openings that are passed both ways: by the queue of one direction."""
    found: dict[int, BothWays] = {}
    for k, queue in enumerate(queues):
        for m, other in enumerate(queues[:k]):
            back = replace(queue.opening, normal=-queue.opening.normal)
            if other.space is queue.space and back.is_as(other.opening):
                narrow = queue.is_narrow(gap) or other.is_narrow(gap)
                found[m] = BothWays(k, Turns(other.opening, dt) if narrow else None)
    return found
