"""Corners: an animal that no shepherd gets behind is left alone, and may come out by itself."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.herding.herd import circle_of
from rmp3d.behaviors.groups.herding.mission import CORNERED, HerdView, Post
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.vectors import length

# How long an animal in a corner is left alone; how long at most, if it moves all the while; and by
# how much the time is extended at once [s].
ALONE, LONGEST, EXTENDED = 10.0, 40.0, 1.0
# An animal slower than this share of its largest speed does not come out.
COMING_OUT = 0.1
# How long shepherds try again with an animal that was left alone [s].
TRIED = 6.0
# Shepherds pass at this share of the fear distance; a path so much longer is still taken [m].
UNNOTICED, DETOUR = 0.6, 40.0
# Shepherds keep this far beyond the fear distance to animals that they leave alone [m].
ASIDE = 1.5


@dataclass(eq=False)
class Corners:
    """The memory of which animals were left alone.

    Attributes:
        fear_distance: [m].
        times: How often each was left alone, by its key.
    """

    fear_distance: float
    times: dict[int, int] = field(default_factory=dict)
    _began: dict[int, float] = field(default_factory=dict)
    _until: dict[int, float] = field(default_factory=dict)

    def turn_over(self, flock: Turnover) -> None:
        """Forget the animals that have left."""
        self.times = flock.keyed(self.times)
        self._began, self._until = flock.keyed(self._began), flock.keyed(self._until)

    def is_held(self, view: HerdView, key: int) -> bool:
        """Return whether the animals of a key are left alone now."""
        return view.time < self._until.get(key, -np.inf)

    def hold(self, view: HerdView, key: int, rows: Index, posts: list[Post]) -> bool:
        """Return whether to leave some animals alone for now.

        They are left alone when no shepherd gets behind them unnoticed. They may come out by
        themselves, and have more time while they do. After a while shepherds try all the same.

        Args:
            view: What is seen.
            key: Of these animals.
            rows: Of these animals in the flock.
            posts: From which they would be driven.
        """
        until = self._until.get(key, -np.inf)
        if view.time < until:
            if until < view.time + EXTENDED <= self._began[key] + LONGEST and (
                _moves(view, rows) and not self._get_behind(view, rows, posts)
            ):
                self._until[key] = view.time + EXTENDED
            return True
        if view.time < until + TRIED or self._get_behind(view, rows, posts):
            return False
        self._began[key] = view.time
        self._until[key] = view.time + ALONE
        self.times[key] = self.times.get(key, 0) + 1
        return True

    def _get_behind(self, view: HerdView, rows: Index, posts: list[Post]) -> bool:
        return any(self._gets_behind(view, rows, post) for post in posts)

    def _gets_behind(self, view: HerdView, rows: Index, post: Post) -> bool:
        """Return whether a shepherd has a path to a post that does not lead past the animals."""
        offset = post.place - post.middle
        if float(offset @ post.course) >= -CORNERED * float(np.linalg.norm(offset)):
            return False
        grid = view.grid
        shunned = view.position[rows]
        price = grid.prices(shunned, UNNOTICED * self.fear_distance, post.middle, post.course)
        priced = grid.field(post.place, price).at(view.shepherds)
        plain = grid.field(post.place).at(view.shepherds)
        return bool((priced <= 2.0 * plain + DETOUR).any())

    def aside(self, view: HerdView, rows: Index, count: int) -> list[Post]:
        """Return ``count`` places near some animals where no animal is afraid of a shepherd."""
        center, radius = circle_of(view.position[rows], view.grounded)
        grid = view.grid
        away = self.fear_distance + ASIDE
        near = grid.near(center, radius + away + 4.0)
        places = grid.ground.point[near]
        gap = np.linalg.norm(places[:, None] - view.position, axis=2).min(axis=1)
        posts = []
        for row, shepherd in enumerate(view.shepherds[:count]):
            worth = np.minimum(gap, away) - 0.1 * np.linalg.norm(places - shepherd, axis=1)
            place = places[np.argmax(worth)] if len(places) else shepherd
            posts.append(Post(("aside", row), np.zeros(0, np.intp), place))
        return posts


def _moves(view: HerdView, rows: Index) -> bool:
    """Return whether some animals are on the move, on average."""
    return bool(length(view.velocity[rows]).mean() > COMING_OUT * view.top_speed)
