import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from rmp3d.geometry import InputError
from rmp3d.planner.problems import files
from rmp3d.planner.problems.files import pose_of_freedom, read_problem, rotation_of_angles
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import ompl_app, pmpl
from rmp3d.scenes.problems.ompl_app import OmplProblem
from rmp3d.scenes.problems.pmpl import PlacedBody, PmplEnvironment, RobotBody


def centered_box(size, center=(0, 0, 0)):
    return box(np.subtract(center, np.multiply(size, 0.5)), np.add(center, np.multiply(size, 0.5)))


@pytest.fixture
def folder(tmp_path):
    """A room with one wall, off its file's origin and turned; a stick as robot."""
    byu.write(tmp_path / "wall.g", centered_box((2, 4, 6), center=(100, 100, 100)))
    byu.write(tmp_path / "stick.g", centered_box((1, 1, 4), center=(-7, 0, 0)))
    wall = PlacedBody("wall.g", (1.0, 2.0, 3.0), (90.0, 0.0, 90.0))
    room = PmplEnvironment(((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0)), (wall,))
    pmpl.write_environment(tmp_path / "room.env", room)
    pmpl.write_robot(tmp_path / "room.robot", RobotBody("stick.g", False, True))
    pmpl.write_query(tmp_path / "room.query", (-8, 0, 0, 0, 0, 0), (8, 0, 0, 0.5, 0, 0))
    return tmp_path


def test_geometries_are_centered_then_turned_then_moved(folder):
    problem = read_problem(folder / "room.env").problem
    # Rx(90) makes (2, 4, 6) a (2, 6, 4) box, Rz(90) then a (6, 2, 4) one.
    assert problem.obstacles.bounds == pytest.approx(np.array([[-2, 1, 1], [4, 3, 5]]))
    assert problem.robot.bounds == pytest.approx(np.array([[-0.5, -0.5, -2], [0.5, 0.5, 2]]))
    assert problem.space == "rigid"
    assert problem.solids
    assert problem.contain_body
    assert problem.start == pytest.approx([-8, 0, 0, 1, 0, 0, 0])
    assert problem.goal == pytest.approx([8, 0, 0, np.sqrt(0.5), np.sqrt(0.5), 0, 0])
    assert problem.body_at(problem.goal).bounds[1] == pytest.approx([8.5, 2, 0.5])


def test_angles_turn_about_x_then_y_then_z():
    angles = np.random.default_rng(0).uniform(-np.pi, np.pi, (50, 3))
    for row in angles:
        expected = Rotation.from_euler("xyz", row).as_matrix()
        assert rotation_of_angles(row) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("freedom", "planar", "position", "angles"),
    [
        ((1, 2), True, (1, 2, 0), (0, 0, 0)),
        ((1, 2, 0.25), True, (1, 2, 0), (0, 0, np.pi / 4)),
        ((1, 2, 3), False, (1, 2, 3), (0, 0, 0)),
        ((1, 2, 3, 0.5, 0.1, -0.25), False, (1, 2, 3), (np.pi / 2, np.pi / 10, -np.pi / 4)),
    ],
)
def test_degrees_of_freedom_are_a_pose(freedom, planar, position, angles):
    pose = pose_of_freedom(freedom, planar=planar)
    assert pose[:3] == pytest.approx(position)
    expected = Rotation.from_euler("xyz", angles).as_quat(scalar_first=True)
    assert abs(pose[3:] @ expected) == pytest.approx(1.0)


def test_a_robot_may_be_a_mesh_as_free_as_the_query_says(folder):
    problem = read_problem(folder / "room.env", robot=folder / "wall.g").problem
    assert problem.space == "rigid"
    assert problem.robot.bounds == pytest.approx(np.array([[-1, -2, -3], [1, 2, 3]]))
    pmpl.write_query(folder / "other.query", (-8, 0, 0), (8, 0, 0))
    problem = read_problem(
        folder / "room.env", robot=folder / "wall.g", query=folder / "other.query"
    ).problem
    assert problem.space == "translation"


def test_a_robot_of_the_environment_itself_comes_before_files_beside(folder):
    room = pmpl.read_environment(folder / "room.env")
    own = RobotBody("wall.g", False, True)
    pmpl.write_environment(folder / "own.env", PmplEnvironment(room.boundary, room.obstacles, own))
    problem = read_problem(folder / "own.env").problem
    assert problem.robot.bounds[1] == pytest.approx([1, 2, 3])


def test_a_planar_problem(folder):
    flat = PmplEnvironment(((-10.0, 10.0), (-10.0, 10.0)), ())
    pmpl.write_environment(folder / "flat.env", flat)
    pmpl.write_robot(folder / "flat.robot", RobotBody("stick.g", True, True))
    pmpl.write_query(folder / "flat.query", (-8, 0, 0), (8, 0, 0.5))
    problem = read_problem(folder / "flat.env").problem
    assert problem.space == "planar_rotation"
    assert problem.obstacles is None
    assert problem.bounds == pytest.approx(np.array([[-10, -10, 0], [10, 10, 0]]))
    with pytest.raises(InputError, match="needs a boundary with z"):
        read_problem(folder / "flat.env", robot=folder / "room.robot", query=folder / "room.query")


