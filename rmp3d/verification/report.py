"""The report of a verification: its findings and counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """A rule that the recording breaks.

    Attributes:
        kind: ``collision``, ``inside``, ``member_collision``, ``unproved``, ``off_ground``,
            ``level_jump``, ``out_of_bounds``, ``start``, ``start_region``, ``speed``, ``force``,
            ``turn_radius``, ``course``, ``reverse``, ``turn_rate``, ``roll_rate``, ``upright``,
            ``pivot``, ``formation``, ``clock``, ``claim``, ``not_arrived``, ``unfinished``,
            ``scenario``.
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
        arrived: How many members are in their goal at the end; of a group that says what its
            members do afterwards, how many have been there; of a crowd, how many have been to all
            places of their trips.
        expected: How many members have a goal; of a crowd, without those that came after the start
            and are on their way.
        findings: In order of time; empty if the recording breaks no rule.
        states: Number of states (member, frame) that were proved free or found in contact.
        motions: Number of motions (member, frame to frame), likewise.
        clearance_scene: Smallest distance [m] of a body to an obstacle over all frames; None
            without obstacles.
        clearance_members: Smallest distance [m] between two bodies; None with one member.
        more: By kind, how many findings there are besides those in ``findings``.
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
    more: Mapping[str, int] = field(default_factory=dict)

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
            "more_findings": dict(self.more),
            "checked": {"states": self.states, "motions": self.motions},
            "min_clearance": {"scene": self.clearance_scene, "members": self.clearance_members},
        }
