"""A town full of wanderers, and pursuit and flight in a rock valley: many seeds, each verified.

    python -m benchmarks.wanderers [--seeds 10] [--seconds 120] [--cases city,...] [--jobs 2]
                                   [--to wanderers.study] [-o benchmarks/wanderers.md]

A run is good if the independent verification finds nothing and the case's own claim holds, judged
from the recording: a wolf catches a sheep, one that evades (`slower quarry`) and one that escapes
(`slower quarry escaping`); nobody catches a wolf that escapes: neither a man that pursues straight
on (`faster quarry`) nor one that finds a route round rocks (`hunted quarry`), nor a sheep, which is
nearly as fast (`hardly faster`); and sheep start to flee when the wolf comes within their panic
distance, not before.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from benchmarks.campaign import CHECKOUT, Row, campaign, campaign_options, machine, publish, ran
from rmp3d.geometry.vectors import length

DT = 1.0 / 30.0  # a step [s]
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
    changes: Mapping[str, Any] = field(default_factory=dict)


# Changes to `rock_valley_pursuit`: the quarry sees the whole valley, and escapes.
ESCAPING = {
    "groups.1.behavior.perception.radius": 100,
    "groups.1.behavior.behaviors": ["escape"],
}


def _chase(pursuer: str, quarry: str) -> dict[str, Any]:
    return {"groups.0.character": pursuer, "groups.1.character": quarry, **ESCAPING}


STRAIGHT_ON = {
    "groups.0.behavior.combining": "priority",
    "groups.0.behavior.behaviors": ["obstacle_avoidance", "pursue"],
}
CASES = {
    "city": Case("city", wandered),
    "city crowd": Case("city_crowd", wandered),
    "slower quarry": Case("rock_valley_pursuit", caught),
    "slower quarry escaping": Case("rock_valley_pursuit", caught, ESCAPING),
    "faster quarry": Case(
        "rock_valley_pursuit", escaped, _chase("pedestrian", "wolf") | STRAIGHT_ON
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
    rows: list[Row] = []
    for name in cases:
        changes = {key: [value] for key, value in CASES[name].changes.items()}
        changes |= {"simulation.duration": [options.seconds], "name": [name]}
        found = campaign(
            CASES[name].scenario, changes, options=options, part=name.replace(" ", "_"),
            figures=["claim"], extension=CHECKOUT / "benchmarks" / "run_figures.py",
        )  # fmt: skip
        rows += [{"case": name, **row} for row in found]
    publish(_report(options, rows), options.output)
    return int(not all(map(holds, rows)))


def holds(row: Row) -> bool:
    """Return whether the case's claim holds in a run, and nothing was found."""
    return bool(row.get("claim.holds")) and row["findings"] == 0


def _report(options: argparse.Namespace, results: list[Row]) -> Iterator[str]:
    yield "# Wanderers, pursuit and flight"
    yield ""
    yield f"Made by `rmp3d bench wanderers --seeds {options.seeds}`, {options.seconds:g} s each;"
    yield f"{machine()}."
    yield "Clearances are the least of all seeds, between collision meshes; times are medians."
    yield ""
    yield (
        "| case | members | runs | runs with findings | claim holds | clearance to scene [m] "
        "| between members [m] | a step, planning included [ms] | verify [s] |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["case"] for row in results):
        rows = [row for row in results if row["case"] == case]
        good = ran(rows)
        if not good:
            yield f"| {case} | | {len(rows)} | {len(rows)} errors | | | | | |"
            continue
        yield (
            f"| {case} | {good[0]['members']} | {len(rows)} "
            f"| {sum(bool(row['findings']) for row in good) + len(rows) - len(good)} "
            f"| {sum(row['claim.holds'] for row in good)} "
            f"| {_least(row['clearance_scene'] for row in good)} "
            f"| {_least(row['clearance_members'] for row in good)} "
            f"| {median(map(_step, good)):.1f} "
            f"| {median(row['verify_seconds'] for row in good):.1f} |"
        )
    yield ""
    for row in results:
        mark = "" if holds(row) else "**fault** "
        text = "; ".join(filter(None, [row.get("claim.text"), row["reason"]]))
        yield f"- {mark}{row['case']}, seed {row['seed']}: {text}"


def _step(row: Row) -> float:
    """Return the processor time of a step [ms]."""
    return float(1e3 * row["processor_seconds"] * DT / row["simulated"])


def _least(values: Iterator[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{min(known):.4f}" if known else ""


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "wanderers", seeds=10)
    parser.add_argument("--seconds", type=float, default=120.0, help="of each run")
    parser.add_argument("--cases", default=",".join(CASES))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
