"""Panels, bars and text on top of the picture, as triangles in pixels."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.overlay.text import GlyphAtlas

WHITE = np.array([0.96, 0.97, 0.98])
SOLID = 1.0  # a texel that is fully covered


class Overlay:
    """A list of quads, drawn in order; pixels count from the lower left corner."""

    def __init__(self, atlas: GlyphAtlas) -> None:
        self.atlas = atlas
        self._rows: list[list[float]] = []

    def rectangle(
        self, left: float, bottom: float, right: float, top: float, color: Float, opacity: float
    ) -> None:
        """Add a filled rectangle of an sRGB color."""
        self._quad((left, bottom, right, top), (SOLID, SOLID, SOLID, SOLID), (*color, opacity))

    def text(
        self,
        line: str,
        x: float,
        y: float,
        *,
        color: Float = WHITE,
        opacity: float = 1.0,
        align: float = 0.0,
        size: float = 1.0,
    ) -> None:
        """Add one line of text.

        Args:
            line: What it says.
            x: Where it starts; with ``align`` 0.5 its middle, with 1 its end.
            y: Lower edge of the line.
            color: sRGB.
            opacity: 0..1.
            align: 0 left, 0.5 centered, 1 right.
            size: Of the letters, as a share of the usual one.
        """
        self.atlas.need(line)
        pen = float(round(x - align * size * self.atlas.width(line)))
        top = round(y) + size * self.atlas.height
        for letter in line:
            glyph = self.atlas[letter]
            left, upper, right, lower = glyph.box
            corner = pen + size * glyph.offset[0], top - size * glyph.offset[1]
            width, height = size * (right - left), size * (lower - upper)
            place = (corner[0], corner[1] - height, corner[0] + width, corner[1])
            self._quad(place, (left, lower, right, upper), (*color, opacity))
            pen += size * round(glyph.advance)

    def rows(self) -> NDArray[np.float32]:
        """Return (6 Q, 8) rows position, texel, color: two triangles a quad."""
        quads = np.array(self._rows, np.float32).reshape(-1, 12)
        corners = [(0, 1), (2, 1), (2, 3), (0, 1), (2, 3), (0, 3)]
        out = np.empty((len(quads), 6, 8), np.float32)
        for row, (column, line) in enumerate(corners):
            out[:, row, 0:2] = quads[:, [column, line]]
            out[:, row, 2:4] = quads[:, [4 + column, 4 + line]]
            out[:, row, 4:8] = quads[:, 8:12]
        return out.reshape(-1, 8)

    def _quad(
        self,
        place: tuple[float, float, float, float],
        texel: tuple[float, float, float, float],
        color: tuple[float, ...],
    ) -> None:
        self._rows.append([*place, *texel, *(float(value) for value in color)])
