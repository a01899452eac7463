"""``.csv``: one line per frame and member, for spreadsheets and data frames."""

import csv
from dataclasses import dataclass
from io import TextIOWrapper
from typing import BinaryIO

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.playback.playback import Playback

COLUMNS = (
    "time", "member", "group", "x", "y", "z", "qw", "qx", "qy", "qz", "formation",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t")
"""How a cell begins that spreadsheets take for a formula and carry out."""
MOST_DIGITS = 17  # all that there is in a double


@EXPORTERS.register(".csv")
@dataclass(frozen=True)
class Table:
    """Every member's pose at every frame, one line each, with its group's formation.

    Times are in s, positions in m, orientations unit quaternions, scalar first. A name that a
    spreadsheet would take for a formula has an apostrophe before it.

    Attributes:
        digits: Digits after the point, up to 17.

    Raises:
        InputError: So many digits cannot be written.
    """

    digits: int = 6

    def __post_init__(self) -> None:
        if not 0 <= self.digits <= MOST_DIGITS:
            raise InputError(f"`digits` must be from 0 to {MOST_DIGITS}, got {self.digits}")

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write the table as UTF-8 with a header line; see `Exporter.write`."""
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(COLUMNS)
        poses = np.concatenate([playback.position, playback.orientation_wxyz], axis=2)
        group_names = [as_text(playback.group_names[group]) for group in playback.group_of]
        for frame in range(playback.frame_count):
            time = f"{frame * playback.dt:.{self.digits}f}"
            names = [
                as_text(playback.formation[row]) if row >= 0 else ""
                for row in playback.formation_of[frame]
            ]
            there = playback.there(frame)
            for member, pose in enumerate(poses[frame].tolist()):
                if not there[member]:
                    continue
                numbers = [f"{value:.{self.digits}f}" for value in pose]
                formation = names[playback.group_of[member]]
                lines.writerow([time, member, group_names[member], *numbers, formation])
            if progress:
                progress(frame + 1, playback.frame_count)
        text.detach()  # flushes, and leaves the file open for its owner


def as_text(name: str) -> str:
    """Return a cell that spreadsheets show as it is, whatever it begins with, in one row."""
    name = name.replace("\r", " ")  # which Python's writer does not quote before 3.13
    return f"'{name}" if name.startswith(FORMULA) else name
