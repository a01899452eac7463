"""Goal search with bodies and traffic: full runs, verified, by rule and number of members.

    python -m benchmarks.search_bodies [--seeds 20] [--scenes cave,canyon,...] [--members 1,5,20,50]
                                       [--kept runs.json] [-o benchmarks/search_bodies.md]

Runs are ordered seed by seed. With ``--kept`` every run is written down as soon as it is done, and
not made again; so a campaign can be stopped, gone on with, and told as far as it has come.
"""

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.campaign import publish
from benchmarks.search_cases import BASE, CASES, LEARNING, MEANING, SCENES
from rmp3d.behaviors.groups import GoalSearch
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

LONGEST = 1800.0  # simulated time of a run [s]
Kept = dict[str, dict[str, Any]]


def run(
    scene: str, seed: int, members: int, behavior: GoalSearch, folder: Path,
    *, roadmap: Path | None = None, save: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return when the first found the goal, when all were there, and what `verify` found."""
    changes = [
        f"groups.0.behavior={_table(behavior)}",
        f"simulation.duration={LONGEST}",
        *([] if roadmap is None else [f'planner.roadmap="{roadmap.as_posix()}"']),
    ]
    scenario = load(scene, changes, members=members, seed=seed)
    file = folder / "run.rmp3d"
    report = simulate(scenario, recording_path=file, save_roadmap=save)
    with RecordingReader.open(file) as recording:
        proof = verify(recording)
    (told,) = report.groups
    return {
        "first": told.figures.get("time_found"),
        "last": told.last_arrival if told.arrived == members else None,
        "arrived": told.arrived,
        "findings": len(proof.findings),
    }


def _table(behavior: GoalSearch) -> str:
    """Return what a scenario file says of a behavior."""
    usual = GoalSearch()
    changed = {
        field.name: getattr(behavior, field.name)
        for field in fields(behavior)
        if getattr(behavior, field.name) != getattr(usual, field.name)
    }
    facts = [f"{name} = {json.dumps(value)}" for name, value in changed.items()]
    return "{ " + ", ".join(['name = "goal_search"', *facts]) + " }"


def campaign(scenes: list[str], members: list[int], seeds: int, kept_in: Path | None) -> Kept:
    """Return all runs by ``scene/members/seed/case``."""
    kept: Kept = {}
    if kept_in is not None and kept_in.exists():
        kept = json.loads(kept_in.read_text(encoding="utf-8"))
    # The slow random walk comes after all others.
    rest = [name for name in CASES if name != "random walk"]
    with TemporaryDirectory() as folder:
        for names, seed, count, scene in product(
            [["all-knowing", *rest], ["random walk"]], range(seeds), members, scenes
        ):
            for name in names:
                behavior = CASES.get(name, GoalSearch(rule="all_knowing"))
                _keep(kept, scene, count, seed, name, behavior, Path(folder))
                if kept_in is not None:
                    kept_in.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return kept


def _keep(
    kept: Kept, scene: str, count: int, seed: int, name: str, behavior: GoalSearch, folder: Path
) -> None:
    key = f"{scene}/{count}/{seed}/{name}"
    roadmap = folder / "kept.roadmap"
    again = f"{key} again"
    if key not in kept or (name in LEARNING and again not in kept):
        kept[key] = run(scene, seed, count, behavior, folder, save=roadmap)
        if name in LEARNING:
            kept[again] = run(scene, seed, count, behavior, folder, roadmap=roadmap)
        print(key, kept[key], kept.get(again, ""), flush=True)


def _report(kept: Kept, command: str) -> Iterator[str]:
    """Yield the lines of the tables."""
    keys = [key.split("/") for key in kept]
    late = sum(each["last"] is None for each in kept.values())
    findings = sum(each["findings"] for each in kept.values())
    yield "# Goal search with bodies and traffic"
    yield ""
    yield f"Made by `python -m benchmarks.search_bodies {command}`, Python"
    yield f"{platform.python_version()}. {len(kept)} full runs. `verify` found {findings} things"
    yield f"in them; in {late} of them not all members were there after {LONGEST:.0f} s. Medians"
    yield "over the seeds [s]: until the first finds the goal / until all are there; in brackets"
    yield "the number of seeds. A run without an end counts as longer than all others. The same on"
    yield "maps without bodies, with all seeds, is in [search.md](search.md)."
    yield ""
    yield MEANING
    names = ["all-knowing", *CASES, *(f"{name} again" for name in LEARNING)]
    for scene in dict.fromkeys(key[0] for key in keys):
        yield ""
        yield f"## {scene}"
        yield ""
        yield (
            "| members | "
            + " | ".join(names)
            + " | saved: told, trails, walked back, trails again |"
        )
        yield "|" + "---|" * (len(names) + 2)
        for count in sorted({int(key[1]) for key in keys if key[0] == scene}):
            yield _row(kept, scene, count, names)


def _row(kept: Kept, scene: str, count: int, names: list[str]) -> str:
    cells, last = [], {}
    for name in names:
        rows = [
            [np.inf if each[kind] is None else each[kind] for kind in ("first", "last")]
            for key, each in kept.items()
            if (key.split("/")[0], key.split("/")[1], key.split("/")[3])
            == (scene, str(count), name)
        ]
        if not rows:
            cells.append("")
            continue
        first, last[name] = np.median(np.array(rows), axis=0)
        cells.append(f"{_time(first)} / {_time(last[name])} ({len(rows)})")
    saved = []
    for name in ("told", "trails", "walked back", "trails again"):
        known = name in last and BASE in last and np.isfinite(last[name])
        saved.append(f"{1.0 - last[name] / last[BASE]:.0%}" if known else "?")
    return f"| {count} | " + " | ".join(cells) + " | " + ", ".join(saved) + " |"


def _time(seconds: float) -> str:
    return f"{seconds:.0f}" if np.isfinite(seconds) else f"> {LONGEST:.0f}"


def main() -> int:
    options = _options()
    members = [int(each) for each in options.members.split(",")]
    kept = campaign(options.scenes.split(","), members, options.seeds, options.kept)
    publish(_report(kept, f"--seeds {options.seeds} --members {options.members}"), options.output)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--members", default="1,5,20,50")
    parser.add_argument("--scenes", default=SCENES)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
