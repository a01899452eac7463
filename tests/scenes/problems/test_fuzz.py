"""Files changed at random are read, or refused with an `InputError`; nothing else happens."""

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.scenes.problems import collada, ompl_app, pmpl

TREASURE = [
    b"0", b"-1", b"1e309", b"nan", b"999999999999", b"[", b"]", b"(", b"-c", b";", b":", b"#",
    b"=", b"\n", b" ", b"\x00", b"\xff\xfe", "\u00e9".encode(), b"Active", b"1 2 -3", b"<p>",
]  # fmt: skip

BYU = b"1 4 4 12\n1 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 3 -2\n1 2 -4\n2 3 -4\n3 1 -4\n"
ENVIRONMENT = b"""Boundary Box [-4:3 ; -3.75:3.25 ; -10:10]
Multibodies
3
Active
1
robot.g -c(1 0 0 1) Volumetric Rotational
Connections
0
Passive
a.g -c(0 0 0 1) 1 2 3 90 0 -45.5
Passive
b.obj -2 .5 0 0 0 0
"""
ROBOT = b"1\nrobot.g -c(1 0 0 1) Planar Rotational\nConnections\n0\n"
QUERY = b"0 1 2 3 0 0.5 -0.25\n0 4 5 6 0 0 0\n"
CONFIG = b"""[problem]
name = made
robot = r.dae
world = w.dae
start.x = 1
start.y = 2
start.z = 3
start.theta = 1.5
start.axis.x = 0
start.axis.y = 1
start.axis.z = 0
goal.x = 1
goal.y = 2
goal.z = 3
volume.min.x = 0
volume.min.y = 0
volume.min.z = 0
volume.max.x = 9
volume.max.y = 9
volume.max.z = 9
[benchmark]
time_limit = 20
[planner]
rrt.range = 5
"""


def mutated(rng: np.random.Generator, data: bytes) -> bytes:
    """Change, cut, repeat, or replace one to four places."""
    for _ in range(rng.integers(1, 5)):
        at, size = int(rng.integers(len(data) + 1)), int(rng.integers(1, 30))
        kind = rng.integers(5)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + data[at + size :]
        elif kind == 2:
            data = data[:at] + data[at : at + size] * 2 + data[at + size :]
        elif kind == 3:
            data = data[:at] + TREASURE[rng.integers(len(TREASURE))] + data[at:]
        else:
            data = data[:at] + rng.bytes(1) + data[at + 1 :]
    return data


READERS = {
    "a.g": (BYU, read_mesh_file),
    "a.env": (ENVIRONMENT, pmpl.read_environment),
    "a.robot": (ROBOT, pmpl.read_robot),
    "a.query": (QUERY, lambda path: pmpl.read_query(path, 6)),
    "a.cfg": (CONFIG, ompl_app.read),
}


@pytest.mark.parametrize("name", READERS)
def test_a_changed_file_is_read_or_refused(tmp_path, name):
    data, read = READERS[name]
    path = tmp_path / name
    path.write_bytes(data)
    read(path)  # as it is, it is right
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(400):
        path.write_bytes(mutated(rng, data))
        try:
            read(path)
        except InputError as error:
            errors.append(str(error))
    assert len(errors) > 40
    assert all(str(path) in error for error in errors)


def test_a_changed_collada_file_is_read_or_refused(tmp_path):
    path = tmp_path / "box.dae"
    trimesh.creation.box(extents=(1, 2, 3)).export(path)
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(150):
        path.write_bytes(mutated(rng, data))
        try:
            read = collada.read(path)
            assert np.isfinite(read.center).all()
            assert np.isfinite(read.mesh.vertices).all()
        except InputError as error:
            errors.append(str(error))
    assert len(errors) > 15
    assert all(str(path) in error for error in errors)
