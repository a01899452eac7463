"""Every built-in scenario, several group sizes and seeds: run, verify, and print one table.

    python -m benchmarks.groups [--seeds 10] [--members 5,20,60] [--scenes parking,...]
                                [--behaviors A,B,...] [--jobs 2] [--to groups.study]
                                [-o benchmarks/groups.md]

Scenes are all built-in ones whose scenario gives a group a goal, unless some are named; behaviors
are the scenes' own, unless some are named: then every scene is run with each. A run counts as good
when all members arrived and the independent verification found nothing. How well a formation was
kept is seen in the recording by `benchmarks.formation_story`.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from statistics import mean, median

from benchmarks.campaign import (
    CHECKOUT,
    Row,
    campaign,
    campaign_options,
    is_good,
    machine,
    publish,
    ran,
    steps_per_second,
)
from benchmarks.journeys import journeys

STORY, MOTION = "formation_story", "motion_of_groups"
MEMBERS, BEHAVIOR = "groups.0.members", "groups.0.behavior"


def main() -> int:
    options = _options()
    scenes = options.scenes.split(",")
    axes = {MEMBERS: [int(count) for count in options.members.split(",")]}
    if options.behaviors:
        axes[BEHAVIOR] = options.behaviors.split(",")
    rows = [
        {"scenario": scene, **row}
        for scene in scenes
        for row in campaign(
            scene, axes, options=options, part=scene, figures=[STORY, MOTION],
            extension=CHECKOUT / "benchmarks" / "run_figures.py",
        )
    ]  # fmt: skip
    publish(_report(options, rows), options.output)
    return int(not all(map(is_good, rows)))


def _report(options: argparse.Namespace, results: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    words = ["rmp3d bench groups", f"--members {options.members}", f"--seeds {options.seeds}"]
    if options.behaviors:
        words += [f"--scenes {options.scenes}", f"--behaviors {options.behaviors}"]
    yield "# Groups: arrivals and proof"
    yield ""
    yield f"Made by `{' '.join(words)}`,"
    yield f"{machine()}. {options.seeds} seeds each. Medians over seeds;"
    yield "clearances are the least of all seeds, between collision meshes (`rmp3d verify`)."
    yield ""
    yield "Formation, seen in the recordings; the worst of all seeds, in lengths of the body (its"
    yield "diameter): mean distance from the slots on straight stretches while a formation is kept;"
    yield "mean distance from the files inside narrow passages; share of moments at which more than"
    yield "planned are side by side there; how far behind a passage the next formation is complete,"
    yield "counted from the foremost member, less the depth of the formation. Turning is"
    yield "the acceleration across the motion on straight stretches of those who have been in their"
    yield "slots for 2 s (root mean square, median of the seeds). Empty where there is none."
    yield "Jerk, turns to the other side and motion aside: of the median member until it arrives,"
    yield "median of the seeds; `benchmarks/motion.md` says more. Last arrival, formation and"
    yield "motion are those of the first group; arrivals, jams, findings and clearances of all."
    yield ""
    yield (
        "| scene | behavior | members | arrived | runs with findings | last arrival [s] "
        "| formation changes | slot error | off the files in passages | too many abreast "
        "| back after | turning [m/s2] | jerk [m/s3] | turns to the other side [1/s] "
        "| moves aside [%] | jams | clearance to scene [m] "
        "| between members [m] | steps/s | plan [s] | verify [s] |"
    )
    yield "|---" * 21 + "|"
    for key in dict.fromkeys(map(_key, results)):
        yield _line(key, [row for row in results if _key(row) == key])
    yield ""
    failed = [row for row in results if not is_good(row)]
    yield f"{len(results) - len(failed)} of {len(results)} runs without fault."
    for row in failed:
        scene, behavior, members = _key(row)
        yield f"- {scene}, {behavior}, {members} members, seed {row['seed']}: {row['reason']}"


def _key(row: Row) -> tuple[str, str, int]:
    return row["scenario"], row.get(BEHAVIOR, "its own behavior"), row[MEMBERS]


def _line(key: tuple[str, str, int], rows: list[Row]) -> str:
    scene, behavior, members = key
    good = ran(rows)
    if not good:
        return f"| {scene} | {behavior} | {members} | 0 | {len(rows)} errors" + " |" * 17
    arrived = sum(row["arrived_share"] for row in good) / len(rows)
    faults = sum(bool(row["findings"]) for row in good) + len(rows) - len(good)
    cells = [
        scene,
        good[0][f"{STORY}.behavior"],
        str(members),
        f"{arrived:.1f} %",
        f"{faults} of {len(rows)}",
        _middle((_last_arrival(row) for row in good), "{:.1f}"),
        f"{median(row['formation_changes'] for row in good):.0f}",
        *(_worst(row.get(f"{STORY}.{name}") for row in good) for name in ("error", "aside")),
        _worst((row.get(f"{STORY}.abreast") for row in good), "{:.0%}"),
        "never"
        if any(row.get(f"{STORY}.never_back") for row in good)
        else _worst(row.get(f"{STORY}.back") for row in good),
        _middle(row.get(f"{STORY}.turning") for row in good),
        *(_middle(_motion(row, name) for row in good) for name in ("jerk", "flips", "aside")),
        f"{mean(row['jams'] for row in good):.1f}",
        _least(row["clearance_scene"] for row in good),
        _least(row["clearance_members"] for row in good),
        f"{median(map(steps_per_second, good)):.0f}",
        f"{median(row['plan_seconds'] for row in good):.1f}",
        f"{median(row['verify_seconds'] for row in good):.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _last_arrival(row: Row) -> float | None:
    """Return when the last of the first group arrived [s]; None: nobody did."""
    found: float | None = row.get(f"{row[f'{STORY}.group']}.last_arrival", row["last_arrival"])
    return found


def _motion(row: Row, name: str) -> float | None:
    """Return a figure of motion of the first group's median member."""
    found: float | None = row.get(f"{MOTION}.{row[f'{STORY}.group']}.{name}.median")
    return found


def _worst(values: Iterable[float | None], form: str = "{:.2f}") -> str:
    known = [value for value in values if value is not None]
    return form.format(max(known)) if known else ""


def _middle(values: Iterable[float | None], form: str = "{:.2f}") -> str:
    known = [value for value in values if value is not None]
    return form.format(median(known)) if known else ""


def _least(values: Iterator[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{min(known):.4f}" if known else ""


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "groups", seeds=10)
    parser.add_argument("--members", default="5,20,60")
    parser.add_argument("--scenes", default=",".join(journeys()))
    parser.add_argument("--behaviors", help="instead of the scenes' own")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
