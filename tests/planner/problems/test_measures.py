import numpy as np
import pytest
import trimesh

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.problems.measures import interpolated, least_clearance, path_length
from rmp3d.scenes.problems.rigid_problem import RigidProblem

CUBE = TriangleMesh(
    *(getattr(trimesh.creation.box((2, 2, 2)), key) for key in ("vertices", "faces"))
)
HALF = np.sqrt(0.5)
PATH = np.array([[0, 0, 5, 1, 0, 0, 0], [10, 0, 5, 1, 0, 0, 0], [10, 0, 5, HALF, 0, 0, HALF]])


def problem(obstacles=CUBE):
    bounds = [[-20] * 3, [20] * 3]
    return RigidProblem("made", CUBE, obstacles, False, bounds, False, "rigid", PATH[0], PATH[-1])


def test_length_is_of_translation_and_of_rotation_times_radius():
    assert path_length(problem(), PATH) == pytest.approx(10 + np.sqrt(3) * np.pi / 2)


def test_clearance_is_the_least_between_waypoints_too():
    assert least_clearance(problem(), PATH) == pytest.approx(3.0)
    over = np.array([[-10, 0, 2.5, 1, 0, 0, 0], [10, 0, 2.5, 1, 0, 0, 0]])
    assert least_clearance(problem(), over) == pytest.approx(0.5)
    assert least_clearance(problem(None), PATH) is None


def test_steps_are_even_and_keep_the_waypoints():
    fine = interpolated(PATH, 4)
    assert len(fine) == 9
    assert fine[::4] == pytest.approx(PATH)
    assert fine[1] == pytest.approx([2.5, 0, 5, 1, 0, 0, 0])
    assert fine[6, 3] == pytest.approx(np.cos(np.pi / 8))
