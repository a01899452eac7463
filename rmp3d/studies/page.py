"""The page about a study: figures over the axes, the worst runs with their replays, all rows."""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TypeAlias

from rmp3d.geometry.whole_file import write_whole
from rmp3d.reporting.html_parts import (
    cell_text,
    html_facts,
    html_figure,
    html_page,
    html_table,
)
from rmp3d.studies.figures import FAILED, Row, Value, is_better_high, unit_of
from rmp3d.studies.folder import RECORDING, columns_of
from rmp3d.studies.own_figures import unit_of_own
from rmp3d.studies.rows import StudyRows
from rmp3d.viewer.plots.spread import spread_chart

Replay: TypeAlias = Callable[[Path, Path], None]
"""Writes the page that replays a recording."""
DRAWN = (
    "arrived_share", "last_arrival", "mean_arrival", "jams", "formation_error", "clearance_members",
    "clearance_scene", "jerk_worst", "flips", "held_back", "findings",
)  # fmt: skip
"""Figures that are drawn if none are chosen, those of them that differ among the runs."""
MOST_LINES = 8
MOST_NAMES = 24
WORST = 3
LONGEST = 40


def write_page(
    study: StudyRows,
    path: Path,
    *,
    figures: Sequence[str] = (),
    replay: Replay | None = None,
) -> Path:
    """Write the page about a study; return its path.

    Args:
        study: What it is about.
        path: The HTML file.
        figures: Columns to draw; by default those that tell most.
        replay: Writes the page that replays a recording; None: the worst runs are named only.

    Raises:
        InputError: The file cannot be written.
    """
    chosen = list(figures) or [key for key in DRAWN if key in study.figures and _varies(study, key)]
    outcomes = [str(row["outcome"]) for row in study.rows]
    facts = {
        "runs": str(len(study.rows)),
        "axes": ", ".join(study.axes) or "none",
        **{kind: str(outcomes.count(kind)) for kind in dict.fromkeys(outcomes)},
        "table": "table.csv; times in timings.csv",
    }
    charts = "\n".join(
        html_figure(_title(key, study), chart) for key in chosen if (chart := chart_of(study, key))
    )
    sections = {
        "Figures over the axes": charts or "<p>No figure differs among the runs.</p>",
        "Runs that did not end well": _failures(study),
        "Worst runs": _worst(study, chosen, path, replay),
        "All runs": table_of_study(study),
    }
    lead = "Dots are runs, diamonds their means; bands go from the least to the largest value."
    write_whole(path, html_page(f"Study {study.name}", lead, html_facts(facts), sections))
    return path


def table_of_study(study: StudyRows) -> str:
    """Return the rows as a table in HTML."""
    keys = columns_of(study.rows)
    header = [f"{key} [{_unit(key)}]" if _unit(key) else key for key in keys]
    return html_table(header, [[row.get(key) for key in keys] for row in study.rows])


def chart_of(study: StudyRows, figure: str) -> str:
    """Return a figure over the first axis that varies, with a line for each value of the second.

    The runs of other axes are dots of the same line. An empty text: there is nothing to draw.
    """
    rows = [row for row in study.rows if _number(row.get(figure)) is not None]
    axes = [axis for axis in study.axes if axis != "seed" and _values(rows, axis) > 1] or [
        axis for axis in study.axes if _values(rows, axis) > 1
    ]
    if not rows or not axes:
        return ""
    across = max(axes, key=lambda axis: (_numeric(rows, axis), -axes.index(axis)))
    second = next((axis for axis in axes if axis not in (across, "seed")), None)
    if second is not None and _values(rows, second) > MOST_LINES:
        second = None
    numeric = _numeric(rows, across)
    names = None if numeric else list(dict.fromkeys(_name(row[across]) for row in rows))
    if names is not None and len(names) > MOST_NAMES:
        return ""
    lines: dict[str, list[tuple[float | str, float]]] = {
        name: [] for name in _line_names(study, second)
    }
    for row in rows:
        line = figure if second is None else _name(row[second])
        place = _number(row[across]) if numeric else None
        pair = _name(row[across]) if place is None else place
        lines.setdefault(line, []).append((pair, _number(row[figure]) or 0.0))
    unit = f" [{_unit(figure)}]" if _unit(figure) else ""
    label = figure.replace("_", " ") + unit
    return spread_chart(lines, names, xlabel=across, ylabel=label, legend=second or "")


def _line_names(study: StudyRows, axis: str | None) -> list[str]:
    """Return the values of an axis in their order, so that each has its color in every chart."""
    if axis is None:
        return []
    values = list(dict.fromkeys(row.get(axis) for row in study.rows))
    if _numeric(study.rows, axis):
        values.sort(key=lambda value: _number(value) or 0.0)
    return [_name(value) for value in values]


def _title(figure: str, study: StudyRows) -> str:
    better = "higher" if is_better_high(figure) else "lower"
    return f"{figure.replace('_', ' ')} ({better} is better)".capitalize()


def _failures(study: StudyRows) -> str:
    rows = study.failures
    if not rows:
        return "<p>All runs ended well.</p>"
    header = [*study.axes, "outcome", "reason", "run"]
    return html_table(header, [[row.get(key) for key in header] for row in rows])


def _worst(
    study: StudyRows,
    figures: Sequence[str],
    path: Path,
    replay: Replay | None,
) -> str:
    """Return for each figure the worst runs, with links to their replays."""
    header = ("figure", "value", *study.axes, "run")
    lines = []
    for figure in figures:
        for row in _ranked(study, figure)[:WORST]:
            cells = [figure, row[figure], *(row.get(axis) for axis in study.axes)]
            text = "".join(f"<td>{escape(cell_text(cell))}</td>" for cell in cells)
            lines.append(f"<tr>{text}<td>{_link(study, row, path, replay)}</td></tr>")
    if not lines:
        return "<p>Nothing to rank.</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f'<div class="scroll">{body}</div>'


def _ranked(study: StudyRows, figure: str) -> list[Row]:
    rows = [row for row in study.rows if _number(row.get(figure)) is not None]
    return sorted(
        rows,
        key=lambda row: _number(row[figure]) or 0.0,
        reverse=not is_better_high(figure),
    )


def _link(
    study: StudyRows, row: Row, path: Path, replay: Callable[[Path, Path], None] | None
) -> str:
    """Return the name of a run, as a link to its replay if there is one, or to its recording."""
    name = str(row["run"])
    folder = study.folder / "runs" / name
    if row["outcome"] in FAILED or not (folder / RECORDING).exists():
        return escape(name)
    page = folder / "replay.html"
    if replay is not None and not page.exists():
        replay(folder / RECORDING, page)
    target = page if page.exists() else folder / RECORDING
    address = target.resolve().as_uri()
    if path.resolve().parent == study.folder.resolve():
        address = f"runs/{name}/{target.name}"
    return f'<a href="{escape(address)}">{escape(name)}</a>'


def _varies(study: StudyRows, key: str) -> bool:
    return len({row.get(key) for row in study.rows}) > 1


def _values(rows: Sequence[Row], axis: str) -> int:
    return len({_name(row.get(axis)) for row in rows})


def _numeric(rows: Sequence[Row], axis: str) -> bool:
    return all(_number(row.get(axis)) is not None for row in rows)


def _number(value: Value) -> float | None:
    return None if isinstance(value, bool | str) or value is None else float(value)


def _name(value: Value) -> str:
    text = cell_text(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _unit(figure: str) -> str:
    return unit_of(figure) or unit_of_own(figure)
