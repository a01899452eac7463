"""The figures of one run, in one flat row."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from rmp3d.reporting.motion import GroupFigures
    from rmp3d.simulation import RunReport
    from rmp3d.verification import Report

Value: TypeAlias = bool | int | float | str | None
Row: TypeAlias = dict[str, Value]

COMPLETE, INCOMPLETE, FINDINGS = "complete", "incomplete", "findings"
NO_PATH, REFUSED, CRASHED = "no path", "refused", "crashed"
LATE = "not_arrived"
"""Kind of the finding that a member is not in its goal."""
FAILED = (NO_PATH, REFUSED, CRASHED)
"""Outcomes of what left no recording."""
UNITS = {
    "arrived_share": "%",
    "simulated": "s",
    "first_arrival": "s",
    "last_arrival": "s",
    "mean_arrival": "s",
    "longest_jam": "s",
    "formation_error": "m",
    "energy": "J",
    "clearance_scene": "m",
    "clearance_members": "m",
    "jerk": "m/s³",
    "jerk_worst": "m/s³",
    "heading_rate": "°/s",
    "flips": "1/s",
    "aside": "%",
    "distance": "m",
}
"""Of figures that have one."""
OF_LINES = {"passages": "", "flow": "1/s", "speed": "m/s", "density": "1/m²"}
"""Figures of each measuring line, with their units; ``flow.NAME`` in tables."""
HIGHER_IS_BETTER = frozenset({"arrived", "arrived_share", "clearance_scene", "clearance_members"})


def figures_of(
    report: "RunReport", arrivals: list[float], motion: "GroupFigures", verdict: "Report | None"
) -> Row:
    """Return the outcome of a run and its figures.

    Args:
        report: Of the run.
        arrivals: When members arrived [s].
        motion: How smoothly they move.
        verdict: Of the verification, if there was one.
    """
    incomplete = not report.complete
    found = verdict is not None and _found(verdict) > 0
    members = max(report.members, 1)
    expected = sum(group.members for group in report.groups if group.arrived is not None)
    errors = [g.formation_error_mean for g in report.groups if g.formation_error_mean is not None]
    row: Row = {
        "outcome": FINDINGS if found else INCOMPLETE if incomplete else COMPLETE,
        "reason": _reason(report, verdict),
        "members": report.members,
        "arrived": report.arrived,
        "arrived_share": None if not expected else round(100.0 * report.arrived / expected, 3),
        "simulated": round((report.frames - 1) * report.dt, 6),
        "first_arrival": _rounded(min(arrivals, default=None)),
        "mean_arrival": _rounded(sum(arrivals) / len(arrivals) if arrivals else None),
        "last_arrival": _rounded(max(arrivals, default=None)),
        "jams": sum(group.jams for group in report.groups),
        "jams_left": sum(group.jams_left for group in report.groups),
        "longest_jam": max((group.longest_jam for group in report.groups), default=0.0),
        "formation_changes": sum(len(group.formation_changes) for group in report.groups),
        "formation_error": _rounded(sum(errors) / len(errors) if errors else None),
        "energy": _rounded(sum(group.energy for group in report.groups) / members),
        **_clearances(report, verdict),
        "held_back": report.safety.held_back,
        "braked": report.safety.braked,
        **_motion(motion),
        "findings": None if verdict is None else _found(verdict),
    }
    for line in report.measure:
        row |= {f"{key}.{line['name']}": line[key] for key in OF_LINES}
    for group in report.groups:
        prefix = "" if len(report.groups) == 1 else f"{group.name}."
        if prefix:
            row |= {f"{prefix}arrived": group.arrived, f"{prefix}last_arrival": group.last_arrival}
        row |= {f"{prefix}{key}": value for key, value in _plain(group.figures)}
    return row


def unit_of(figure: str) -> str:
    """Return the unit of a figure; empty for one that has none."""
    return UNITS.get(figure, OF_LINES.get(figure.partition(".")[0], ""))


def is_better_high(figure: str) -> bool:
    """Return whether more of a figure is better."""
    return figure in HIGHER_IS_BETTER or figure.startswith("flow.")


def failed(outcome: str, reason: str) -> Row:
    """Return the row of a run that left no recording."""
    return {"outcome": outcome, "reason": " ".join(reason.split())}


def is_figure(rows: list[Row], key: str) -> bool:
    """Whether a column holds numbers that can be drawn and minimized."""
    values = [row[key] for row in rows if row.get(key) is not None]
    return bool(values) and all(isinstance(value, int | float) for value in values)


def _found(verdict: "Report") -> int:
    """Return how many findings there are besides those of members that are not there yet."""
    more = sum(count for kind, count in verdict.more.items() if kind != LATE)
    return sum(finding.kind != LATE for finding in verdict.findings) + more


def _reason(report: "RunReport", verdict: "Report | None") -> str:
    """Return why a run did not end well; an empty text for one that did."""
    if verdict is not None and _found(verdict):
        first = next(each for each in verdict.findings if each.kind != LATE)
        return f"{first.kind} at {first.time:.2f} s: {first.text}"
    late = [
        f"{group.members - group.arrived} of {group.members} of `{group.name}` did not arrive"
        for group in report.groups
        if group.arrived is not None and group.arrived < group.members
    ]
    return "; ".join(late)


def _clearances(report: "RunReport", verdict: "Report | None") -> Row:
    """Return the least distances: those that were proved, else those that the run has met."""
    scene, members = report.min_clearance_scene, report.min_clearance_members
    if verdict is not None:
        scene = verdict.clearance_scene if verdict.clearance_scene is not None else float("inf")
        own = verdict.clearance_members
        members = own if own is not None else float("inf")
    return {"clearance_scene": _least(scene), "clearance_members": _least(members)}


def _motion(motion: "GroupFigures") -> Row:
    """Return the figures of motion: of the worst group's median member, and its worst member."""
    found: Row = {}
    for key in ("jerk", "heading_rate", "flips", "aside"):
        rows = [group[key] for group in motion.values() if key in group]
        if rows:
            found[key] = max(row["median"] for row in rows)
            found[f"{key}_worst"] = max(row["worst"] for row in rows)
    return found


def _plain(figures: Mapping[str, Any]) -> list[tuple[str, Value]]:
    return [
        (key, _rounded(value) if isinstance(value, float) else value)
        for key, value in figures.items()
        if isinstance(value, bool | int | float)
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _least(value: float) -> float | None:
    return round(float(value), 6) if abs(value) < float("inf") else None
