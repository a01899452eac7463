"""Sound samples: scenes that change, parts that carry or follow tracks, and paths by cost."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.faults.forks import run_forked
from benchmarks.faults.surroundings import Commands
from benchmarks.faults.without_a_verb import LOOK

CHANGING = """\
[scene]
mesh = "hall.obj"
roles = { floor = "ground", "wall*" = "obstacle" }
bounds = [[-6.0, -6.0, -1.0], [6.0, 6.0, 4.0]]

[[scene.presence]]
part = "wall_a"
there = false
times = [0.1, 0.2]

[[scene.presence]]
part = "wall_b"

[[groups]]
name = "guard"
members = 1
start = [-4.0, 1.0, 0.0]

[groups.behavior]
name = "acting"
idle = "watch"
goals.watch.go_to = [[-4.0, 1.0, 0.0], [-3.0, 1.0, 0.0]]
goals.watch.stay = 0.1
switches = [{ when = "time > 0.05", part = "wall_b", there = false }]
nodes = 30

[[changes]]
time = 0.15
part = "wall_b"
there = true

[simulation]
duration = 0.3
"""

CARRIES = """\
[scene]
mesh = "hall.obj"
roles = { floor = "ground", wall_a = "ground", wall_b = "obstacle" }
bounds = [[-6.0, -6.0, -1.0], [6.0, 6.0, 6.0]]

[[scene.motions]]
part = "wall_a"
carries = true
together = "lift"
repeat = "cycle"
phase = 0.5
keys = [
    { time = 0.0 },
    { time = 2.0 },
    { time = 4.0, position = [0.0, 0.0, 1.0] },
    { time = 6.0, position = [0.0, 0.0, 1.0] },
    { time = 8.0 },
]

[[scene.motions]]
part = "wall_b"
together = "lift"
recording = "carts.rmp3d"
group = "carts"
member = 1
repeat = "stay"

[[groups]]
members = 1
start = [-4.0, 1.0, 0.0]
goal = [-3.0, 1.0, 0.0]

[planner]
nodes = 20

[simulation]
duration = 0.3
"""

CARTS = """\
[scene]
name = "plain"

[[groups]]
name = "carts"
members = 2
start = [-4.0, 1.0, 0.0]

[groups.behavior]
name = "steering"
behaviors = ["wander"]

[simulation]
duration = 0.5
"""

COSTS = """\
[scene]
mesh = "hall.obj"
roles = { floor = "ground", "wall*" = "obstacle" }
bounds = [[-6.0, -6.0, -1.0], [6.0, 6.0, 4.0]]

[[groups]]
members = 1
start = [-4.0, -3.0, 0.0]
goal = [4.0, -3.0, 0.0]

[planner]
nodes = 30
cost = { name = "weighted", wanted = 1.0 }
against = ["length", { name = "time" }]
optimize_work = 300
alternatives = 2

[simulation]
duration = 0.2
"""

STUDY = """\
scenario = "costs.toml"
seeds = [1, 2]

[axes]
planner.cost = ["length", { name = "clearance" }]
planner.optimize_work = [100]

[set]
simulation.duration = 0.1
"""


def write_changing(folder: Path) -> None:
    """Write the files; ``hall.obj`` and ``two.env`` are there already."""
    texts = {"changing": CHANGING, "carries": CARRIES, "carts": CARTS, "costs": COSTS,
             "coststudy": STUDY}  # fmt: skip
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    corners = ("--set", 'planner.planner="corner_prm"')
    for command in (
        ("run", "carts.toml", "-o", "carts.rmp3d", "-q"),
        ("run", "carts.toml", "--duration", "6", "-o", "long.rmp3d", "-q"),
        ("run", "changing.toml", "-o", "changing.rmp3d", "-q"),
        ("run", "carries.toml", "-o", "carries.rmp3d", "-q"),
        ("plan", "costs.toml", "-o", "costs.json", "--save", "costs.roadmap", "-q"),
        ("plan", "costs.toml", *corners, "--save", "corners.roadmap", "-q"),
        ("plan", "two.env", "--optimize-work", "300", "--cost", "length,clearance",
         "--alternatives", "2", "-o", "tradeoffs.json", "-q"),
    ):  # fmt: skip
        ended = run_forked(command, folder, cpu=300)
        if ended.code not in (0, 1):
            raise RuntimeError(f"{' '.join(command)}: {ended.stderr}")


def changing_samples() -> Iterator[tuple[str, str, Commands]]:
    """Yield kind, name and commands of each."""
    for name in ("changing", "carries"):
        run = ("run", f"{name}.toml", "--duration", "0.2", "-o", "out.rmp3d", "--json")
        kind = "presence, switches" if name == "changing" else "lifts, tracks"
        yield kind, f"{name}.toml", (run, run, ("inspect", f"{name}.toml", "--json"))
        verify, look = ("verify", f"{name}.rmp3d", "--json"), (LOOK, f"{name}.rmp3d")
        glb = ("export", f"{name}.rmp3d", "out.glb", "-q")
        yield f"recording of {kind}", f"{name}.rmp3d", (verify, verify, look, look, glb)
    run = ("run", "carries.toml", "--duration", "0.2", "-o", "out.rmp3d", "--json")
    yield "recording of a track", "carts.rmp3d", (run,)
    yield "recording that is looked at", "long.rmp3d", ((LOOK, "long.rmp3d"),)
    plan = ("plan", "costs.toml", "--time-limit", "2", "--json")
    yield "costs of paths", "costs.toml", (plan, plan, ("plan", "costs.toml", "-o", "out.json"))
    for name in ("costs", "tradeoffs"):
        report = ("report", f"{name}.json", "-o", "out.html", "-q")
        glb = ("export", f"{name}.json", "out.glb", "-q")
        again = ("verify", f"{name}.json", "--json")
        yield "optimized plan", f"{name}.json", (report, glb, again, ("inspect", f"{name}.json"))
    load = ("plan", "costs.toml", "--load", "costs.roadmap", "--time-limit", "2", "--json")
    yield "roadmap by cost", "costs.roadmap", (load,)
    corners = ("plan", "costs.toml", "--set", 'planner.planner="corner_prm"')
    load = (*corners, "--load", "corners.roadmap", "--json")
    yield "roadmap of corners", "corners.roadmap", (load,)
    yield "study of costs", "coststudy.toml", (("study", "coststudy.toml", "--dry-run", "--json"),)
