"""A problem of a rigid body that is solved at once, and the file of its plan."""

import pytest
import trimesh

from rmp3d import cli
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import pmpl
from rmp3d.scenes.problems.pmpl import PlacedBody, PmplEnvironment, RobotBody


def cuboid(extents):
    made = trimesh.creation.box(extents=extents)
    return TriangleMesh(made.vertices, made.faces)


@pytest.fixture(scope="package")
def room(tmp_path_factory):
    """A board that goes around a wall and turns upright."""
    folder = tmp_path_factory.mktemp("room")
    byu.write(folder / "wall.g", cuboid((1, 8, 20)))
    byu.write(folder / "board.g", cuboid((3, 1, 0.5)))
    wall = PlacedBody("wall.g", (0.0, 0.0, 0.0))
    boundary = ((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0))
    pmpl.write_environment(folder / "room.env", PmplEnvironment(boundary, (wall,)))
    pmpl.write_robot(folder / "room.robot", RobotBody("board.g", False, True))
    pmpl.write_query(folder / "room.query", (-4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0.5, 0))
    return folder / "room.env"


@pytest.fixture(scope="package")
def saved(room):
    file = room.parent / "room.json"
    assert cli.main(["plan", str(room), "--seed", "1", "-o", str(file), "-q"]) == 0
    return file
