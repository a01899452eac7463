"""Crossing crowds: every member has a start and a goal of its own; run, verify, one table.

    python -m benchmarks.trips [--cases "circle of 20,..."] [--seeds 3] [--jobs 2]
                               [--to trips.study] [-o benchmarks/trips.md]

Each case is walls on level ground and two lists of points. A run is good when all arrived, the
independent verification found nothing, and no jam was left. *Alone* is the time that the longest
way takes at cruise speed.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import numpy as np

from benchmarks.campaign import Row, campaign, campaign_options, is_good, machine, publish, ran
from benchmarks.crowd_scenes import Box, mesh_text
from rmp3d.geometry.arrays import Float

# Cruise speed of a pedestrian [m/s].
CRUISE = 1.3
# From one side to the other [m].
ACROSS = np.array([20.0, 0.0])


class Crossing(NamedTuple):
    """A case: where each member starts and ends (N, 2) [m], and walls."""

    starts: Float
    goals: Float
    walls: tuple[Box, ...] = ()


def grid(count: int, middle: Sequence[float], columns: int, apart: float = 1.0) -> Float:
    """Return places (count, 2) [m] in rows and columns around a point."""
    row, column = np.divmod(np.arange(count), columns)
    places = apart * np.column_stack([column, row]).astype(float)
    return places - places.mean(axis=0) + middle


def oncoming(count: int) -> Crossing:
    """Two blocks that go through each other."""
    west, east = grid(count // 2, [-10, 0], 3), grid(count // 2, [10, 0], 3)
    return Crossing(np.concatenate([west, east]), np.concatenate([west + ACROSS, east - ACROSS]))


def crossing(count: int) -> Crossing:
    """Two blocks that cross at right angles."""
    west, south = grid(count // 2, [-10, 0], 3), grid(count // 2, [0, -10], 3)
    goals = np.concatenate([west + ACROSS, south + ACROSS[::-1]])
    return Crossing(np.concatenate([west, south]), goals)


def circle(count: int, rings: int = 1, radius: float = 6.0) -> Crossing:
    """Concentric circles, everybody to the opposite side."""
    starts = []
    for ring in range(rings):
        own = count // rings + (ring < count % rings)
        angle = 2.0 * np.pi * (np.arange(own) + 0.5 * (ring % 2)) / own
        starts.append((radius + 1.2 * ring) * np.column_stack([np.cos(angle), np.sin(angle)]))
    places = np.concatenate(starts)
    return Crossing(places, -places)


def squeeze(count: int, width: float = 1.6) -> Crossing:
    """Two that meet in a narrow hallway, and more behind them."""
    walls = hallway(width)
    west, east = grid(count // 2, [-9, 0], 2), grid(count // 2, [9, 0], 2)
    return Crossing(np.concatenate([west, east]), np.concatenate([east, west]), walls)


def hallway(width: float, long: float = 6.0) -> tuple[Box, ...]:
    """Return the walls of a hallway along x."""
    gap, half = 0.5 * width, 0.5 * long
    return ([-half, -20, 0], [half, -gap, 2.5]), ([-half, gap, 0], [half, 20, 2.5])


def bottleneck(count: int, width: float) -> Crossing:
    """A crowd that goes through a door."""
    return Crossing(grid(count, [-8, 0], 8), grid(count, [8, 0], 8), hallway(width, 0.3))


def doorway(count: int, width: float) -> Crossing:
    """Two crowds that go through a door in opposite directions."""
    west, east = grid(count // 2, [-7, 0], 5), grid(count // 2, [7, 0], 5)
    starts, goals = np.concatenate([west, east]), np.concatenate([east, west])
    return Crossing(starts, goals, hallway(width, 0.3))


def hallways(count: int, width: float = 4.0) -> Crossing:
    """Two hallways that cross, with a crowd from each of four ends."""
    gap = 0.5 * width
    low, high = [-9.0, -gap], [gap, 9.0]
    walls = tuple(([x[0], y[0], 0.0], [x[1], y[1], 2.5]) for x in (low, high) for y in (low, high))
    own, far = count // 4, 13.0
    ends = [grid(own, [far * x, far * y], 4) for x, y in ((-1, 0), (0, -1), (1, 0), (0, 1))]
    goals = [ends[2], ends[3], ends[0], ends[1]]
    return Crossing(np.concatenate(ends), np.concatenate(goals), walls)


CASES: dict[str, Callable[[], Crossing]] = {
    "2 oncoming": lambda: oncoming(2),
    "20 oncoming": lambda: oncoming(20),
    "20 crossing": lambda: crossing(20),
    "circle of 20": lambda: circle(20),
    "circles of 250": lambda: circle(250, 5, 13.0),
    "4 in a hallway of 1.6 m, both ways": lambda: squeeze(4),
    "20 through a door of 1.2 m, both ways": lambda: doorway(20, 1.2),
    "60 through a door of 1.2 m": lambda: bottleneck(60, 1.2),
    "60 through a door of 2.4 m": lambda: bottleneck(60, 2.4),
    "80 in hallways of 4 m that cross": lambda: hallways(80),
}


def write(case: Crossing, folder: Path) -> Path:
    """Write scene, trips and scenario of a case into a folder; return the scenario's path."""
    folder.mkdir(parents=True, exist_ok=True)
    speck = ([400.0, 400.0, -1.0], [400.1, 400.1, -0.9])
    (folder / "walls.obj").write_text(mesh_text([*case.walls, speck]))
    rows = ["start,goal,count"]
    for start, goal in zip(case.starts.tolist(), case.goals.tolist(), strict=True):
        places = [f"{x:.3f} {y:.3f} 0" for x, y in (start, goal)]
        rows.append(f"{places[0]},{places[1]},1")
    (folder / "trips.csv").write_text("\n".join(rows) + "\n")
    lines = ["[scene]", 'mesh = "walls.obj"', "bounds = [[-25, -25, 0], [25, 25, 4]]"]
    lines += ["ground = { height = 0.0 }", "[[groups]]", f"members = {len(case.starts)}"]
    lines += ['behavior = { name = "crowd", trips = "trips.csv" }']
    path = folder / "scenario.toml"
    path.write_text("\n".join([*lines, "[simulation]", "duration = 240.0"]) + "\n")
    return path


