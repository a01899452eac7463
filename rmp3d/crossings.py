"""Who passes the measuring lines of a scenario, when and how fast; counted frame by frame."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.recording import RecordingReader
from rmp3d.scenario.measuring import MeasuringLine

LEVEL = 1.5
"""A line with heights counts who passes no higher or lower than this [m] from it."""


class Passages(NamedTuple):
    """The passages of one line, in order of time.

    Attributes:
        time: (K,) [s].
        speed: (K,) in plan [m/s].
        forward: (K,) whether each is to the right.
    """

    time: Float
    speed: Float
    forward: Float


class CrossingCounter:
    """Counts passages of measuring lines; every moment is added once, in order.

    A passage is a straight motion between two moments that crosses the line in plan. Its time is
    that of the crossing, in the share of the step. Members come and leave: what counts is who was
    there at both moments.

    Args:
        lines: Of the scenario.
    """

    def __init__(self, lines: Sequence[MeasuringLine]) -> None:
        self.lines = tuple(lines)
        self._found: list[list[tuple[float, float, bool]]] = [[] for _ in self.lines]
        self._time, self._before = 0.0, np.zeros((0, 3))

    def add(self, time: float, position: Float, member: Index, count: int) -> None:
        """Add a moment.

        Args:
            time: [s].
            position: (N, 3) of those that are there [m].
            member: (N,) row of each among all.
            count: All, with those that are not there.
        """
        if not self.lines:
            return
        now = np.full((count, 3), np.nan)
        now[member] = position
        if len(self._before) == count:
            for found, line in zip(self._found, self.lines, strict=True):
                found += _crossings(line, self._before, now, self._time, time)
        self._time, self._before = time, now

    def passages(self) -> list[Passages]:
        """Return the passages of each line so far."""
        found = []
        for rows in self._found:
            table = np.array(sorted(rows), float).reshape(-1, 3)
            found.append(Passages(*(frozen(column) for column in table.T)))
        return found

    def figures(self) -> list[dict[str, Any]]:
        """Return what ``rmp3d run --json`` says of each line."""
        return [
            {"name": line.name, "width": round(line.width, 6), **_figures(own, line.width)}
            for line, own in zip(self.lines, self.passages(), strict=True)
        ]


def _crossings(
    line: MeasuringLine, before: Float, now: Float, since: float, time: float
) -> list[tuple[float, float, bool]]:
    """Return time, speed and direction of motions (N, 3) to (N, 3) that cross a line."""
    start, along = line.plan[0], line.plan[1] - line.plan[0]
    side = [along[0] * (at[:, 1] - start[1]) - along[1] * (at[:, 0] - start[0])
            for at in (before, now)]  # fmt: skip
    crossed = (side[0] < 0.0) != (side[1] < 0.0)
    rows = np.flatnonzero(crossed & np.isfinite(side[0]) & np.isfinite(side[1]))
    if len(rows) == 0:
        return []
    share = side[0][rows] / (side[0][rows] - side[1][rows])
    motion = now[rows] - before[rows]
    at = before[rows] + share[:, None] * motion
    where = (at[:, :2] - start) @ along / (along @ along)
    good = (where >= 0.0) & (where <= 1.0)
    if line.heights is not None:
        height = line.heights[0] + where * (line.heights[1] - line.heights[0])
        good &= np.abs(at[:, 2] - height) <= LEVEL
    speed = np.linalg.norm(motion[:, :2], axis=1) / (time - since)
    when = since + share * (time - since)
    found = zip(when[good], speed[good], (side[1][rows] < 0.0)[good], strict=True)
    return [(float(each), float(pace), bool(forward)) for each, pace, forward in found]


def _figures(own: Passages, width: float) -> dict[str, Any]:
    """Return the figures of a line; None where there are too few passages for one.

    The flow is (K - 1) / (t_K - t_1), as at doors (Seyfried et al. 2009, "New insights into
    pedestrian flow through bottlenecks"); the density is flow / (width * speed), with the mean
    speed of those that pass.
    """
    count, time = len(own.time), own.time
    forward = int(own.forward.sum())
    flow = speed = density = None
    if count:
        speed = float(own.speed.mean())
    if count > 1 and time[-1] > time[0]:
        flow = float((count - 1) / (time[-1] - time[0]))
        density = flow / (width * speed) if speed else None
    return {
        "passages": count,
        "forward": forward,
        "backward": count - forward,
        "first": _rounded(time[0] if count else None),
        "last": _rounded(time[-1] if count else None),
        "flow": _rounded(flow),
        "specific_flow": _rounded(None if flow is None else flow / width),
        "speed": _rounded(speed),
        "density": _rounded(density),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def placed_lines(lines: Sequence[MeasuringLine], position: Float) -> tuple[tuple[str, Float], ...]:
    """Return names and ends (2, 3) [m] of lines as they are drawn.

    Those without heights are at the middle height of members (N, 3) [m].
    """
    height = float(np.median(position[:, 2])) if len(position) else 0.0
    return tuple(
        (
            line.name,
            np.column_stack([line.plan, [height] * 2 if line.heights is None else line.heights]),
        )
        for line in lines
    )


def crossings_of(recording: RecordingReader, position: Float) -> CrossingCounter:
    """Return who passed the measuring lines in a recording, (T, N, 3) its positions [m]."""
    counter, there = CrossingCounter(recording.scenario.measure), recording.presence()
    if counter.lines:
        for frame, own in enumerate(position):
            rows = np.flatnonzero(there[frame])
            counter.add(frame * recording.dt, own[rows], rows, len(own))
    return counter
