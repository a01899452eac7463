"""Who gives way to whom before an opening: who leaves goes first, then who passes, then who waits.

Those who come out, and those who only go by, have to get out of the throng before it can move: it
steps back from them where it all but touches them, and is in their way.
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.opening_queue import LETS_GO, NEAR, OpeningQueue
from rmp3d.behaviors.groups.openings.order import make_way
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# Who goes by is given way to if it is nearer to the opening than this [m].
GOES_BY = NEAR + LETS_GO


def give_way(
    sides: Sequence[OpeningQueue], flock: Flock, led: Bool, others: Index, point: Float,
    pace: Float, wish: Float,
) -> None:  # fmt: skip
    """Let those whom the queues of an opening lead step back from those that go before them.

    Args:
        sides: Its queue, or those of both directions.
        flock: Present state.
        led: (N,) members that these queues lead.
        others: Rows of members near that no queue leads.
        point: (N, 3) next of the routes of all [m]; nan for those that have none.
        pace: (N,) speed at which each likes to go [m/s].
        wish: (N, 3) velocities that are led to, changed in place [m/s].
    """
    middle = sides[0].opening.middle
    others = others[np.isfinite(point[others, 0])]
    others = others[_far(flock, others, middle) < GOES_BY]
    leaves, order, waits = (
        _led(rows, led)
        for rows in (
            [side.side.leaves for side in sides],
            [side.order for side in sides],
            [side.side.waits for side in sides],
        )
    )
    waits = waits[np.argsort(_far(flock, waits, middle), kind="stable")]
    rows = np.concatenate([leaves, others, order, waits])
    rows = rows[np.sort(np.unique(rows, return_index=True)[1])]
    velocity, by = wish[rows, :2], ~led[rows]
    onward = (point[rows[by]] - flock.position[rows[by]])[:, :2]
    far = np.maximum(length(onward), 1e-9)
    velocity[by] = (pace[rows[by]] / far)[:, None] * onward
    make_way(flock.position[rows, :2], flock.bodies.half_width[rows], velocity)
    wish[rows[~by], :2] = velocity[~by]


def _far(flock: Flock, rows: Index, middle: Float) -> Float:
    """Return how far members (m,) are from a point in plan [m]."""
    return length((flock.position[rows] - middle)[:, :2])


def _led(rows: Sequence[Index], led: Bool) -> Index:
    """Return those rows of several lists that are led."""
    all_ = np.concatenate(rows)
    return all_[led[all_]]
