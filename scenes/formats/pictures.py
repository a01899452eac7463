"""The pictures of a mesh file as they are drawn and exported: encoded, and of bounded size."""

from io import BytesIO
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.scenes.paint import NO_PICTURE

LARGEST_SIDE = 1024
"""Texels a side of what is drawn of a picture."""
MOST_TEXELS = 2**25
"""Of all pictures of one file; 32 of the largest. Faces of further ones have a plain color."""
QUALITY = 90
"""Of JPEG, for what is not see-through."""
OPAQUE = 250
WITHOUT_OPACITY = ("RGB", "L")


class Pictures:
    """The pictures of one mesh file; each is encoded once for each color it is multiplied with.

    Attributes:
        encoded: PNG or JPEG.
        left_out: How many were too much.
    """

    def __init__(self) -> None:
        self.encoded: list[bytes] = []
        self.left_out = 0
        self._rows: dict[tuple[int, tuple[float, ...]], tuple[Any, int]] = {}
        self._texels = 0

    def row(self, image: Any, factor: Float | None = None) -> int:
        """Return the row of a picture of Pillow; `NO_PICTURE` if it is one texel, or too much.

        Args:
            image: Its colors were decoded before.
            factor: (3,) sRGB color that it is multiplied with; None for white.
        """
        shade = (1.0, 1.0, 1.0) if factor is None else tuple(np.round(factor, 4).tolist())
        key = id(image), shade
        if key not in self._rows:
            self._rows[key] = image, self._add(image, shade)  # the image keeps its id
        return self._rows[key][1]

    @property
    def notes(self) -> list[str]:
        """On pictures that are left out."""
        if not self.left_out:
            return []
        return [
            f"{self.left_out} textures are beyond {MOST_TEXELS >> 20} million texels in all; "
            "their faces have a plain color"
        ]

    def _add(self, image: Any, shade: tuple[float, ...]) -> int:
        scale = min(1.0, LARGEST_SIDE / max(image.size))
        width, height = (max(1, round(scale * side)) for side in image.size)
        if width * height == 1:
            return NO_PICTURE
        if self._texels + width * height > MOST_TEXELS:
            self.left_out += 1
            return NO_PICTURE
        self._texels += width * height
        self.encoded.append(_encoded(image, (width, height), shade))
        return len(self.encoded) - 1


def _encoded(image: Any, size: tuple[int, int], shade: tuple[float, ...]) -> bytes:
    from PIL import Image

    small = shrunk(image, size)
    if shade != (1.0, 1.0, 1.0):
        texels = np.asarray(small, np.float64) * [*shade, 1.0]
        small = Image.fromarray(np.round(texels).astype(np.uint8), "RGBA")
    file = BytesIO()
    if small.getextrema()[3][0] >= OPAQUE:
        small.convert("RGB").save(file, "JPEG", quality=QUALITY)
    else:
        small.save(file, "PNG")
    return file.getvalue()


def shrunk(image: Any, size: tuple[int, int]) -> Any:
    """Return a picture of Pillow with opacity, in a size (width, height).

    One without opacity gets it when it is small: the texels are the same, and a large picture is
    not copied three times.
    """
    from PIL import Image

    is_opaque = image.mode in WITHOUT_OPACITY and "transparency" not in image.info
    early = image if is_opaque or image.mode == "RGBA" else image.convert("RGBA")
    small = early if early.size == size else early.resize(size, Image.Resampling.BOX)
    return small.convert("RGBA")
