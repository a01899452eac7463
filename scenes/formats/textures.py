"""Textures as colors of faces: the mean of the picture over each face."""

import os
import re
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.printable import shortened
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR
from rmp3d.scenes.formats.pictures import Pictures, shrunk
from rmp3d.scenes.paint import NO_PICTURE

SUFFIXES = (
    ".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".tif", ".tiff", ".webp", ".rgb", ".rgba",
    ".sgi", ".dds",
)  # fmt: skip
MAX_PIXELS = 2**26
"""Largest texture, such as 8192 x 8192; a larger one is not opened."""
MAX_PIXELS_OF_ALL = 2**28
MAX_PICTURE_BYTES = 2**28
FINEST = 512
"""Texels a side of what is kept of a texture."""
MOST_LEVELS = 16
"""Of so many pictures the colors as numbers are kept, up to 11 MB each."""
PIECES = (1, 4, 16)
"""A face is cut into the square of so many triangles, by its size in texels; the texture is looked
at in each."""
FACES_AT_ONCE = 4000
USUAL_FOLDERS = ("", "textures", "materials/textures", "../materials/textures", "../textures")
SHOWN = 3
"""Names of missing textures that a note lists."""
MAX_ENTRIES = 10_000
"""Entries of a folder that are compared with a name in wrong case."""


class TextureError(Exception):
    """A texture cannot be used; its message continues ``the texture `x` ...``."""


def is_picture(name: str) -> bool:
    """Whether the name of a file says that it is a picture."""
    return name.strip().lower().endswith(SUFFIXES)


def find_texture(folder: Path, name: str) -> Path:
    """Return the file that a mesh file in ``folder`` means by the name of a texture.

    Exporters write paths of their own machine. The path as it is comes first, then a file of that
    name in the usual places: beside the mesh, in `textures`, and in `materials/textures` beside
    the mesh's folder. Upper and lower case count as one where nothing else is found. What lies
    neither in the mesh's folder nor in the folder around it is not opened.

    Raises:
        TextureError: There is none.
    """
    text = re.sub(r"^file:/*(?=[A-Za-z]:|/|[^/])", "", unquote(name.strip())).replace("\\", "/")
    last = text.rsplit("/", 1)[-1]
    if "\0" in text or not last:
        raise TextureError("is not found")
    home = folder.resolve()
    allowed = home.parent
    for relative in (text, *(f"{place}/{last}".lstrip("/") for place in USUAL_FOLDERS)):
        found = _in_any_case(home, relative)
        if found is not None and found.is_relative_to(allowed) and found.is_file():
            return found
    raise TextureError("is not found")


def _in_any_case(folder: Path, relative: str) -> Path | None:
    """Return the resolved path of a file, its case as on the disk; None if there is no such."""
    try:
        if (folder / relative).is_file():
            return (folder / relative).resolve()
        if Path(relative).is_absolute():
            return None
        place = folder
        for step in relative.split("/"):
            if step in ("", ".", "..") or (place / step).exists():
                place = place / step
                continue
            with os.scandir(place) as entries:
                names = [entry.name for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False)]
            alike = sorted(each for each in names if each.lower() == step.lower())
            if not alike:
                return None
            place = place / alike[0]
        return place.resolve()
    except (OSError, ValueError):
        return None


def read_texture(path: Path) -> bytes:
    """Return the bytes of a texture of a size that can be opened.

    Raises:
        TextureError: It is no picture, or too large.
    """
    from PIL import Image

    try:
        data = read_input(path, MAX_PICTURE_BYTES)
    except InputError:
        raise TextureError(
            f"cannot be opened, or has more than {MAX_PICTURE_BYTES >> 20} MiB"
        ) from None
    try:
        with Image.open(BytesIO(data)) as image:
            _check_size(image)
    except TextureError:
        raise
    except Exception:  # of whatever kind: the picture is not understood
        raise TextureError("cannot be read") from None
    return data


