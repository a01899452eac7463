"""`rmp3d plan` with problem files: what it prints, its exit codes, its errors."""

import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import trimesh

from geometry.mesh import TriangleMesh
from planner.collision import QueryCounts
from rmp3d import cli
from scenes.formats import byu
from scenes.problems import ompl_app, pmpl
from scenes.problems.ompl_app import OmplProblem
from scenes.problems.pmpl import Environment, PlacedBody, RobotBody

FIELDS = {
    "scenario", "space", "seed", "solved", "certified", "reason", "path", "length",
    "clearance_min", "nodes", "edges", "components", "largest_component", "queries", "seconds",
}  # fmt: skip


@pytest.fixture
def rmp3d(capfd):
    def run(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def solver(monkeypatch):
    """A planner that answers with a straight line, or not at all, and remembers the question."""
    asked = SimpleNamespace(solved=True, reason="time limit reached")

    def solve(problem, *, seed, time_limit, progress=None):
        asked.problem, asked.seed, asked.time_limit = problem, seed, time_limit
        return SimpleNamespace(
            solved=asked.solved,
            reason="" if asked.solved else asked.reason,
            path=np.array([problem.start, problem.goal]) if asked.solved else np.empty((0, 7)),
            certified=asked.solved,
            nodes=2,
            edges=1,
            components=1,
            largest_component=2,
            counts=QueryCounts(5, 6),
            judge_counts=QueryCounts(10, 20),
            seconds={"setup": 1.0, "search": 0.5, "shorten": 0.25, "confirm": 0.125},
        )

    fake = ModuleType("planner.rigid")
    fake.solve = solve
    monkeypatch.setitem(sys.modules, "planner.rigid", fake)
    return asked


def cuboid(extents):
    made = trimesh.creation.box(extents=extents)
    return TriangleMesh(made.vertices, made.faces)


@pytest.fixture
def room(tmp_path):
    byu.write(tmp_path / "wall.g", cuboid((1, 4, 4)))
    byu.write(tmp_path / "crate.g", cuboid((1, 1, 1)))
    wall = PlacedBody("wall.g", (0.0, 0.0, 0.0))
    boundary = ((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0))
    pmpl.write_environment(tmp_path / "room.env", Environment(boundary, (wall,)))
    pmpl.write_robot(tmp_path / "room.robot", RobotBody("crate.g", False, True))
    pmpl.write_query(tmp_path / "room.query", (-4, 5, 0, 0, 0, 0), (4, 5, 0, 0, 0, 0.5))
    return tmp_path / "room.env"


def test_an_environment_is_solved_in_its_own_coordinates(rmp3d, solver, room):
    code, out, err = rmp3d("plan", room, "--json", "--time-limit", "3", "--seed", "7")
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert set(facts) == FIELDS
    assert (solver.seed, solver.time_limit) == (7, 3.0)
    assert (facts["scenario"], facts["space"], facts["seed"]) == ("room", "rigid", 7)
    assert facts["solved"] is True
    assert facts["certified"] is True
    assert facts["reason"] is None
    assert facts["path"][0] == pytest.approx([-4, 5, 0, 1, 0, 0, 0])
    assert facts["path"][1] == pytest.approx([4, 5, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    assert facts["length"] == pytest.approx(8 + np.sqrt(0.75) * np.pi / 2)
    assert facts["clearance_min"] == pytest.approx(3 - np.sqrt(0.5), abs=0.01)
    assert facts["queries"] == {"collision": 15, "distance": 26}
    assert set(facts["seconds"]) == {"load", "build", "query", "total"}
    assert facts["seconds"]["load"] > 1.0
    assert (facts["seconds"]["build"], facts["seconds"]["query"]) == (0.5, 0.375)


def test_a_body_that_does_not_turn_has_rows_of_three(rmp3d, solver, room):
    robot, query = room.parent / "still.robot", room.parent / "still.query"
    pmpl.write_robot(robot, RobotBody("crate.g", False, False))
    pmpl.write_query(query, (-4, 5, 0), (4, 5, 1))
    code, out, _ = rmp3d("plan", room, "--json", "--robot", robot, "--query", query)
    assert code == 0
    assert json.loads(out)["path"] == [[-4, 5, 0], [4, 5, 1]]
    assert json.loads(out)["space"] == "translation"


def test_an_ompl_problem_and_the_time_limit_of_its_file(rmp3d, solver, tmp_path):
    trimesh.creation.box(extents=(2, 2, 2)).export(tmp_path / "robot.dae")
    trimesh.creation.box(extents=(1, 9, 9)).export(tmp_path / "world.dae")
    start, goal = np.array([-4.0, 0, 0, 1, 0, 0, 0]), np.array([4.0, 9, 0, 0, 1, 0, 0])
    problem = OmplProblem("two", "robot.dae", "world.dae", start, goal, time_limit=11.0)
    ompl_app.write(tmp_path / "two.cfg", problem)
    code, out, _ = rmp3d("plan", tmp_path / "two.cfg", "--json")
    assert code == 0
    assert solver.time_limit == 11.0
    assert json.loads(out)["path"][1] == pytest.approx(goal.tolist())
    code, out, err = rmp3d("plan", tmp_path / "two.cfg", "--time-limit", "2")
    assert solver.time_limit == 2.0
    assert "two: solved, certified and confirmed by python-fcl" in out
    assert err == ""


def test_without_a_path_the_exit_code_is_one_and_the_reason_is_said(rmp3d, solver, room):
    solver.solved = False
    code, out, _ = rmp3d("plan", room, "--json")
    facts = json.loads(out)
    assert code == 1
    assert set(facts) == FIELDS
    assert facts["solved"] is False
    assert facts["reason"] == "time limit reached"
    assert facts["path"] == []
    assert facts["length"] is None
    code, out, _ = rmp3d("plan", room)
    assert code == 1
    assert "room: not solved: time limit reached" in out


def test_an_interrupted_search_still_states_what_it_has(rmp3d, solver, room):
    solver.solved, solver.reason = False, "interrupted"
    code, out, _ = rmp3d("plan", room, "--json")
    assert code == 130
    assert json.loads(out)["nodes"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.env"], "none.env: no such file"),
        (["none.cfg"], "none.cfg: no such file"),
        (["room.env", "--robot", "none.robot"], "none.robot: no such file"),
        (["room.env", "--query", "none.query"], "none.query: no such file"),
        (["room.env", "--members", "3"], "--members means nothing for a problem file"),
        (["room.env", "--set", "planner.nodes=3"], "--set means nothing"),
        (["room.env", "-o", "map.png"], "--output means nothing"),
        (["room.env", "--time-limit", "0"], "--time-limit must be above 0"),
        (["room.env", "--seed", "-1"], "--seed must not be negative"),
        (["parking", "--query", "room.query"], "--query and --robot are for an .env problem"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(
    rmp3d, solver, room, monkeypatch, arguments, message
):
    monkeypatch.chdir(room.parent)
    code, out, err = rmp3d("plan", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_broken_line_is_named(rmp3d, solver, room):
    room.write_text(room.read_text().replace("0.0 0.0 0.0", "0.0 here 0.0", 1))
    code, _, err = rmp3d("plan", room)
    assert code == 2
    assert "room.env: line 7: `wall.g`: y should be a number, not `here`" in err


def test_the_real_planner_goes_around_the_wall(rmp3d, room):
    pmpl.write_query(room.parent / "room.query", (-4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0.5))
    code, out, _ = rmp3d("plan", room, "--json", "--time-limit", "30")
    facts = json.loads(out)
    assert code == 0
    assert facts["certified"] is True
    assert facts["path"][0] == pytest.approx([-4, 0, 0, 1, 0, 0, 0])
    assert facts["path"][-1] == pytest.approx([4, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    assert len(facts["path"]) > 2
    assert facts["clearance_min"] > 0.0
    assert rmp3d("plan", room, "--json")[1].split('"seconds"')[0] == out.split('"seconds"')[0]


def test_a_start_in_collision_is_said(rmp3d, room):
    pmpl.write_query(room.parent / "room.query", (0, 0, 0, 0, 0, 0), (4, 5, 0, 0, 0, 0.5))
    code, out, _ = rmp3d("plan", room, "--json")
    assert code == 1
    assert json.loads(out)["reason"] == "the start is in collision"
