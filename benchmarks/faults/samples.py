"""Sound small files of every kind that rmp3d reads, and the commands that read them."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh

from benchmarks.faults.beside_samples import KEPT_RESULT, beside_samples, write_beside
from benchmarks.faults.changing_samples import changing_samples, write_changing
from benchmarks.faults.forks import run_forked
from benchmarks.faults.surroundings import OLDER, surrounding_samples, write_surroundings
from benchmarks.faults.without_a_verb import LOAD
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import ompl_app, pmpl

SCENARIO = """\
description = "two walkers and a flyer"
seed = 3

[scene]
mesh = "hall.obj"
roles = { floor = "ground", "wall*" = "obstacle" }
max_slope = 30.0
bounds = [[-6.0, -6.0, -1.0], [6.0, 6.0, 4.0]]

[scene.regions.west]
lower = [-5.0, -2.0, -0.2]
upper = [-3.0, 2.0, 2.0]

[scene.regions.east]
center = [4.0, 0.0, 0.5]
radius = 1.5

[[groups]]
name = "walkers"
members = 2
character = "own.toml"
start = "west"
goal = "east"
goal_radius = 1.2
speed_limit = 1.4
behavior = { name = "narrow_passages", alternatives = ["column"] }

[[groups]]
name = "flyer"
character = ["drone"]
members = 1
start = [-4.0, 0.0, 2.5]

[groups.behavior]
name = "steering"
behaviors = [{ name = "path_following", points = [[-1.0, 3.0, 2.5], [3.0, 0.0, 2.5]] }]

[planner]
nodes = 30
neighbors = 5
sampler = { name = "gaussian", std = 0.5 }
local_planner = "linear"

[simulation]
dt = 0.05
duration = 0.3
linger = 0.0

[[changes]]
time = 0.1
group = "walkers"
speed_limit = 1.0
"""

STEERING = """\
[scene]
name = "plain"

[[groups]]
members = 3
start = "plain"

[groups.behavior]
name = "steering"
perception = { name = "field_of_view", radius = 4.0 }
combining = "prioritized_allocation"
behaviors = ["obstacle_avoidance", "unaligned_collision_avoidance", "roam"]

[simulation]
duration = 0.2
record_forces = true
"""

CHARACTER = """\
description = "somebody"
mesh = "somebody.stl"

[body]
radius = 0.3
capsule_axis = [0.3, 1.4]

