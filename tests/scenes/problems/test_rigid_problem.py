import numpy as np
import pytest

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.scenes.problems.rigid_problem import RigidProblem

STICK = TriangleMesh([[-2, 0, 0], [2, 0, 0], [0, 0.1, 0.1]], [[0, 1, 2]])
IDENTITY = [1.0, 0.0, 0.0, 0.0]
QUARTER = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]  # about z


def problem(**changes):
    given = {
        "name": "made",
        "robot": STICK,
        "obstacles": None,
        "solids": False,
        "bounds": [[-5, -5, -5], [5, 5, 5]],
        "contain_body": True,
        "space": "rigid",
        "start": [0, 0, 0, *IDENTITY],
        "goal": [1, 2, 3, *QUARTER],
    }
    return RigidProblem(**(given | changes))


def test_the_whole_body_or_its_reference_point_is_bounded():
    along_x, along_y = np.array([4, 0, 0, *IDENTITY]), np.array([4, 0, 0, *QUARTER])
    assert not problem().is_within(along_x)
    assert problem().is_within(along_y)
    assert problem(contain_body=False).is_within(along_x)
    assert not problem(contain_body=False).is_within(np.array([6, 0, 0, *IDENTITY]))


def test_a_planar_problem_has_no_bounds_of_z():
    flat = problem(
        space="planar_rotation", bounds=[[-5, -5, 0], [5, 5, 0]], goal=[1, 2, 0, *QUARTER]
    )
    assert flat.is_within(flat.goal)  # though the body is 0.1 high
    assert flat.has_rotation
    assert not flat.has_height


def test_rows_have_seven_numbers_only_if_the_body_may_turn():
    assert problem().row(problem().goal) == pytest.approx([1, 2, 3, *QUARTER])
    still = problem(space="translation", goal=[1, 2, 3, *IDENTITY])
    assert still.row(still.goal) == [1, 2, 3]


def test_quaternions_are_made_unit():
    assert problem(start=[0, 0, 0, 0, 3, 0, 4]).start == pytest.approx([0, 0, 0, 0, 0.6, 0, 0.8])


def test_the_body_is_turned_about_its_reference_point():
    placed = problem().body_at(np.array([1, 1, 1, *QUARTER]))
    assert placed.vertices[1] == pytest.approx([1, 3, 1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bounds": [[0, 0, 0], [1, -1, 1]]}, "the bounds are empty"),
        ({"bounds": [[0, 0, 0], [1, np.nan, 1]]}, "two finite corners"),
        ({"bounds": [0, 1]}, "two finite corners"),
        ({"space": "spherical"}, "no space `spherical`; choose from rigid"),
        ({"start": [0, 0, 0]}, "the start must be"),
        ({"goal": [0, 0, np.inf, *IDENTITY]}, "the goal must be"),
        ({"goal": [0, 0, 0, 0, 0, 0, 0]}, "the goal must be"),
        ({"space": "planar", "goal": [1, 1, 1, *IDENTITY]}, "a planar body cannot go from z"),
        ({"space": "translation"}, "cannot turn on the way"),
        ({"bounds": [[-1e61] * 3, [5, 5, 5]]}, r"`bounds` has a coordinate of 1e\+61"),
    ],
)
def test_a_problem_that_makes_no_sense_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        problem(**changes)
