"""The kinds of run that faults are planted into: commands, and the files that they read."""

from pathlib import Path

import trimesh

from benchmarks.faults.moving_runs import (
    BRIDGE,
    CARTS,
    GATE_BOXES,
    GATES,
    LIFT_BOXES,
    LIFTS,
    SWITCHED,
    TRACKS,
    YARD_BOXES,
    Boxes,
)

MIXED = """\
[scene]
name = "plain"

[[groups]]
name = "family"
character = ["pedestrian", "child", "dog"]
members = 6
start = "west"
goal = "middle"
behavior = { name = "leader_following" }

[[groups]]
name = "cars"
character = "car"
members = 2
start = "north"
goal = "south"
behavior = { name = "self_guided" }

[[groups]]
name = "drones"
character = "drone"
members = 3
start = [0.0, 0.0, 4.0]

[groups.behavior]
name = "steering"
behaviors = ["wander"]

[simulation]
duration = 12.0
"""

TRIPS = """\
[scene]
name = "plain"

[scene.regions.gate]
lower = [-8.0, -4.0, -0.5]
upper = [-6.0, 4.0, 1.0]

[scene.regions.door]
lower = [0.0, -4.0, -0.5]
upper = [1.0, 4.0, 1.0]

[scene.regions.kiosk]
lower = [-4.0, 4.0, -0.5]
upper = [-2.0, 6.0, 1.0]

[[groups]]
members = 4
start = "gate"

[groups.behavior]
name = "crowd"
nodes = 60

[[groups.behavior.trips]]
goal = "door"
via = ["kiosk"]
stay = 2.0
count = 2

[[groups.behavior.trips]]
goal = "door"
weight = 1.0

[[groups.behavior.trips]]
start = "gate"
goal = "door"
times = [1.0, 2.0, 4.0]
at_goal = "leave"

[[groups.behavior.trips]]
start = [3.0, -6.0, 0.0]
goal = "gate"
times = [1.0, 6.0]
at_goal = "leave"

[simulation]
dt = 0.05
duration = 40.0
"""
"""Members that are there all the time, that come, that stop on the way, and that leave."""

STAIRS = """\
[scene]
mesh = "stairs.glb"
up = "z"
bounds = [[-5.0, -3.0, -1.0], [8.0, 3.0, 5.0]]

[[groups]]
character = ["pedestrian", "child"]
members = 2
start = [-3.0, 1.0, 0.0]
goal = [5.0, 1.0, 1.02]
max_step = 0.2
behavior = "self_guided"

[[groups]]
members = 1
start = [5.0, -1.5, 1.02]
goal = [-3.0, -1.5, 0.0]
behavior = "self_guided"

[planner]
nodes = 60

[simulation]
duration = 20.0
linger = 0.2
"""

LIVELY = """\
[scene]
name = "plain"

[[groups]]
name = "walkers"
members = 3
start = [-4.0, -4.0, 0.0]
goal = [0.0, -4.0, 0.0]
behavior = "self_guided"
heading = 90.0
at_rest = "sit"
afterwards = "return"
reserve = 1

[[groups]]
name = "bikes"
character = "motorbike"
members = 2
start = [4.0, 4.0, 0.0]
goal = [4.0, 9.0, 0.0]
behavior = "self_guided"
afterwards = { name = "patrol", posts = ["west", "east"] }

[[groups]]
name = "passers"
members = 1
start = [-8.0, 8.0, 0.0]

[groups.behavior]
name = "crowd"
nodes = 40

[[groups.behavior.trips]]
goal = [-2.0, 8.0, 0.0]
rate = 0.4
until = 8.0
at_goal = "leave"

[[changes]]
time = 2.0
group = "walkers"
add = [-6.0, -4.0, 0.0]
count = 1

[[changes]]
time = 12.0
group = "walkers"
remove = [1]

[simulation]
duration = 25.0
linger = 12.0
"""
"""What groups do after they have arrived: they go back, sit, patrol; one comes, one is
removed; others come at a rate and leave."""

WEDGED = """\
[scene]
name = "plain"

[[groups]]
character = "car"
members = 2
start = [0.0, -7.0, 0.0]

[groups.behavior]
name = "acting"
idle = "rounds"
goals.rounds.go_to = ["west", "east"]

[[changes]]
time = 3.0
group = "group 1"
send = [0.0, -8.0, 0.0]

[simulation]
duration = 20.0
"""
"""Vehicles that have to back up."""

SCENARIOS = {
    "stairs": STAIRS,
    "bridge": BRIDGE,
    "gates": GATES,
    "tracks": TRACKS,
    "switched": SWITCHED,
    "mixed": MIXED,
    "trips": TRIPS,
    "wedged": WEDGED,
    "lively": LIVELY,
    "lifts": LIFTS,
}

RUNS: dict[str, tuple[str, ...]] = {
    "birds": ("sky", "--members", "8", "--duration", "5"),
    "fish": ("cave", "--members", "5", "--duration", "8"),
    **{name: (f"{name}.toml",) for name in SCENARIOS if name != "lifts"},
    "drones": ("canyon", "--members", "3", "--duration", "20"),
    "walkers": ("parking", "--members", "4", "--duration", "60"),
    "garage": ("car_park", "--duration", "12"),
    "herd": ("meadow", "--members", "6", "--duration", "10"),
    "crowd": ("crossing", "--members", "8", "--duration", "8"),
    "lifts": ("lifts.toml",),
    "crates": ("warehouse", "--members", "2", "--duration", "30"),
}
"""Commands, about the quickest first: `benchmarks.faults.planter.schedule`."""

FIRST: dict[str, tuple[str, ...]] = {"tracks": ("carts.toml", "-o", "carts.rmp3d")}
"""Of runs that read the recording of another one: that run."""


def write_planted_runs(folder: Path) -> None:
    """Write the scenarios of `RUNS`, and the meshes that they name."""
    for name, text in SCENARIOS.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    _write_boxes(folder / "gates.glb", GATE_BOXES)
    _write_boxes(folder / "lifts.glb", LIFT_BOXES)
    _write_boxes(folder / "yard.glb", YARD_BOXES)
    (folder / "carts.toml").write_text(CARTS, encoding="utf-8")
    steps = {f"step {k}": ((0.28 * k, -3.0, 0.0), (8.0, 3.0, 0.17 * (k + 1))) for k in range(6)}
    _write_boxes(folder / "stairs.glb", {"floor": ((-5.0, -3.0, -0.2), (8.0, 3.0, 0.0)), **steps})


def _write_boxes(path: Path, boxes: Boxes) -> None:
    scene = trimesh.Scene()
    for name, bounds in boxes.items():
        scene.add_geometry(trimesh.creation.box(bounds=bounds), node_name=name, geom_name=name)
    scene.export(path)
