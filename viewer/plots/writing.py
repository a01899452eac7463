"""Writes a figure of Matplotlib to a file of the format that its ending names."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import is_stream, whole_file

ENDINGS = ".png, .svg or .pdf"
"""Endings that an error offers; Matplotlib's others work, too."""


def write_figure(figure: Any, path: Path, dpi: int, what: str) -> None:
    """Write a figure; the same figure is always the same file.

    Args:
        figure: Of Matplotlib, with a canvas.
        path: Where to; the ending says the format.
        dpi: Pixels per inch.
        what: What an error calls the figure, such as "map".

    Raises:
        InputError: The ending names no format, or the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending and ending[1:] not in figure.canvas.get_supported_filetypes():
        raise InputError(f"{path}: the {what} cannot be written; its ending must be {ENDINGS}")
    if not ending and not is_stream(path):
        path = Path(f"{path}.png")
    with whole_file(path, f"the {what}") as file, missing_letters_as_boxes():
        figure.savefig(
            file,
            format=ending[1:] or "png",
            dpi=dpi,
            metadata={"Software": None} if ending in (".png", "") else None,
        )


@contextmanager
def missing_letters_as_boxes() -> Iterator[None]:
    """Draw a letter that the font lacks, such as one of a file's name, as a box without a word."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield
