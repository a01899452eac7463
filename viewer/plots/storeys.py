"""Plans of storeys by Matplotlib, a panel for each: rooms, walls, doors, heights, a scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.palette import GOAL, START, group_color
from rmp3d.viewer.plots.writing import write_figure

NOTHING, NARROW, CLOSED = -4, -3, -2
"""Cells without ground, where the body does not fit, and where it is not reached."""
INCHES = 10.0  # of the longer side of a panel; less if there are several
LEAST_INCHES = np.array([3.0, 1.5])  # of a panel, however long and narrow the storey is
MARGIN = np.array([0.9, 1.1])  # [inches] around a panel
NAME_SIZE, END_SIZE = 9.0, 10.0  # [points] of the letters of rooms; of start and goal
LEGEND_INCHES = 6.0  # width from which on the legend is one row
TITLE_PAD = 0.1  # [inches] around a panel, so that its title is apart from the one above all
SHIFTS = 0.0, -1.2, 1.2  # heights of a name by which it may move
LEVEL = 0.5  # [m] of heights from which there are contours
CONTOURS = 10
MOST_LABELS = 40  # heights beside the longest contours; a label takes Matplotlib milliseconds
MOST_SWATCHES = 4  # of rooms in the legend
APART = 0.02  # share of the longer side of a panel, between heights that are written
PALE = 0.72  # share of white in a room's color
COLORS = {NOTHING: (1.0, 1.0, 1.0), NARROW: (0.87, 0.87, 0.87), CLOSED: (0.95, 0.78, 0.76)}
REACHED = (0.80, 0.91, 0.84)


@dataclass(frozen=True, eq=False)
class StoreyPlan:
    """A panel.

    Attributes:
        title: Written above.
        low: (2,) lower corner of the cells [m].
        cell: Side of a cell [m].
        code: (I, J) row of the room, or `NOTHING`, `NARROW`, `CLOSED`; -1 if reached, in no room.
        height: (I, J) of the ground [m]; NaN: none.
        walls: (K, 2, 2) ends of lines [m].
        names: x, y [m] and text of rooms.
        doors: The same of doors.
        boxes: Corners (2, 2) [m] of ``start`` and ``goal``.
        extent: (2, 2) corners of what is seen [m].
    """

    title: str
    low: Float
    cell: float
    code: Index
    height: Float
    walls: Float
    names: Sequence[tuple[float, float, str]]
    doors: Sequence[tuple[float, float, str]]
    boxes: Mapping[str, Float]
    extent: Float


def save_storeys(path: Path, plans: Sequence[StoreyPlan], *, title: str, dpi: int = 130) -> None:
    """Write a picture with a panel for each storey.

    Args:
        path: Where to; the suffix says the format (``.png``, ``.svg``, ``.pdf``).
        plans: At least one.
        title: Written above all.
        dpi: Pixels per inch.

    Raises:
        InputError: The format is not known or the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = plans[0].extent[1] - plans[0].extent[0]
    columns = 1 if len(plans) == 1 else 2 if size[1] >= 0.6 * size[0] else 1
    rows = ceil(len(plans) / columns)
    inches = (INCHES if len(plans) == 1 else 0.65 * INCHES) * size / size.max()
    inches = np.maximum(inches, LEAST_INCHES) + MARGIN
    figure = Figure(figsize=(columns * inches[0], rows * inches[1] + 0.4))
    FigureCanvasAgg(figure)
    figure.set_layout_engine("constrained", h_pad=TITLE_PAD)
    figure.suptitle(title)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, plan in zip(grid.flat, plans, strict=False):
        _draw(axes, plan, 72.0 * float((inches - MARGIN).max() / size.max()))
    _legend(figure, plans)
    for axes in list(grid.flat)[len(plans) :]:
        axes.set_axis_off()
    write_figure(figure, path, dpi, "map")


