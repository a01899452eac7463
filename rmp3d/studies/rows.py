"""The rows of a study, and what they have in common."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmp3d.studies.figures import COMPLETE, Row, Value, is_figure
from rmp3d.studies.folder import RECORDING, RUNS, columns_of


@dataclass(frozen=True, eq=False)
class StudyRows:
    """What came of a study.

    Attributes:
        name: Of the study.
        folder: Where tables, report and recordings are.
        axes: Names of the axes, the first columns of the table.
        rows: A row for each run: its axes, its name, the outcome, the figures.
        new: How many runs were not known before.
        timings: For each run, in the order of the rows, its axes and what it took [s].
    """

    name: str
    folder: Path
    axes: tuple[str, ...]
    rows: tuple[Row, ...]
    new: int
    timings: tuple[Row, ...] = ()

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the columns with figures, which can be drawn and minimized."""
        others = {*self.axes, "run"}
        rows = list(self.rows)
        return tuple(key for key in columns_of(rows) if key not in others and is_figure(rows, key))

    @property
    def failures(self) -> tuple[Row, ...]:
        """The rows of the runs that did not end well."""
        return tuple(row for row in self.rows if row["outcome"] != COMPLETE)

    @property
    def ok(self) -> bool:
        """Whether all runs ended well."""
        return not self.failures

    def column(self, key: str) -> list[Value]:
        """Return an axis or a figure of all runs."""
        return [row.get(key) for row in self.rows]

    def recording(self, row: int) -> Path:
        """Return the file of a run's recording; it may not have been kept."""
        return self.folder / RUNS / str(self.rows[row]["run"]) / RECORDING

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame, which needs pandas."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=columns_of(self.rows))

    def __repr__(self) -> str:
        return (
            f"<Study `{self.name}`: {len(self.rows)} runs of {', '.join(self.axes)}, "
            f"{len(self.failures)} failed; {self.folder}>"
        )
