"""Passages of a body itself, found from the path of a shrunk one: the tight parts are followed.

Where the path of a shrunk body leads through something tight, the body itself may be free at one
configuration in the middle, and yet not along the path: in a thread, a shrunk body turns as it
likes. From there the passage is followed both ways to where it opens (`followed`). What is left
between start, passages and goal is wide, and trees find it.

Where the body itself is free nowhere in the tight part, single configurations are made ready for
it: a thin body grows there, and is moved to the middle after each size (`_grown`). This may turn it
by as much as it takes, because nothing has to be joined meanwhile.
"""

from collections.abc import Callable, Generator

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.centering import CHUNK, centered
from rmp3d.planner.trees.following import OPEN, followed
from rmp3d.planner.trees.turns import Turns

MOST = 4  # tight parts of one path that are followed
TRIES = 7  # searches between two passages
PATIENCE = 3000.0  # work of the first of them; see `ShrunkBody`

GROWING = 8  # configurations of a path that are made ready for the body itself, at most
LACKING = (0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.025, 0.0125, 0.0)  # by bodies that lack so much

Body = Callable[[float], RigidBodySpace]
"""Returns the space of a body that lacks a share; of the body itself for 0."""

Searched = Callable[[RigidBodySpace, Float, float, Float], Turns]
"""Looks for a path between ends (2, 7), for so much work, near a guide (G, 7)."""


def through_passages(
    whole: RigidBodySpace,
    ends: Float,
    middle: Float,
    searched: Searched,
    growing: Body | None = None,
) -> Turns:
    """Return a path (K, 7) of the body itself over the passages that it follows, or none (0, 7).

    Args:
        whole: Space of the body itself.
        ends: (2, 7) start and goal.
        middle: (M, 7) path of a shrunk body, moved to the middle of its passages.
        searched: Looks for the motions between passages.
        growing: Returns bodies up to the body itself; None: no configuration is made ready for it.
    """
    free = whole.world.is_free(middle[1:-1])
    rows = np.flatnonzero(free) + 1
    passages = yield from _passages(whole, middle, rows, middle[rows])
    if not passages and growing is not None:
        tight = np.flatnonzero(~free) + 1
        even = np.linspace(0, len(tight) - 1, min(GROWING, len(tight)))
        rows = tight[np.unique(even.round().astype(np.intp))]
        rows, places = yield from _grown(growing, rows, middle[rows])
        passages = yield from _passages(whole, middle, rows, places)
    if not passages:
        return np.zeros((0, 7))
    lines, here = [], ends[0]
    for passage in [*passages, ends[1:]]:
        link = yield from _link(whole, np.stack([here, passage[0]]), middle, searched)
        if len(link) == 0:
            return link
        lines += [link, passage]
        here = passage[-1]
    return joined(lines)


def _grown(growing: Body, rows: Index, places: Float) -> Generator[None, None, tuple[Index, Float]]:
    """Return those of the rows (M,), and configurations (M, 7), that became free for the body.

    Args:
        growing: Returns the bodies.
        rows: Of the path that the places are on.
        places: (M, 7), free for a shrunk body.
    """
    for lack in LACKING:
        space = growing(lack)
        free = space.world.is_free(places)
        rows, places = rows[free], places[free]
        if len(rows) == 0:
            break
        if lack > 0.0:
            places, _ = centered(space, places)
        yield
    return rows, places


def _passages(
    whole: RigidBodySpace, middle: Float, rows: Index, places: Float
) -> Generator[None, None, list[Float]]:
    """Return passages (K, 7) in the order of the path that they are taken from.

    Args:
        whole: Space of the body itself.
        middle: See `through_passages`.
        rows: (M,) of the path, from which configurations were taken.
        places: (M, 7) these, free for the body itself.
    """
    places, gaps = np.array(places), np.zeros(len(rows))
    for first in range(0, len(rows), CHUNK):
        part = slice(first, first + CHUNK)
        places[part], gaps[part] = centered(whole, places[part])
        yield
    found: list[tuple[int, Float]] = []
    led_past = np.zeros(len(middle), np.bool_)
    for at in np.argsort(gaps, kind="stable").tolist():
        if gaps[at] >= OPEN * whole.reach or len(found) == MOST:
            break
        place, row = places[at], int(rows[at])
        ahead = whole.toward(middle[row - 1, None], middle[row + 1, None])[0]
        ahead[3:] *= whole.lever / whole.reach
        if led_past[row] or not np.linalg.norm(ahead) > 0.0:
            continue
        back, _ = yield from followed(whole, place, -ahead)
        on, _ = yield from followed(whole, place, ahead)
        passage = np.concatenate([back[::-1], place[None], on])
        found.append((row, passage))
        led_past[_nearest_row(middle, passage[0]) : _nearest_row(middle, passage[-1]) + 1] = True
        led_past[row] = True
    return [passage for _, passage in sorted(found, key=lambda each: each[0])]


def _nearest_row(path: Float, configuration: Float) -> int:
    """Return the row of a path (K, 7) whose position is nearest to that of a configuration."""
    return int(np.argmin(np.linalg.norm(path[:, :3] - configuration[:3], axis=1)))


def _link(whole: RigidBodySpace, ends: Float, guide: Float, searched: Searched) -> Turns:
    """Return a path (K, 7) between two configurations, or none."""
    if whole.world.touch_nothing(ends[:1], ends[1:])[0]:
        return ends
    for tries in range(1, TRIES + 1):
        path = yield from searched(whole, ends, PATIENCE * (tries & -tries), guide)
        if len(path):
            return path
    return np.zeros((0, 7))
