"""Maps of a whole run for reports: how dense, how fast and how much the crowd was, on average."""

from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.maps.crowd_maps import GroundCells
from rmp3d.viewer.maps.map_series import MapSeries, ground_cells
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots.charts import NARROW, WIDTH, figures, svg_text
from rmp3d.viewer.plots.maps import draw_scene
from rmp3d.viewer.texts import tr

FEWEST = 10
"""Members on the ground that are called a crowd."""
THINNEST = 0.005
"""Mean density [1/m^2] below which a place is left out: hardly anybody was there."""
OPACITY = 0.85
BROAD = 0.5
"""A scene whose length along y is less of that along x has its maps below each other."""


def crowd_charts(playback: Playback) -> str:
    """Return maps from above of density, speed and flow, on average over the run.

    Where storeys are over each other, the largest value counts. Nothing for less than `FEWEST`
    members on the ground.
    """
    walks = [playback.characters[kind].grounded for kind in playback.character_of]
    cells = ground_cells(playback.scene)
    if sum(walks) < FEWEST or cells is None:
        return ""
    mean = MapSeries(cells).mean(playback, playback.duration)
    densest = mean.density.max(axis=0)
    maps = (
        ("mean density [1/m²]", densest, "viridis"),
        ("mean speed [m/s]", mean.speed.max(axis=0), "plasma"),
        ("mean flow [1/(m s)]", mean.flow.max(axis=0), "cividis"),
    )
    size = playback.scene.bounds[1, :2] - playback.scene.bounds[0, :2]
    share = float(size[1] / size[0])
    rows = 1 if share > BROAD else len(maps)
    shown = ""
    for kind, width, below in (("wide", WIDTH, rows), ("narrow", NARROW, len(maps))):
        columns = len(maps) // below
        height = below * float(np.clip(width * share / columns + 0.8, 2.0, 9.0))
        figure, axes = figures(height, below, columns, width)
        for each, drawn in zip(axes, maps, strict=True):
            _draw(each, playback, cells, densest, *drawn, below_it=share > BROAD)
        shown += svg_text(figure, rasterized=True, kind=kind)
    return shown


def _draw(
    axes: Any, playback: Playback, cells: GroundCells, densest: Float, title: str, values: Float,
    colors: str, *, below_it: bool,
) -> None:  # fmt: skip
    """Draw a map on the scene, with its scale below or beside it."""
    low = cells.low
    high = low + cells.cell * np.array(densest.shape)
    bounds: Float = playback.scene.bounds
    draw_scene(axes, playback.scene)
    shown = axes.imshow(
        np.ma.masked_where(densest < THINNEST, values).T, cmap=colors, alpha=OPACITY,
        extent=(low[0], high[0], low[1], high[1]), origin="lower", vmin=0.0, zorder=3,
    )  # fmt: skip
    axes.set(xlim=bounds[:, 0], ylim=bounds[:, 1], aspect="equal", xlabel="x [m]", ylabel="y [m]")
    where = "bottom" if below_it else "right"
    axes.figure.colorbar(shown, ax=axes, label=tr(title), shrink=0.8, location=where)
