"""Letters: one picture of all glyphs in use at one size, and how to set a line with them."""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BASIC = "".join(chr(code) for code in range(32, 127)) + "°\u00d7\u2013·…←→↑↓▶❚◆◇●★☆■□✖▼▽▲"
FONT = "DejaVuSans.ttf"


SMALLEST_LINE = 9  # pixels


def line_height(size: tuple[int, int]) -> int:
    """Return the height of a line of text [pixels] that suits a picture's width and height."""
    return max(round(18.0 * min(size[1] / 720.0, size[0] / 960.0)), SMALLEST_LINE)


@dataclass(frozen=True)
class Glyph:
    """Where a letter is in the atlas, and how it is set; all in pixels.

    Attributes:
        box: Left, top, right, bottom in the atlas.
        offset: From the pen to the box's left, and from the line's top to the box's top.
        advance: How far the pen moves on.
    """

    box: tuple[int, int, int, int]
    offset: tuple[int, int]
    advance: float


class GlyphAtlas:
    """Glyphs of one font at one height; letters are added when a text needs them.

    Attributes:
        height: Of a line [pixels].
        image: (H, W) coverage 0..255; another array when letters are added, never written again.
    """

    def __init__(self, height: int) -> None:
        self.height = height
        self._letters = BASIC
        self._build()

    def need(self, text: str) -> None:
        """Add the letters of ``text`` that are not in the atlas yet."""
        missing = sorted(set(text) - set(self._letters))
        if missing:
            self._letters += "".join(missing)
            self._build()

    def __getitem__(self, letter: str) -> Glyph:
        return self._glyphs[letter]

    def width(self, text: str) -> float:
        """Return how wide a text is set [pixels]."""
        self.need(text)
        return sum(self._glyphs[letter].advance for letter in text)

    def fitted(self, text: str, width: float) -> str:
        """Return the text, its end replaced by "…" if it is wider than ``width`` [pixels]."""
        if self.width(text) <= width:
            return text
        while text and self.width(text + "…") > width:
            text = text[:-1]
        return text.rstrip() + "…"

    def _build(self) -> None:
        """Draw all letters into rows of one image; texel (0, 0) is solid, for plain quads."""
        from PIL import Image, ImageDraw

        font = load_font(max(round(self.height * 0.75), 6))
        columns = 24 * self.height
        rows = 2 * self.height * (len(self._letters) // 12 + 2)  # 2 x 2 heights each will do
        image = Image.new("L", (columns, rows), 0)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, 2, 2), fill=255)
        glyphs, x, y, tallest = {}, 4, 1, 3
        for letter in self._letters:
            left, top, right, bottom = (int(v) for v in font.getbbox(letter))
            if x + right - left + 2 > columns:
                x, y, tallest = 1, y + tallest + 2, 0
            draw.text((x - left, y - top), letter, fill=255, font=font)
            box = (x, y, x + right - left, y + bottom - top)
            glyphs[letter] = Glyph(box, (left, top), float(font.getlength(letter)))
            x, tallest = box[2] + 2, max(tallest, bottom - top)
        used = y + tallest + 2
        self._glyphs: dict[str, Glyph] = glyphs
        self.image: NDArray[np.uint8] = np.asarray(image, np.uint8)[:used].copy()
        self.image.setflags(write=False)


@cache
def load_font(size: int) -> Any:
    """Return the font at a size [pixels]: DejaVu Sans, which Matplotlib brings along."""
    from PIL import ImageFont

    found = find_spec("matplotlib")
    if found is not None and found.origin is not None:
        path = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / FONT
        if path.exists():
            return ImageFont.truetype(str(path), size)
    return ImageFont.load_default(size)
