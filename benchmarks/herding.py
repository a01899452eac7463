"""Herding on the meadow: many seeds, each run verified; one table per question.

    python -m benchmarks.herding [--seeds 20] [--cases meadow,shape,...] [--jobs 2]
                                 [--to herding.study] [-o benchmarks/herding.md]
    python -m benchmarks.herding --maps FOLDER [--seeds 20]

A run succeeds when all of the flock are in the goal to stay, and verification finds nothing.
``--maps`` runs third-party maps instead, beside their own simulator: `benchmarks.herding_maps`.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.campaign import Row, campaign, campaign_options, is_good, machine, publish, ran
from benchmarks.herding_maps import map_page, map_rows


@dataclass(frozen=True)
class Case:
    """A row of a table.

    Attributes:
        table: It belongs to.
        shape: Of the shepherds.
        members: Of the flock.
        shepherds: How many.
    """

    table: str
    shape: str
    members: int
    shepherds: int

    @property
    def key(self) -> str:
        """What its runs are called; rows of several tables share them."""
        return f"{self.members} and {self.shepherds} in {self.shape}"


CASES = (
    *(Case("meadow", "line", members, 2) for members in (5, 20, 60)),
    *(Case("shape", shape, 40, 4) for shape in ("line", "arc")),
    *(Case("shepherds", "line", 20, count) for count in (1, 2, 4)),
    *(Case("flocks", "line", members, 4) for members in (10, 40, 100)),
)
TITLES = {
    "meadow": "The meadow with two dogs in line",
    "shape": "Line against arc: four dogs on the meadow",
    "shepherds": "One, two and four dogs on the meadow",
    "flocks": "Flocks of 10, 40 and 100 with four dogs on the meadow",
}
DT = 0.05  # a step of the meadow [s]
FLOCK, SHEPHERDS = "sheep", "dogs"  # its groups


def main() -> int:
    options = _options()
    if options.maps:
        publish(map_page(map_rows(options.maps, options.seeds), options.seeds), options.output)
        return 0
    cases = [case for case in CASES if case.table in options.cases.split(",")]
    rows = campaign("meadow", options=options, cases={case.key: _keys(case) for case in cases})
    publish(report(options.seeds, cases, rows), options.output)
    return 0


def _keys(case: Case) -> dict[str, object]:
    return {
        "groups.0.members": case.members,
        "groups.1.members": case.shepherds,
        "groups.1.behavior.formation": case.shape,
    }


def report(seeds: int, cases: Sequence[Case], rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the page: a table for each question, then the failures."""
    yield "# Herding"
    yield ""
    yield f"Made by `rmp3d bench herding --seeds {seeds}`; {machine()}."
    yield "Success: all of the flock in the goal, and nothing found by verification. Other numbers"
    yield "are medians of the runs that succeeded. A step of the simulation is 0.05 s; the last"
    yield "column is its processor time, with planning and recording."
    for table in dict.fromkeys(case.table for case in cases):
        yield from ["", f"## {TITLES[table]}", ""]
        yield (
            "| shape | flock | shepherds | success | time [s] | collecting [s] "
            "| strays fetched | driven [m] | runs with findings | a step [ms] |"
        )
        yield "|---|---|---|---|---|---|---|---|---|---|"
        for case in cases:
            if case.table == table:
                yield _line(case, [row for row in rows if row["case"] == case.key])
    failed = [row for row in rows if not is_good(row)]
    yield from ["", f"{len(rows) - len(failed)} of {len(rows)} runs succeeded."]
    for row in failed:
        yield f"- {row['case']}, seed {row['seed']}: {row['reason']}"


def _line(case: Case, rows: Sequence[Row]) -> str:
    good = [row for row in rows if is_good(row)]

    def middle(values: Iterator[float], digits: int = 0) -> str:
        return f"{median(values):,.{digits}f}" if good else ""

    cells = [case.shape, str(case.members), str(case.shepherds), f"{len(good)}/{len(rows)}"]
    cells += [middle(row[f"{FLOCK}.last_arrival"] for row in good)]
    cells += [
        middle(row[f"{SHEPHERDS}.{name}"] for row in good)
        for name in ("seconds_collecting", "strays_fetched", "distance_driven")
    ]
    cells += [str(sum(bool(row["findings"]) for row in ran(rows)))]
    cells += [middle((1e3 * row["processor_seconds"] * DT / row["simulated"] for row in good), 1)]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "herding", seeds=20)
    parser.add_argument("--maps", type=Path, help="folder of filter4.obj and spiral7.obj")
    parser.add_argument("--cases", default=",".join(TITLES))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
