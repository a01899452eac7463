"""Files of results: what `rmp3d plan --json` prints, and `rmp3d plan -o FILE.json` writes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.planner import Problem
from rmp3d.plans.asking import problem_of_group, watched_scenario
from rmp3d.plans.body_plan import BodyPlan, WatchedPlan, seen_body
from rmp3d.scenario import Scenario
from rmp3d.scenario.loading import from_table
from rmp3d.scenes.problems.rigid_problem import FARTHEST
from rmp3d.simulation.planning import prepare

LARGEST = 256 * 2**20
"""Bytes of a file."""

Rows = list[list[float]]


class SavedProblem(msgspec.Struct, forbid_unknown_fields=True):
    """What was planned: a problem file with its stops, or a scenario."""

    file: str = ""
    robot: str | None = None
    query: str | None = None
    stops: Rows = []
    scenario: dict[str, Any] | None = None


class SavedRoadmap(msgspec.Struct, forbid_unknown_fields=True):
    """Positions of nodes, edges between them, and the samples in collision."""

    nodes: Rows = []
    edges: list[tuple[int, int]] = []
    rejected: Rows = []


class SavedWay(msgspec.Struct):
    """One of several paths: of different classes, or none better than another in all costs."""

    path: Rows
    length: float


class SavedAnswer(msgspec.Struct, kw_only=True):
    """A path, and what is shown of it and of its roadmap."""

    space: str | None = None
    path: Rows = []
    length: float | None = None
    clearance_min: float | None = None
    nodes: int | None = None
    edges: int | None = None
    components: int | None = None
    largest_component: int | None = None
    queries: dict[str, int] | None = None
    alternatives: list[SavedWay] = []
    tradeoffs: list[SavedWay] = []


class SavedGroup(SavedAnswer, kw_only=True):
    """The answer for one group of a scenario."""

    name: str


class SavedPlan(SavedAnswer, kw_only=True):
    """A whole file; other keys are not looked at."""

    problem: SavedProblem
    scenario: str
    seed: int
    solved: bool
    reason: str | None = None
    seconds: dict[str, float | None] | None = None
    groups: list[SavedGroup] = []
    roadmaps: list[SavedRoadmap] = []


def load_plan(path: Path) -> WatchedPlan:
    """Read a file of a result; its path is the one of the file, its space is made anew.

    Raises:
        InputError: It is no such file, is damaged, or what it was planned in is gone.
    """
    data = read_input(path, LARGEST)
    try:
        text = data.decode()
        saved = msgspec.json.decode(text, type=SavedPlan)
        facts = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        cause = error if isinstance(error, msgspec.MsgspecError) else plain_cause(error)
        raise InputError(
            f"{path}: not a result of `rmp3d plan` ({cause}); `rmp3d plan TARGET -o FILE.json` "
            "writes one"
        ) from None
    facts = {key: value for key, value in facts.items() if key not in ("problem", "roadmaps")}
    if saved.problem.scenario is not None:
        return _of_scenario(path, saved, facts)
    return _of_problem(path, saved, facts)


def _of_problem(path: Path, saved: SavedPlan, facts: dict[str, Any]) -> WatchedPlan:
    from rmp3d.planner.problems.files import read_problem

    asked = saved.problem
    files = {
        "robot": _there(path, asked.robot) if asked.robot else None,
        "query": _there(path, asked.query) if asked.query else None,
    }
    file = read_problem(_there(path, asked.file), **files)
    stops = _rows(path, "problem.stops", asked.stops, (7,))
    if len(stops) < 2:
        raise InputError(f"{path}: `problem.stops` must be start and goal, got {len(stops)} rows")
    problem = Problem.of_rigid(file.problem, stops)
    turned = problem.space.place(stops[0])[3:]
    rows = _turned(_rows(path, "path", saved.path, (3, 7)), turned)
    ways = {
        key: tuple(_turned(each, turned) for each in _ways(path, key, getattr(saved, key), (3, 7)))
        for key in ("alternatives", "tradeoffs")
    }
    body = BodyPlan(
        name=saved.scenario, problem=problem, character=seen_body(problem), configurations=rows,
        reason=_reason(saved, rows), facts=facts, others=ways["alternatives"][1:],
        tradeoffs=ways["tradeoffs"], **_roadmap(path, saved, 0),
    )  # fmt: skip
    title = f"{saved.scenario}, seed {saved.seed}"
    return WatchedPlan(
        title=title, scene=problem.space.world.scene, bodies=tuple(body.ways()), facts=facts
    )


def _of_scenario(path: Path, saved: SavedPlan, facts: dict[str, Any]) -> WatchedPlan:
    table = from_table(saved.problem.scenario or {}, f"{path}: `problem.scenario`")
    scenario = Scenario.of(table)
    answers = {group.name: row for row, group in enumerate(saved.groups)}
    bodies = []
    for row, group in enumerate(table.groups):
        if group.goal is None:
            continue
        problem = problem_of_group(prepare(scenario, scenario.scene, row, headed=True), scenario)
        own = answers.get(group.name)
        stated: Rows = [] if own is None else saved.groups[own].path
        where = f"groups[{own}].path"
        width = (problem.space.width,)
        rows = _rows(path, where, stated, width)
        ways: dict[str, list[Float]] = {"alternatives": [], "tradeoffs": []}
        if own is not None:
            ways = {
                key: _ways(path, f"groups[{own}].{key}", getattr(saved.groups[own], key), width)
                for key in ways
            }
        bodies.append(
            BodyPlan(
                name=group.name, problem=problem, character=seen_body(problem),
                configurations=rows, reason=_reason(saved, rows),
                facts={} if own is None else facts["groups"][own],
                others=tuple(ways["alternatives"][1:]),
                tradeoffs=tuple(ways["tradeoffs"]),
                **({} if own is None else _roadmap(path, saved, own)),
            )
        )  # fmt: skip
    return watched_scenario(scenario, bodies)


def _reason(saved: SavedPlan, rows: Float) -> str:
    return "" if len(rows) else saved.reason or "the file has no path"


def _roadmap(path: Path, saved: SavedPlan, row: int) -> dict[str, Any]:
    """Return nodes, edges and rejected samples of one of the roadmaps, if there is one."""
    if row >= len(saved.roadmaps):
        return {}
    roadmap, where = saved.roadmaps[row], f"roadmaps[{row}]"
    nodes = _rows(path, f"{where}.nodes", roadmap.nodes, (3,))
    edges = np.array(roadmap.edges, np.intp).reshape(-1, 2)
    if len(edges) and not (0 <= edges.min() and edges.max() < len(nodes)):
        raise InputError(
            f"{path}: `{where}.edges` has {edges.min()} to {edges.max()}; there are {len(nodes)} "
            "nodes, counted from 0"
        )
    rejected = _rows(path, f"{where}.rejected", roadmap.rejected, (3,))
    return {"nodes": nodes, "edges": edges, "rejected": lambda: rejected}


def _rows(path: Path, key: str, rows: Rows, widths: Sequence[int]) -> Float:
    """Return rows of numbers as an array (K, W).

    Raises:
        InputError: They have other lengths, or numbers are not finite.
    """
    if not rows:
        return np.zeros((0, widths[-1]))
    width = len(rows[0])
    wrong = next((row for row, values in enumerate(rows) if len(values) != width), 0)
    array = np.array(rows) if len(rows[wrong]) == width else np.full((1, width), np.nan)
    if width not in widths or not np.isfinite(array).all():
        wanted = " or ".join(str(each) for each in widths)
        raise InputError(f"{path}: `{key}[{wrong}]` must be {wanted} finite numbers")
    far = np.flatnonzero((np.abs(array) > FARTHEST).any(axis=1))
    if len(far):
        raise InputError(f"{path}: `{key}[{far[0]}]` has a number beyond {FARTHEST:g}")
    if width == 7 and not (np.linalg.norm(array[:, 3:], axis=1) > 1e-9).all():
        raise InputError(f"{path}: `{key}` has a quaternion without length")
    if width == 7:
        array[:, 3:] /= np.linalg.norm(array[:, 3:], axis=1, keepdims=True)
    return array


def _ways(path: Path, key: str, ways: list[SavedWay], widths: Sequence[int]) -> list[Float]:
    """Return the paths (K, W) of several ways; the first alternative is the path itself."""
    return [_rows(path, f"{key}[{row}].path", way.path, widths) for row, way in enumerate(ways)]


def _turned(rows: Float, quaternion_wxyz: Float) -> Float:
    """Return rows (K, 7) of rows (K, 3), which are all turned alike; rows (K, 7) as they are."""
    if rows.shape[1] == 7:
        return rows
    return np.hstack([rows, np.tile(quaternion_wxyz, (len(rows), 1))])


def _there(path: Path, named: str) -> Path:
    """Return a file that a result names; if it is gone, the one of its name beside the result.

    Raises:
        InputError: Neither is there.
    """
    for found in (Path(named), path.parent / Path(named).name):
        if named and found.is_file():
            return found
    raise InputError(
        f"{path}: the problem file `{named}` that was planned is gone, and there is none of its "
        "name beside the result"
    )
