"""`rmp3d plan` with problem files: what it prints, its exit codes, its errors."""

import json
import signal
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
import trimesh

from rmp3d import cli
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.optimizing.settings import Improved
from rmp3d.planner.planners import PLANNERS, plan
from rmp3d.planner.planners.verdict import FCL, INTERVALS, Verdict
from rmp3d.planner.problems.files import read_problem
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import ompl_app, pmpl
from rmp3d.scenes.problems.ompl_app import OmplProblem
from rmp3d.scenes.problems.pmpl import PlacedBody, PmplEnvironment, RobotBody
from rmp3d.simulation import planning  # noqa: F401  loaded before `solver` changes `plan`
from rmp3d.terminal.interruption import ENDINGS

FIELDS = {
    "scenario", "space", "seed", "solved", "certified", "confirmed_by", "reason", "path", "length",
    "clearance_min", "nodes", "edges", "components", "largest_component", "queries", "seconds",
    "problem",
}  # fmt: skip


@pytest.fixture
def kept_signals():
    """What signals do is as before after the test: a process that ends ignores them."""
    before = {number: signal.getsignal(number) for number in ENDINGS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


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

    def stub(problem, *, planner, roadmap, seed, time_limit, **rest):
        if planner != "sliding_trees" or roadmap is not None:
            given = {"planner": planner, "roadmap": roadmap, "seed": seed}
            return plan(problem, time_limit=time_limit, **given, **rest)
        asked.problem, asked.seed, asked.time_limit = problem, seed, time_limit
        ends = np.array([problem.start, problem.goal])
        return SimpleNamespace(
            solved=asked.solved,
            reason="" if asked.solved else asked.reason,
            configurations=ends if asked.solved else np.empty((0, 7)),
            certified=asked.solved,
            nodes=2,
            edges=1,
            components=1,
            largest_component=2,
            counts=QueryCounts(5, 6),
            judge_counts=QueryCounts(10, 20),
            improved=Improved(),
            improvements=(),
            problem=problem,
            verdicts=(Verdict(FCL), Verdict(INTERVALS)) if asked.solved else (),
            seconds={"setup": 1.0, "search": 0.5, "shorten": 0.25, "confirm": 0.125},
        )

    monkeypatch.setattr("rmp3d.planner.planners.plan", stub)
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
    pmpl.write_environment(tmp_path / "room.env", PmplEnvironment(boundary, (wall,)))
    pmpl.write_robot(tmp_path / "room.robot", RobotBody("crate.g", False, True))
    pmpl.write_query(tmp_path / "room.query", (-4, 5, 0, 0, 0, 0), (4, 5, 0, 0, 0, 0.5))
    return tmp_path / "room.env"


def test_an_environment_is_solved_in_its_own_coordinates(rmp3d, solver, room):
    code, out, err = rmp3d("plan", room, "--json", "--time-limit", "900", "--seed", "7")
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert set(facts) == FIELDS
    assert solver.seed == 7
    assert 10.0 < solver.time_limit <= 900.0
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


@pytest.mark.usefixtures("kept_signals")
def test_the_start_of_python_is_part_of_the_time_limit(solver, room, monkeypatch, capfd):
    monkeypatch.setattr("rmp3d.cli.seconds_since_start", lambda: 50.0)
    monkeypatch.setattr("sys.argv", ["rmp3d", "plan", str(room), "--json", "--time-limit", "900"])
    assert cli.main() == 0
    assert 10.0 < solver.time_limit <= 850.0
    assert json.loads(capfd.readouterr().out)["seconds"]["total"] >= 50.0


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
    problem = OmplProblem("two", "robot.dae", "world.dae", start, goal, time_limit=1100.0)
    ompl_app.write(tmp_path / "two.cfg", problem)
    code, out, _ = rmp3d("plan", tmp_path / "two.cfg", "--json")
    assert code == 0
    assert 600.0 < solver.time_limit <= 1100.0
    assert json.loads(out)["path"][1] == pytest.approx(goal.tolist())
    code, out, err = rmp3d("plan", tmp_path / "two.cfg", "--time-limit", "600")
    assert 2.0 < solver.time_limit <= 600.0
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
        (["room.env", "--profile", "p.png"], "--profile means nothing for a problem file"),
        (["room.env", "--set", "groups.0.members=3"], "--set groups: a problem file has only"),
        (["room.env", "--set", "planner.nodos=3"], "`planner.nodos`: unknown key"),
        (["room.env", "--set", "planner.space=ground"], "says itself what is free to move"),
        (["room.env", "--set", "planner.nodes=0"], "one of `nodes`, `connected_nodes`"),
        (["room.env", "--set", "planner.sampler=hal"], "no sampler named `hal`"),
        (["room.env", "--set", "planner.backend=fcl"], "ask for a roadmap"),
        (["room.env", "--goal", "1", "2"], "--goal must be x y z, or x y z qw qx qy qz"),
        (["room.env", "--start", "1", "2", "3", "0", "0", "0", "0"], "has no length"),
        (["room.env", "--load", "none.roadmap"], "none.roadmap: no such file"),
        (["parking", "--goal", "1", "2"], "--goal must be x y z [m]"),
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
    code, out, _ = rmp3d("plan", room, "--json", "--time-limit", "600")
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


def judged(problem_file, facts):
    """Whether python-fcl alone finds every motion of the path free."""
    space = RigidBodySpace.of_problem(read_problem(problem_file).problem, "fcl")
    path = np.array(facts["path"])
    return space.world.judge.first_refused(path) < 0


@pytest.fixture
def wall(room):
    """The room, with the way straight through the wall asked for."""
    pmpl.write_query(room.parent / "room.query", (-4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0.5))
    return room


CLASSIC = ("--set", "planner.nodes=60")


@pytest.mark.parametrize("name", ["sliding_trees", "prm", "prm_with_trees"])
def test_a_name_chooses_the_planner(rmp3d, room, monkeypatch, name):
    asked = []

    def remembered(problem, *, planner, **rest):
        asked.append(plan(problem, planner=planner, **rest))
        return asked[0]

    monkeypatch.setattr("rmp3d.planner.planners.plan", remembered)
    code, out, err = rmp3d("plan", room, "--json", "--set", f"planner.planner={name}")
    assert (code, err) == (0, "")
    assert json.loads(out)["certified"] is True
    assert PLANNERS[name] is type(asked[0].planner)


@pytest.mark.parametrize("target", ["room.env", "parking"])
def test_an_unknown_planner_is_refused_with_the_nearest_name(rmp3d, room, target):
    target = room if target == room.name else target
    code, out, err = rmp3d("plan", target, "--set", "planner.planner=sliding_tres")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "`planner.planner`: no planner named `sliding_tres`" in err
    assert "did you mean `sliding_trees`?" in err


@pytest.mark.parametrize("name", ["sliding_trees", "prm_with_trees"])
def test_a_planner_of_another_space_is_refused(rmp3d, name):
    code, out, err = rmp3d("plan", "parking", "--set", f"planner.planner={name}")
    assert (code, out) == (2, "")
    assert f"the planner `{name}` plans in the space `rigid` only" in err
    assert "in the space `ground` take the planner `prm`" in err


def test_a_planner_that_python_fcl_cannot_serve_is_refused(rmp3d, room):
    fcl = ("--set", "planner.backend=fcl", "--set", "planner.planner=sliding_trees")
    code, out, err = rmp3d("plan", room, *fcl)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "with `fcl`, ask for a roadmap" in err


def test_the_reason_names_the_time_limit_and_what_compiling_took(rmp3d, wall, monkeypatch):
    byu.write(wall.parent / "wall.g", cuboid((1, 30, 30)))
    short = ("--set", "planner.nodes=1000000", "--time-limit", "0.2")
    for clock in ([0.0], [0.0, 5.0]):  # when the leg begins, and when the limit ends it
        seconds = iter(clock)
        monkeypatch.setattr(
            "rmp3d.planner.planners.planner.compiling_seconds",
            lambda seconds=seconds, last=clock[-1]: next(seconds, last),
        )
        reason = json.loads(rmp3d("plan", wall, "--json", *short)[1])["reason"]
        assert reason.startswith("no path found within 0.")
        assert ("of the roadmap's" in reason) == (clock == [0.0])
    assert reason.endswith("s compiled the kernels; run it again")


@pytest.mark.slow
def test_a_probabilistic_roadmap_on_request(rmp3d, wall):
    code, out, err = rmp3d("plan", wall, "--json", *CLASSIC)
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert set(facts) == FIELDS
    assert facts["certified"] is True
    assert facts["nodes"] >= 60
    assert len(facts["path"]) > 2
    assert judged(wall, facts)
    assert (
        rmp3d("plan", wall, "--json", *CLASSIC)[1].split('"seconds"')[0]
        == (out.split('"seconds"')[0])
    )


@pytest.mark.slow
@pytest.mark.parametrize("classic", [CLASSIC, ()])
def test_a_saved_roadmap_answers_other_questions(rmp3d, wall, tmp_path, classic):
    files = [tmp_path / name for name in ("a.roadmap", "b.roadmap", "c.roadmap")]
    for file in files[:2]:
        code, out, _ = rmp3d("plan", wall, "--json", "--save", file, *classic)
        assert code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    first = json.loads(out)
    goal = ("--goal", "5", "-3", "2", "0", "0", "0", "1")
    code, out, err = rmp3d("plan", wall, "--json", "--load", files[0], *goal, "--save", files[2])
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["path"][-1] == pytest.approx([5, -3, 2, 0, 0, 0, 1])
    assert facts["nodes"] >= first["nodes"]
    assert judged(wall, facts)
    code, out, _ = rmp3d("plan", wall, "--json", "--load", files[2], *goal, *CLASSIC)
    assert (code, json.loads(out)["nodes"]) == (0, max(60, facts["nodes"]))


@pytest.mark.slow
def test_a_roadmap_of_another_problem_is_bad_input(rmp3d, wall, tmp_path):
    file = tmp_path / "room.roadmap"
    assert rmp3d("plan", wall, "-q", "--save", file, *CLASSIC)[0] == 0
    byu.write(wall.parent / "crate.g", cuboid((1, 1, 2)))
    code, _, err = rmp3d("plan", wall, "--load", file)
    assert code == 2
    assert "a roadmap of another" in err
    byu.write(wall.parent / "crate.g", cuboid((1, 1, 1)))
    byu.write(wall.parent / "wall.g", cuboid((1, 4, 5)))
    code, _, err = rmp3d("plan", wall, "--load", file)
    assert (code, err.count("\n")) == (2, 1)
    assert "a roadmap of another scene" in err
    code, _, err = rmp3d("plan", "parking", "--load", file)
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.slow
def test_all_configurations_of_a_query_are_visited(rmp3d, wall):
    stops = [(-4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0.5), (-4, 0, 3, 0, 0, 0)]
    pmpl.write_query(wall.parent / "room.query", *stops)
    for way in ((), CLASSIC):
        code, out, _ = rmp3d("plan", wall, "--json", *way)
        facts = json.loads(out)
        assert code == 0
        assert set(facts) == FIELDS | {"stops"}
        assert len(facts["stops"]) == 3
        path = np.array(facts["path"])
        passed = np.abs(path - facts["stops"][1]).max(axis=1).min()
        assert passed < 1e-9
        assert path[-1] == pytest.approx(facts["stops"][-1])
        assert judged(wall, facts)


@pytest.mark.slow
def test_translation_only_never_turns(rmp3d, wall):
    keep = (*CLASSIC, "--set", "planner.local_planner=translation_only")
    code, out, _ = rmp3d("plan", wall, "--json", *keep, "--goal", "4", "0", "0", "1", "0", "0", "0")
    assert code == 0
    path = np.array(json.loads(out)["path"])
    assert len(path) > 2
    np.testing.assert_allclose(path[:, 3:], np.tile([1.0, 0, 0, 0], (len(path), 1)), atol=1e-12)
    code, out, _ = rmp3d("plan", wall, "--json", *keep)
    assert code == 1
    assert "the body has the freedom `translation`" in json.loads(out)["reason"]


@pytest.mark.slow
def test_pictures_and_graphs_of_a_problem(rmp3d, wall, tmp_path):
    picture, graph = tmp_path / "map.png", tmp_path / "map.graphml"
    code, _, _ = rmp3d("plan", wall, "-q", *CLASSIC, "--picture", picture, "--graphml", graph)
    assert code == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"
    nodes = nx.read_graphml(graph).nodes(data=True)
    turned = np.array([[node[key] for key in ("qw", "qx", "qy", "qz")] for _, node in nodes])
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), 1.0)


@pytest.mark.slow
def test_without_a_path_the_roadmap_can_be_kept(rmp3d, wall, tmp_path):
    byu.write(wall.parent / "wall.g", cuboid((1, 30, 30)))
    few = ("--set", "planner.nodes=15", "--time-limit", "600")
    code, out, _ = rmp3d("plan", wall, "--json", *few, "--save", tmp_path / "a")
    facts = json.loads(out)
    assert code == 1
    assert facts["nodes"] >= 15
    assert facts["components"] >= 2
    assert "no path found" in facts["reason"]
    assert (tmp_path / "a").exists()
