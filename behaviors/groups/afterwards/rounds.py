"""Return and patrol: go back to where one began, or from post to post and round again."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import ACTIVITIES, Activity, PlaceChooser
from rmp3d.behaviors.groups.afterwards.area import Area
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError


@ACTIVITIES.register("return")
@dataclass(frozen=True)
class GoBack(Activity):
    """Go back by the roadmap, each to the place where it began, and stay there."""

    def chooser(self, area: Area) -> PlaceChooser:
        """Return the places where members began."""
        return Returning(area, area.home)


class Returning(PlaceChooser):
    """Every member goes to a place (n, 3) of its own [m], and stays there."""

    def __init__(self, area: Area, places: Float) -> None:
        self.places, self._own, self._area = places, np.arange(len(places)), area

    def turn_over(self, members: Turnover, came: Float) -> None:
        """Note where newcomers stand."""
        count = len(self.places)
        self.places = np.concatenate([self.places, came])
        self._own = members.of(self._own, count + np.cumsum(members.new) - 1)

    def for_newcomers(self, came: Float) -> Float:
        """Return places (m, 3) beside those of the others for newcomers at (m, 3) [m]."""
        return self._area.beside(self.places, came)

    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return the member's own place."""
        return int(self._own[member])

    def is_last(self, member: int) -> bool:
        """Return that every member stays at its place."""
        return True


MAX_POSTS = 200


@ACTIVITIES.register("patrol")
@dataclass(frozen=True)
class PatrolPosts(Activity):
    """Go from post to post by the roadmap, and round again, for as long as the run lasts.

    Attributes:
        posts: Names of regions, in the order in which they are gone to; ``goal`` is the group's
            goal. Empty: to and fro between start and goal.
    """

    posts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.posts) > MAX_POSTS:
            raise InputError(f"`posts`: at most {MAX_POSTS}, given {len(self.posts):,}")
        if len(self.posts) == 1 or any(
            a == b for a, b in zip(self.posts, self.posts[1:], strict=False)
        ):
            raise InputError(
                "`posts` must name two regions or more, each another one than the one before, "
                f"got {list(self.posts)}"
            )

    def chooser(self, area: Area) -> PlaceChooser:
        """Return the posts, with a place of its own at each post for every member."""
        ends = area.task.path.points[[0, -1]]
        posts = [area.place(name, f"posts[{row}]") for row, name in enumerate(self.posts)]
        return _Posts(area, np.array(posts) if posts else ends)


class _Posts(PlaceChooser):
    def __init__(self, area: Area, posts: "np.ndarray") -> None:
        self.places = posts

    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return the next post."""
        return int((going[member] + 1) % len(self.places))
