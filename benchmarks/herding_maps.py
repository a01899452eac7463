"""The third-party herding maps, as scenarios: their scenes, bodies, speeds, starts and goals.

A run succeeds when all of the flock are in the goal at one instant, which is the rule of the maps'
own simulator, and verification finds nothing. Starts are drawn as there, so it is no study.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, TypeAlias

import numpy as np

from benchmarks.campaign import machine
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.planner.spaces import GroundSpace
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenario import ScenarioTable
from rmp3d.scenario.loading import load
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import turned
from rmp3d.simulation import GroupPlan, Simulation, header_of, plan_groups
from rmp3d.verification import verify

Row: TypeAlias = dict[str, Any]

RADIUS = 0.43
CHARACTER = """
mesh = "body.glb"

[body]
radius = 0.43
capsule_axis = [0.43, 0.5]

[vehicle]
kind = "hugging"
mass = 1.0
cruise_speed = {cruise}
max_speed = {top}
max_force = {force}
max_turn_rate = 360.0
"""
SCENARIO = """
[scene]
mesh = "{mesh}"
up = "y"
center = "vertices"
position = [{place[0]}, {place[1]}, 0.0]
bounds = [[{bounds[0]}, {bounds[2]}, -4.0], [{bounds[1]}, {bounds[3]}, 8.0]]
ground = {{ height = 0.0 }}

[scene.roles]
"*" = "obstacle"

[scene.regions.flock]
center = [{flock[0]}, {flock[1]}, 0.0]
radius = 14.0

[scene.regions.shepherds]
center = [{shepherds[0]}, {shepherds[1]}, 0.0]
radius = 14.0

[scene.regions.goal]
center = [{goal[0]}, {goal[1]}, 0.0]
radius = 5.0

[[groups]]
name = "flock"
character = "flock.toml"
members = {members}
start = "flock"
goal = "goal"

[groups.behavior]
name = "herded"
perception = {{ name = "zone", radius = 12.0 }}

[[groups.behavior.behaviors]]
name = "obstacle_avoidance"
look_ahead = 1.0

[[groups.behavior.behaviors]]
name = "shun"
among = "shepherds"
distance = 5.0
strength = 15.0
calming = 1.0
wall_distance = 2.2
wall_strength = 4.0

[[groups.behavior.behaviors]]
name = "flocking"
cruising = 0.0
separation = 3.0
separation_distance = 0.6
alignment = 0.6
alignment_distance = 4.0
alignment_angle_deg = 180.0
cohesion = 0.4
cohesion_distance = 12.0
cohesion_angle_deg = 180.0

[[groups]]
name = "shepherds"
character = "shepherd.toml"
members = {count}
start = "shepherds"

[groups.behavior]
name = "herding"
fear_distance = 5.0
cell = 0.75

