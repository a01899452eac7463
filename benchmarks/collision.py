"""Compiled collision checks against python-fcl in a loop; proved edges against stepped ones."""

from collections.abc import Iterator
from time import perf_counter

import fcl
import numpy as np

from benchmarks.dense_check import DenseCheck
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rigid_motion import FREE
from rmp3d.planner.problems.measures import mesh_model
from rmp3d.scenes.build.shapes import blob, box
from rmp3d.scenes.problems.rigid_problem import RigidProblem

CHECKS, LOOP, EDGES = 20_000, 4_000, 1_000


def report(problems: dict[str, RigidProblem]) -> Iterator[str]:
    """Yield the two tables over the problems and a field of boulders."""
    scenes: dict[str, tuple[TriangleMesh, TriangleMesh | None, Float]]
    scenes = {name: (p.robot, p.obstacles, p.bounds) for name, p in problems.items()}
    scenes["boulders"] = _boulders()
    yield "## Validity checks per second, batched, against python-fcl in a loop"
    yield ""
    yield f"{CHECKS:,} random configurations in the bounds; python-fcl the first {LOOP:,} of them."
    yield ""
    yield "| scene | triangles | ours [1/s] | python-fcl [1/s] | ratio | disagreements |"
    yield "|---|---|---|---|---|---|"
    for name, (robot, obstacles, bounds) in scenes.items():
        assert obstacles is not None
        yield _speed_row(name, robot, obstacles, bounds)
    yield ""
    yield "## Proved edges against edges stepped at OMPL's resolution"
    yield ""
    yield f"{EDGES:,} random motions between free configurations. Wrong: motions that the steps"
    yield "passed but that collide at 50 times the resolution; proved ones are looked at likewise."
    yield ""
    yield "Box and triangle pairs: looked at for a motion that is proved or refused, on average."
    yield ""
    yield (
        "| scene | stepped: passed | of those wrong | proved free | of those wrong "
        "| box pairs | triangle pairs |"
    )
    yield "|---|---|---|---|---|---|---|"
    for problem in problems.values():
        yield _edge_row(problem)
    yield ""


def _speed_row(name: str, robot: TriangleMesh, obstacles: TriangleMesh, bounds: Float) -> str:
    pair = MeshPair(robot, obstacles)
    rows = _random(bounds, CHECKS, np.random.default_rng(0))
    pair.collide(rows[:1])
    began = perf_counter()
    ours = pair.collide(rows)
    speed = CHECKS / (perf_counter() - began)
    theirs, seconds = _loop(robot, obstacles, rows[:LOOP])
    loop_speed = LOOP / seconds
    wrong = int((ours[:LOOP] != theirs).sum())
    count = f"{len(robot.faces):,} / {len(obstacles.faces):,}"
    cells = f"{speed:,.0f} | {loop_speed:,.0f} | {speed / loop_speed:.1f} | {wrong}"
    return f"| {name} | {count} | {cells} |"


def _loop(robot: TriangleMesh, obstacles: TriangleMesh, rows: Float) -> tuple[Bool, float]:
    """Return python-fcl's verdicts and the seconds they took; meshes are loaded before."""
    world = fcl.CollisionObject(mesh_model(obstacles))
    body = fcl.CollisionObject(mesh_model(robot))
    request = fcl.CollisionRequest()
    touching = np.empty(len(rows), np.bool_)
    began = perf_counter()
    for i, row in enumerate(rows):
        body.setTransform(fcl.Transform(row[3:], row[:3]))
        touching[i] = fcl.collide(body, world, request, fcl.CollisionResult()) > 0
    return touching, perf_counter() - began


def _edge_row(problem: RigidProblem) -> str:
    assert problem.obstacles is not None
    rng = np.random.default_rng(1)
    pair = MeshPair(problem.robot, problem.obstacles)
    starts = _random(problem.bounds, 20 * EDGES, rng)
    starts = starts[~pair.collide(starts)]
    ends = starts.copy()
    diagonal = float(np.linalg.norm(problem.bounds[1] - problem.bounds[0]))
    ends[:, :3] += rng.normal(scale=0.05 * diagonal, size=(len(ends), 3))
    ends[:, 3:] += rng.normal(scale=0.3, size=(len(ends), 4))
    ends[:, 3:] /= np.linalg.norm(ends[:, 3:], axis=1, keepdims=True)
    kept = np.flatnonzero(~pair.collide(ends))[:EDGES]
    starts, ends = starts[kept], ends[kept]
    coarse, fine = DenseCheck(problem, 1), DenseCheck(problem)
    stepped = np.array([not coarse.edge_collides(*edge) for edge in zip(starts, ends, strict=True)])
    proved = pair.certify(starts, ends)[0] == FREE
    boxes, triangles = pair.work / len(starts)
    wrong = np.zeros(len(starts), np.bool_)
    for i in np.flatnonzero(stepped | proved):
        wrong[i] = fine.edge_collides(starts[i], ends[i])
    return (
        f"| {problem.name} | {stepped.sum()} | {(stepped & wrong).sum()} "
        f"| {proved.sum()} | {(proved & wrong).sum()} | {boxes:,.0f} | {triangles:,.1f} |"
    )


def _random(bounds: Float, count: int, rng: np.random.Generator) -> Float:
    rows = np.empty((count, 7))
    rows[:, :3] = rng.uniform(bounds[0], bounds[1], (count, 3))
    rows[:, 3:] = rng.normal(size=(count, 4))
    rows[:, 3:] /= np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    return rows


def _boulders() -> tuple[TriangleMesh, TriangleMesh, Float]:
    """Return a beam among 225 boulders of 80 triangles each."""
    rng = np.random.default_rng(2)
    bounds = np.array([[0.0, 0, 0], [20, 20, 20]])
    rocks = [blob(rng.uniform(0, 20, 3), rng.uniform(0.4, 1.0, 3), rng) for _ in range(225)]
    return box((-1.5, -0.2, -0.2), (1.5, 0.2, 0.2)), join(rocks), bounds
