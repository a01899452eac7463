"""Herding: the meadow and third-party maps, many seeds, each run verified; one table per question.

    python -m benchmarks.herding [--maps FOLDER] [--seeds 20] [--cases maps,meadow,...] [--jobs 2]
                                 [--results FILE.jsonl] [-o benchmarks/herding.md]

A run succeeds when all of the flock are in the goal at one instant (on the maps; that is their
simulator's rule) or to stay (on the meadow), and verification finds nothing. ``--results`` keeps
what was run: a campaign that was stopped goes on there.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.campaign import Row, campaign, publish
from benchmarks.herding_maps import PROBLEMS, run_map, scenario_of
from rmp3d.geometry.errors import Rmp3dError

# What verification finds at the end of a run in which not all arrived is not a fault of motion.
NOT_A_FAULT = "not_arrived"


@dataclass(frozen=True)
class Case:
    """A row of a table.

    Attributes:
        table: It belongs to.
        name: First cell.
        members: Of the flock.
        shepherds: How many.
        problem: Row in `PROBLEMS`, -1 for the meadow.
        changes: Of the meadow's scenario.
        theirs: Success of the maps' own simulator.
    """

    table: str
    name: str
    members: int
    shepherds: int
    problem: int = -1
    changes: tuple[str, ...] = ()
    theirs: str = ""

    @property
    def key(self) -> str:
        """What its results are kept under; rows of several tables share a run."""
        place = "maps" if self.problem >= 0 else "meadow"
        return f"{place}/{self.name}/{self.members}/{self.shepherds}"


def _cases() -> list[Case]:
    cases = [
        Case("maps", f"{p.name}", p.members, p.count, row, theirs=p.theirs)
        for row, p in enumerate(PROBLEMS)
    ]
    cases += [_meadow("meadow", "line", members, 2) for members in (5, 20, 60)]
    cases += [_meadow("shape", shape, 40, 4, shape) for shape in ("line", "arc")]
    cases += [_meadow("shepherds", "line", 20, count) for count in (1, 2, 4)]
    cases += [_meadow("flocks", "line", members, 4) for members in (10, 40, 100)]
    return cases


def _meadow(table: str, name: str, members: int, count: int, shape: str = "line") -> Case:
    changes = (f"groups.1.members={count}", f"groups.1.behavior.formation={shape}")
    return Case(table, name, members, count, changes=changes)


CASES = _cases()
TITLES = {
    "maps": "Third-party maps, beside their own simulator",
    "meadow": "The meadow with two dogs in line",
    "shape": "Line against arc: four dogs on the meadow",
    "shepherds": "One, two and four dogs on the meadow",
    "flocks": "Flocks of 10, 40 and 100 with four dogs on the meadow",
}


def main() -> int:
    options = _options()
    wanted = options.cases.split(",")
    cases = [case for case in CASES if case.table in wanted and (case.problem < 0 or options.maps)]
    jobs = {
        f"{case.key}/{seed}": (case, seed, options.maps)
        for seed in range(options.seeds)
        for case in cases
    }
    rows = campaign(run_one, jobs, results=options.results, processes=options.jobs, is_good=is_good)
    publish(report(options.seeds, len(jobs), cases, rows), options.output)
    return 0


def is_good(row: Row) -> bool:
    """Return whether the run succeeded."""
    return bool(row["good"])


def run_one(job: tuple[Case, int, Path | None]) -> dict[str, Any]:
    """Run and verify once."""
    from rmp3d.recording import RecordingReader
    from rmp3d.verification import verify

    case, seed, maps = job
    row: dict[str, Any] = {"key": case.key, "seed": seed, "good": False, "error": None}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "run.rmp3d"
        began = process_time()
        try:
            row |= _on_map(case, seed, maps, folder) if maps and case.problem >= 0 else {}
            row |= _on_meadow(case, seed, path) if case.problem < 0 else {}
        except Rmp3dError as error:
            return row | {"error": str(error)}
        row["milliseconds"] = 1e3 * (process_time() - began) / max(row["steps"], 1)
        with RecordingReader.open(path) as recording:
            proof = verify(recording)
    faults = [f.as_dict() for f in proof.findings if f.kind != NOT_A_FAULT]
    stays = case.problem >= 0 or proof.arrived == proof.expected
    row |= {"faults": faults[:3], "fault_count": len(faults)}
    row["good"] = row["inside"] == case.members and stays and not faults
    return row


def _on_map(case: Case, seed: int, maps: Path, folder: Path) -> dict[str, Any]:
    problem = PROBLEMS[case.problem]
    scenario = scenario_of(problem, maps, folder, seed)
    simulation, redrawn = run_map(problem, scenario, folder / "run.rmp3d")
    flock, shepherds = (run.figures for run in simulation.runs)
    return _figures(flock, shepherds, simulation.frames, scenario.simulation.dt) | {
        "redrawn": redrawn
    }


def _on_meadow(case: Case, seed: int, path: Path) -> dict[str, Any]:
    from rmp3d.scenario.loading import load
    from rmp3d.simulation import simulate

    scenario = load("meadow", case.changes, members=case.members, seed=seed)
    result = simulate(scenario, recording_path=path)
    flock, shepherds = (group.figures for group in result.groups)
    row = _figures(flock, shepherds, result.frames, result.dt)
    last = result.groups[0].last_arrival
    return row | {"seconds": last if last is not None else row["seconds"]}


def _figures(
    flock: dict[str, Any], shepherds: dict[str, Any], frames: int, dt: float
) -> dict[str, Any]:
    return {
        "inside": flock["in_goal"],
        "steps": frames - 1,
        "seconds": (frames - 1) * dt,
        "fetched": shepherds["strays_fetched"],
        "driven": shepherds["distance_driven"],
        "collecting": shepherds["seconds_collecting"],
    }


def report(
    seeds: int, planned: int, cases: Sequence[Case], rows: Sequence[dict[str, Any]]
) -> Iterator[str]:
    """Yield the lines of the page: a table for each question, then the failures."""
    yield "# Herding"
    yield ""
    yield f"Made by `rmp3d bench herding --seeds {seeds} --maps FOLDER`, {platform.machine()},"
    yield f"Python {platform.python_version()}, {os.cpu_count()} cores. Success: all of the flock"
    yield "in the goal, and nothing found by verification. Other numbers are medians of the runs"
    yield "that succeeded. A step of the simulation is 0.05 s everywhere here; the last column is"
    yield "its processor time, with planning and recording."
    if len(rows) < planned:
        yield ""
        yield f"The campaign was stopped after {len(rows)} of {planned} runs."
    for table in dict.fromkeys(case.table for case in cases):
        keys = {case.key for case in cases if case.table == table}
        if not any(row["key"] in keys for row in rows):
            continue
        yield from ["", f"## {TITLES[table]}", ""]
        if table == "maps":
            yield "At most 15,000 steps; bodies, starts, goals and largest speeds as there. Flock"
            yield "and shepherds are those of this project; starts in places that walls cut off"
            yield "from the goal are drawn again. Theirs: measured with that simulator, 20 seeds;"
            yield "its medians are 2,200 to 4,200 steps (filter) and 1,700 to 3,100 (spiral)."
            yield ""
        yield (
            "| case | flock | shepherds | success | theirs | steps | time [s] | collecting [s] "
            "| strays fetched | driven [m] | runs with faults | a step [ms] |"
        )
        yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
        for case in cases:
            own = [row for row in rows if row["key"] == case.key]
            if case.table == table and own:
                yield _line(case, own)
    failed = [row for row in rows if not row["good"]]
    yield from ["", f"{len(rows) - len(failed)} of {len(rows)} runs succeeded."]
    for row in sorted(failed, key=lambda row: (row["key"], row["seed"])):
        what = row["error"] or f"{row['inside']} in the goal, faults {row['faults']}"
        yield f"- {row['key']}, seed {row['seed']}: {what}"


def _line(case: Case, rows: list[dict[str, Any]]) -> str:
    good = [row for row in rows if row["good"]]

    def middle(name: str, digits: int = 0) -> str:
        return f"{median(row[name] for row in good):,.{digits}f}" if good else ""

    cells = [case.name, str(case.members), str(case.shepherds), f"{len(good)}/{len(rows)}"]
    cells += [case.theirs, middle("steps"), middle("seconds"), middle("collecting")]
    cells += [middle("fetched"), middle("driven")]
    cells += [str(sum(bool(row.get("fault_count")) for row in rows)), middle("milliseconds", 1)]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--maps", type=Path, help="folder of filter4.obj and spiral7.obj")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--cases", default=",".join(TITLES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, help="keep results in this file, and go on there")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