[vehicle]
kind = "hugging"
mass = 70.0
cruise_speed = 1.2
max_speed = 1.6
max_force = 300.0
max_turn_rate = 240.0
"""

MTL = "newmtl grey\nKd 0.5 0.6 0.7\nmap_Kd wood.png\n"

AC3D = """\
AC3Db
MATERIAL "red" rgb 1 0 0  amb 1 1 1  emis 0 0 0  spec 0 0 0  shi 0  trans 0
OBJECT world
kids 1
OBJECT poly
name "block"
loc 0 1 0
rot 1 0 0 0 1 0 0 0 1
numvert 5
0 0 0
1 0 0
1 0 1
0 0 1
0.5 1 0.5
numsurf 5
SURF 0x0
mat 0
refs 4
0 0 0
1 0 0
2 0 0
3 0 0
SURF 0x0
mat 0
refs 3
0 0 0
4 0 0
1 0 0
SURF 0x0
mat 0
refs 3
1 0 0
4 0 0
2 0 0
SURF 0x0
mat 0
refs 3
2 0 0
4 0 0
3 0 0
SURF 0x0
mat 0
refs 3
3 0 0
4 0 0
0 0 0
kids 0
"""


RECORDED = ("recording, finished", "recording, killed writer", OLDER, "roadmap")
"""Kinds of files that `_record` makes; others are not slowed down by them."""

COMPILING = 300  # s of processor time for a command on sound samples


@dataclass(frozen=True)
class Sample:
    """A sound file, and how rmp3d is asked to read it.

    Attributes:
        kind: For the table, such as ``mesh .obj``.
        name: File that is damaged.
        commands: Command lines that read it, one of which is drawn.
    """

    kind: str
    name: str
    commands: tuple[tuple[str, ...], ...]


def write_samples(folder: Path, kinds: Sequence[str] = ()) -> list[Sample]:
    """Write all samples into an empty folder; return those of some kinds, or all."""
    hall = _hall()
    _write_meshes(folder, hall)
    texts = {"scenario.toml": SCENARIO, "steering.toml": STEERING, "own.toml": CHARACTER}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    body = trimesh.creation.cylinder(radius=0.15, height=1.6, sections=6)
    body.apply_translation((0.0, 0.0, 0.85)).export(folder / "somebody.stl")
    _write_problems(folder)
    if _wanted(RECORDED, kinds):
        _record(folder)
    write_surroundings(folder, lambda kind: _wanted([kind], kinds))
    write_beside(folder, _wanted([KEPT_RESULT], kinds))
    changing = [Sample(*each) for each in changing_samples()]
    if _wanted(["--cost", *(each.kind for each in changing)], kinds):
        write_changing(folder)
    samples = [*_mesh_samples(folder), *_text_samples(), *_made_samples()]
    samples += [Sample(*each) for each in surrounding_samples(folder)]
    samples += [Sample(*each) for each in beside_samples(folder)]
    samples = [each for each in samples + changing if _wanted([each.kind], kinds)]
    for command in dict.fromkeys(each for sample in samples for each in sample.commands):
        _must_work(command, folder)
    for path in folder.glob("out.*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return samples


def _wanted(kinds: Sequence[str], beginnings: Sequence[str]) -> bool:
    """Return whether one of some kinds is asked for; all are if nothing is."""
    return not beginnings or any(each.startswith(tuple(beginnings)) for each in kinds)


def _hall() -> trimesh.Scene:
    """A floor with two walls and a gap between them."""
    scene = trimesh.Scene()
    for name, extents, center in (
        ("floor", (12.0, 12.0, 0.2), (0.0, 0.0, -0.1)),
        ("wall_a", (0.4, 4.0, 2.0), (0.0, -4.0, 1.0)),
        ("wall_b", (0.4, 4.0, 2.0), (0.0, 4.0, 1.0)),
    ):
        box = trimesh.creation.box(extents=extents)
        box.apply_translation(center)
        scene.add_geometry(box, node_name=name, geom_name=name)
    return scene


def _obj(scene: trimesh.Scene) -> str:
    lines, before = ["mtllib hall.mtl"], 0
    for name, mesh in scene.geometry.items():
        lines += [f"o {name}", "usemtl grey"]
        lines += ["v {:.4f} {:.4f} {:.4f}".format(*point) for point in mesh.vertices]
        lines += ["f {} {} {}".format(*(face + before + 1)) for face in mesh.faces]
        before += len(mesh.vertices)
    return "\n".join(lines) + "\n"


def _write_meshes(folder: Path, hall: trimesh.Scene) -> None:
    (folder / "hall.obj").write_text(_obj(hall), encoding="utf-8")
    (folder / "hall.mtl").write_text(MTL, encoding="utf-8")
    (folder / "block.ac").write_text(AC3D, encoding="utf-8")
    one = trimesh.util.concatenate(list(hall.geometry.values()))
    ways: dict[str, Callable[[], bytes | str]] = {
        "binary.ply": lambda: one.export(file_type="ply"),
        "text.ply": lambda: one.export(file_type="ply", encoding="ascii"),
        "binary.stl": lambda: one.export(file_type="stl"),
        "text.stl": lambda: one.export(file_type="stl_ascii"),
        "hall.off": lambda: one.export(file_type="off"),
        "hall.glb": lambda: hall.export(file_type="glb"),
        "hall.dae": lambda: one.export(file_type="dae"),
        "hall.3mf": lambda: hall.export(file_type="3mf"),
    }
    for name, made in ways.items():
        data = made()
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    for name, data in hall.export(file_type="gltf").items():
        (folder / name.replace("model.gltf", "hall.gltf")).write_bytes(data)
    byu.write(folder / "hall.g", TriangleMesh(one.vertices, one.faces))


def _write_problems(folder: Path) -> None:
    def solid(extents: tuple[float, float, float]) -> TriangleMesh:
        made = trimesh.creation.box(extents=extents)
        return TriangleMesh(made.vertices, made.faces)

    byu.write(folder / "wall.g", solid((1.0, 4.0, 4.0)))
    byu.write(folder / "crate.g", solid((1.0, 1.0, 1.0)))
    bodies = tuple(pmpl.PlacedBody("wall.g", (x, 0.0, 0.0), (0.0, 30.0, 0.0)) for x in (-2.0, 2.0))
    boundary = ((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0))
    pmpl.write_environment(folder / "two.env", pmpl.PmplEnvironment(boundary, bodies))
    pmpl.write_robot(folder / "two.robot", pmpl.RobotBody("crate.g", False, True))
    pmpl.write_query(folder / "two.query", (-4, 5, 0, 0, 0, 0), (4, 5, 0, 0, 0, 0.5))
    trimesh.creation.box(extents=(2, 2, 2)).export(folder / "robot.dae")
    trimesh.creation.box(extents=(1, 9, 9)).export(folder / "world.dae")
    start, goal = np.array([-4.0, 0, 0, 1, 0, 0, 0]), np.array([4.0, 9, 0, 0, 1, 0, 0])
    problem = ompl_app.OmplProblem("two", "robot.dae", "world.dae", start, goal, time_limit=11.0)
    ompl_app.write(folder / "two.cfg", problem)


def _record(folder: Path) -> None:
    """Write a finished recording, one of a killed writer, and a roadmap."""
    for command in (
        ["run", "scenario.toml", "-o", "whole.rmp3d", "-q"],
        ["plan", "scenario.toml", "--save", "hall.roadmap", "-q"],
    ):
        _must_work(command, folder)
    run_forked(["run", "scenario.toml", "-o", "killed.rmp3d", "-q"], folder, dies=True)
    if not (folder / "killed.rmp3d").exists():
        (folder / "killed.rmp3d").write_bytes((folder / "whole.rmp3d").read_bytes())


def _must_work(command: Sequence[str], folder: Path) -> None:
    """Run a command on sound samples; the first time it compiles kernels."""
    ended = run_forked(command, folder, cpu=COMPILING)
    if ended.code not in (0, 1):
        words = " ".join(command)
        raise RuntimeError(f"{words}: a sound sample is refused ({ended.code}): {ended.stderr}")


def _mesh_samples(folder: Path) -> Iterator[Sample]:
    names = [
        "hall.obj", "block.ac", "binary.ply", "text.ply", "binary.stl", "text.stl", "hall.off",
        "hall.glb", "hall.gltf", "hall.dae", "hall.3mf", "hall.g",
    ]  # fmt: skip
    for name in names:
        kind = f"mesh {Path(name).suffix}"
        yield Sample(kind, name, _loads(name))
    yield Sample("mesh .mtl", "hall.mtl", _loads("hall.obj"))
    for path in sorted(folder.glob("*.bin"))[:1]:
        yield Sample("mesh .bin of a .gltf", path.name, _loads("hall.gltf"))


def _loads(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the commands that read a mesh; to inspect it takes forty times as long."""
    return ((LOAD, name),) * 6 + (("inspect", name, "--json"),)


