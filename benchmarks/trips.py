"""Crossing crowds: every member has a start and a goal of its own; run, verify, one table.

    python -m benchmarks.trips [--cases "circle of 20,..."] [--seeds 3] [--jobs 2]
                               [--to trips.study] [-o benchmarks/trips.md]

Each case is walls on level ground and two lists of points. A run is good when all arrived, the
independent verification found nothing, and no jam was left. *Alone* is the time of the one whose
straight way is the longest, without the others.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import numpy as np

from benchmarks import layouts
from benchmarks.campaign import (
    Row,
    campaign,
    campaign_options,
    fault,
    is_through,
    machine,
    publish,
    ran,
)
from benchmarks.crowd_scenes import Box, mesh_text
from rmp3d.geometry.arrays import Float

# From one side to the other [m].
ACROSS = np.array([20.0, 0.0])


class Crossing(NamedTuple):
    """A case: where each member starts and ends (N, 2) [m], walls, and characters in turn."""

    starts: Float
    goals: Float
    walls: tuple[Box, ...] = ()
    characters: tuple[str, ...] = ("pedestrian",)


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


def streams(count: int, width: float, long: float) -> Crossing:
    """Two crowds that come through a hallway from both ends."""
    far = 0.5 * long + 6.0
    west, east = grid(count // 2, [-far, 0], 5), grid(count // 2, [far, 0], 5)
    starts, goals = np.concatenate([west, east]), np.concatenate([east, west])
    return Crossing(starts, goals, hallway(width, long))


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


def about(count: int, width: float, half: float = 6.0) -> Crossing:
    """People all over two rooms with a door between them, each to another place in one of them."""
    rng, line = np.random.default_rng(10), ([0.0, -half, 0.0], [0.0, half, 0.0])
    starts, goals = (layouts.places(rng, count, half, [line], 0.8, 0.6) for _ in range(2))
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


def columns(count: int, apart: float = 3.0, side: float = 0.6) -> Crossing:
    """Two blocks that go through each other in a forest of columns."""
    rng, half = np.random.default_rng(5), 0.5 * side
    middles = [
        np.array([x, y]) + rng.uniform(-0.5, 0.5, 2)
        for x in np.arange(-6.0, 6.1, apart)
        for y in np.arange(-9.0, 9.1, apart)
    ]
    walls = tuple(([*(at - half), 0.0], [*(at + half), 2.5]) for at in middles)
    return oncoming(count)._replace(walls=walls)


def office(count: int, rooms: int = 4, door: float = 1.2) -> Crossing:
    """An office floor: rooms on both sides of a hallway, everybody to a far room."""
    wide, deep, half, thick = 6.0, 6.5, 1.5, 0.2
    left, right, outer = -0.5 * rooms * wide, 0.5 * rooms * wide, half + thick + deep
    walls: list[Box] = []

    def wall(x0: float, y0: float, x1: float, y1: float) -> None:
        walls.append(([x0, y0, 0.0], [x1, y1, 2.5]))

    for side in (-1.0, 1.0):
        low, high = sorted((side * half, side * (half + thick)))
        far = sorted((side * outer, side * (outer + thick)))
        wall(left, far[0], right, far[1])
        for room in range(rooms):
            x = left + room * wide
            wall(x, low, x + 0.5 * (wide - door), high)
            wall(x + 0.5 * (wide + door), low, x + wide, high)
            if room:
                between = sorted((side * (half + thick), side * outer))
                wall(x - 0.5 * thick, between[0], x + 0.5 * thick, between[1])
    for x in (left - thick, right):
        wall(x, -outer - thick, x + thick, outer + thick)
    own = count // (2 * rooms)
    places = [
        grid(own, [left + (room + 0.5) * wide, side * (half + thick + 0.5 * deep)], 3)
        for side in (-1.0, 1.0)
        for room in range(rooms)
    ]
    goals = [places[(row + rooms + rooms // 2) % len(places)] for row in range(len(places))]
    return Crossing(np.concatenate(places), np.concatenate(goals), tuple(walls))


def laid_at_random(
    count: int, number: int, half: float, size: tuple[int, int] = (1, 1), columns: int = 0,
    characters: tuple[str, ...] = ("pedestrian",),
) -> Crossing:  # fmt: skip
    """Rooms, doors and columns nobody chose, members all over them, each to another place."""
    rng = np.random.default_rng(number)
    walls = [
        *layouts.rooms(rng, size, half),
        *layouts.blocks(rng, columns, half),
        *layouts.outside(half),
    ]
    apart, off = (1.3, 1.2) if "sheep" in characters else (0.9, 0.7)
    starts, goals = (layouts.places(rng, count, half, walls, apart, off) for _ in range(2))
    return Crossing(starts, goals, tuple(walls), characters)


CASES: dict[str, Callable[[], Crossing]] = {
    "2 oncoming": lambda: oncoming(2),
    "20 oncoming": lambda: oncoming(20),
    "20 crossing": lambda: crossing(20),
    "circle of 20": lambda: circle(20),
    "circles of 250": lambda: circle(250, 5, 13.0),
    "circles of 500": lambda: circle(500, 6, 17.0),
    "4 in a hallway of 1.6 m, both ways": lambda: squeeze(4),
    "60 in a hallway of 1.6 m and 8 m, both ways": lambda: streams(60, 1.6, 8.0),
    "100 in a hallway of 2.4 m and 20 m, both ways": lambda: streams(100, 2.4, 20.0),
    "20 through a door of 1.2 m, both ways": lambda: doorway(20, 1.2),
    "60 through a door of 1.2 m": lambda: bottleneck(60, 1.2),
    "60 through a door of 2.4 m": lambda: bottleneck(60, 2.4),
    "56 all over two rooms, door of 1.4 m": lambda: about(56, 1.4),
    "56 all over two rooms, door of 2.0 m": lambda: about(56, 2.0),
    "80 in hallways of 4 m that cross": lambda: hallways(80),
    "40 oncoming in a forest of columns": lambda: columns(40),
    "40 on an office floor": lambda: office(40),
    "60 in four rooms": lambda: laid_at_random(60, 1, 10.0, (2, 2)),
    "60 in four other rooms": lambda: laid_at_random(60, 2, 10.0, (2, 2)),
    "80 in six rooms": lambda: laid_at_random(80, 3, 13.0, (3, 2)),
    "80 in six other rooms": lambda: laid_at_random(80, 4, 13.0, (3, 2)),
    "60 among columns": lambda: laid_at_random(60, 5, 11.0, columns=30),
    "60 in two rooms with columns": lambda: laid_at_random(60, 6, 11.0, (2, 1), 8),
    "60, half of them children, in four rooms": lambda: laid_at_random(
        60, 7, 10.0, (2, 2), characters=("pedestrian", "child")
    ),
    "30 sheep in four rooms": lambda: laid_at_random(30, 8, 12.0, (2, 2), characters=("sheep",)),
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
    lines += [f"character = {list(case.characters)}"]
    path = folder / "scenario.toml"
    path.write_text("\n".join([*lines, "[simulation]", "duration = 240.0"]) + "\n")
    return path


def alone(case: Crossing) -> Crossing:
    """Return a case with only the member whose straight way is the longest."""
    longest = np.linalg.norm(case.goals - case.starts, axis=1).argmax()[None]
    return case._replace(starts=case.starts[longest], goals=case.goals[longest])


def report(options: argparse.Namespace, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Crossing crowds"
    yield ""
    yield f"Made by `python -m benchmarks.trips --seeds {options.seeds}`, {machine()},"
    yield f"{options.seeds} seeds each. Every member has a"
    yield "start and a goal of its own, behavior `crowd`. Last arrivals are medians over seeds,"
    yield "*alone*: the one whose straight way is the longest, without the others; clearances are"
    yield "the least of seeds."
    yield ""
    yield (
        "| case | arrived | runs with findings | last arrival [s] | alone [s] | ratio | jams a run "
        "| longest jam [s] | clearance between members [m] |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["name"] for row in rows):
        own = ran([row for row in rows if row["name"] == case])
        if own:
            yield _line(case, own)
    yield ""
    yield f"{sum(map(is_through, rows))} of {len(rows)} runs without fault."
    for row in rows:
        if not is_through(row):
            yield f"- {row['name']}, seed {row['seed']}: {fault(row)}"


def _line(case: str, rows: list[Row]) -> str:
    last = [row["last_arrival"] for row in rows if row["last_arrival"] is not None]
    by_itself = rows[0]["alone"]
    near = [row["clearance_members"] for row in rows if row["clearance_members"] is not None]
    cells = [
        case,
        f"{sum(row['arrived'] for row in rows)} of {sum(row['members'] for row in rows)}",
        str(sum(bool(row["findings"]) for row in rows)),
        f"{median(last):.1f}" if last else "",
        f"{by_itself:.1f}" if by_itself else "",
        f"{median(last) / by_itself:.2f}" if last and by_itself else "",
        f"{mean(row['jams'] for row in rows):.1f}",
        f"{max(row['longest_jam'] for row in rows):.1f}",
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
            case, part = CASES[name](), f"case {row}"
            single = write(alone(case), options.to / part / "alone")
            by_itself = campaign(str(single), options=options, part=f"{part}/alone/study")
            scenario = write(case, options.to / part)
            found = campaign(str(scenario), options=options, part=f"{part}/study")
            rows += [
                {"name": name, "alone": one.get("last_arrival"), **each}
                for one, each in zip(by_itself, found, strict=True)
            ]
    publish(report(options, rows), options.output)
    return int(not all(map(is_through, rows)))


if __name__ == "__main__":
    sys.exit(main())