[simulation]
dt = 0.05
duration = 750.0
linger = 0.01
"""


@dataclass(frozen=True)
class Problem:
    """A map with its numbers; places are (x, z) of the file, whose y is up.

    Attributes:
        name: Of the row in the table.
        mesh: File.
        bounds: (x, x, z, z) [m].
        place: Where the middle of the file's vertices comes to lie.
        shepherds: (x, z, standard deviation) of the starts [m].
        flock: The same.
        goal: Middle of the goal.
        count: Shepherds.
        members: Of the flock.
        theirs: Runs of 20 that their simulator solves, and its median steps; as published
            with the maps, None where it is not.
    """

    name: str
    mesh: str
    bounds: tuple[float, float, float, float]
    place: tuple[float, float]
    shepherds: tuple[float, float, float]
    flock: tuple[float, float, float]
    goal: tuple[float, float]
    count: int
    members: int
    theirs: str


FILTER = ("filter4.obj", (-27.5, 24.5, -26.0, 26.0), (-1.0, 0.0), (24.0, 24.0, 3.0))
SPIRAL = ("spiral7.obj", (-25.0, 25.0, -25.0, 25.0), (0.0, 0.0), (20.0, 20.0, 3.0))
CLOSER = ("spiral7.obj", (-22.0, 22.0, -22.0, 22.0), (0.0, 0.0), (20.0, 20.0, 3.0))
PROBLEMS = (
    *(
        Problem("filter", *FILTER, (20.0, 20.0, 3.0), (-10.0, -20.0), 1, n, text)
        for n, text in ((5, "8/20"), (6, "9/20"), (9, "8/20"))
    ),
    *(
        Problem("spiral", *SPIRAL, (19.0, 22.0, 3.0), (0.0, 0.0), 1, n, text)
        for n, text in ((3, "12/20"), (6, "15/20"), (9, "12/20"))
    ),
    Problem("spiral", *CLOSER, (17.0, 19.0, 2.0), (0.0, -5.0), 2, 10, ""),
    Problem("spiral", *CLOSER, (17.0, 19.0, 2.0), (0.0, -5.0), 3, 10, ""),
)


def scenario_of(problem: Problem, maps: Path, folder: Path, seed: int) -> ScenarioTable:
    """Return the scenario of a problem; writes what it needs to a folder.

    Their ground is (x, z) with y up: here x stays, and y is -z.
    """
    body = Model()
    body.add("body", "#c8b890", turned([(0.15, 0.05), (0.38, 0.3), (0.38, 0.6), (0.2, 0.85)], 10))
    body.write(folder / "body.glb")
    kinds = {"flock": (0.7, 2.5, 15.0), "shepherd": (4.0, 12.0, 15.0)}
    for name, (cruise, top, force) in kinds.items():
        text = CHARACTER.format(cruise=cruise, top=top, force=force)
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    x0, x1, z0, z1 = problem.bounds
    text = SCENARIO.format(
        mesh=(maps / problem.mesh).resolve(), bounds=(x0, x1, -z1, -z0),
        place=_turned(problem.place), flock=_turned(problem.flock),
        shepherds=_turned(problem.shepherds), goal=_turned(problem.goal),
        members=problem.members, count=problem.count,
    )  # fmt: skip
    path = folder / "map.toml"
    path.write_text(text, encoding="utf-8")
    return load(str(path), seed=seed)


def run_map(
    problem: Problem, scenario: ScenarioTable, recording_path: Path
) -> tuple[Simulation, int]:
    """Simulate with starts drawn as theirs; return it, and how many starts were drawn again."""
    scene, plans = plan_groups(scenario)
    simulation = Simulation.of(scenario, (scene, plans))
    assert isinstance(plans[0], GroupPlan)
    assert isinstance(plans[0].space, GroundSpace)
    places, redrawn = _starts(problem, plans[0], np.random.default_rng([scenario.seed, 77]))
    position, face = plans[0].space.surface.locate(places, 0.1, 0.1)
    simulation.flock = simulation.flock.moved(position=position, face=face)
    header = header_of(simulation)
    with RecordingWriter(recording_path, header) as recording:
        for frame in simulation:
            frame.write(recording)
    return simulation, redrawn


def _starts(problem: Problem, plan: GroupPlan, rng: np.random.Generator) -> tuple[Float, int]:
    """Return places (flock, then shepherds; 3), and how many were drawn again.

    Normal deviates on each axis, drawn again while they hit a wall or another body, are out of
    bounds, or are walled off from the goal, where no shepherd could do anything.
    """
    space, roadmap = plan.space, plan.plan.roadmap
    main = roadmap.component == np.bincount(roadmap.component).argmax()
    hubs = roadmap.configurations[main]
    places: list[Float] = []
    redrawn = 0
    for center, count in ((problem.flock, problem.members), (problem.shepherds, problem.count)):
        for _ in range(count):
            while True:
                point = np.append(_turned(center) + center[2] * rng.normal(size=2), 0.0)
                apart = min((float(np.linalg.norm(point - p)) for p in places), default=9.0)
                near = hubs[np.argsort(np.linalg.norm(hubs - point, axis=1))[:24]]
                if (
                    apart > 2.0 * RADIUS + 0.1
                    and space.is_free(point[None])[0]
                    and space.world.motions_are_free(np.tile(point, (len(near), 1)), near).any()
                ):
                    break
                redrawn += 1
            places.append(point)
    return np.array(places), redrawn


def _turned(place: tuple[float, ...]) -> Float:
    return np.array([place[0], -place[1]])


def map_rows(maps: Path, seeds: int) -> list[Row]:
    """Run every problem with every seed, one after the other; return what came of each."""
    rows = []
    for seed in range(seeds):
        for problem in PROBLEMS:
            rows.append(_map_row(problem, maps, seed))
            print(f"\r{len(rows)}/{seeds * len(PROBLEMS)}", end="", file=sys.stderr)
    return rows


def _map_row(problem: Problem, maps: Path, seed: int) -> Row:
    """Run and verify once."""
    row: Row = {"problem": problem, "seed": seed, "good": False}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "run.rmp3d"
        began = process_time()
        try:
            scenario = scenario_of(problem, maps, Path(name), seed)
            simulation, redrawn = run_map(problem, scenario, path)
        except Rmp3dError as error:
            return row | {"reason": str(error)}
        took = process_time() - began
        with RecordingReader.open(path) as recording:
            findings = [each for each in verify(recording).findings if each.kind != "not_arrived"]
    steps, inside = simulation.frames - 1, simulation.runs[0].figures["in_goal"]
    shepherds = simulation.runs[1].figures
    reason = f"{inside} in the goal" + "".join(f"; {each.text}" for each in findings[:3])
    return row | {
        "good": inside == problem.members and not findings,
        "reason": reason,
        "steps": steps,
        "fetched": shepherds["strays_fetched"],
        "driven": shepherds["distance_driven"],
        "redrawn": redrawn,
        "milliseconds": 1e3 * took / max(steps, 1),
    }


def map_page(rows: Sequence[Row], seeds: int) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Herding on third-party maps, beside their own simulator"
    yield ""
    yield f"Made by `rmp3d bench herding --maps FOLDER --seeds {seeds}`; {machine()}."
    yield "At most 15,000 steps of 0.05 s; bodies, starts, goals and largest speeds as there. Flock"
    yield "and shepherds are those of this project; starts in places that walls cut off"
    yield "from the goal are drawn again. Theirs: measured with that simulator, 20 seeds;"
    yield "its medians are 2,200 to 4,200 steps (filter) and 1,700 to 3,100 (spiral)."
    yield ""
    yield (
        "| map | flock | shepherds | success | theirs | steps | strays fetched | driven [m] "
        "| a step [ms] |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for problem in PROBLEMS:
        own = [row for row in rows if row["problem"] is problem]
        good = [row for row in own if row["good"]]
        numbers = [
            f"{median(row[name] for row in good):,.{digits}f}" if good else ""
            for name, digits in (("steps", 0), ("fetched", 0), ("driven", 0), ("milliseconds", 1))
        ]
        cells = [problem.name, problem.members, problem.count, f"{len(good)}/{len(own)}"]
        yield "| " + " | ".join(map(str, [*cells, problem.theirs, *numbers])) + " |"
    failed = [row for row in rows if not row["good"]]
    yield from ["", f"{len(rows) - len(failed)} of {len(rows)} runs succeeded."]
    for row in failed:
        name = f"{row['problem'].name}, {row['problem'].members}"
        yield f"- {name}, seed {row['seed']}: {row['reason']}"