def missing_textures(missing: Mapping[str, str]) -> list[str]:
    """Return the notes about textures that are not used, from their names to the reasons."""
    notes = []
    for reason in dict.fromkeys(missing.values()):
        names = [f"`{shortened(name, 200)}`" for name, why in missing.items() if why == reason]
        if len(names) == 1:
            notes.append(f"the texture {names[0]} {reason}; its faces are drawn without it")
        else:
            shown = ", ".join(names[:SHOWN]) + ", ..." * (len(names) > SHOWN)
            notes.append(
                f"each of {len(names)} textures {reason} ({shown}); their faces are drawn without"
            )
    return notes


def plain_picture() -> bytes:
    """Return a picture of the color of faces without a color: it stands for a missing texture."""
    from PIL import Image

    red, green, blue = (round(255 * share) for share in DEFAULT_COLOR)
    file = BytesIO()
    Image.new("RGB", (1, 1), (red, green, blue)).save(file, "PNG")
    return file.getvalue()


class Textures:
    """The textures of one mesh file; each is decoded once."""

    def __init__(self) -> None:
        self._small: dict[int, tuple[Any, NDArray[np.uint8] | TextureError]] = {}
        self._levels: dict[int, list[Float]] = {}  # of the pictures asked for last
        self._pixels = 0

    def mean_colors(self, image: Any, places: Float) -> Float:
        """Return the mean (F, 3) of a picture over each face, 0 to 1.

        See-through texels count less.

        Args:
            image: Of Pillow.
            places: (F, 3, 2) texture coordinates of the corners, u to the right and v up; the
                picture repeats.

        Raises:
            TextureError: The picture is damaged, too large, or too much beside the others.
        """
        levels = self._of(image)
        places = np.where(np.isfinite(places), np.clip(places, -1e6, 1e6), 0.0)
        chunks = [
            _means(levels, places[start : start + FACES_AT_ONCE])
            for start in range(0, len(places), FACES_AT_ONCE)
        ]
        return np.concatenate([np.empty((0, 3)), *chunks])

    def forget(self, image: Any) -> None:
        """Let go of the texels of a picture that nobody asks for again."""
        self._levels.pop(id(image), None)
        if self._small.pop(id(image), None) is not None:
            image.close()

    def _of(self, image: Any) -> list[Float]:
        if id(image) not in self._small:
            self._small[id(image)] = image, self._read(image)  # the image keeps its id
        small = self._small[id(image)][1]
        if isinstance(small, TextureError):
            raise small
        if id(image) not in self._levels:
            while len(self._levels) >= MOST_LEVELS:
                self._levels.pop(next(iter(self._levels)))
            self._levels[id(image)] = _levels(small)
        return self._levels[id(image)]

    def _read(self, image: Any) -> NDArray[np.uint8] | TextureError:
        try:
            _check_size(image)
            self._pixels += image.size[0] * image.size[1]
            if self._pixels > MAX_PIXELS_OF_ALL:
                raise TextureError(f"is beyond the {MAX_PIXELS_OF_ALL:,} pixels of one file")
            return _small(image)
        except TextureError as error:
            return error


