"""Changing places: who was passed by one that comes behind it takes that one's place."""

from collections.abc import Iterable

import numpy as np

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length

# Who is farther from its place than so many spacings has fallen back.
LOST = 1.25


def overtaken(
    members: Iterable[int], station: Float, lag: Float, passes: Bool, apart: float | Float
) -> list[list[int]]:
    """Return pairs of members who change places: one fell back, the other has passed it.

    Where there is no room to pass again, each would wait for the other for ever.

    Args:
        members: Who fell back.
        station: (n,) arc lengths of all [m].
        lag: (n,) of their slots [m].
        passes: (n,) or (n, n), who counts as passing (anybody, or each of them).
        apart: Who is so much farther ahead than one has passed it [m].
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
    march: FormationFrame, position: Float, slots: Float, in_file: Bool, apart: Float
) -> list[list[int]]:
    """Return pairs as `overtaken`, of members who go one behind the other, each file by itself.

    Args:
        march: Where their places are.
        position: (n, 3) [m].
        slots: (n, 3) lag, left, up in the files [m].
        in_file: (n,) who is in one.
        apart: (n,) who is so much farther ahead than one has passed it [m].
    """
    away = length(march.position(march.station, march.aside) - position)
    lost = np.flatnonzero(in_file & (away > LOST * march.spacing))
    if not len(lost):
        return []
    same = (slots[:, None, 1:] == slots[None, :, 1:]).all(axis=2)
    return overtaken(lost, march.along(position), slots[:, 0], in_file & same, apart)
