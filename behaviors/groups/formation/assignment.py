"""Assignment: who takes which slot, so that nobody crosses another's way."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from rmp3d.geometry.arrays import Float, Index

# Where slots are equally far, those in front go to the outside, out of the way of the others.
OUTWARD = 1e-2


def in_files(position: Float, left: Float, ahead: Float, slots: Float) -> Index:
    """Return the slot (n,) of each member of a column: in each file the nearest to a point leads.

    Who is to the left of others is in a file to the left, so that none crosses the path.

    Args:
        position: (n, 3) [m].
        left: (n,) of the path [m].
        ahead: (3,) where the column goes to [m].
        slots: (n, 3) lag, left, up behind the leader [m].
    """
    slot = np.empty(len(slots), np.intp)
    far = np.linalg.norm(position - ahead, axis=1)
    members = np.argsort(-left, kind="stable")
    files, size = np.unique(np.round(-slots[:, 1], 9), return_counts=True)
    for file, own in zip(files, np.split(members, np.cumsum(size)[:-1]), strict=True):
        places = np.flatnonzero(np.round(-slots[:, 1], 9) == file)
        places = places[np.argsort(slots[places, 0], kind="stable")]
        slot[own[np.argsort(far[own], kind="stable")]] = places
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
