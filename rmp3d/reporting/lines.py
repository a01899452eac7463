"""What a report says of measuring lines: a table, how many have passed, and the flow over time."""

from collections.abc import Iterator

import numpy as np

from rmp3d.crossings import CrossingCounter
from rmp3d.reporting.charts import Chart
from rmp3d.reporting.html_parts import html_table
from rmp3d.viewer.plots import charts

MOMENTS = 400
"""Of the curves."""
WINDOW = 5.0
"""Time over which the flow is averaged [s]."""


def lines_table(counter: CrossingCounter) -> str:
    """Return the figures of all lines as a table."""
    header = (
        "line", "width [m]", "passages", "forward", "backward", "first [s]", "last [s]",
        "flow [1/s]", "flow per width [1/(m s)]", "speed [m/s]", "density [1/m²]",
    )  # fmt: skip
    return html_table(header, [list(row.values()) for row in counter.figures()])


def line_charts(counter: CrossingCounter, duration: float) -> Iterator[Chart]:
    """Yield how many members have passed, and the flow, over the time of a run [s]."""
    if not counter.lines or duration <= 0.0:
        return
    moments = np.linspace(0.0, duration, MOMENTS)
    times = {
        line.name: own.time for line, own in zip(counter.lines, counter.passages(), strict=True)
    }
    passed = {
        name: np.searchsorted(time, moments, side="right").astype(float)
        for name, time in times.items()
    }
    yield Chart(
        "Members that have passed the measuring lines",
        charts.line_chart(moments, passed, xlabel="time [s]", ylabel="passages"),
        "It rises steadily; where it is level, nobody passes.",
    )
    span = min(WINDOW, duration)
    begun = np.maximum(moments - span, 0.0)
    flow = {
        name: (passed[name] - np.searchsorted(time, begun, side="right"))
        / np.maximum(moments - begun, duration / MOMENTS)
        for name, time in times.items()
    }
    yield Chart(
        f"Flow through the measuring lines, mean of {span:g} s",
        charts.line_chart(moments, flow, xlabel="time [s]", ylabel="flow [1/s]"),
        "It is even; a hole is a jam.",
    )
