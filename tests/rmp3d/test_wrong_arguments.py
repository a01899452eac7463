"""What a program gives by mistake is refused by name, in one line."""

from dataclasses import MISSING, fields, is_dataclass

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors import ACTIVITIES, FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS
from rmp3d.planner import PLANNERS, SAMPLERS

REGISTRIES = (ACTIVITIES, FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS, PLANNERS, SAMPLERS)


def _is_short_of(cls):
    """Whether a class has a field that must be given."""
    given = (field.default is MISSING and field.default_factory is MISSING for field in fields(cls))
    return any(given)


NUMBERS = [
    pytest.param(cls, field.name, id=f"{name}-{field.name}")
    for registry in REGISTRIES
    for name, cls in registry.items()
    if is_dataclass(cls) and hasattr(cls, "__post_init__") and not _is_short_of(cls)
    for field in fields(cls)
    if field.init and isinstance(field.default, int | float)
]


@pytest.fixture(scope="module")
def recording():
    return rp.run("parking", duration=0.2)


@pytest.mark.parametrize(("cls", "name"), NUMBERS)
def test_what_is_no_number_is_refused_where_a_number_is_wanted(cls, name):
    with pytest.raises(rp.InputError, match=rf"`{name}` must be .*, got \[\]"):
        cls(**{name: []})


def test_numbers_of_numpy_are_numbers():
    assert rp.Gaussian(std=np.float32(0.5)).std == 0.5
    assert rp.Crowd([{"goal": "a"}], nodes=np.int64(7)).nodes == 7


@pytest.mark.parametrize("truth", [True, np.True_])
def test_a_truth_is_no_number(truth):
    with pytest.raises(rp.InputError, match="`std` must be a number, got"):
        rp.Gaussian(std=truth)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: rp.Recording.open(5), "`path` must be the path of a file, got 5"),
        (lambda: rp.Recording.from_bytes("x"), "`data` must be bytes, got 'x'"),
        (lambda: rp.Problem.load(None), "`path` must be the path of a file, got None"),
        (lambda: rp.load_extension(5), "`path` must be the path of a file, got 5"),
        (lambda: rp.run("parking", to=5), "`to` must be the path of a file, got 5"),
        (lambda: rp.run("parking", save_roadmap=5), "`save_roadmap` must be the path of a file"),
        (lambda: rp.run("parking", progress=5), "`progress` must be a function, got 5"),
        (lambda: rp.study("parking", to=5), "`to` must be the path of a file, got 5"),
        (lambda: rp.study("parking", to="s", progress=5), "`progress` must be a function, got 5"),
        (lambda: rp.plan("parking", watch=5), "`watch` must be a function, got 5"),
        (lambda: rp.verify("a.rmp3d", 5), "`progress` must be a function, got 5"),
        (lambda: rp.Mixture("x"), "`parts` must be a list, got 'x'"),
        (lambda: rp.Mixture([5]), "a part of a mixture must be a table, got 5"),
        (lambda: rp.Crowd(5), "`trips` must be a list, got 5"),
        (lambda: rp.Crowd([{"goal": "a"}], nodes="x"), "`nodes` must be a whole number, got 'x'"),
        (lambda: rp.Steering(behaviors=["seek"], catch="x"), "`catch` must be a number, got 'x'"),
    ],
)  # fmt: skip
def test_another_kind_of_thing_is_refused_by_the_name_of_the_argument(wrong, words):
    with pytest.raises(rp.InputError) as error:
        wrong()
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("write", ["export", "report", "save"])
def test_a_file_to_write_is_a_path(recording, write):
    with pytest.raises(rp.InputError, match="`path` must be the path of a file, got 5"):
        getattr(recording, write)(5)


@pytest.mark.parametrize("of", ["position", "orientation_wxyz", "subgoal", "clock", "presence"])
def test_what_is_no_frame_is_not_called_a_damaged_recording(recording, of):
    with pytest.raises(rp.InputError, match="`start` must be the number of a frame, got 'x'"):
        getattr(recording, of)("x")
    with pytest.raises(rp.InputError, match=r"`stop` must be the number of a frame, got 1\.5"):
        getattr(recording, of)(0, 1.5)
