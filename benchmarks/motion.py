"""How smoothly the members of the built-in scenarios move: run, verify, and print one table.

    rmp3d bench motion [--scenes parking,...] [--seeds 1] [--duration 40] [--jobs 1]
                                [--without RULE,...] [--results FILE.jsonl] [-o FILE.md]

Each run ends after some seconds, or when all have arrived. ``--without`` switches rules of smooth
motion off, one at a time: ``easing``, ``taking up`` (of traffic rules), ``play`` (of headings),
``gentle stops``, ``turning first``, ``upright flyers``. What the figures mean is said in
`rmp3d.reporting.motion`.
"""

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from time import process_time

from benchmarks.campaign import Row, campaign, publish, stopped_early
from rmp3d.behaviors import bodies
from rmp3d.behaviors.safety import constraint
from rmp3d.behaviors.traffic import rules
from rmp3d.behaviors.vehicles import facing, flying, looking
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.reporting.motion import FIGURE_TEXTS, group_figures

SCENES = (
    "parking", "patio_house", "water_park", "canyon", "cave", "maze", "traps", "crossing",
    "meadow", "city", "plain", "rock_valley", "sky", "city_crowd",
)  # fmt: skip
# The constants that switch a rule off.
RULES = {
    "easing": ((bodies, "FORCE_TIME", 0.0),),
    "taking up": ((rules, "TAKE_UP", 0.0),),
    "play": ((looking, "SWAY", 0.0),),
    "gentle stops": ((constraint, "GENTLE", 1.0),),
    "turning first": ((looking, "LEAST", 1.0),),
    "upright flyers": ((facing, "STRAIGHT_UP", 0.0), (flying, "STRAIGHT_UP", 0.0)),
}
Job = tuple[str, int, float, str]


def main() -> int:
    options = _options()
    without = options.without.split(",") if options.without is not None else [""]
    jobs = {
        f"{scene}/{seed}/{options.duration:g}/{rule}": (scene, seed, options.duration, rule)
        for scene in options.scenes.split(",")
        for seed in range(options.seeds)
        for rule in without
    }
    rows = campaign(run_one, jobs, results=options.results, processes=options.jobs, is_good=is_good)
    publish(_report(options, jobs, rows), options.output)
    return int(not all(map(is_good, rows)))


def run_one(job: Job) -> Row:
    """Run and verify once; return the figures of each group."""
    from rmp3d.recording import RecordingReader
    from rmp3d.scenario.loading import load
    from rmp3d.simulation import simulate
    from rmp3d.verification import verify

    scene, seed, duration, rule = job
    result: Row = {"scene": scene, "seed": seed, "rule": rule, "error": None, "findings": []}
    with switched_off(rule), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        try:
            scenario = load(scene, [f"simulation.duration={duration}"], seed=seed)
            began = process_time()
            report = simulate(scenario, recording_path=path)
            seconds = process_time() - began
            with RecordingReader.open(path) as recording:
                groups = group_figures(recording, recording.position(), recording.load_characters())
                findings = verify(recording).findings
        except Rmp3dError as error:
            return result | {"error": str(error)}
    return result | {
        "groups": groups,
        "findings": sorted({finding.kind for finding in findings}),
        "arrived": report.arrived,
        "last_arrival": [group.last_arrival for group in report.groups],
        "processor": seconds,
    }


@contextmanager
def switched_off(rule: str) -> Iterator[None]:
    """Switch a rule of smooth motion off for a while; none if it is empty."""
    places = RULES[rule] if rule else ()
    before = [getattr(module, name) for module, name, _ in places]
    try:
        for module, name, value in places:
            setattr(module, name, value)
        yield
    finally:
        for (module, name, _), value in zip(places, before, strict=True):
            setattr(module, name, value)


def is_good(row: Row) -> bool:
    """Return whether nothing was found, but that members have not arrived within the time."""
    return not row["error"] and set(row["findings"]) <= {"not_arrived", "formation"}


def _report(options: argparse.Namespace, jobs: dict[str, Job], rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Motion: how smoothly members move"
    yield ""
    yield f"Made by `rmp3d bench motion --seeds {options.seeds} --duration"
    yield f"{options.duration:g}`; Python {platform.python_version()} ({platform.machine()})."
    yield "Median and worst member, until arrival, means over seeds; what they mean is said in"
    yield "`rmp3d/reporting/motion.py`. Runs end after that many seconds."
    yield ""
    yield from stopped_early(rows, jobs)
    yield (
        "| scenario | without | group | "
        + " | ".join(FIGURE_TEXTS.values())
        + (" | arrived | last arrival [s] | processor [s] | findings |")
    )
    yield "|---" * (len(FIGURE_TEXTS) + 7) + "|"
    for scene, rule in dict.fromkeys((row["scene"], row["rule"]) for row in rows):
        same = [row for row in rows if (row["scene"], row["rule"]) == (scene, rule)]
        good = [row for row in same if not row["error"]]
        if good:
            for place, group in enumerate(good[0]["groups"]):
                yield _line(scene, rule, group, place, good)
        for row in same:
            if row["error"]:
                yield f"| {scene} | {rule} | seed {row['seed']}: {row['error']} |"


def _line(scene: str, rule: str, group: str, place: int, rows: list[Row]) -> str:
    cells = [scene, rule or "–", group]  # noqa: RUF001
    for name in FIGURE_TEXTS:
        own = [row["groups"][group][name] for row in rows]
        middle, worst = (mean(each[kind] for each in own) for kind in ("median", "worst"))
        cells.append(f"{middle:.2g} / {worst:.2g}" if worst < 10 else f"{middle:.0f} / {worst:.0f}")
    last = [row["last_arrival"][place] for row in rows]
    known = [time for time in last if time is not None]
    kinds = sorted({kind for row in rows for kind in row["findings"]})
    cells += [
        f"{mean(row['arrived'] for row in rows):.1f}",
        f"{mean(known):.1f}" if known else "",
        f"{mean(row['processor'] for row in rows):.1f}",
        ", ".join(kinds) or "none",
    ]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--duration", type=float, default=40.0, help="of each run [s]")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--without", help="rules that are switched off, one after the other")
    parser.add_argument("--results", type=Path, help="keep results in this file, and go on there")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
