"""Collects findings: those that follow in time are one, and of each kind there are not too many."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.verification.report import Finding

MOST = 1000
"""Findings of one kind that are kept; further ones are counted."""
TRACKED = 100_000
"""Members, or pairs of members, that findings are joined for; beyond, each is counted anew."""


class FindingLog:
    """Collects findings; it joins findings of one kind, members and part that follow in time.

    Args:
        dt: Time between frames [s]; findings up to 1.5 times that apart are joined.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._kept: list[Finding] = []
        self._count: Counter[str] = Counter()
        self._row: dict[tuple[str, tuple[int, ...], str | None], int] = {}
        self._until: dict[tuple[str, tuple[int, ...], str | None], float] = {}
        self._going_on: dict[tuple[str, int, int], Bool] = {}

    @property
    def more(self) -> dict[str, int]:
        """How many further findings of a kind there are, besides those kept."""
        return {kind: n - MOST for kind, n in sorted(self._count.items()) if n > MOST}

    def add(self, found: Iterable[Finding]) -> None:
        """Add findings; findings of one kind, members and part must be in order of time."""
        for finding in found:
            key = finding.kind, finding.members, finding.part
            if finding.time <= self._until.get(key, -np.inf) + 1.5 * self._dt:
                row = self._row.get(key)
                if row is not None:
                    self._kept[row] = _joined(self._kept[row], finding)
            else:
                self._keep(finding)
            if key in self._until or len(self._until) < TRACKED:
                self._until[key] = max(finding.until, self._until.get(key, finding.until))

    def mark(
        self,
        kind: str,
        over: Bool,
        *,
        first: int,
        members: Index,
        text: Callable[[int, int], str],
        depth: Float | None = None,
        rank: Float | None = None,
        lasts: int = 0,
    ) -> None:
        """Add what is found at many frames of many members at once.

        Args:
            kind: Of the findings.
            over: (F, n) the frames, or motions, at which a rule is broken.
            first: Number of the first frame.
            members: (n,) their numbers.
            text: Returns one line for a row and a column of ``over``.
            depth: (F, n) of the findings [m]; the deepest one of a spell counts.
            rank: (F, n) how bad each is, if that is not the depth.
            lasts: Frames that each lasts: 0 for a frame, 1 for a motion.
        """
        if len(over) == 0 or len(members) == 0:
            return
        rank = depth if rank is None else rank
        row, column, end = _spells(over)
        for n in self._worth_adding((kind, lasts), over, members, row, column):
            at, who = slice(row[n], end[n]), int(column[n])
            worst = int(row[n]) + (0 if rank is None else int(np.argmax(rank[at, who])))
            began, ended = first + int(row[n]), first + int(end[n]) - 1 + lasts
            self.add(
                [
                    Finding(
                        kind,
                        began * self._dt,
                        ended * self._dt,
                        (int(members[who]),),
                        None,
                        None if depth is None else float(depth[worst, who]),
                        text(worst, who),
                    )
                ]
            )

    def _worth_adding(
        self, rule: tuple[str, int], over: Bool, members: Index, row: Index, column: Index
    ) -> list[int]:
        """Return the numbers of the spells that are not counted only.

        Spells that go on from the block before are no further findings.
        """
        kind, key = rule[0], (*rule, int(members[0]))
        before = self._going_on.pop(key, np.zeros(len(members), np.bool_))
        self._going_on[key] = over[-1].copy()
        goes_on = (row == 0) & before[column]
        new = np.flatnonzero(~goes_on)
        new = new[np.argsort(row[new], kind="stable")]
        room = max(MOST - self._count[kind], 0)
        self._count[kind] += max(len(new) - room, 0)
        older = [
            n
            for n in np.flatnonzero(goes_on).tolist()
            if (kind, (int(members[column[n]]),), None) in self._row
        ]
        return [*older, *new[:room].tolist()]

    def sorted(self) -> tuple[Finding, ...]:
        """Return the findings that are kept, in order of time."""
        return tuple(sorted(self._kept, key=lambda row: (row.time, row.kind, row.members)))

    def _keep(self, finding: Finding) -> None:
        self._count[finding.kind] += 1
        key = finding.kind, finding.members, finding.part
        if self._count[finding.kind] <= MOST:
            self._row[key] = len(self._kept)
            self._kept.append(finding)
        else:
            self._row.pop(key, None)


def _spells(over: Bool) -> tuple[Index, Index, Index]:
    """Return first row, column, and row after the last one, of each run of rows in (F, n).

    Runs with one row between them are one run.
    """
    joined = over.copy()
    joined[1:-1] |= over[:-2] & over[2:]
    padded = np.zeros((len(over) + 2, over.shape[1]), np.int8)
    padded[1:-1] = joined
    change = np.diff(padded, axis=0).T
    column, row = np.nonzero(change == 1)
    _, end = np.nonzero(change == -1)
    return row, column, end


def _joined(first: Finding, second: Finding) -> Finding:
    worst = second if (second.depth or 0.0) > (first.depth or 0.0) else first
    until = max(first.until, second.until)
    return replace(first, until=until, depth=worst.depth, text=worst.text)
