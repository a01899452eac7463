"""A campaign is a study with a page of its own: what its options are, and how it is run."""

import argparse
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import rmp3d as rp
from rmp3d.extensions import load_extension

Row: TypeAlias = Mapping[str, Any]
TIMES = ("plan", "simulate", "verify", "processor")
LONG_JAM = 10.0
"""A jam of people that lasts longer than this [s] is a fault."""
CHECKOUT = Path(__file__).resolve().parents[1]


def campaign_options(words: str, name: str, *, seeds: int) -> argparse.ArgumentParser:
    """Return a parser with what all campaigns have.

    Args:
        words: Docstring of the benchmark.
        name: Of the benchmark; its folder is called so by default.
        seeds: How many, by default.
    """
    parser = argparse.ArgumentParser(description=words.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=seeds, help=f"how many; default: {seeds}")
    parser.add_argument(
        "--to", type=Path, default=Path(f"{name}.study"), metavar="FOLDER",
        help="of the study; one that was stopped goes on there",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=0, help="runs at a time; 0: one for each core")
    parser.add_argument("-o", "--output", type=Path, help="file of the page")
    return parser


def campaign(
    of: Any,
    axes: Mapping[str, Any] | None = None,
    *,
    options: argparse.Namespace,
    part: str = "",
    figures: Sequence[str] = (),
    extension: Path | None = None,
    **more: Any,
) -> list[Row]:
    """Run a study; return its rows, each with what the run took as ``NAME_seconds``.

    After Ctrl-C the folder has what is done, and the same command goes on.

    Args:
        of: A scenario, the name or file of one, or several names.
        axes: As `rmp3d.study` takes them; the seeds are those of the options.
        options: As `campaign_options` has them.
        part: Folder within that of the options, for campaigns of several studies.
        figures: Of `rmp3d.studies.FIGURES`, which the extension registers.
        extension: A Python file that every process loads.
        more: Other words of `rmp3d.study`.
    """
    # The processes of a study begin anew: they have to find `benchmarks`, too.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        dict.fromkeys([str(CHECKOUT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    )
    if extension is not None:
        load_extension(extension)
    try:
        found = rp.study(
            of, axes, seeds=options.seeds, to=options.to / part, keep="failures", figures=figures,
            processes=options.jobs,
            progress=lambda done, runs: print(f"\r{done}/{runs} {part}", end="", file=sys.stderr),
            **more,
        )  # fmt: skip
    except KeyboardInterrupt:
        sys.exit(f"\nstopped; {options.to} keeps what is done, the same command goes on")
    print(file=sys.stderr)
    return [
        {**row, **{f"{key}_seconds": taken.get(key) for key in TIMES}}
        for row, taken in zip(found.rows, found.timings, strict=True)
    ]


def is_good(row: Row) -> bool:
    """Return whether all have arrived, and nothing was found."""
    return bool(row["outcome"] == "complete")


def is_through(row: Row) -> bool:
    """Return whether all have arrived, nothing was found, and no jam was left or long."""
    return is_good(row) and row["jams_left"] == 0 and row["longest_jam"] <= LONG_JAM


def fault(row: Row) -> str:
    """Return what is wrong with a run that is not through."""
    return row["reason"] or f"{row['jams_left']} jams left, the longest {row['longest_jam']:.1f} s"


def ran(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of runs that there were: neither refused nor without a path."""
    return [row for row in rows if row.get("members") is not None]


def steps_per_second(row: Row, dt: float = 1.0 / 30.0) -> float:
    """Return the steps of a run for each second that they took."""
    return float(row["simulated"]) / dt / max(float(row["simulate_seconds"]), 1e-3)


def machine() -> str:
    """Return what a page says of the machine and of Python."""
    return f"{platform.machine()}, Python {platform.python_version()}"


def publish(lines: Iterable[str], output: Path | None) -> None:
    """Print the lines of a page, and write them to a file if one is given."""
    text = "\n".join(lines) + "\n"
    print(text)
    if output:
        output.write_text(text, encoding="utf-8")
