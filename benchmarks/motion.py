"""How smoothly the members of the built-in scenarios move: run, verify, and print one table.

    rmp3d bench motion [--scenes parking,...] [--seeds 1] [--duration 40] [--jobs 1]
                       [--without RULE] [--to motion.study] [-o FILE.md]

Each run ends after some seconds, or when all have arrived. ``--without`` switches a rule of smooth
motion off: ``easing``, ``taking up`` (of traffic rules), ``play`` (of headings), ``wide play`` (it
is 15 degrees then, as it once was), ``looking ahead``, ``gentle stops``, ``turning first``,
``waiting`` (who waits turns to no step), ``settling`` (where it waits), ``standing`` (in a file
there), ``on the spot`` (who stands turns there), ``four legs`` (so does any animal), ``taking up
posts`` and ``slow bends`` (of shepherds), ``berth`` (of those that hunt and escape), ``upright
flyers``, ``going round`` (where crowds come together from all sides). What the figures mean is said
in `rmp3d.reporting.motion`.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from benchmarks.campaign import (
    CHECKOUT,
    Row,
    campaign,
    campaign_options,
    machine,
    publish,
    ran,
)
from rmp3d.behaviors import bodies, converging
from rmp3d.behaviors.groups.herding import run as herding
from rmp3d.behaviors.moving_parts import gates, waiting
from rmp3d.behaviors.safety import moving
from rmp3d.behaviors.terrain import routes
from rmp3d.behaviors.traffic import rules
from rmp3d.behaviors.vehicles import facing, flying, hugging, looking
from rmp3d.extensions import load_extension
from rmp3d.reporting.motion import FIGURE_TEXTS

SCENES = (
    "parking", "patio_house", "water_park", "canyon", "cave", "maze", "traps", "crossing",
    "meadow", "city", "plain", "rock_valley", "sky", "city_crowd", "dock", "station",
    "patio_house_guards", "water_park_visitors",
)  # fmt: skip
# The constants that switch a rule off.
RULES = {
    "easing": ((bodies, "FORCE_TIME", 0.0),),
    "taking up": ((rules, "TAKE_UP", 0.0),),
    "play": (
        (hugging, "SWAY", 0.0), (hugging, "SWAY_AHEAD", 0.0),
        (flying, "SWAY", 0.0), (flying, "SWAY_AHEAD", 0.0),
    ),
    "waiting": ((hugging, "WAITS", 0.0),),
    "settling": ((gates, "SETTLES", 1e9), (waiting, "SETTLES", 1e9)),
    "standing": ((waiting, "SLIDES", 1.0),),
    "wide play": (
        (hugging, "SWAY", 0.2618), (hugging, "TURN_TIME", 0.05),
        (hugging, "SWAY_AHEAD", 0.2618), (hugging, "TURN_TIME_AHEAD", 0.05),
    ),
    "looking ahead": ((looking, "AHEAD", 0.0),),
    "gentle stops": ((moving, "GENTLE", 1.0),),
    "turning first": ((looking, "LEAST", 1.0),),
    "on the spot": ((looking, "SETS_OUT", 1e9),),
    "four legs": ((looking, "FOUR_LEGS", 1.0),),
    "taking up posts": ((herding, "TAKE_UP", 1e-9), (herding, "KEPT", 0.0)),
    "slow bends": ((herding, "EFFORT", 1.0), (herding, "BENDS", 1e9)),
    "going round": ((converging, "FEWEST", 10**9),),
    "berth": ((routes, "BERTH", 0.0),),
    "upright flyers": ((facing, "STRAIGHT_UP", 0.0), (flying, "STRAIGHT_UP", 0.0)),
}  # fmt: skip
FIGURE = "motion_of_groups"


def main() -> int:
    options = _options()
    rows = []
    rule = options.without or ""
    if rule:
        switch_off(rule, options.to / f"without_{rule.replace(' ', '_')}.py")
    for scene in options.scenes.split(","):
        found = campaign(
            scene, {"simulation.duration": [options.duration]}, options=options, part=scene,
            figures=[FIGURE], extension=CHECKOUT / "benchmarks" / "run_figures.py",
        )  # fmt: skip
        rows += [{"scenario": scene, "rule": rule, **row} for row in found]
    publish(_report(options, rows), options.output)
    return int(any(row["outcome"] not in ("complete", "incomplete") for row in rows))


def switch_off(rule: str, path: Path) -> None:
    """Write and load a file that switches a rule off: here, and in each process of a study."""
    lines = []
    for module, name, value in RULES[rule]:
        lines += [f"import {module.__name__}", f"{module.__name__}.{name} = {value}"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    load_extension(path)


def _report(options: argparse.Namespace, rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Motion: how smoothly members move"
    yield ""
    yield f"Made by `rmp3d bench motion --seeds {options.seeds} --duration"
    yield f"{options.duration:g}`; {machine()}."
    yield "Median and worst member, until arrival, means over seeds; what they mean is said in"
    yield "`rmp3d/reporting/motion.py`. Runs end after that many seconds."
    yield ""
    yield (
        "| scenario | without | group | "
        + " | ".join(FIGURE_TEXTS.values())
        + (" | arrived | last arrival [s] | processor [s] | findings |")
    )
    yield "|---" * (len(FIGURE_TEXTS) + 7) + "|"
    for scene, rule in dict.fromkeys((row["scenario"], row["rule"]) for row in rows):
        same = [row for row in rows if (row["scenario"], row["rule"]) == (scene, rule)]
        good = ran(same)
        for group in groups_of(good[0]) if good else ():
            yield _line(scene, rule, group, good)
        for row in same:
            if row not in good:
                yield f"| {scene} | {rule} | seed {row['seed']}: {row['reason']} |"


def groups_of(row: Row) -> list[str]:
    """Return the names of the groups whose figures a row has."""
    first = next(iter(FIGURE_TEXTS))
    ending = f".{first}.median"
    return [
        key.removeprefix(f"{FIGURE}.").removesuffix(ending)
        for key in row
        if key.startswith(f"{FIGURE}.") and key.endswith(ending)
    ]


def _line(scene: str, rule: str, group: str, rows: list[Row]) -> str:
    cells = [scene, rule or "–", group]  # noqa: RUF001
    for name in FIGURE_TEXTS:
        middle, worst = (
            mean(row[f"{FIGURE}.{group}.{name}.{kind}"] for row in rows)
            for kind in ("median", "worst")
        )
        cells.append(f"{middle:.2g} / {worst:.2g}" if worst < 10 else f"{middle:.0f} / {worst:.0f}")
    last = [row.get(f"{group}.last_arrival", row["last_arrival"]) for row in rows]
    known = [time for time in last if time is not None]
    reasons = sorted({row["reason"] for row in rows if row["findings"]})
    cells += [
        f"{mean(row['arrived'] for row in rows):.1f}",
        f"{mean(known):.1f}" if known else "",
        f"{mean(row['processor_seconds'] for row in rows):.1f}",
        "; ".join(reasons) or "none",
    ]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "motion", seeds=1)
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--duration", type=float, default=40.0, help="of each run [s]")
    parser.add_argument("--without", choices=RULES, help="a rule that is switched off")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
