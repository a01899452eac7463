"""A town full of wanderers, and pursuit and flight in a rock valley: many seeds, each verified.

    python -m benchmarks.wanderers [--seeds 10] [--seconds 120] [--cases city,...] [--jobs 2]
                                   [-o benchmarks/wanderers.md]

A run is good if the independent verification finds nothing and the case's own claim holds, judged
from the recording: a wolf catches a sheep, one that evades (`slower quarry`) and one that escapes
(`slower quarry escaping`); nobody catches a wolf that escapes: neither a man that pursues straight
on (`faster quarry`) nor one that finds a route round rocks (`hunted quarry`), nor a sheep, which is
nearly as fast (`hardly faster`); and sheep start to flee when the wolf comes within their panic
distance, not before.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from benchmarks.campaign import end_at_once, publish
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.geometry.vectors import length

PANIC = 10.0  # distance [m] of the rule in the scenario `rock_valley_flee`
# A sheep has started when it is this far from where it stood [m]; it must have within [s].
MOVED, STARTS_WITHIN = 0.02, 0.5


def wandered(recording: Any) -> tuple[bool, str]:
    """Whether most members have got about: 10 m from their start at some time."""
    path = recording.position()
    away = length(path - path[0]).max(axis=0)
    share = float((away > 10.0).mean())
    return share >= 0.8, f"{100 * share:.0f} % got 10 m away; median {np.median(away):.0f} m"


def caught(recording: Any) -> tuple[bool, str]:
    """Whether the pursuer has caught its quarry."""
    times = _catches(recording)
    return bool(times), f"caught after {times[0]:.0f} s" if times else "not caught"


def escaped(recording: Any) -> tuple[bool, str]:
    """Whether the pursuer has never caught its quarry."""
    times = _catches(recording)
    return not times, f"caught after {times[0]:.0f} s" if times else "not caught"


def fled_in_time(recording: Any) -> tuple[bool, str]:
    """Whether sheep start when the wolf, the last row, comes within `PANIC`, and not before."""
    path = recording.position()
    dt = recording.dt
    apart = length(path[:, :-1] - path[:, -1:])  # (T, sheep)
    moved = length(path[:, :-1] - path[:1, :-1]) > MOVED
    early, late, fled, distances = 0, 0, 0, []
    for sheep in range(apart.shape[1]):
        near, start = _first(apart[:, sheep] < PANIC), _first(moved[:, sheep])
        early += start < near
        late += near < len(path) - STARTS_WITHIN / dt and start > near + STARTS_WITHIN / dt
        if start < len(path):
            fled += 1
            distances.append(apart[start, sheep])
    text = f"{fled} fled"
    if fled:
        text += f", from {min(distances):.2f} .. {max(distances):.2f} m"
    text += f"; {early} early, {late} late" if early or late else ""
    return not early and not late and fled > 0, text


def _first(true: np.ndarray) -> int:
    """Return the first row that is true, or how many rows there are."""
    return int(np.argmax(true)) if true.any() else len(true)


def _catches(recording: Any) -> list[float]:
    return [event.time for event in recording.events() if event.kind == "caught"]


@dataclass(frozen=True)
class Case:
    """A scenario with its changes, and what must be true of its recording."""

    scenario: str
    claim: Callable[[Any], tuple[bool, str]]
    changes: tuple[str, ...] = ()


# Changes to `rock_valley_pursuit`: the quarry sees the whole valley, and escapes.
ESCAPING = (
    "groups.1.behavior.perception.radius=100",
    "groups.1.behavior.behaviors=['escape']",
)


def _chase(pursuer: str, quarry: str) -> tuple[str, ...]:
    return f"groups.0.character={pursuer}", f"groups.1.character={quarry}", *ESCAPING


CASES = {
    "city": Case("city", wandered),
    "city crowd": Case("city_crowd", wandered),
    "slower quarry": Case("rock_valley_pursuit", caught),
    "slower quarry escaping": Case("rock_valley_pursuit", caught, ESCAPING),
    "faster quarry": Case(
        "rock_valley_pursuit",
        escaped,
        (
            *_chase("pedestrian", "wolf"),
            "groups.0.behavior.combining=priority",
            "groups.0.behavior.behaviors=['obstacle_avoidance', 'pursue']",
        ),
    ),
    "hunted quarry": Case("rock_valley_pursuit", escaped, _chase("pedestrian", "wolf")),
    "hardly faster": Case("rock_valley_pursuit", escaped, _chase("sheep", "wolf")),
    "flee": Case("rock_valley_flee", fled_in_time),
}


def main() -> int:
    options = _options()
    cases = options.cases.split(",")
    unknown = [case for case in cases if case not in CASES]
    if unknown:
        sys.exit(f"no case {unknown[0]!r}; there is {', '.join(CASES)}")
    jobs = [(case, seed, options.seconds) for case in cases for seed in range(options.seeds)]
    results = []
    with ProcessPoolExecutor(options.jobs, initializer=end_at_once) as pool:
        for done, result in enumerate(pool.map(run_one, jobs), 1):
            results.append(result)
            bad = sum(not row["good"] for row in results)
            print(f"\r{done}/{len(jobs)} runs, {bad} failed", end="", file=sys.stderr)
    print(file=sys.stderr)
    publish(_report(options, results), options.output)
    return 1 if any(not row["good"] for row in results) else 0


def run_one(job: tuple[str, int, float]) -> dict[str, Any]:
    """Run, verify and judge once."""
    from rmp3d.recording import RecordingReader
    from rmp3d.scenario.loading import load
    from rmp3d.simulation import simulate
    from rmp3d.verification import verify

    name, seed, seconds = job
    case = CASES[name]
    changes = (*case.changes, f"simulation.duration={seconds}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        began = process_time()
        try:
            report = simulate(load(case.scenario, changes, seed=seed), recording_path=path)
        except Rmp3dError as error:
            return {"case": name, "seed": seed, "good": False, "error": str(error)}
        ran = process_time()
        with RecordingReader.open(path) as recording:
            proof = verify(recording)
            holds, text = case.claim(recording)
        return {
            "case": name,
            "seed": seed,
            "good": holds and not proof.findings,
            "error": None,
            "claim": holds,
            "text": text,
            "findings": [finding.as_dict() for finding in proof.findings],
            "members": report.members,
            "seconds": (report.frames - 1) * report.dt,
            "milliseconds": 1e3 * (ran - began) / report.frames,
            "verify_seconds": process_time() - ran,
            "clearance_scene": proof.clearance_scene,
            "clearance_members": proof.clearance_members,
        }


def _report(options: argparse.Namespace, results: list[dict[str, Any]]) -> Iterator[str]:
    yield "# Wanderers, pursuit and flight"
    yield ""
    yield f"Made by `rmp3d bench wanderers --seeds {options.seeds}`, {options.seconds:g} s each,"
    yield f"on {os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}."
    yield "Clearances are the least of all seeds, between collision meshes; times are medians."
    yield ""
    yield (
        "| case | members | runs | runs with findings | claim holds | clearance to scene [m] "
        "| between members [m] | a step, planning included [ms] | verify [s] |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["case"] for row in results):
        rows = [row for row in results if row["case"] == case]
        good = [row for row in rows if not row["error"]]
        if not good:
            yield f"| {case} | | {len(rows)} | {len(rows)} errors | | | | | |"
            continue
        yield (
            f"| {case} | {good[0]['members']} | {len(rows)} "
            f"| {sum(bool(row['findings']) for row in good) + len(rows) - len(good)} "
            f"| {sum(row['claim'] for row in good)} "
            f"| {_least(row['clearance_scene'] for row in good)} "
            f"| {_least(row['clearance_members'] for row in good)} "
            f"| {median(row['milliseconds'] for row in good):.1f} "
            f"| {median(row['verify_seconds'] for row in good):.1f} |"
        )
    yield ""
    for row in results:
        mark = "" if row["good"] else "**fault** "
        what = row["error"] or f"{row['text']}; findings {row['findings'][:2] or 'none'}"
        yield f"- {mark}{row['case']}, seed {row['seed']}: {what}"


def _least(values: Iterator[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{min(known):.4f}" if known else ""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=120.0, help="simulated, each run")
    parser.add_argument("--cases", default=",".join(CASES), help="separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
