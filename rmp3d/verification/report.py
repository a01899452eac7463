"""The report of a verification: its findings and counts."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Finding:
    """A rule that the recording breaks.

    Attributes:
        kind: ``collision``, ``inside``, ``member_collision``, ``off_ground``, ``level_jump``,
            ``out_of_bounds``, ``speed``, ``force``, ``turn_radius``, ``course``, ``turn_rate``,
            ``formation``, ``not_arrived``, ``unfinished``.
        time: Its start [s].
        until: Its end [s].
        members: The members: one; two for a collision between members; none for the whole run.
        part: The part of the scene, if one is involved.
        depth: Depth of an overlap, or distance from an allowed position [m]; None if it has no
            meaning or cannot be measured (a surface without an inside).
        text: One line with the numbers.
    """

    kind: str
    time: float
    until: float
    members: tuple[int, ...] = ()
    part: str | None = None
    depth: float | None = None
    text: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as a table for JSON."""
        return {
            "kind": self.kind,
            "time": round(self.time, 6),
            "until": round(self.until, 6),
            "members": list(self.members),
            "part": self.part,
            "depth": self.depth,
            "text": self.text,
        }


@dataclass(frozen=True)
class Report:
    """The result of a verification.

    Attributes:
        frames: T.
        members: N.
        arrived: How many members are in their goal at the end.
        expected: How many members have a goal.
        findings: In order of time; empty if the recording breaks no rule.
        states: Number of states (member, frame) that were proved free or found in contact.
        motions: Number of motions (member, frame to frame), likewise.
        clearance_scene: Smallest distance [m] of a body to an obstacle over all frames; None
            without obstacles.
        clearance_members: Smallest distance [m] between two bodies; None with one member.
    """

    frames: int
    members: int
    arrived: int
    expected: int
    findings: tuple[Finding, ...]
    states: int
    motions: int
    clearance_scene: float | None
    clearance_members: float | None

    @property
    def ok(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    def as_dict(self) -> dict[str, Any]:
        """Return the report as ``rmp3d verify --json`` prints it."""
        return {
            "ok": self.ok,
            "frames": self.frames,
            "members": self.members,
            "arrived": self.arrived,
            "expected": self.expected,
            "findings": [finding.as_dict() for finding in self.findings],
            "checked": {"states": self.states, "motions": self.motions},
            "min_clearance": {"scene": self.clearance_scene, "members": self.clearance_members},
        }


@dataclass
class FindingLog:
    """Collects findings; it joins findings of one kind, members and part that follow in time.

    Attributes:
        gap: Longest time [s] between two findings that are joined.
    """

    gap: float
    _open: dict[tuple[str, tuple[int, ...], str | None], list[Finding]] = field(
        default_factory=dict
    )

    def add(self, found: Iterable[Finding]) -> None:
        """Add findings; findings of one kind, members and part must be in order of time."""
        for finding in found:
            rows = self._open.setdefault((finding.kind, finding.members, finding.part), [])
            if rows and finding.time <= rows[-1].until + self.gap:
                rows[-1] = _joined(rows[-1], finding)
            else:
                rows.append(finding)

    def sorted(self) -> tuple[Finding, ...]:
        """Return all findings in order of time."""
        rows = [finding for rows in self._open.values() for finding in rows]
        return tuple(sorted(rows, key=lambda row: (row.time, row.kind, row.members)))


def _joined(first: Finding, second: Finding) -> Finding:
    worst = second if (second.depth or 0.0) > (first.depth or 0.0) else first
    until = max(first.until, second.until)
    return replace(first, until=until, depth=worst.depth, text=worst.text)