def _draw(axes: Any, plan: StoreyPlan, meter: float) -> None:
    """Draw a panel; a meter is so many points long."""
    from matplotlib.patches import Rectangle

    high = plan.low + plan.cell * np.array(plan.code.shape)
    box = plan.low[0], high[0], plan.low[1], high[1]
    axes.imshow(_colors(plan), origin="lower", extent=box, interpolation="nearest", zorder=0)
    _contours(axes, plan)
    axes.plot(*_one_line(plan.walls), color="0.15", linewidth=0.9, zorder=3)
    for name, corners in plan.boxes.items():
        color = START if name == "start" else GOAL
        size = corners[1] - corners[0]
        axes.add_patch(
            Rectangle(tuple(corners[0]), *size, fill=True, fc=(*color, 0.35), ec=color, zorder=4)
        )
    for (x, y), text, style in _labels(plan, meter):
        _write(axes, (x, y), text, **style)
    for x, y, text in plan.doors:
        axes.plot(x, y, "o", ms=3.5, color="black", zorder=6)
        axes.annotate(
            text, (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7.5,
            zorder=7, clip_on=True, **_halo(),
        )  # fmt: skip
    low, up = plan.extent
    axes.set(xlim=(low[0], up[0]), ylim=(low[1], up[1]), aspect="equal", title=plan.title)
    axes.set(xlabel="x [m]", ylabel="y [m]")
    _scale_bar(axes, plan.extent)


def _labels(plan: StoreyPlan, meter: float) -> Iterator[tuple[Float, str, dict[str, Any]]]:
    """Yield place, text and style of the names that do not lie on one another.

    Start and goal come first, then rooms in their order. A name at the edge is moved inward, so
    that it is read as a whole; one that lies on another moves by its height, or is left out, and
    the table has it.

    Args:
        plan: The panel.
        meter: Length of a meter [points].
    """
    bold: dict[str, Any] = {"weight": "bold", "fontsize": END_SIZE}
    wanted = [(corners.mean(axis=0), name, bold) for name, corners in plan.boxes.items()]
    wanted += [(np.array([x, y]), text, {"fontsize": NAME_SIZE}) for x, y, text in plan.names]
    taken: list[Float] = []
    for place, text, style in wanted:
        lines = text.split("\n")
        size = float(style["fontsize"])
        half = 0.5 * np.array([0.6 * size * max(map(len, lines)), 1.3 * size * len(lines)]) / meter
        low, high = plan.extent[0] + half, plan.extent[1] - half
        for shift in SHIFTS:
            seen = place + np.array([0.0, shift * 2.0 * half[1]])
            seen = np.clip(seen, np.minimum(low, high), np.maximum(low, high))
            box = np.stack([seen - half, seen + half])
            if all((box[0] >= other[1]).any() or (box[1] <= other[0]).any() for other in taken):
                taken.append(box)
                yield seen, text, style
                break


def _one_line(segments: Float) -> Float:
    """Return segments (K, 2, 2) as x and y (2, 3 K) of one line with gaps.

    Matplotlib draws ten thousands of segments faster so than as a line each.
    """
    gaps = np.full((len(segments), 1, 2), np.nan)
    return np.concatenate([segments, gaps], axis=1).reshape(-1, 2).T


def _legend(figure: Any, plans: Sequence[StoreyPlan]) -> None:
    from matplotlib.legend_handler import HandlerTuple
    from matplotlib.patches import Patch

    used = {color: None for plan in plans for color in _reached_colors(plan).values()}
    used = used or {REACHED: None}  # where all of it is under something else
    reached = tuple(Patch(fc=color, ec="0.5") for color in list(used)[:MOST_SWATCHES])
    handles = [reached, *(Patch(fc=COLORS[code], ec="0.5") for code in (CLOSED, NARROW))]
    words = "reached (each room its color)" if len(used) > 1 else "reached"
    columns = 3 if figure.get_figwidth() > LEGEND_INCHES else 1
    figure.legend(
        handles, [words, "not reached", "the body does not fit"], loc="outside lower center",
        ncols=columns, frameon=False, fontsize=9, handler_map={tuple: HandlerTuple(None, pad=0.0)},
    )  # fmt: skip


def _reached_colors(plan: StoreyPlan) -> dict[int, tuple[float, ...]]:
    """Return the color of each code that is reached on a panel."""
    rooms = [int(room) for room in np.unique(plan.code[plan.code >= -1])]
    if sum(room >= 0 for room in rooms) < 2:
        return dict.fromkeys(rooms, REACHED)
    pale = PALE + (1.0 - PALE) * np.asarray(group_color(np.arange(max(rooms) + 1)))
    return {room: REACHED if room < 0 else tuple(pale[room].tolist()) for room in rooms}


def _colors(plan: StoreyPlan) -> Float:
    """Return the image (J, I, 3) of the cells."""
    image = np.empty((*plan.code.shape, 3))
    known = plan.code[plan.code >= -1]
    table = np.tile(REACHED, (int(known.max(initial=-1)) + 2, 1))
    for room, color in _reached_colors(plan).items():
        table[room + 1] = color
    image[plan.code >= -1] = table[known + 1]
    for code, color in COLORS.items():
        image[plan.code == code] = color
    return image.transpose(1, 0, 2)


def _contours(axes: Any, plan: StoreyPlan) -> None:
    """Draw lines of equal height, with the height, where what is reached is not level."""
    height = np.where(plan.code >= -1, plan.height, np.nan)
    known = height[np.isfinite(height)]
    if len(known) == 0 or np.ptp(known) < LEVEL or min(height.shape) < 2:
        return
    x, y = (
        plan.low[axis] + plan.cell * (np.arange(plan.code.shape[axis]) + 0.5) for axis in (0, 1)
    )
    lines = axes.contour(x, y, height.T, levels=CONTOURS, colors="0.45", linewidths=0.6, zorder=2)
    pieces = [
        (level, line)
        for level, some in zip(lines.levels, lines.allsegs, strict=True)
        for line in some
        if len(line)  # a level without a line has an empty one
    ]
    pieces.sort(key=lambda piece: -len(piece[1]))
    apart = APART * float((plan.extent[1] - plan.extent[0]).max())
    told: list[Float] = []
    for level, line in pieces[:MOST_LABELS]:
        place = line[len(line) // 2]
        if all(np.abs(place - other).max() > apart for other in told):
            told.append(place)
            _write(axes, place, f"{level:.1f}", fontsize=7, color="0.35")


def _scale_bar(axes: Any, extent: Float) -> None:
    """Draw a bar of a round length in the lower left corner."""
    width = float(extent[1, 0] - extent[0, 0])
    tenth = 10.0 ** np.floor(np.log10(0.25 * width))
    size = tenth * max(step for step in (1, 2, 5) if step * tenth <= 0.25 * width)
    x, y = extent[0] + 0.03 * (extent[1] - extent[0])
    axes.plot([x, x + size], [y, y], color="black", lw=3, solid_capstyle="butt", zorder=8)
    axes.annotate(
        f"{size:g} m", (x + 0.5 * size, y), xytext=(0, 4), textcoords="offset points",
        ha="center", fontsize=8, zorder=8, **_halo(),
    )  # fmt: skip


def _write(axes: Any, place: Sequence[float] | Float, text: str, **style: Any) -> None:
    style = {"clip_on": True, "zorder": 7, **style, **_halo()}
    axes.annotate(text, tuple(place), ha="center", va="center", **style)


def _halo() -> dict[str, Any]:
    from matplotlib.patheffects import withStroke

    return {"path_effects": [withStroke(linewidth=2.5, foreground="white")]}
