"""Corners: whom no shepherd gets behind is left alone for a while, and comes out by itself."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.herding.herd import circle_of
from rmp3d.behaviors.groups.herding.mission import HerdView, Post
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.vectors import length

# Cosine between course and place of a shepherd from which one counts as behind.
CORNERED = 0.2
# How long one in a corner is left alone; at most, if it moves all the while and is still in it; and
# by how much that is extended at a time [s].
ALONE, LONGEST, EXTENDED = 10.0, 40.0, 1.0
# Who is slower than this share of its largest speed does not come out farther.
COMING_OUT = 0.1
# How long one is tried that was left alone [s].
TRIED = 6.0
# One passes the flock at this share of the fear distance; a way so much longer is still taken [m].
UNNOTICED, DETOUR = 0.6, 40.0
# Outside the fear distance shepherds keep so far off those they leave alone [m].
ASIDE = 1.5


@dataclass(eq=False)
class Corners:
    """The memory of who was left alone.

    Attributes:
        fear_distance: [m].
        times: How often each was left alone, by the key it is known by.
    """

    fear_distance: float
    times: dict[int, int] = field(default_factory=dict)
    _began: dict[int, float] = field(default_factory=dict)
    _until: dict[int, float] = field(default_factory=dict)

    def is_held(self, view: HerdView, key: int) -> bool:
        """Return whether those known by a key are left alone now."""
        return view.time < self._until.get(key, -np.inf)

    def hold(self, view: HerdView, key: int, rows: Index, posts: list[Post]) -> bool:
        """Return whether to leave some of the flock alone for now.

        That is when no shepherd gets behind them unnoticed. They may come out by themselves, and
        have more time while they do; after a while they are tried all the same.

        Args:
            view: What is seen.
            key: They are known by.
            rows: Who they are among the flock.
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
        """Return whether some shepherd has a way to a post that does not lead past the rows."""
        offset = post.place - post.middle
        if float(offset @ post.course) >= -CORNERED * float(np.linalg.norm(offset)):
            return False
        ways = view.ways
        shunned = view.position[rows]
        price = ways.prices(shunned, UNNOTICED * self.fear_distance, post.middle, post.course)
        priced = ways.field(post.place, price).at(view.shepherds)
        plain = ways.field(post.place).at(view.shepherds)
        return bool((priced <= 2.0 * plain + DETOUR).any())

    def aside(self, view: HerdView, rows: Index, count: int) -> list[Post]:
        """Return ``count`` places near some of the flock where nobody is afraid of a shepherd."""
        center, radius = circle_of(view.position[rows], view.grounded)
        ways = view.ways
        away = self.fear_distance + ASIDE
        near = ways.near(center, radius + away + 4.0)
        places = ways.ground.point[near]
        gap = np.linalg.norm(places[:, None] - view.position, axis=2).min(axis=1)
        posts = []
        for row, shepherd in enumerate(view.shepherds[:count]):
            worth = np.minimum(gap, away) - 0.1 * np.linalg.norm(places - shepherd, axis=1)
            place = places[np.argmax(worth)] if len(places) else shepherd
            posts.append(Post(("aside", row), np.zeros(0, np.intp), place))
        return posts


def _moves(view: HerdView, rows: Index) -> bool:
    """Return whether some of the flock are on the move, on average."""
    return bool(length(view.velocity[rows]).mean() > COMING_OUT * view.top_speed)
