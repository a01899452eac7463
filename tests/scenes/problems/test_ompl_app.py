import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.scenes.problems import ompl_app
from rmp3d.scenes.problems.ompl_app import OmplProblem

PROBLEM = """\
[problem]
name = Two rooms   # a comment
robot = robot.dae
world=rooms.dae
start.x=1
start.y = -2.5
start.z = 3e1
start.theta = 1.5707963267948966
start.axis.x = 0
start.axis.y = 0
start.axis.z = 2
goal.x = 4
goal.y = 5
goal.z = 6
goal.theta = 0.7
goal.axis.x = 0
goal.axis.y = 0
goal.axis.z = 0
volume.min.x = -10
volume.min.y = -11
volume.min.z = -12
volume.max.x = 10
volume.max.y = 11
volume.max.z = 40

[benchmark]
time_limit = 20
run_count = 50

[planner]
prm
rrt =
rrt.range=5
aps=1
aps=2"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "rooms.cfg"
        path.write_text(text)
        return path

    return write


def test_a_problem_of_six_degrees_of_freedom(write):
    problem = ompl_app.read(write(PROBLEM))
    assert (problem.name, problem.robot, problem.world) == ("Two rooms", "robot.dae", "rooms.dae")
    assert not problem.planar
    half = np.sqrt(0.5)  # a quarter turn about an axis whose length does not matter
    assert problem.start == pytest.approx([1, -2.5, 30, half, 0, 0, half])
    assert problem.goal == pytest.approx([4, 5, 6, 1, 0, 0, 0])  # no axis: no rotation
    assert problem.bounds == pytest.approx(np.array([[-10, -11, -12], [10, 11, 40]]))
    assert problem.time_limit == 20.0
    assert problem.planners == ("prm", "rrt", "aps")


def test_without_z_a_problem_is_planar_and_turns_about_z(write):
    text = "[problem]\nrobot=r.dae\nstart.x=1\nstart.y=2\nstart.theta=3\ngoal.x=4\ngoal.y=5\n"
    problem = ompl_app.read(write(text))
    assert problem.planar
    assert problem.name == "rooms"
    assert problem.start == pytest.approx([1, 2, 0, np.cos(1.5), 0, 0, np.sin(1.5)])
    assert problem.goal == pytest.approx([4, 5, 0, 1, 0, 0, 0])
    assert problem.bounds is None
    assert problem.world == ""


def test_bounds_without_a_volume_count_as_not_stated(write):
    text = PROBLEM.replace("volume.max.z = 40", "volume.max.z = -12")
    assert ompl_app.read(write(text)).bounds is None


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_back(tmp_path, seed):
    rng = np.random.default_rng(seed)
    planar = bool(seed % 2)
    poses = np.zeros((2, 7))
    poses[:, :3] = rng.normal(size=(2, 3)) * 100
    poses[:, 3:] = rng.normal(size=(2, 4))
    bounds = np.sort(rng.normal(size=(2, 3)), axis=0)
    if planar:
        poses[:, [2, 4, 5]] = 0.0
        bounds[:, 2] = 0.0
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1)[:, None]
    problem = OmplProblem(
        name="made",
        robot="r.dae",
        world="w.dae" if seed % 3 else "",
        start=poses[0],
        goal=poses[1],
        planar=planar,
        bounds=None if seed % 4 == 0 else bounds,
        time_limit=None if seed % 5 == 0 else 12.5,
        planners=("prm", "est")[: seed % 3],
    )
    ompl_app.write(tmp_path / "made.cfg", problem)
    read = ompl_app.read(tmp_path / "made.cfg")
    for key in ("name", "robot", "world", "planar", "time_limit", "planners"):
        assert getattr(read, key) == getattr(problem, key)
    for key in ("start", "goal"):
        given, back = getattr(problem, key), getattr(read, key)
        assert np.array_equal(given[:3], back[:3])
        assert abs(given[3:] @ back[3:]) == pytest.approx(1.0, abs=1e-14)
    if problem.bounds is None:
        assert read.bounds is None
    else:
        assert np.array_equal(problem.bounds, read.bounds)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[problem]", "[task]", "there is no section `.problem.`"),
        ("[problem]", "", "line 2: `name = Two rooms` stands before any"),
        ("[problem]", "[problem", "line 1: `.problem` should end with"),
        ("robot = robot.dae\n", "", "`robot` is missing"),
        ("start.y = -2.5", "start.y = far", "line 6: `start.y` should be a number, not `far`"),
        ("start.y = -2.5", "start.y = nan", "line 6: `start.y` should be a number"),
        ("start.y = -2.5", "start.y -2.5", "line 6: `start.y -2.5` should be `key = value`"),
        ("start.y = -2.5\n", "", "`start.y` is missing"),
        ("goal.z = 6\n", "", "`goal.z` is missing"),
        ("start.axis.y = 0\n", "", "`start.axis.y` is missing"),
        ("volume.max.y = 11\n", "", "`volume.max.y` is missing"),
        ("volume.max.y = 11", "volume.max.y = -12", "line 23: `volume.max.y` is -12"),
        ("time_limit = 20", "time_limit = 0", "line 27: `time_limit` is 0.0"),
    ],
)
def test_errors_name_line_or_key(write, old, new, message):
    assert old in PROBLEM
    with pytest.raises(InputError, match=f"rooms.cfg: {message}"):
        ompl_app.read(write(PROBLEM.replace(old, new, 1)))


def test_an_axis_may_have_any_length(write):
    text = PROBLEM.replace("start.axis.z = 2", "start.axis.z = 1e308")
    assert ompl_app.read(write(text)).start[6] == pytest.approx(np.sqrt(0.5))
