"""The folder of a study: one folder for each run, named by its content, and the tables."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.number_limits import refuse_senseless_numbers
from rmp3d.geometry.whole_file import unwritable, whole_file, write_whole
from rmp3d.studies.figures import CRASHED, Row, Value
from rmp3d.studies.messages import Outcome

RUNS = "runs"
ROW, RECORDING = "row.json", "run.rmp3d"
LARGEST_ROW = 16 * 2**20
"""Bytes of what is kept of a run; a larger file is none of ours, and the run is done again."""


class StudyFolder:
    """Where a study keeps what it has.

    Args:
        path: The folder; it is made.

    Raises:
        InputError: It cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            (path / RUNS).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise unwritable(path, error) from None

    def run_folder(self, name: str) -> Path:
        """Return the folder of a run."""
        return self.path / RUNS / name

    def recording(self, name: str) -> Path:
        """Return the file of a run's recording; its folder is there."""
        folder = self.run_folder(name)
        folder.mkdir(exist_ok=True)
        return folder / RECORDING

    def kept(self, name: str, *, with_recording: bool) -> Outcome | None:
        """Return what is known of a run; None: nothing, or its process died.

        Args:
            name: Of the run.
            with_recording: Whether one without its recording is not known.
        """
        folder = self.run_folder(name)
        try:
            facts = json.loads(read_input(folder / ROW, LARGEST_ROW))
            row, seconds = dict(facts["figures"]), dict(facts["seconds"])
            outcome = row["outcome"]
            _check_figures(row)
            _check_figures(seconds)
        except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
            return None
        if outcome == CRASHED:
            return None
        if with_recording and facts.get("recorded") and not (folder / RECORDING).exists():
            return None
        return Outcome(row, seconds)

    def keep(self, name: str, outcome: Outcome, *, with_recording: bool) -> None:
        """Write down what is known of a run.

        Raises:
            InputError: The folder cannot be written.
        """
        folder = self.run_folder(name)
        folder.mkdir(exist_ok=True)
        recording = folder / RECORDING
        recorded = recording.exists()
        if recorded and not with_recording:
            recording.unlink()
        facts = {"figures": outcome.row, "seconds": outcome.seconds, "recorded": recorded}
        write_whole(folder / ROW, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")

    def write_table(self, stem: str, rows: Sequence[Row]) -> list[Path]:
        """Write a table as `.csv`, and as `.parquet` where PyArrow is installed.

        Raises:
            InputError: It cannot be written.
        """
        columns = columns_of(rows)
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([[cell(row.get(key)) for key in columns] for row in rows])
        written = [self.path / f"{stem}.csv"]
        write_whole(written[0], text.getvalue())
        if find_spec("pyarrow") is not None:
            written.append(self.path / f"{stem}.parquet")
            _write_parquet(written[-1], rows, columns)
        return written


def _check_figures(figures: Mapping[str, Any]) -> None:
    """Check what was kept of a run: the file may be damaged.

    Raises:
        InputError: A number is out of all sense.
        TypeError: Something is neither a number nor text.
    """
    refuse_senseless_numbers(figures, "figures")
    for key, value in figures.items():
        if not isinstance(value, str | int | float | None):
            raise TypeError(key)


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return the names of all columns, in the order of their first use."""
    return list(dict.fromkeys(key for row in rows for key in row))


def cell(value: Value) -> str:
    """Return a value as CSV has it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_parquet(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays: dict[str, Any] = {}
    for key in columns:
        values = [row.get(key) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1:
            as_number = kinds <= {int, float}
            values = [None if v is None else float(v) if as_number else str(v) for v in values]
        arrays[key] = pa.array(values)
    with whole_file(path) as file:
        pq.write_table(pa.table(arrays), file)


def check_folder(path: Path) -> Path:
    """Return the folder of a study.

    Raises:
        InputError: Something else has its name.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; a study needs a folder")
    return path