def is_through(row: Row) -> bool:
    """Return whether all arrived, nothing was found, and no jam was left."""
    return is_good(row) and row["jams_left"] == 0


def alone(case: Crossing) -> float:
    """Return how long the longest way takes at cruise speed [s]."""
    return float(np.linalg.norm(case.goals - case.starts, axis=1).max()) / CRUISE


def report(options: argparse.Namespace, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Crossing crowds"
    yield ""
    yield f"Made by `python -m benchmarks.trips --seeds {options.seeds}`, {machine()},"
    yield f"{options.seeds} seeds each. Every member has a"
    yield "start and a goal of its own, behavior `crowd`. Last arrivals are medians over seeds,"
    yield "*alone* is the longest straight way at cruise speed, clearances are the least of seeds."
    yield ""
    yield (
        "| case | arrived | runs with findings | last arrival [s] | alone [s] | jams a run "
        "| jams left | clearance between members [m] |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["name"] for row in rows):
        own = ran([row for row in rows if row["name"] == case])
        if own:
            yield _line(case, own)
    yield ""
    yield f"{sum(map(is_through, rows))} of {len(rows)} runs without fault."
    for row in rows:
        if not is_through(row):
            yield f"- {row['name']}, seed {row['seed']}: {row['reason'] or 'a jam is left'}"


def _line(case: str, rows: list[Row]) -> str:
    last = [row["last_arrival"] for row in rows if row["last_arrival"] is not None]
    near = [row["clearance_members"] for row in rows if row["clearance_members"] is not None]
    cells = [
        case,
        f"{sum(row['arrived'] for row in rows)} of {sum(row['members'] for row in rows)}",
        str(sum(bool(row["findings"]) for row in rows)),
        f"{median(last):.1f}" if last else "",
        f"{alone(CASES[case]()):.1f}",
        f"{mean(row['jams'] for row in rows):.1f}",
        str(sum(row["jams_left"] for row in rows)),
        f"{min(near):.4f}" if near else "",
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = campaign_options(__doc__, "trips", seeds=3)
    parser.add_argument("--cases", default=",".join(CASES))
    options = parser.parse_args()
    rows: list[Row] = []
    for row, name in enumerate(CASES):
        if name in options.cases:
            scenario = write(CASES[name](), options.to / f"case {row}")
            found = campaign(str(scenario), options=options, part=f"case {row}/study")
            rows += [{"name": name, **each} for each in found]
    publish(report(options, rows), options.output)
    return int(not all(map(is_through, rows)))


if __name__ == "__main__":
    sys.exit(main())
