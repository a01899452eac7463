"""Writes a figure of Matplotlib to a file of the format that its ending names."""

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
    with whole_file(path, f"the {what}") as file:
        figure.savefig(
            file,
            format=ending[1:] or "png",
            dpi=dpi,
            metadata={"Software": None} if ending in (".png", "") else None,
        )
