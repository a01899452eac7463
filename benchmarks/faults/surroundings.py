"""Sound samples of what stands around scenarios: studies, trips, textures, rigs, older formats."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.faults.forks import run_forked

STUDY = """\
scenario = "steering.toml"
seeds = [1]
verify = false

[axes]
groups.0.members = [1]

[set]
simulation.duration = 0.1
"""

CROWD = """\
[scene]
name = "plain"

[scene.regions.gate]
lower = [-8.0, -4.0, -0.5]
upper = [-6.0, 4.0, 1.0]

[[groups]]
members = 3
start = "plain"
behavior = { name = "crowd", nodes = 20, trips = "trips.csv" }

[simulation]
duration = 1.0
"""

TRIPS = """\
start,goal,via,stay,count,times,rate,until,at_goal
gate,0 0 0,,,3,,,,leave
-5 0 0,gate,1 2 0;2 1 0,0.1;0.2,,0.2;0.4,,,stay
gate,5 5 0,,,,,2.0,0.5,leave
"""

PAINTED = """\
mtllib painted.mtl
o floor
usemtl wood
v -5 -5 0
v 5 -5 0
v 5 5 0
v -5 5 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
f 1/1 2/2 3/3
f 1/1 3/3 4/4
"""

MOVING = """\
[scene]
mesh = "hall.obj"
roles = { floor = "ground", "wall*" = "obstacle" }
bounds = [[-6.0, -6.0, -1.0], [6.0, 6.0, 4.0]]

[scene.regions.west]
center = [-4.0, 1.0, 0.5]
radius = 1.2

[[scene.motions]]
part = "wall_a"
repeat = "cycle"
hinge = [0.0, -4.0, 0.0]
keys = [
    { time = 0.0 },
    { time = 2.0, rotation = [0.0, 0.0, 40.0], position = [0.0, -1.0, 0.0] },
    { time = 4.0 },
]

[[groups]]
members = 2
start = "west"

[groups.behavior]
name = "steering"

[[groups.behavior.behaviors]]
name = "flow_field_following"
strokes = [{ points = [[-4.0, 0.0, 0.0], [4.0, 0.5, 0.0]], width = 2.0, speed = 1.2 }]

[[groups.behavior.behaviors]]
name = "obstacle_avoidance"

[[measure]]
name = "door"
ends = [[0.0, -1.5], [0.0, 1.5]]

[simulation]
duration = 0.3
"""

Commands = tuple[tuple[str, ...], ...]


OLDER = "recording of format 2"
MADE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("row of a study", ("study", "study.toml", "-o", "kept.study", "-q")),
    ("character with bones", ("models", "add", "rigged.glb", "-o", "bones", "-q")),
    ("recording of a crowd", ("run", "crowd.toml", "-o", "coming.rmp3d", "-q")),
    ("recording of moving parts", ("run", "moving.toml", "-o", "moving.rmp3d", "-q")),
    ("plan .json", ("plan", "two.env", "-o", "plan.json", "-q")),
    ("plan .json", ("plan", "scenario.toml", "-o", "roads.json", "-q")),
)
"""Kinds of files, and the commands that make them."""


def write_surroundings(folder: Path, wanted: Callable[[str], bool]) -> None:
    """Write the files; of those that a command makes, the wanted kinds.

    ``steering.toml`` and ``two.env`` are there already, and ``whole.rmp3d`` for the older format.
    """
    from PIL import Image

    texts = {
        "study.toml": STUDY, "crowd.toml": CROWD, "trips.csv": TRIPS, "painted.obj": PAINTED,
        "moving.toml": MOVING,
        "painted.mtl": "newmtl wood\nKd 1 1 1\nmap_Kd painted.png\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    Image.effect_noise((48, 48), 60.0).convert("RGB").save(folder / "painted.png")
    dog = Path(__file__).resolve().parents[2] / "models" / "builtin" / "dog.glb"
    shutil.copyfile(dog, folder / "rigged.glb")
    for kind, command in MADE:
        if not wanted(kind):
            continue
        ended = run_forked(command, folder, cpu=300)
        if ended.code not in (0, 1):
            raise RuntimeError(f"{' '.join(command)}: {ended.stderr}")
    if wanted(OLDER):
        _write_older(folder / "whole.rmp3d", folder / "older.rmp3d")


def _write_older(recording: Path, older: Path) -> None:
    """Copy a finished recording as one of format 2, in which nobody comes or leaves."""
    import h5py

    shutil.copyfile(recording, older)
    with h5py.File(older, "r+", libver=("v110", "v110")) as file:
        file.attrs["format_version"] = 2
        del file["presence"]


def surrounding_samples(folder: Path) -> Iterator[tuple[str, str, Commands]]:
    """Yield kind, name and commands of each."""
    yield "study", "study.toml", (("study", "study.toml", "--dry-run", "--json"),)
    for row in list((folder / "kept.study" / "runs").glob("*/row.json"))[:1]:
        again = ("study", "study.toml", "-o", "kept.study", "--json")
        yield "row of a study", row.relative_to(folder).as_posix(), (again,)
    run = ("run", "crowd.toml", "--duration", "0.2", "-o", "out.rmp3d", "--json")
    yield "trips .csv", "trips.csv", (run, ("inspect", "crowd.toml", "--json"))
    yield "scenario of a crowd", "crowd.toml", (run,)
    picture = ("view", "painted.obj", "--screenshot", "out.png", "--size", "64x48")
    yield "texture .png", "painted.png", (("inspect", "painted.obj", "--json"), picture)
    yield "rig .glb", "rigged.glb", (("models", "add", "rigged.glb", "-o", "out.model", "--json"),)
    served = ("view", "crowd.toml", "--web", "-q")
    yield "scenario in browsers", "crowd.toml", (served,)
    verify = ("verify", "coming.rmp3d", "--json")
    page = ("export", "coming.rmp3d", "out.html", "-q")
    usd = ("export", "coming.rmp3d", "out.usda", "-q")
    web = ("view", "coming.rmp3d", "--web", "-q")
    yield "recording of a crowd", "coming.rmp3d", (verify, verify, page, usd, web)
    verify, web = ("verify", "older.rmp3d", "--json"), ("view", "older.rmp3d", "--web", "-q")
    report = ("report", "older.rmp3d", "-o", "out.html", "--no-verify", "-q")
    yield OLDER, "older.rmp3d", (verify, verify, report, web)
    for name in ("plan.json", "roads.json"):
        report = ("report", name, "-o", "out.html", "-q")
        others = (("verify", name, "--json"), ("export", name, "out.glb", "-q"))
        yield "plan .json", name, (report, *others, ("inspect", name, "--json"))
    run = ("run", "moving.toml", "--duration", "0.2", "-o", "out.rmp3d", "--json")
    yield "motions, strokes, measures", "moving.toml", (run, run, ("inspect", "moving.toml"))
    usd = ("export", "moving.rmp3d", "out.usda", "-q")
    glb = ("export", "moving.rmp3d", "out.glb", "-q")
    table = ("report", "moving.rmp3d", "-o", "out.html", "--no-verify", "-q")
    verify = ("verify", "moving.rmp3d", "--json")
    yield "recording of moving parts", "moving.rmp3d", (verify, verify, usd, glb, table)
    search = ("study", "study.toml", "-o", "out.study", "--minimize", "energy", "--trials", "1")
    yield "study that searches", "study.toml", ((*search, "--json"),)
    for name in ("rigged.toml", "rigged_rig.glb"):
        rigged = ("models", "bones/rigged.toml", "--json")
        yield "character with bones", f"bones/{name}", (rigged,)
