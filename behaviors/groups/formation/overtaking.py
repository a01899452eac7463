"""Changing places: a member that was passed takes the slot of the member that passed it."""

from collections.abc import Iterable

import numpy as np

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length

# A member farther from its place than so many spacings has fallen back.
LOST = 1.25


def overtaken(
    members: Iterable[int], station: Float, lag: Float, passes: Bool, apart: float | Float
) -> list[list[int]]:
    """Return pairs of members that change places: one fell back, the other has passed it.

    In a narrow passage they cannot pass again: each would wait for the other for ever.

    Args:
        members: That fell back.
        station: (n,) arc lengths of all [m].
        lag: (n,) of their slots [m].
        passes: (n,) members that count as passing; or (n, n), for each member that fell back.
        apart: A member this far ahead of another one has passed it [m].
    """
    lag = lag.copy()
    passes = np.broadcast_to(passes, (len(lag), len(lag)))
    pairs = []
    for member in sorted(members):
        passed = (station > station[member] + apart) & (lag > lag[member] + apart)
        passed &= passes[member]
        if passed.any():
            other = int(np.flatnonzero(passed)[np.argmin(lag[passed])])
            pairs.append([member, other])
            lag[[member, other]] = lag[[other, member]]
    return pairs


def passed_in_file(
    frame: FormationFrame, position: Float, slots: Float, in_file: Bool, apart: Float
) -> list[list[int]]:
    """Return pairs as `overtaken`, of members that walk in file, each file by itself.

    Args:
        frame: With the members' places.
        position: (n, 3) [m].
        slots: (n, 3) lag, left, up in the files [m].
        in_file: (n,) members that are in a file.
        apart: (n,) of each: a member this far ahead of it has passed it [m].
    """
    away = length(frame.position(frame.station, frame.aside) - position)
    lost = in_file & (away > LOST * frame.spacing)
    behind = in_file & frame.came_back
    rows = np.flatnonzero(lost | behind)
    if not len(rows):
        return []
    lag = slots[:, 0]
    passes = in_file & (slots[:, None, 1:] == slots[None, :, 1:]).all(axis=2)
    passes &= lost[:, None] | (behind[:, None] & _ahead_in_place(frame, lag, apart))
    return overtaken(rows, frame.along(position), lag, passes, apart)


def _ahead_in_place(frame: FormationFrame, lag: Float, apart: Float) -> Bool:
    """Return which members, column j, have places ahead of that of row i though they follow it.

    On stairs the place of a member that fell back comes back to it. So this member is never far
    from its place; but its place is far behind where the file would have it.
    """
    ahead = frame.station[None, :] - frame.station[:, None]
    far: Bool = ahead + lag[None, :] - lag[:, None] > LOST * frame.spacing
    return far & (ahead > apart[:, None])
