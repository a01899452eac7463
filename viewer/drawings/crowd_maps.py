"""The layers `density`, `speed` and `flow`: maps of the crowd on the ground, with a legend."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Legend, Seen
from rmp3d.viewer.maps.crowd_maps import CrowdMap, GroundCells
from rmp3d.viewer.maps.map_series import STEP, MapSeries, ground_cells
from rmp3d.viewer.palette import RAMP
from rmp3d.viewer.playback.bounds import LIFT
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.patches import COLUMNS, NO_PATCHES
from rmp3d.viewer.texts import tr

SAMPLES = 8  # moments of a run that say how far the scale reaches
ROUND = np.array([1.0, 2.0, 5.0])
FAINT = 0.15  # of the scale: below, the map fades out
NOBODY = 0.02  # [1/m^2] below which there is no speed
OPACITY, LEAST = 0.72, 0.004


class CrowdMapDrawing(Drawing):
    """A map that lies on the ground, see-through where little or nobody is."""

    title: ClassVar[str]
    unit: ClassVar[str]

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        cells = ground_cells(playback.scene)
        self._cells = cells
        self._series = None if cells is None else MapSeries(cells)
        self._drawn: tuple[object, Drawn] = (None, Drawn())
        self._scale = (0, 1.0)  # for so many bits of frames, and how far it reaches

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that there is no ground, or nobody on it."""
        if playback.scene.walkable is None:
            return "the scene has no ground"
        walks = any(playback.characters[kind].grounded for kind in playback.character_of)
        return "" if walks else "nobody walks on the ground"

    @abstractmethod
    def values(self, found: CrowdMap) -> Float:
        """Return what is shown of a map, (S, I, J)."""

    def draw(self, seen: Seen) -> Drawn:
        """Return the map at a moment, or on average up to it; it changes four times a second."""
        if self._cells is None or self._series is None:
            return Drawn()
        time = int(seen.time / STEP + 1e-9) * STEP
        key = (time, seen.averaged, self._reach(self._series))
        if key != self._drawn[0]:
            make = self._series.mean if seen.averaged else self._series.at
            self._drawn = key, self._draw(self._cells, make(self.playback, time), seen.averaged)
        return self._drawn[1]

    def _draw(self, cells: GroundCells, found: CrowdMap, averaged: bool) -> Drawn:
        reach = self._scale[1]
        share = np.clip(self.values(found) / reach, 0.0, 1.0)
        strength = share if self.unit != "m/s" else found.density / (2.0 * NOBODY)
        opacity = OPACITY * np.clip(strength / FAINT, 0.0, 1.0)
        return Drawn(patches=draped(cells, share, opacity), legends=(self.legend(averaged),))

    @property
    def reach(self) -> float:
        """How far the scale reaches: a round number that the values of the run seldom exceed."""
        return 1.0 if self._series is None else self._reach(self._series)

    def legend(self, averaged: bool) -> Legend:
        """Return what the colors say."""
        what = tr("mean {}").format(tr(self.title)) if averaged else tr(self.title)
        return Legend(f"{what} [{self.unit}]", "0", f"{self.reach:g}", RAMP)

    def _reach(self, series: MapSeries) -> float:
        """Return a round number that the values of the run seldom exceed."""
        bits = self.playback.frame_count.bit_length()
        if bits != self._scale[0]:
            times = np.linspace(0.0, self.playback.duration, SAMPLES)
            values = [self.values(series.at(self.playback, float(time))) for time in times]
            self._scale = bits, round_up(max(float(each.max(initial=0.0)) for each in values))
        return self._scale[1]


@DRAWINGS.register("density")
class DensityDrawing(CrowdMapDrawing):
    """How many members there are per square meter."""

    title, unit = "density", "1/m²"

    def values(self, found: CrowdMap) -> Float:
        """Return the density."""
        return found.density


@DRAWINGS.register("speed")
class SpeedDrawing(CrowdMapDrawing):
    """How fast members go."""

    title, unit = "speed", "m/s"

    def values(self, found: CrowdMap) -> Float:
        """Return the speed, where there is somebody."""
        return np.where(found.density > NOBODY, found.speed, 0.0)


@DRAWINGS.register("flow")
class FlowDrawing(CrowdMapDrawing):
    """How many members pass a meter of a line in a second, whichever way they go."""

    title, unit = "flow", "1/(m s)"

    def values(self, found: CrowdMap) -> Float:
        """Return the flow."""
        return found.flow


def round_up(value: float) -> float:
    """Return the least of 1, 2, 5, 10, 20, ... times a power of ten that is not below a value."""
    if value <= 0.0:
        return 1.0
    tens = 10.0 ** np.floor(np.log10(value))
    steps = np.append(ROUND, 10.0) * tens
    return float(steps[np.searchsorted(steps, value * (1.0 - 1e-9))])


def draped(cells: GroundCells, share: Float, opacity: Float) -> NDArray[np.float32]:
    """Return rows of the cells that are seen at all, colors blended between their middles.

    Args:
        cells: The ground.
        share: (S, I, J) of the scale, 0 to 1.
        opacity: (S, I, J) 0 to 1.
    """
    at_corners = [_corners(cells, field) for field in (cells.height, share, opacity)]
    strongest = np.maximum(at_corners[2][:, :-1], at_corners[2][:, 1:])
    strongest = np.maximum(strongest[:, :, :-1], strongest[:, :, 1:])
    seen = cells.is_ground & (strongest > LEAST)  # so that it fades out within cells
    storey, column, row = np.nonzero(seen)
    if len(storey) == 0:
        return NO_PATCHES
    corner = np.empty((len(storey), 2, 2, COLUMNS), np.float32)
    for across in (0, 1):
        for along in (0, 1):
            height, value, strength = (
                each[storey, column + across, row + along] for each in at_corners
            )
            here = corner[:, across, along]
            here[:, 0] = cells.low[0] + cells.cell * (column + across)
            here[:, 1] = cells.low[1] + cells.cell * (row + along)
            here[:, 2] = height + LIFT
            here[:, 3:6] = ramp_color(value)
            here[:, 6] = strength
    a, b, c, d = corner[:, 0, 0], corner[:, 1, 0], corner[:, 0, 1], corner[:, 1, 1]
    return np.stack([a, b, c, c, b, d], axis=1).reshape(-1, COLUMNS)


def ramp_color(share: Float) -> Float:
    """Return sRGB colors (M, 3) of shares (M,) of a scale."""
    stops = np.linspace(0.0, 1.0, len(RAMP))
    return np.stack([np.interp(share, stops, RAMP[:, k]) for k in range(3)], axis=-1)


def _corners(cells: GroundCells, field: Float) -> Float:
    """Return the means (S, I + 1, J + 1) of a field (S, I, J) over the ground around corners."""
    known = np.pad(cells.is_ground.astype(float), ((0, 0), (1, 1), (1, 1)))
    value = np.pad(np.where(cells.is_ground, field, 0.0), ((0, 0), (1, 1), (1, 1)))
    total = sum(value[:, i : i - 1 or None, j : j - 1 or None] for i in (0, 1) for j in (0, 1))
    count = sum(known[:, i : i - 1 or None, j : j - 1 or None] for i in (0, 1) for j in (0, 1))
    return np.asarray(total / np.maximum(count, 1.0))
