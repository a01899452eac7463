"""References: what the members of a formation keep their slots relative to.

All slots hang from a virtual leader that moves along the path. Balch and Arkin (1999,
"Behavior-based formation control for multirobot teams") know three more: the center of the
group, one member that leads it, and for each member a neighbor. They differ in what
follows when a member is pushed off its slot. With the path: nothing. With the center: all members,
by a share. With a leader: all members, if it was the leader. With neighbors: the members that look
at the one that was pushed.
"""

from typing import Literal, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name

Reference: TypeAlias = Literal["path", "center", "leader", "neighbor"]
REFERENCES = ("path", "center", "leader", "neighbor")
# The rest of a common deviation is not followed: it draws the group back to the path.
FOLLOWED = 0.8


def check_reference(reference: str) -> None:
    """Refuse a name that is not a reference.

    Raises:
        InputError: Says which there are.
    """
    if reference not in REFERENCES:
        raise InputError(f"`reference`: {unknown_name('reference', reference, list(REFERENCES))}")


def shifts(reference: Reference, deviation: Float, slots: Float) -> Float:
    """Return by how much (n, 3) [m] each member's slot follows the deviations of others.

    Args:
        reference: What slots are relative to.
        deviation: (n, 3) of the members from their slots [m]: ahead, left, up.
        slots: (n, 3) lag, left, up of the members' slots [m]; the member with the least lag, and
            of several the one nearest to the path, leads.

    Returns:
        Zero for the path, and for the leading member by a leader or neighbor; no shift is ahead.
    """
    count = len(slots)
    if reference == "path" or count == 0:
        return np.zeros((count, 3))
    seen = np.minimum(deviation, [0.0, np.inf, np.inf])
    if reference == "center":
        return np.tile(FOLLOWED * seen.mean(axis=0), (count, 1))
    order = np.lexsort((np.hypot(slots[:, 1], slots[:, 2]), slots[:, 0]))
    looked_at = np.full(count, order[0]) if reference == "leader" else neighbors(slots, order)
    shift: Float = seen[looked_at]
    shift[order[0]] = 0.0
    return shift


def neighbors(slots: Float, order: Index) -> Index:
    """Return for each member (n,) the nearest of those before it in ``order``; the first itself."""
    looked_at = np.empty(len(slots), np.intp)
    looked_at[order[0]] = order[0]
    for place, row in enumerate(order[1:], 1):
        before = order[:place]
        apart = np.linalg.norm(slots[before] - slots[row], axis=1)
        looked_at[row] = before[int(np.argmin(apart))]
    return looked_at
