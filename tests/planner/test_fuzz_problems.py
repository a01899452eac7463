"""Problems whose files were changed at random are read, or refused with an `InputError`."""

import shutil

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.planner.problems.files import read_problem
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import ompl_app, pmpl
from rmp3d.scenes.problems.ompl_app import OmplProblem
from rmp3d.scenes.problems.pmpl import PlacedBody, PmplEnvironment, RobotBody

WORDS = [
    b"0", b"-1", b"1e308", b"-1e308", b"1e309", b"1e-320", b"nan", b"inf", b"-inf", b"99999999999",
    b"1_0", b"0x1", b"+", b"-", b".", b"#", b"[", b"]", b";", b":", b"=", b"<", b">", b'"',
    b"\x00", b"\xff\xfe", b"\xc3", "\u00e9\u2028".encode(), b"Box", b"Box2D", b"Active", b"Passive",
    b"../x", b"/etc/passwd", b"a.g", b"Planar", b"Rotational", b"x" * 300, b"\r", b"\n\n",
]  # fmt: skip


@st.composite
def changes(draw):
    """Places as shares of a file, and what happens there."""
    kind = draw(st.sampled_from(["cut", "swap", "word", "drop", "repeat", "byte", "empty"]))
    places = draw(st.tuples(st.floats(0, 1), st.floats(0, 1)))
    return kind, places, draw(st.sampled_from(WORDS)), draw(st.integers(0, 255))


def changed(data, kind, places, word, byte):
    """Return the bytes with one change; words are what blanks, tags and brackets part."""
    if kind == "cut":
        return data[: int(places[0] * len(data))]
    if kind == "empty":
        return b""
    if kind == "byte":
        at = min(len(data) - 1, int(places[0] * len(data)))
        return data[:at] + bytes([byte]) + data[at + 1 :] if data else data
    parts = data.replace(b">", b"> ").replace(b"<", b" <").replace(b"\n", b" \n ").split(b" ")
    a, b = (min(len(parts) - 1, int(place * len(parts))) for place in places)
    if kind == "swap":
        parts[a], parts[b] = parts[b], parts[a]
    elif kind == "word":
        parts[a] = word
    elif kind == "drop":
        del parts[a]
    else:
        parts[a:a] = parts[min(a, b) : max(a, b)][:50]
    return b" ".join(parts)


def solid(extents):
    made = trimesh.creation.box(extents=extents)
    return TriangleMesh(made.vertices, made.faces)


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    folder = tmp_path_factory.mktemp("env")
    byu.write(folder / "wall.g", solid((1, 4, 4)))
    byu.write(folder / "crate.g", solid((1, 1, 1)))
    bodies = tuple(PlacedBody("wall.g", (x, 0.0, 0.0), (0.0, 30.0, 0.0)) for x in (-2.0, 2.0))
    boundary = ((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0))
    pmpl.write_environment(folder / "a.env", PmplEnvironment(boundary, bodies))
    pmpl.write_robot(folder / "a.robot", RobotBody("crate.g", False, True))
    pmpl.write_query(folder / "a.query", (-4, 5, 0, 0, 0, 0), (4, 5, 0, 0, 0, 0.5))
    return folder


@pytest.fixture(scope="module")
def cfg(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cfg")
    trimesh.creation.box(extents=(2, 2, 2)).export(folder / "robot.dae")
    trimesh.creation.box(extents=(1, 9, 9)).export(folder / "world.dae")
    start, goal = np.array([-4.0, 0, 0, 1, 0, 0, 0]), np.array([4.0, 9, 0, 0, 1, 0, 0])
    problem = OmplProblem("two", "robot.dae", "world.dae", start, goal, time_limit=11.0)
    ompl_app.write(folder / "a.cfg", problem)
    return folder


def read_or_refused(folder, target, name, steps):
    """Read a copy of the folder whose file ``name`` was changed."""
    copy = folder.with_name(f"{folder.name} copy")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    data = (folder / name).read_bytes()
    for step in steps:
        data = changed(data, *step)
    (copy / name).write_bytes(data)
    try:
        file = read_problem(copy / target)
    except InputError as refused:
        message = str(refused)
    else:
        check(file)
        return
    assert str(copy) in message or message.startswith(("a: ", "two: "))
    assert "\n" not in message


def check(file):
    """What was read can be planned with."""
    assert np.isfinite(file.stops).all()
    assert np.isfinite(file.problem.bounds).all()
    assert len(file.problem.robot.faces) > 0


FUZZ = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("name", ["a.env", "a.robot", "a.query", "wall.g", "crate.g"])
@FUZZ
@given(steps=st.lists(changes(), min_size=1, max_size=4))
def test_a_changed_environment_is_read_or_refused(env, name, steps):
    read_or_refused(env, "a.env", name, steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.cfg", "robot.dae", "world.dae"])
@FUZZ
@given(steps=st.lists(changes(), min_size=1, max_size=4))
def test_a_changed_configuration_is_read_or_refused(cfg, name, steps):
    read_or_refused(cfg, "a.cfg", name, steps)
