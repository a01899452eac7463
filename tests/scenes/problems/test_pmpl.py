import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.scenes.problems import pmpl
from rmp3d.scenes.problems.pmpl import PlacedBody, PmplEnvironment, RobotBody

ENVIRONMENT = """\
# a corridor
Boundary Box [-4:3 ; -3.75:3.25; -10 : 10]

MultiBodies
4

Active
1
robot.g -c(1 0 0 1) Volumetric Rotational
Connections
0

Passive
walls/a.g -c (0.5 0.25 0 1) \t1 2 3 90 0 -45.5   # turned
Passive
b.obj -t wood.jpg 1e1 -2 .5 0 0 0
Internal
b.obj 0 0 0 0 0 0
"""


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_an_environment_says_boundary_obstacles_and_robot(write):
    read = pmpl.read_environment(write("a.env", ENVIRONMENT))
    assert read.boundary == ((-4, 3), (-3.75, 3.25), (-10, 10))
    assert read.robot == RobotBody("robot.g", False, True, (1, 0, 0, 1))
    assert read.robot.freedom == 6
    assert read.obstacles == (
        PlacedBody("walls/a.g", (1, 2, 3), (90, 0, -45.5), (0.5, 0.25, 0, 1)),
        PlacedBody("b.obj", (10, -2, 0.5)),
        PlacedBody("b.obj", (0, 0, 0)),
    )
    assert read.obstacles[0].line == 14


def test_an_older_form_with_resolutions_and_a_number_of_bodies(write):
    text = "BOUNDARY BOX2D [0:1;0:2]\nPositionRes 0.05\nMultibodies 1\n"
    text += "Passive 2\na.g 0 0 0 0 0 0\nb.g 1 0 0 0 0 0\n"
    read = pmpl.read_environment(write("a.env", text))
    assert read.boundary == ((0, 1), (0, 2))
    assert [body.geometry for body in read.obstacles] == ["a.g", "b.g"]


@pytest.mark.parametrize(
    ("kind", "freedom"),
    [
        ("Planar Translational", 2),
        ("Planar Rotational", 3),
        ("Volumetric Translational", 3),
        ("volumetric rotational", 6),
    ],
)
def test_a_robot_has_the_freedom_that_its_words_say(write, kind, freedom):
    robot = pmpl.read_robot(write("a.robot", f"\n1\nbody.g {kind}\nConnections\n0\n"))
    assert robot.geometry == "body.g"
    assert robot.freedom == freedom


def test_a_query_leaves_out_the_index(write):
    path = write("a.query", "# start, goal\n0 1 2 3 0 .5 -0.25\n\n0 4 5 6 0 0 0")
    assert pmpl.read_query(path, 6) == ((1, 2, 3, 0, 0.5, -0.25), (4, 5, 6, 0, 0, 0))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_back(tmp_path, seed):
    rng = np.random.default_rng(seed)
    axes = int(rng.integers(2, 4))
    ranges = np.sort(rng.normal(size=(axes, 2)) * 10.0 ** rng.integers(-8, 8), axis=1)
    colors = [None, tuple(rng.uniform(size=4).tolist())]
    obstacles = tuple(
        PlacedBody(
            f"part{i}.g",
            tuple(rng.normal(size=3).tolist()),
            tuple(rng.uniform(-180, 180, 3).tolist()),
            colors[i % 2],
        )
        for i in range(rng.integers(0, 5))
    )
    robot = RobotBody("r.g", axes == 2, bool(rng.integers(2)), colors[seed % 2])
    own = robot if seed % 3 else None
    environment = PmplEnvironment(tuple(map(tuple, ranges.tolist())), obstacles, own)
    pmpl.write_environment(tmp_path / "a.env", environment)
    assert pmpl.read_environment(tmp_path / "a.env") == environment
    pmpl.write_robot(tmp_path / "a.robot", robot)
    assert pmpl.read_robot(tmp_path / "a.robot") == robot
    ends = rng.normal(size=(2, robot.freedom))
    pmpl.write_query(tmp_path / "a.query", *ends)
    assert np.array_equal(pmpl.read_query(tmp_path / "a.query", robot.freedom), ends)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Boundary Box", "Boundary Sphere", "line 2: the boundary is a `sphere`"),
        ("-10 : 10]", "-10 : ten]", "line 2: the boundary should be"),
        ("-10 : 10]", "10 : -10]", "line 2: the boundary's range 10.0:-10.0 is empty"),
        ("; -10 : 10]", "]", "line 2: the boundary should be"),
        ("4\n\nActive", "5\n\nActive", "`Multibodies 5`, but 4 follow"),
        ("4\n\nActive", "many\n\nActive", "line 5: the number of bodies should be a whole"),
        ("Active\n1", "Active\n3", "line 8: a robot of 3 bodies"),
        ("Volumetric", "Fixed", "line 9: a robot is Planar or Volumetric"),
        ("Rotational", "Nonholonomic", "line 9: a robot is Rotational or Translational"),
        ("Connections\n0", "Connections\n2", "line 11: the number of connections is 2"),
        ("(1 0 0 1)", "(1 0 red 1)", "line 9: a color should be"),
        ("1 2 3 90", "1 2 x 90", "line 14: `walls/a.g`: z should be a number, not `x`"),
        ("-45.5 ", "inf ", "line 14: .*should be a number, not `inf`"),
        ("-t wood", "-q wood", "line 16: option `-q` is not understood"),
        ("Internal", "Surface", "line 17: `surface` is not understood"),
        ("b.obj 0 0 0 0 0 0", "b.obj 0 0 0", "line 18: ends where .*the angle about x"),
        ("Boundary Box [-4:3 ; -3.75:3.25; -10 : 10]", "", "there is no `Boundary`"),
        ("Internal\n", "Active\n1\nb.g Planar Rotational\n", "line 17: a second `Active`"),
    ],
)
def test_errors_name_the_line(write, old, new, message):
    assert old in ENVIRONMENT
    with pytest.raises(InputError, match=f"a.env: .*{message}"):
        pmpl.read_environment(write("a.env", ENVIRONMENT.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 2 3\n", "1 configuration; a start and a goal"),
        ("0 1 2 3\n0 1 2\n", "line 2: 3 numbers; a robot with 3 degrees of freedom"),
        ("0 1 2 3\n0 1 2 three\n", "line 2: `three` is not a number"),
        ("1 1 2 3\n0 1 2 3\n", "line 1: robot 1"),
        ("", "the file is empty"),
    ],
)
def test_errors_of_a_query_name_the_line(write, text, message):
    with pytest.raises(InputError, match=f"a.query: {message}"):
        pmpl.read_query(write("a.query", text), 3)


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        pmpl.read_environment(tmp_path / "none.env")
