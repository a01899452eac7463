"""Lines as the rows that are uploaded: start, end, their colors, width in pixels."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length, unit
from rmp3d.scenes import Region

COLUMNS = 15  # start 3, end 3, start color 4, end color 4, width 1
NO_LINES = np.empty((0, COLUMNS), np.float32)
NO_LINES.setflags(write=False)


def segments(
    start: Float,
    end: Float,
    color: Float,
    width: Float | float,
    opacity: tuple[Float | float, Float | float],
) -> NDArray[np.float32]:
    """Return (S, 15) rows of straight lines.

    Args:
        start: (S, 3) [m].
        end: (S, 3) [m].
        color: sRGB (3,) or (S, 3).
        width: In pixels of a picture 720 high, drawn in proportion; a number or (S,).
        opacity: At the start and at the end, 0..1, each a number or (S,).
    """
    rows = np.empty((len(start), COLUMNS), np.float32)
    rows[:, 0:3] = start
    rows[:, 3:6] = end
    rows[:, 6:9] = rows[:, 10:13] = color
    rows[:, 9], rows[:, 13] = opacity
    rows[:, 14] = width
    return rows


def polyline(
    points: Float, color: Float, width: float, opacity: float = 1.0
) -> NDArray[np.float32]:
    """Return rows of the K - 1 pieces of a polyline (K, 3)."""
    return segments(points[:-1], points[1:], color, width, (opacity, opacity))


def region_outline(region: Region, color: Float) -> NDArray[np.float32]:
    """Return rows of a region: a box's edges, strong at the bottom, or a sphere's circles."""
    if region.kind == "sphere":
        turn = np.linspace(0.0, 2.0 * np.pi, 49)
        circle = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
        center, radius = region.center, float(region.bounds[1, 0] - region.center[0])
        level, front, side = (
            polyline(center + radius * np.roll(circle, shift, axis=1), color, width, opacity)
            for shift, width, opacity in ((0, 3.0, 1.0), (1, 1.5, 0.5), (2, 1.5, 0.5))
        )
        return np.concatenate([level, front, side])
    low, high = region.bounds
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    bottom = np.column_stack([corners, np.full(4, low[2])])
    top = np.column_stack([corners, np.full(4, high[2])])
    ring = [0, 1, 2, 3, 0]
    return np.concatenate(
        [
            polyline(bottom[ring], color, 3.5),
            segments(bottom, top, color, 1.5, (0.8, 0.15)),
            polyline(top[ring], color, 1.2, 0.3),
        ]
    )


def grid(bounds: Float, height: float) -> NDArray[np.float32]:
    """Return rows of a level grid over bounds (2, 3), one line per meter or round number of them.

    Every fifth line is stronger; x and y axes are drawn red and green through the origin if it
    is inside.
    """
    low, high = bounds[0, :2], bounds[1, :2]
    spacing = _round_spacing(float(np.max(high - low)) / 40.0)
    rows = []
    for axis in range(2):
        ticks = np.arange(np.ceil(low[axis] / spacing), np.floor(high[axis] / spacing) + 1)
        start = np.full((len(ticks), 3), height)
        end = start.copy()
        start[:, axis] = end[:, axis] = ticks * spacing
        start[:, 1 - axis], end[:, 1 - axis] = low[1 - axis], high[1 - axis]
        strong = np.where(ticks % 5 == 0, 0.30, 0.12)
        rows.append(segments(start, end, np.full(3, 0.08), 1.2, (strong, strong)))
    return np.concatenate(rows)


def axes(origin: Float, size: float, colors: Float) -> NDArray[np.float32]:
    """Return rows of the axes x, y and z from ``origin`` (3,), ``size`` [m] long."""
    start = np.repeat(origin[None], 3, axis=0)
    return segments(start, start + size * np.eye(3), colors, 3.0, (1.0, 1.0))


def trails(recent: Float, colors: Float, width: float = 2.2) -> NDArray[np.float32]:
    """Return rows of the trails of members, fading into the past.

    Args:
        recent: (S, N, 3) positions [m], oldest first.
        colors: (N, 3) sRGB.
        width: In pixels of a picture 720 high.
    """
    count, members, _ = recent.shape
    if count < 2 or members == 0:
        return NO_LINES
    fade = np.linspace(0.0, 0.75, count)
    start, end = recent[:-1].reshape(-1, 3), recent[1:].reshape(-1, 3)
    moved = length(end - start) > 1e-4
    opacity = (fade[:-1].repeat(members)[moved], fade[1:].repeat(members)[moved])
    color = np.tile(colors, (count - 1, 1))[moved]
    return segments(start[moved], end[moved], color, width, opacity)


def crosses(points: Float, colors: Float, size: float) -> NDArray[np.float32]:
    """Return rows of level diagonal crosses of ``size`` [m] at points (N, 3), colors (N, 3)."""
    diagonal = 0.5 * size * np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])
    return np.concatenate(
        [segments(points - arm, points + arm, colors, 2.0, (0.9, 0.9)) for arm in diagonal]
    )


def dots(points: Float, colors: Float, width: float) -> NDArray[np.float32]:
    """Return rows of small squares at points (N, 3): lines without length; sRGB (3,) or (N, 3)."""
    return segments(points, points, colors, width, (0.9, 0.9))


def arrows(
    start: Float, vector: Float, colors: Float, width: float, least: float = 0.0
) -> NDArray[np.float32]:
    """Return rows of arrows from points (N, 3) by vectors (N, 3) [m], longer than ``least`` [m]."""
    size = length(vector)
    rows = size > max(least, 1e-9)
    start, vector, size = start[rows], vector[rows], size[rows, None]
    colors = np.broadcast_to(colors, (len(rows), 3))[rows]
    along = vector / size
    level = np.hypot(along[:, :1], along[:, 1:2])
    side = np.where(
        level > 1e-6, np.column_stack([-along[:, 1], along[:, 0], 0.0 * size]), [1.0, 0.0, 0.0]
    )
    side /= length(side)[:, None]
    tip, barb = start + vector, 0.25 * np.minimum(size, 1.0)
    wings = [tip - barb * along + sign * 0.5 * barb * side for sign in (-1.0, 1.0)]
    shaft = segments(start, tip, colors, width, (1.0, 1.0))
    return np.concatenate([shaft, *(segments(w, tip, colors, width, (1.0, 1.0)) for w in wings)])


def arrow_heads(points: Float, color: Float, every: float, size: float) -> NDArray[np.float32]:
    """Return rows of small level arrow heads along a polyline (K, 3), one each ``every`` [m]."""
    step = length(np.diff(points, axis=0))
    station = np.concatenate([[0.0], np.cumsum(step)])
    if station[-1] < every:
        return NO_LINES
    stops = np.arange(every / 2.0, station[-1], every)
    piece = np.clip(np.searchsorted(station, stops, side="right") - 1, 0, len(step) - 1)
    along = unit(np.diff(points, axis=0))[piece]
    share = (stops - station[piece]) / np.where(step[piece] > 0.0, step[piece], 1.0)
    tip = points[piece] + share[:, None] * np.diff(points, axis=0)[piece]
    side = unit(np.cross([0.0, 0.0, 1.0], along))
    wings = [tip - size * along + sign * 0.6 * size * side for sign in (-1.0, 1.0)]
    return np.concatenate([segments(wing, tip, color, 2.5, (0.9, 0.9)) for wing in wings])


def _round_spacing(size: float) -> float:
    decade = 10.0 ** np.floor(np.log10(max(size, 1e-6)))
    return float(next(step * decade for step in (1.0, 2.0, 5.0, 10.0) if step * decade >= size))
