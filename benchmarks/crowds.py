"""Crowds that meet, several seeds: run, verify, and print one table a part.

    python -m benchmarks.crowds [--parts meetings,crossing,city] [--seeds 10]
                                [--members 5,20,60] [--jobs 2] [--to crowds.study]
                                [-o benchmarks/crowds.md]

``meetings`` are two groups head-on and at right angles, a corridor and a door; ``crossing`` is the
interchange of two levels; ``city`` a thousand people in a town quarter. A run is good when all
members arrived, the independent verification found nothing, no jam was left at the end, and none
lasted longer than 10 s.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from statistics import mean, median

from benchmarks.campaign import (
    Row,
    campaign,
    campaign_options,
    fault,
    is_through,
    machine,
    publish,
    ran,
    steps_per_second,
)
from benchmarks.crowd_scenes import CASES


def rows_of(part: str, options: argparse.Namespace) -> list[Row]:
    """Run a part of the campaign; return its rows, each with the name of its case."""
    if part == "meetings":
        rows: list[Row] = []
        for number, (name, case) in enumerate(CASES.items()):
            folder = f"case {number}"
            scenario = case.write(options.to / folder)
            found = campaign(str(scenario), options=options, part=f"{folder}/study")
            rows += [{"name": name, **row} for row in found]
        return rows
    if part == "crossing":
        sizes = map(int, options.members.split(","))
        cases = {
            f"crossing, {size} and {size}": {f"groups.{row}.members": size for row in range(2)}
            for size in sizes
        }
        found = campaign("crossing", options=options, part="crossing", cases=cases)
        return [{"name": row["case"], **row} for row in found]
    found = campaign("city_1000", options=options, part="city")
    return [{"name": "city, 1,000 in five crowds", **row} for row in found]


def main() -> int:
    options = _options()
    rows = [row for part in options.parts.split(",") for row in rows_of(part, options)]
    publish(report(options, rows), options.output)
    return int(not all(map(is_through, rows)))


def report(options: argparse.Namespace, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the page: the table, then the failures."""
    yield "# Crowds that meet"
    yield ""
    yield f"Made by `rmp3d bench crowds --parts {options.parts} --seeds {options.seeds}`;"
    yield f"{machine()}. {options.seeds} seeds each;"
    yield "last arrivals are medians over the seeds, clearances the least of all seeds, between"
    yield "collision meshes (`rmp3d verify`); steps a second are medians, of one process each."
    yield ""
    yield (
        "| case | members | arrived | runs with findings | last arrival [s] | jams a run "
        "| longest jam [s] | flow [1/s] | clearance between members [m] | steps/s |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["name"] for row in rows):
        yield _line(case, [row for row in rows if row["name"] == case])
    yield ""
    yield f"{sum(map(is_through, rows))} of {len(rows)} runs without fault."
    for row in rows:
        if not is_through(row):
            yield f"- {row['name']}, seed {row['seed']}: {fault(row)}"


def _line(case: str, rows: Sequence[Row]) -> str:
    good = ran(rows)
    if not good:
        return f"| {case} | | 0 | {len(rows)} errors | | | | | | |"
    last = [row["last_arrival"] for row in good if row["last_arrival"] is not None]
    near = [row["clearance_members"] for row in good if row["clearance_members"] is not None]
    flows = [row["flow.gate"] for row in good if row.get("flow.gate") is not None]
    share = sum(row["arrived"] for row in good) / sum(row["members"] for row in good)
    cells = [
        case,
        str(good[0]["members"]),
        f"{100 * share * len(good) / len(rows):.1f} %",
        f"{sum(bool(row['findings']) for row in good) + len(rows) - len(good)} of {len(rows)}",
        f"{median(last):.1f}" if last else "",
        f"{mean(row['jams'] for row in good):.1f}",
        f"{max(row['longest_jam'] for row in good):.1f}",
        f"{median(flows):.2f}" if flows else "",
        f"{min(near):.4f}" if near else "",
        f"{median(map(steps_per_second, good)):.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "crowds", seeds=10)
    parser.add_argument("--parts", default="meetings,crossing,city")
    parser.add_argument("--members", default="5,20,60", help="of each group on the crossing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
