"""Pictures of the trails of a run by Matplotlib: where everybody went, and how they looked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import rotate
from rmp3d.scenes import Region
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots.maps import draw_region, draw_scene
from rmp3d.viewer.plots.writing import write_figure

WIDTH = 6.4
"""Of the picture [inches]."""
SHARE = 0.9
"""Of the width that is not taken by numbers."""
MARK_EVERY = 2.0
"""Time between two marks along a trail [s]."""
RIM = 1.5
"""Of the scene shown around the trails [m]."""
TOP, SIDE = (0, 1), (0, 2)


def save_trails(
    path: Path,
    playback: Playback,
    *,
    places: Sequence[tuple[Region, Float]] = (),
    title: str = "",
    dpi: int = 110,
    width: float = WIDTH,
) -> None:
    """Write a picture of all trails, seen from above, and for flyers from the side too.

    Each trail gets darker with time, begins in a ring and ends in the body's disk; short strokes
    show the heading every two seconds, the last one bold.

    Args:
        path: Where to; the suffix says the format (``.png``, ``.svg``, ``.pdf``).
        playback: The run.
        places: Regions whose outlines are drawn from above, with their sRGB colors (3,).
        title: Written above.
        dpi: Pixels per inch.
        width: Of the picture [inches].

    Raises:
        InputError: The format is not known or the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    low, high = _extent(playback)
    flies = any(character.vehicle == "flying" for character in playback.characters)
    views = [TOP, SIDE] if flies else [TOP]
    ratios = [(high - low)[v] / (high - low)[0] for _, v in views]
    figure = Figure(
        figsize=(width, SHARE * width * sum(ratios) + 0.5 * len(views) + (0.2 if title else 0.0)),
        layout="constrained",
    )
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(views), 1, height_ratios=ratios, squeeze=False)[:, 0]
    for axes, view in zip(grid, views, strict=True):
        _draw_view(axes, playback, view, low, high)
    for region, color in places:
        draw_region(grid[0], region, edgecolor=color, linewidth=1.6, zorder=4)
    grid[0].set_title(title, fontsize=9)
    write_figure(figure, path, dpi, "picture")


def _extent(playback: Playback) -> tuple[Float, Float]:
    """Return the corners (3,) of what is shown: the trails, in the scene's bounds."""
    reach = playback.radius.max() + RIM
    bounds = playback.scene.bounds
    low = np.maximum(np.min(playback.position, axis=(0, 1)) - reach, bounds[0])
    high = np.minimum(np.max(playback.position, axis=(0, 1)) + reach, bounds[1])
    # A picture neither too flat nor too high, whatever the trails are.
    middle, size = 0.5 * (low + high), high - low
    size[0] = max(size[0], 8.0, 1.2 * size[1])
    size[1] = max(size[1], 0.5 * size[0])
    size[2] = max(size[2], 4.0)
    spare = np.maximum(0.5 * (bounds[1] - bounds[0] - size), 0.0)
    center = bounds.mean(axis=0)
    middle = np.clip(middle, center - spare, center + spare)
    return middle - 0.5 * size, middle + 0.5 * size


def _draw_view(
    axes: Any, playback: Playback, view: tuple[int, int], low: Float, high: Float
) -> None:
    across, up = view
    axes.set(xlim=(low[across], high[across]), ylim=(low[up], high[up]), aspect="equal")
    axes.set_xlabel("x [m]", fontsize=8)
    axes.set_ylabel(f"{'xyz'[up]} [m]", fontsize=8)
    axes.tick_params(labelsize=7)
    if view == TOP:
        draw_scene(axes, playback.scene)
    else:
        _draw_side(axes, playback)
    for member in range(playback.member_count):
        _draw_trail(axes, playback, member, view)


def _draw_side(axes: Any, playback: Playback) -> None:
    """Draw the outlines of what is solid, seen along +y."""
    from matplotlib.collections import PolyCollection

    for part in playback.scene.parts:
        if part.role != "decor":
            corners = part.mesh.triangles[:, :, list(SIDE)]
            color = 0.35 + 0.65 * part.colors
            axes.add_collection(PolyCollection(list(corners), facecolors=color, linewidths=0.0))


def _draw_trail(axes: Any, playback: Playback, member: int, view: tuple[int, int]) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Circle

    columns = list(view)
    color = group_color(playback.group_of[member])
    points = playback.position[:, member][:, columns]
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    rgba = np.column_stack([np.tile(color, (len(pieces), 1)), np.linspace(0.35, 1.0, len(pieces))])
    axes.add_collection(LineCollection(list(pieces), colors=rgba, linewidths=1.3, zorder=5))
    radius = float(playback.radius[member])
    marks = _marks(playback)
    heading = rotate(playback.orientation_wxyz[marks, member], np.array([[1.0, 0.0, 0.0]]))
    ends = points[marks] + 1.8 * radius * heading[:, columns]
    strokes = np.stack([points[marks], ends], axis=1)
    dark = 0.55 * color
    widths = np.where(marks == marks[-1], 2.4, 0.9)
    lines = LineCollection(list(strokes), colors=[dark], linewidths=widths, zorder=6)
    axes.add_collection(lines)
    style: dict[str, Any] = {"zorder": 7, "linewidth": 0.8, "edgecolor": dark}
    axes.add_patch(Circle(tuple(points[0]), 0.5 * radius, facecolor="white", **style))
    axes.add_patch(Circle(tuple(points[-1]), radius, facecolor=color, **style))


def _marks(playback: Playback) -> Index:
    """Return the frames at which headings are shown, the last one among them."""
    every = max(1, round(MARK_EVERY / playback.dt))
    frames = np.arange(0, playback.frame_count, every)
    last: Bool = frames[-1:] != playback.frame_count - 1
    return np.concatenate([frames, np.full(int(last.sum()), playback.frame_count - 1)])