class NamedTextures:
    """The textures that a text file names, in its folder and around it; each is decoded once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._textures = folder, Textures()
        self._images: dict[str, Any] = {}
        self._missing: dict[str, str] = {}
        self.pictures = Pictures()

    @property
    def notes(self) -> list[str]:
        """On those that are missing, or too many to be drawn."""
        return missing_textures(self._missing) + self.pictures.notes

    def rows(self, places: Float, name: str) -> Index:
        """Return the row in `pictures` of each face (F,), -1 where it has no place in a texture.

        Args:
            places: (F, 3, 2) texture coordinates of the corners, NaN where none.
            name: Of the texture, as in the file; it was asked for by `painted` before.
        """
        found = np.full(len(places), NO_PICTURE)
        if name not in self._missing and name in self._images:
            placed = np.isfinite(places).all(axis=(1, 2))
            if placed.any():
                image = self._images[name]
                found[placed] = self.pictures.row(image)
                image.close()  # all is made of it; the texels of a large one take 256 MiB
        return found

    def painted(self, colors: Float, places: Float, name: str) -> Float:
        """Return colors (F, 3) with those of a texture, where a face has a place in it.

        Args:
            colors: (F, 3) without the texture.
            places: (F, 3, 2) texture coordinates of the corners, NaN where none.
            name: Of the texture, as in the file.
        """
        rows = np.flatnonzero(np.isfinite(places).all(axis=(1, 2)))
        if len(rows) == 0:
            return colors
        try:
            found = self._textures.mean_colors(self._image(name), places[rows])
        except TextureError as error:
            self._missing[name] = str(error)
            return colors
        painted = colors.copy()
        painted[rows] = found
        return painted

    def _image(self, name: str) -> Any:
        from PIL import Image

        if name not in self._images:
            try:
                data = read_texture(find_texture(self._folder, name))
                self._images[name] = Image.open(BytesIO(data))
            except TextureError as error:
                self._images[name] = error
        if isinstance(self._images[name], TextureError):
            raise self._images[name]
        return self._images[name]


def _means(levels: list[Float], places: Float) -> Float:
    """Look at each face in its pieces, at a level whose texels are about as large as a piece."""
    height, width = levels[0].shape[:2]
    extent = np.ptp(places, axis=1) * (width, height)  # (F, 2) texels of the finest level
    extent = extent.max(axis=1)
    pieces = np.array(PIECES)[np.minimum(np.searchsorted(PIECES, extent), len(PIECES) - 1)]
    size = np.maximum(extent / pieces, 1.0)
    level = np.minimum(np.log2(size), len(levels) - 1).astype(np.intp)
    found = np.empty((len(places), 4))
    for each, count in np.unique(np.column_stack([level, pieces]), axis=0):
        rows = np.flatnonzero((level == each) & (pieces == count))
        texels = levels[each]
        at = np.einsum("pk,fkd->fpd", _piece_middles(count), places[rows])  # (R, P, 2)
        across = np.floor(at[..., 0] * texels.shape[1]).astype(np.intp) % texels.shape[1]
        down = np.floor(-at[..., 1] * texels.shape[0]).astype(np.intp) % texels.shape[0]
        found[rows] = texels[down, across].mean(axis=1)
    opacity = found[:, 3:]
    return np.clip(found[:, :3] / np.maximum(opacity, 1e-6), 0.0, 1.0)


@cache
def _piece_middles(pieces: int) -> Float:
    """Return the middles (P, 3), as shares of the corners, of equal pieces of a triangle."""
    first, second = np.meshgrid(np.arange(pieces), np.arange(pieces))
    upright = np.column_stack([first.ravel(), second.ravel()])[(first + second).ravel() < pieces]
    upside_down = upright[upright.sum(axis=1) < pieces - 1]
    shares = np.concatenate([upright + 1 / 3, upside_down + 2 / 3]) / pieces
    return np.column_stack([shares, 1.0 - shares.sum(axis=1)])


def _small(image: Any) -> NDArray[np.uint8]:
    """Return what is kept of a picture (H, W, 4).

    Raises:
        TextureError: It is damaged.
    """
    try:
        side = [min(2 ** max(int(length).bit_length() - 1, 0), FINEST) for length in image.size]
        image.draft("RGB", (2 * side[0], 2 * side[1]))
        return np.array(shrunk(image, (side[0], side[1])), np.uint8)
    except Exception:  # of whatever kind: the picture is damaged
        raise TextureError("is damaged") from None


def _levels(small: NDArray[np.uint8]) -> list[Float]:
    """Return a picture (H, W, 4), colors times opacity, and its halves down to one texel."""
    texels = small.astype(np.float64) / 255.0
    texels[..., :3] *= texels[..., 3:]
    levels = [texels]
    while max(levels[-1].shape[:2]) > 1:
        last = levels[-1]
        if last.shape[0] > 1:
            last = 0.5 * (last[0::2] + last[1::2])
        if last.shape[1] > 1:
            last = 0.5 * (last[:, 0::2] + last[:, 1::2])
        levels.append(last)
    return levels


def _check_size(image: Any) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise TextureError(f"has {width} x {height} pixels, more than {MAX_PIXELS:,}")