def _text_samples() -> Iterator[Sample]:
    limit = ("--time-limit", "2", "--json")
    for name in ("scenario.toml", "steering.toml"):
        # The damage may remove the duration, and three minutes of a sound scenario are no hang.
        run = ("run", name, "--duration", "0.2", "-o", "out.rmp3d", "--json")
        plan = () if name == "steering.toml" else (("plan", name, *limit),)
        inspect = ("inspect", name, "--json")
        yield Sample("scenario", name, (*plan, *plan, run, run, inspect))
    yield Sample("character", "own.toml", (("models", "own.toml", "--json"),))
    yield Sample("mesh of a character", "somebody.stl", (("models", "own.toml", "--json"),))
    env = ("plan", "two.env", *limit)
    yield Sample("problem .env", "two.env", (env,))
    yield Sample("problem .robot", "two.robot", (env,))
    yield Sample("problem .query", "two.query", (env,))
    yield Sample("problem .g", "crate.g", (env,))
    yield Sample("problem .cfg", "two.cfg", (("plan", "two.cfg", *limit),))
    yield Sample("problem .dae", "robot.dae", (("plan", "two.cfg", *limit),))


def _made_samples() -> Iterator[Sample]:
    load = ("plan", "scenario.toml", "--load", "hall.roadmap", "--json")
    yield Sample("roadmap", "hall.roadmap", (load,))
    for name in ("whole.rmp3d", "killed.rmp3d"):
        kind = "recording, finished" if name == "whole.rmp3d" else "recording, killed writer"
        export = ("export", name, "out.csv", "-q")
        report = ("report", name, "-o", "out.html", "--no-verify", "-q")
        yield Sample(kind, name, (("verify", name, "--json"), export, report))


def compact(value: object) -> str:
    """Return a value as JSON, for tables and file names of cases."""
    return json.dumps(value, default=str)[:200]