def test_a_boundary_that_start_or_goal_sticks_out_of_bounds_the_reference_point(folder):
    pmpl.write_query(folder / "room.query", (-8, 0, 9, 0, 0, 0), (8, 0, 0, 0.5, 0, 0))
    file = read_problem(folder / "room.env")
    assert not file.problem.contain_body
    assert "stick out" in file.notes[0]


def test_of_several_files_beside_the_one_of_the_same_name_is_taken(folder):
    pmpl.write_query(folder / "other.query", (0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))
    assert read_problem(folder / "room.env").problem.start[0] == -8
    (folder / "room.query").rename(folder / "third.query")
    with pytest.raises(InputError, match=r"which .query file\? beside it: other.query, third"):
        read_problem(folder / "room.env")


@pytest.mark.parametrize("name", ["../wall.g", "/etc/hostname", "sub/../../wall.g"])
def test_a_geometry_outside_the_folder_is_refused(folder, name):
    room = pmpl.read_environment(folder / "room.env")
    byu.write(folder.parent / "wall.g", centered_box((1, 1, 1)))
    (folder / "sub").mkdir()
    body = PlacedBody(name, (0.0, 0.0, 0.0))
    pmpl.write_environment(folder / "room.env", PmplEnvironment(room.boundary, (body,)))
    with pytest.raises(InputError, match=r"room.env: line 7: .* outside its folder"):
        read_problem(folder / "room.env")


def test_a_missing_geometry_names_the_line(folder):
    (folder / "wall.g").unlink()
    with pytest.raises(InputError, match=r"room.env: line 7: it refers to `wall.g`, which is not"):
        read_problem(folder / "room.env")


@pytest.fixture
def config(tmp_path):
    trimesh.creation.box(extents=(2, 2, 2)).apply_translation((5, 0, 0)).export(
        tmp_path / "robot.dae"
    )
    trimesh.creation.box(extents=(1, 10, 20)).export(tmp_path / "world.dae")

    def write(**changes):
        given = {
            "name": "made",
            "robot": "robot.dae",
            "world": "world.dae",
            "start": np.array([-4.0, 0, 0, 1, 0, 0, 0]),
            "goal": np.array([4.0, 0, 0, 1, 0, 0, 0]),
        }
        ompl_app.write(tmp_path / "made.cfg", OmplProblem(**(given | changes)))
        return tmp_path / "made.cfg"

    return write


def test_an_ompl_problem_holds_the_robot_by_its_center(config):
    file = read_problem(config(planners=("prm",), time_limit=7.0))
    assert file.problem.robot.bounds == pytest.approx(np.array([[-1, -1, -1], [1, 1, 1]]))
    assert file.problem.obstacles.bounds == pytest.approx(np.array([[-0.5, -5, -10], [0.5, 5, 10]]))
    assert file.problem.space == "rigid"
    assert not file.problem.contain_body
    assert file.time_limit == 7.0
    assert "prm" in file.notes[0]


def test_bounds_are_those_of_the_world_widened_to_start_and_goal(config):
    problem = read_problem(config()).problem
    assert problem.bounds == pytest.approx(np.array([[-4, -5, -10], [4, 5, 10]]))
    stated = np.array([[-6.0, -6, -6], [3, 3, 3]])
    problem = read_problem(config(bounds=stated)).problem
    assert problem.bounds == pytest.approx(np.array([[-6, -6, -6], [4, 3, 3]]))


def test_a_planar_ompl_problem_turns_about_z(config):
    problem = read_problem(config(planar=True)).problem
    assert problem.space == "planar_rotation"
    assert problem.bounds[:, 2] == pytest.approx([0, 0])


def test_a_world_may_be_empty_if_bounds_are_stated(config):
    assert read_problem(config(world="", bounds=np.array([[-9.0] * 3, [9.0] * 3]))).problem
    with pytest.raises(InputError, match="neither `world` nor"):
        read_problem(config(world=""))


def test_what_is_no_problem_file_is_refused(config, tmp_path):
    with pytest.raises(InputError, match=r"not a problem file; known: .cfg, .env"):
        read_problem(tmp_path / "made.xml")
    with pytest.raises(InputError, match="names robot and query itself"):
        read_problem(config(), robot=tmp_path / "x.robot")
    with pytest.raises(InputError, match=r"`world`: it refers to `none.dae`"):
        read_problem(config(world="none.dae"))


def test_bodies_that_repeat_too_many_triangles_are_refused_at_their_line(folder, monkeypatch):
    room = pmpl.read_environment(folder / "room.env")
    pmpl.write_environment(folder / "room.env", PmplEnvironment(room.boundary, room.obstacles * 4))
    monkeypatch.setattr(files, "MAX_REPEATED", 36)
    assert len(read_problem(folder / "room.env").problem.obstacles.faces) == 48
    monkeypatch.setattr(files, "MAX_REPEATED", 35)
    with pytest.raises(InputError, match=r"room.env: line 16: .* at most 35 more are read"):
        read_problem(folder / "room.env")
