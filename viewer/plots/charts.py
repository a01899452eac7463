"""Charts of a run over time or along a path, by Matplotlib, as SVG text for a page."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.scenes import Scene
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.plots.maps import draw_scene
from rmp3d.viewer.plots.writing import missing_letters_as_boxes
from rmp3d.viewer.texts import tr

WIDTH = 9.0
"""Of a chart [inches]."""
NARROW = 4.2
"""Of the same chart on a phone [inches]: it is as wide as the page there, and can be read."""
SAME_SVG: dict[Any, Any] = {"svg.hashsalt": "rmp3d", "svg.fonttype": "none"}
"""Settings with which equal charts are equal text."""


def line_chart(
    x: Float,
    lines: Mapping[str, Float],
    *,
    xlabel: str,
    ylabel: str,
    bands: Mapping[str, tuple[Float, Float]] | None = None,
    at_most: float | None = None,
    values: Sequence[str] = (),
) -> str:
    """Return lines over x.

    Args:
        x: (S,).
        lines: Values (S,) by name, in the colors of groups; NaN leaves a gap.
        xlabel: With its unit.
        ylabel: With its unit.
        bands: For some of the names, lowest and highest values (S,), drawn pale.
        at_most: Value beyond which nothing was measured; drawn as a dashed line.
        values: What the values 0, 1, 2, ... are called, if they are rows of something.
    """
    figure, axes = chart_figure(2.6)
    for row, (name, height) in enumerate(lines.items()):
        color = group_color(row)
        if bands and name in bands:
            axes.fill_between(x, *bands[name], color=color, alpha=0.2, lw=0)
        axes.plot(x, height, color=color, lw=1.6, label=name)
    if values:
        axes.set_yticks(range(len(values)), values, fontsize="small")
    if at_most is not None:
        axes.axhline(at_most, color="0.4", lw=1.0, ls="--", label=tr("no longer measured"))
    axes.set(xlabel=tr(xlabel), ylabel=tr(ylabel), ylim=(min(0.0, axes.get_ylim()[0]), None))
    if len(lines) > 1 or at_most is not None:
        axes.legend(loc="best", fontsize="small", framealpha=0.9)
    return both_widths(figure)


def arrival_chart(times: Mapping[str, Float], counts: Mapping[str, int], duration: float) -> str:
    """Return how many members of each group have arrived, over time.

    Args:
        times: Finite arrival times [s] by group.
        counts: Members by group.
        duration: Of the run [s].
    """
    figure, axes = chart_figure(2.6)
    for row, (name, when) in enumerate(times.items()):
        when = np.sort(when)
        x = np.concatenate([[0.0], when, [duration]])
        y = np.concatenate([[0], np.arange(1, len(when) + 1), [len(when)]])
        axes.step(x, y, where="post", color=group_color(row), lw=1.8, label=name)
        axes.axhline(counts[name], color=group_color(row), lw=0.8, ls="--")
    axes.set(
        xlabel=tr("time [s]"), ylabel=tr("members arrived"), ylim=(0, 1.08 * max(counts.values()))
    )
    axes.legend(loc="upper left", fontsize="small")
    return both_widths(figure)


def formation_chart(
    time: Float, groups: Sequence[str], formations: Sequence[str], formation_of: Index
) -> str:
    """Return which formation each group was in, over time.

    Args:
        time: (T,) [s].
        groups: G names.
        formations: F names.
        formation_of: (T, G) rows in ``formations``, -1 for none.
    """
    figure, axes = chart_figure(0.9 + 0.5 * len(groups))
    step = float(time[1] - time[0]) if len(time) > 1 else 1.0
    bars: list[tuple[Any, float]] = []
    for row in range(len(groups)):
        rows = formation_of[:, row]
        begins = np.concatenate([[0], np.flatnonzero(np.diff(rows)) + 1])
        for begin, end in zip(begins, [*begins[1:], len(rows)], strict=True):
            if (which := int(rows[begin])) < 0:
                continue
            span = (time[begin], (end - begin) * step)
            axes.broken_barh([span], (row - 0.38, 0.76), color=group_color(which), alpha=0.75)
            middle = span[0] + 0.5 * span[1]
            text = axes.text(middle, row, formations[which], ha="center", va="center", fontsize=9)
            bars.append((text, span[1]))
    axes.set(xlabel=tr("time [s]"), ylim=(len(groups) - 0.4, -0.6), xlim=(0.0, max(time[-1], step)))
    axes.set_yticks(range(len(groups)), groups)
    axes.grid(axis="y", visible=False)
    return both_widths(figure, lambda: _hide_wider(figure, axes, bars))


def room_chart(
    station: Float,
    left: Float,
    right: Float,
    used: tuple[Float, Float, Float],
    *,
    labels: Sequence[tuple[float, str]] = (),
) -> str:
    """Return the free strip beside a path, and what of it was in use.

    Args:
        station: (J,) arc lengths [m].
        left: (J,) free to the left of the path, for a body's edge [m].
        right: (J,) free to the right, negative.
        used: Arc lengths (U,), and how far bodies reached left and right (U,) [m].
        labels: Words and the arc lengths [m] from which on they hold.
    """
    figure, axes = chart_figure(3.0)
    axes.fill_between(
        station, right, left, color=group_color(0), alpha=0.18, lw=0, label=tr("free")
    )
    axes.plot(station, left, color=group_color(0), lw=1.2)
    axes.plot(station, right, color=group_color(0), lw=1.2)
    at, most, least = used
    axes.fill_between(at, least, most, color=group_color(1), alpha=0.55, lw=0, label=tr("in use"))
    axes.axhline(0.0, color="0.15", lw=1.0, label=tr("path"))
    top = 1.35 * float(np.nanmax(np.abs(np.concatenate([left, right, [0.5]]))))
    axes.set(
        xlabel=tr("along the path [m]"),
        ylabel=tr("right | left of the path [m]"),
        ylim=(-top, top),
        xlim=(0.0, float(station[-1])),
    )
    for begin, word in labels:
        axes.axvline(begin, color="0.5", lw=0.8, ls=":")
        axes.annotate(word, (begin, -top), xytext=(3, 3), textcoords="offset points", fontsize=9)
    axes.legend(loc="upper right", ncols=3, fontsize="small")
    return both_widths(figure, lambda: _keep_apart(figure, axes))


def weight_maps(
    scene: Scene, nodes: Float, edges: Index, moments: Sequence[tuple[float, Float]]
) -> str:
    """Return maps from above whose edges are the wider and darker the heavier, one per moment.

    The half of an edge at a node shows the weight of the direction that leaves there.

    Args:
        scene: Where.
        nodes: (V, 3) [m].
        edges: (E, 2) rows of ``nodes``.
        moments: Up to four: when [s], and the weights (E, 2) then, or (E,), the same both ways.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LogNorm

    size = scene.bounds[1, :2] - scene.bounds[0, :2]
    columns = min(2, len(moments))
    rows = -(-len(moments) // columns)
    height = float(np.clip(WIDTH * size[1] / size[0] * rows / columns, 2.5, 9.0))
    figure, axes = figures(height, rows, columns)
    start, end = (nodes[edges[:, column]][:, :2] for column in (0, 1))
    middle = 0.5 * (start + end)
    halves = np.concatenate([np.stack([near, middle], axis=1) for near in (start, end)])  # of 2 E
    for each, (time, weights) in zip(axes, moments, strict=False):
        both = np.broadcast_to(weights.reshape(len(edges), -1), (len(edges), 2))
        value = np.clip(both.T.reshape(-1), 0.01, 100.0)
        order = np.argsort(value, kind="stable")
        draw_scene(each, scene)
        lines = LineCollection(
            list(halves[order]), array=value[order], cmap="viridis_r",
            norm=LogNorm(0.01, 100.0), zorder=4,
            linewidths=1.0 + 1.5 * np.maximum(np.log10(value[order]), 0.0),
        )  # fmt: skip
        each.add_collection(lines, autolim=False)
        each.set(
            xlim=scene.bounds[:, 0], ylim=scene.bounds[:, 1], aspect="equal", xlabel="x [m]",
            ylabel="y [m]", title=f"{time:.0f} s",
        )  # fmt: skip
    figure.colorbar(lines, ax=axes, label=tr("weight"), shrink=0.8)
    return svg_text(figure, rasterized=True)


def chart_figure(height: float) -> tuple[Any, Any]:
    """Return an empty figure of a page, of a height [in], and its axes."""
    figure, (axes,) = figures(height, 1, 1)
    return figure, axes


def figures(height: float, rows: int, columns: int, width: float = WIDTH) -> tuple[Any, list[Any]]:
    """Return a figure of a size [in] with axes in rows, and these one after the other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    several = [figure.add_subplot(rows, columns, 1 + k) for k in range(rows * columns)]
    for axes in several:
        axes.grid(alpha=0.3)
        axes.margins(x=0.0)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return figure, several


def both_widths(figure: Any, fit: Callable[[], None] = lambda: None) -> str:
    """Return a chart as two SVG elements, of which the page shows one: the second on a phone.

    Args:
        figure: Of the width `WIDTH`.
        fit: Called for each width, before it is written.
    """
    fit()
    wide = svg_text(figure, kind="wide")
    figure.set_size_inches(NARROW, figure.get_size_inches()[1])
    fit()
    return wide + svg_text(figure, kind="narrow")


def _hide_wider(figure: Any, axes: Any, bars: Sequence[tuple[Any, float]]) -> None:
    """Hide the words that are wider than their bars, each with its length along x."""
    figure.draw_without_rendering()
    for text, length in bars:
        ends = axes.transData.transform([(0.0, 0.0), (length, 0.0)])[:, 0]
        text.set_visible(True)
        text.set_visible(text.get_window_extent().width < ends[1] - ends[0])


def _keep_apart(figure: Any, axes: Any) -> None:
    """Move notes up by lines until none is on another, and to the left if they end outside."""
    for note in axes.texts:
        note.set(position=(3, 3), horizontalalignment="left")
    figure.draw_without_rendering()
    placed: list[Any] = []
    for note in axes.texts:
        if note.get_window_extent().x1 > axes.get_window_extent().x1:
            note.set(position=(-3, 3), horizontalalignment="right")
        while any(note.get_window_extent().overlaps(other) for other in placed):
            x, y = note.get_position()
            note.set_position((x, y + 11))
        placed.append(note.get_window_extent())


def svg_text(figure: Any, *, rasterized: bool = False, kind: str = "") -> str:
    """Return the figure as an SVG element, without the declaration of a file.

    Args:
        figure: What is drawn.
        rasterized: Whether what is below the third layer is a picture.
        kind: Class of the element; names in it are told apart from those of other kinds.
    """
    import matplotlib

    if rasterized:
        for axes in figure.axes:
            axes.set_rasterization_zorder(3)
    text = io.StringIO()
    same = SAME_SVG | {"svg.hashsalt": f"rmp3d {kind}".strip()}
    with matplotlib.rc_context(same), missing_letters_as_boxes():
        figure.savefig(text, format="svg", dpi=130, metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    whole = whole[whole.index("<svg") :]
    return whole.replace("<svg", f'<svg class="{kind}"', 1) if kind else whole
