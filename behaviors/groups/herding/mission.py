"""What shepherds are to do next: the contract of a mission."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from rmp3d.behaviors.groups.group_behavior import GroupEvent
from rmp3d.behaviors.groups.herding.grid import WalkableGrid
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.vectors import length, unit

# A shepherd is behind an animal if the cosine between its place and the course is beyond this.
CORNERED = 0.2

NOWHERE = frozen(np.zeros(3))


class Post(NamedTuple):
    """A place for a shepherd; it moves along with some of the flock.

    Attributes:
        key: What it is, the same from one decision to the next.
        anchor: Animals of the flock that it moves with; none for a place that stays.
        place: (3,) now [m].
        middle: (3,) of the animals that are driven from there [m].
        course: (3,) unit, in which they are driven; zero if none is. Behind them a shepherd may be
            within the fear distance.
    """

    key: tuple[str, int]
    anchor: Index
    place: Float
    middle: Float = NOWHERE
    course: Float = NOWHERE


@dataclass(frozen=True, eq=False)
class HerdView:
    """What a mission decides by.

    Attributes:
        time: [s].
        position: (n, 3) of the flock [m].
        velocity: (n, 3) of the flock [m/s].
        body_radius: Of one of the flock [m].
        top_speed: Largest of one of the flock [m/s].
        grounded: Whether the flock walks.
        shepherds: (k, 3) where the shepherds are [m].
        grid: Places that shepherds can go to.
        number: (n,) number of each of the flock in its group.
    """

    time: float
    position: Float
    velocity: Float
    body_radius: float
    top_speed: float
    grounded: bool
    shepherds: Float
    grid: WalkableGrid
    number: Index


@dataclass(eq=False)
class Log:
    """What a mission tells: events, and numbers to follow.

    Attributes:
        events: Since they were last taken out.
        measures: Latest numbers.
        figures: What is told at the end.
    """

    events: list[GroupEvent] = field(default_factory=list)
    measures: dict[str, float] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    def tell(self, time: float, kind: str, text: str) -> None:
        """Add an event of the whole group."""
        self.events.append(GroupEvent(time, kind, -1, text))


class Mission(Protocol):
    """A mode of herding at work."""

    def posts(self, view: HerdView) -> list[Post]:
        """Return where shepherds are wanted, at least one post for each."""
        ...

    def change(self, parameters: HerdingParameters) -> None:
        """Go on with other parameters."""
        ...

    def turn_over(self, flock: Turnover, shepherds: Turnover) -> None:
        """Go on with the animals and the shepherds that are there now."""
        ...


def behind(
    view: HerdView, point: Float, course: Float, distance: float, others: Float,
    over_walls: bool = False,
) -> Float:  # fmt: skip
    """Return a place (3,) from which a shepherd drives a member of the flock on its course.

    It is ``distance`` behind the member if a shepherd can stand there. Else it is the place in
    the member's sight, about as far, that is most nearly behind the member and not among others.

    Args:
        view: With the grid.
        point: (3,) where the member is [m].
        course: (3,) unit, where it is to go.
        distance: [m].
        others: (m, 3) of the rest of the flock [m].
        over_walls: Whether it may be on the other side of a wall, if none in sight is behind the
            member: animals are afraid there, too, if they perceive the shepherd.
    """
    grid = view.grid
    wanted = point - distance * course
    places = grid.near(point, 1.3 * distance + 0.5 * grid.cell)
    if grid.clear(point, wanted)[0] and grid.is_place(wanted):
        return wanted
    candidates = grid.ground.point[places]
    seen = grid.clear(point, candidates)
    if not over_walls:
        candidates, seen = candidates[seen], seen[seen]
    if len(candidates) == 0:
        return grid.ground.point[grid.nearest(point)]
    offset = candidates - point
    ahead = np.einsum("ij,j->i", unit(offset), course)
    worth = -ahead * distance
    worth -= 0.7 * np.abs(length(offset) - distance)
    if len(others):
        gap = length(candidates[:, None] - others).min(axis=1)
        worth -= 2.0 * np.maximum(0.7 * distance - gap, 0.0)
    best = int(np.argmax(np.where(seen, worth, -np.inf)))
    if not (seen[best] and ahead[best] < -CORNERED):
        best = int(np.argmax(worth))
    return candidates[best]
