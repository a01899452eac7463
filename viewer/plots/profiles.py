"""Pictures of what is free along a path, by Matplotlib."""

from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.plots.bands import Plan, draw_widths
from rmp3d.viewer.plots.writing import write_figure


def save_profile(
    path: Path,
    station: Float,
    clearance: Float,
    left: Float,
    right: Float,
    *,
    radius: float,
    most: float,
    above: Float | None = None,
    below: Float | None = None,
    capsule_axis: tuple[float, float] = (0.0, 0.0),
    plan: Plan | None = None,
    title: str = "",
    dpi: int = 130,
) -> None:
    """Write a picture of the free width along a path, and of its clearance.

    The free strip is as far as the body may be moved, and the body itself. The height above and
    below has a picture of its own where it is given.

    Args:
        path: Where to; the suffix says the format (``.png``, ``.svg``, ``.pdf``).
        station: (J,) arc lengths [m].
        clearance: (J,) [m].
        left: (J,) how far the body may be moved to the left [m].
        right: (J,) the same to the right, positive.
        radius: Of the body [m]; its own width is drawn around the path.
        most: Beyond which nobody measured [m].
        above: (J,) how far the body may be moved up [m]; None: not measured.
        below: (J,) the same down, positive.
        capsule_axis: Heights [m] of the ends of the body's segment over its reference point.
        plan: Arrays of a formation plan; its widths take the place of ``left`` and ``right``, and
            the formation's width is drawn in it.
        title: Written above.
        dpi: Pixels per inch.

    Raises:
        InputError: The format is not known or the file cannot be written.
    """
    figure, parts = _figure(flies=above is not None and below is not None)
    beside, nearest = parts[0], parts[-1]
    sides = (station, left, right)
    if plan is not None:
        sides = plan["station"], plan["room_left"], plan["room_right"]
    _draw_strip(beside, *sides, (-radius, radius), "right | left of the path [m]")
    if plan is not None:
        draw_widths(beside, plan)
    beside.set(title=title)
    beside.legend(loc="upper center", ncols=6, fontsize="small")
    if above is not None and below is not None:
        body = (capsule_axis[0] - radius, capsule_axis[1] + radius)
        _draw_strip(parts[1], station, above, below, body, "below | above the path [m]")
    _draw_clearance(nearest, station, clearance, most)
    for axes in parts:
        axes.grid(alpha=0.3)
        axes.margins(x=0.01)
    write_figure(figure, path, dpi, "profile")


def _figure(*, flies: bool) -> tuple[Any, Any]:
    """Return a figure with an empty plot for each thing that is drawn, clearance last."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 7.5 if flies else 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    parts = figure.subplots(2 + flies, 1, sharex=True, height_ratios=[2] * (1 + flies) + [1])
    return figure, parts


def _draw_clearance(axes: Any, station: Float, clearance: Float, most: float) -> None:
    """Draw the clearance along the path, with its smallest value in numbers."""
    axes.plot(station, clearance, color=group_color(0), lw=1.5)
    tightest = int(np.argmin(clearance))
    axes.plot(station[tightest], clearance[tightest], "o", color="0.1", ms=5)
    axes.annotate(
        f"{clearance[tightest]:.3g} m",
        (station[tightest], clearance[tightest]),
        xytext=(0, -15),
        textcoords="offset points",
        ha="center",
    )
    axes.set(xlabel="along the path [m]", ylabel="clearance [m]", ylim=(-0.12 * most, 1.05 * most))


def _draw_strip(
    axes: Any, station: Float, more: Float, less: Float, body: tuple[float, float], label: str
) -> None:
    """Draw what is free across the path, from (J,) ``less`` to ``more`` [m] beyond the body."""
    color = group_color(0)
    walls = more + body[1], body[0] - less
    axes.fill_between(station, *walls, color=color, alpha=0.3, lw=0, label="free, wall to wall")
    for wall in walls:
        axes.plot(station, wall, color=color, lw=1.2)
    axes.axhspan(*body, color="0.2", alpha=0.25, lw=0, label="the body")
    axes.axhline(0.0, color="0.1", lw=1.5, label="path")
    reach = float(np.max([walls[0], -walls[1]]))
    axes.set(ylabel=label, ylim=(-1.1 * reach, 1.4 * reach))  # space for the legend above
