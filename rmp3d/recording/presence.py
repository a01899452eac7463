"""Who is there in which frames of a recording: members may come once, and leave once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Index
from rmp3d.recording.stored import DamagedError

MOST_NOTES = 3
"""Of a member: it is not there at the start, it comes, it leaves."""


class PresenceNotes:
    """Notes who comes and who leaves, from frame to frame.

    Args:
        count: Members N; all are there unless it is noted that they are not.

    Attributes:
        rows: (frame, member, there) of those that were not written yet.
    """

    def __init__(self, count: int) -> None:
        self.rows: list[tuple[int, int, bool]] = []
        self._there = np.ones(count, np.bool_)
        self._frame = 0

    def add(self, member: Index | None) -> None:
        """Note who is there in the next frame: rows (n,), or None: all."""
        there = np.full(len(self._there), member is None)
        if member is not None:
            there[member] = True
        for row in np.flatnonzero(there != self._there).tolist():
            self.rows.append((self._frame, row, bool(there[row])))
        self._there, self._frame = there, self._frame + 1


def check_note_count(notes: int, count: int) -> None:
    """Refuse more notes than N members can have, before they are read.

    Raises:
        DamagedError: They are too many.
    """
    if notes > MOST_NOTES * count:
        raise DamagedError(f"{notes:,} notes of {count:,} members, of which each has {MOST_NOTES}")


def lives(notes: NDArray[np.void], count: int, frames: int) -> Index:
    """Return the first frame of each of N members, and the one after its last, (N, 2).

    Of a member that never comes, both are 0; of one that stays, the second is ``frames``.

    Args:
        notes: Rows of `rmp3d.recording.layout.PRESENCE`.
        count: N.
        frames: T.

    Raises:
        DamagedError: A note is of a frame or member that there is not, or contradicts another.
    """
    life = np.tile([0, frames], (count, 1))
    frame, member = notes["frame"], notes["member"]
    if len(notes) and not (
        0 <= member.min() <= member.max() < count and frame[0] >= 0 and (np.diff(frame) >= 0).all()
    ):
        raise DamagedError("a note is of a frame or member that there is not")
    seen: dict[int, list[tuple[int, int]]] = {}
    for at, who, there in notes.tolist():
        seen.setdefault(who, []).append((at, there))
    for who, notes_of_one in seen.items():
        life[who] = _life(who, notes_of_one, frames)
    return np.minimum(life, frames)


def _life(member: int, notes: Sequence[tuple[int, int]], frames: int) -> tuple[int, int]:
    """Return first frame and end of one member by its notes (frame, there)."""
    first, rest = 0, list(notes)
    if rest[0] == (0, 0):
        if len(rest) == 1:
            return 0, 0
        first, there = rest[1]
        rest = rest[2:]
        if there != 1 or first == 0:
            raise DamagedError(f"member {member} is there and is not")
    if not rest:
        return first, frames
    end, there = rest[0]
    if there != 0 or end <= first or len(rest) > 1:
        raise DamagedError(f"member {member} comes or leaves more than once")
    return first, end


def present(life: Index, start: int, stop: int) -> Bool:
    """Return which members of such lives (N, 2) are there in frames, (stop - start, N)."""
    frame = np.arange(start, stop)[:, None]
    there: Bool = (life[:, 0] <= frame) & (frame < life[:, 1])
    return there
