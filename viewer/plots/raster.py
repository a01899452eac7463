"""Many triangles seen from above as one picture: a map of millions of polygons takes minutes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled

PIXELS = 2400
"""Of the longer side."""
MOST_TESTS = 1e9
"""Of pixels against triangles; where large triangles overlap, the picture is coarser."""
LINE = 51  # gray value, 0 to 255


def draw_from_above(
    axes: Any, triangles: Float, colors: Float, lines: Float, low: Float, high: Float
) -> None:
    """Draw triangles and lines as one picture behind all else.

    Args:
        axes: Of Matplotlib, in meters.
        triangles: (F, 3, 3) [m]; of several over one point, the one with the highest corner is
            seen.
        colors: (F, 3) red, green and blue, each 0 to 1.
        lines: (L, 2, 2) dark lines over them, x and y [m].
        low: (2,) lower corner of the picture [m].
        high: (2,) upper corner [m].
    """
    picture, scale = picture_from_above(triangles, colors, lines, low, high)
    right, top = low + np.array(picture.shape[1::-1]) / scale
    axes.imshow(picture, extent=(low[0], right, low[1], top), origin="lower", zorder=0.5)


def picture_from_above(
    triangles: Float, colors: Float, lines: Float, low: Float, high: Float
) -> tuple[NDArray[np.uint8], float]:
    """Return a picture (H, W, 4), its first row at the least y, and its pixels per meter.

    The arguments are those of `draw_from_above`.
    """
    plan = triangles[..., :2] - low
    scale = PIXELS / float((high - low).max())
    tested = (scale * np.ptp(plan, axis=1) + 2.0).prod(axis=1).sum()
    scale *= min(1.0, float(np.sqrt(MOST_TESTS / tested)))
    width, height = np.maximum(np.ceil((high - low) * scale), 1.0).astype(int)
    picture = np.zeros((height, width, 4), np.uint8)
    top = np.full((height, width), -np.inf)
    shades = np.clip(np.round(255.0 * colors), 0.0, 255.0).astype(np.uint8)
    _fill(scale * plan, triangles[..., 2].max(axis=1), shades, picture, top)
    _draw_lines((lines - low) * scale, picture)
    return picture, scale


@compiled
def _fill(plan, height, shades, picture, top):
    """Color the pixels whose middles are in a triangle, and one at least for each triangle."""
    rows, columns = top.shape
    for f in range(len(plan)):
        ax, ay, bx, by = plan[f, 0, 0], plan[f, 0, 1], plan[f, 1, 0], plan[f, 1, 1]
        cx, cy = plan[f, 2, 0], plan[f, 2, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        sign = 1.0 if area >= 0.0 else -1.0
        first_row = max(0, int(np.floor(min(ay, by, cy) - 0.5)))
        last_row = min(rows - 1, int(np.ceil(max(ay, by, cy) - 0.5)))
        first_column = max(0, int(np.floor(min(ax, bx, cx) - 0.5)))
        last_column = min(columns - 1, int(np.ceil(max(ax, bx, cx) - 0.5)))
        own_row, own_column = int(np.floor((ay + by + cy) / 3.0)), int((ax + bx + cx) / 3.0)
        for row in range(first_row, last_row + 1):
            y = row + 0.5
            for column in range(first_column, last_column + 1):
                x = column + 0.5
                inside = (
                    sign * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) >= 0.0
                    and sign * ((cx - bx) * (y - by) - (cy - by) * (x - bx)) >= 0.0
                    and sign * ((ax - cx) * (y - cy) - (ay - cy) * (x - cx)) >= 0.0
                )
                own = row == own_row and column == own_column
                if (inside or own) and height[f] >= top[row, column]:
                    top[row, column] = height[f]
                    picture[row, column, 0] = shades[f, 0]
                    picture[row, column, 1] = shades[f, 1]
                    picture[row, column, 2] = shades[f, 2]
                    picture[row, column, 3] = 255


@compiled
def _draw_lines(plan, picture):
    """Color the pixels along lines (L, 2, 2), two for each pixel of length."""
    for k in range(len(plan)):
        dx, dy = plan[k, 1, 0] - plan[k, 0, 0], plan[k, 1, 1] - plan[k, 0, 1]
        count = 1 + int(2.0 * max(abs(dx), abs(dy)))
        for step in range(count + 1):
            column = int(np.floor(plan[k, 0, 0] + step / count * dx))
            row = int(np.floor(plan[k, 0, 1] + step / count * dy))
            if 0 <= row < picture.shape[0] and 0 <= column < picture.shape[1]:
                picture[row, column, 0] = picture[row, column, 1] = picture[row, column, 2] = LINE
                picture[row, column, 3] = 255
