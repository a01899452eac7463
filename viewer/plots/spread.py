"""Charts of a figure of many runs over what was varied in them, by Matplotlib, as SVG text."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rmp3d.viewer.palette import group_color
from rmp3d.viewer.plots.charts import chart_figure, svg_text

Number: TypeAlias = int | float
WIDEST = 0.5
"""Part of the way between two names that the dots over them take."""


def spread_chart(
    lines: Mapping[str, Sequence[tuple[Number | str, Number]]],
    names: Sequence[str] | None,
    *,
    xlabel: str,
    ylabel: str,
    legend: str = "",
) -> str:
    """Return a dot for each run, and the means with the band from the least to the largest.

    Args:
        lines: Pairs (x, value) by line.
        names: All x in their order where they are names, which stand side by side; None: numbers.
        xlabel: What is varied.
        ylabel: The figure, with its unit.
        legend: What is varied between the lines.
    """
    figure, axes = chart_figure(2.8)
    places = {name: row for row, name in enumerate(names or ())}
    for row, (name, pairs) in enumerate(lines.items()):
        color = group_color(row)
        if not pairs:
            continue  # it keeps its color in the charts that have it
        x = np.array([places[str(x)] if names else float(x) for x, _ in pairs])
        y = np.array([value for _, value in pairs], np.float64)
        shift = (row - (len(lines) - 1) / 2) * WIDEST / max(len(lines), 1) if names else 0.0
        at = np.unique(x)
        mean, low, high = (
            np.array([reduce(y[x == each]) for each in at]) for reduce in (np.mean, np.min, np.max)
        )
        axes.plot(x + shift, y, "o", ms=3, color=color, alpha=0.45, mew=0)
        if names:
            axes.errorbar(
                at + shift, mean, [mean - low, high - mean],
                fmt="D", ms=5, color=color, capsize=3, label=name,
            )  # fmt: skip
        else:
            axes.fill_between(at, low, high, color=color, alpha=0.15, lw=0)
            axes.plot(at, mean, "-D", ms=4, lw=1.6, color=color, label=name)
    if names:
        axes.set_xticks(range(len(names)), names, fontsize="small")
        axes.set_xlim(-0.6, len(names) - 0.4)
    else:
        axes.margins(x=0.02)
        if all(float(x).is_integer() for pairs in lines.values() for x, _ in pairs):
            axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if len(lines) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", title=legend)
    return svg_text(figure)
