"""Assignment: who takes which slot, so that nobody crosses another's way."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from geometry.arrays import Float, Index

# Where slots are equally far, those in front go to the outside, out of the way of the others.
OUTWARD = 1e-2


def in_file(position: Float, ahead: Float) -> Index:
    """Return the slot (n,) of each member of a column: the nearest to a point ahead leads.

    Args:
        position: (n, 3) [m].
        ahead: (3,) where the column goes to [m].
    """
    order = np.argsort(np.linalg.norm(position - ahead, axis=1), kind="stable")
    slot = np.empty(len(order), np.intp)
    slot[order] = np.arange(len(order))
    return slot


def nearest_slots(station: Float, aside: Float, slots: Float) -> Index:
    """Return the slot (n,) of each member, by the least sum of squared ways.

    No two ways cross: exchanging the ends of two that do would make the sum less.

    Args:
        station: (n,) arc lengths of the members [m].
        aside: (n, 2) left and up [m].
        slots: (n, 3) lag, left, up behind the foremost member [m].
    """
    along = (station.max() - slots[:, 0])[None] - station[:, None]
    left, up = (slots[:, axis][None] - aside[:, axis - 1][:, None] for axis in (1, 2))
    rank = np.argsort(np.argsort(-station, kind="stable"))
    outward = np.hypot(slots[:, 1], slots[:, 2])[None]
    cost = along**2 + left**2 + up**2 + OUTWARD * rank[:, None] * outward
    rows, columns = linear_sum_assignment(cost)
    slot = np.empty(len(rows), np.intp)
    slot[rows] = columns
    return slot
