import numpy as np
import pytest

from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space


def path_of(points, grounded=False):
    points = np.asarray(points, float)
    return CertifiedPath(points, np.ones(len(points)), grounded)


def helix(turns=2.0, pitch=3.0):
    t = np.linspace(0, 2 * np.pi * turns, 800)
    return np.column_stack([4 * np.cos(t), 4 * np.sin(t), pitch * t])


def test_arc_length_and_positions():
    path = path_of([[0, 0, 0], [3, 0, 0], [3, 4, 0]])
    assert path.length == 7.0
    assert path.station.tolist() == [0.0, 3.0, 7.0]
    np.testing.assert_allclose(
        path.at(np.array([0.0, 1.5, 5.0, 7.0])), [[0, 0, 0], [1.5, 0, 0], [3, 2, 0], [3, 4, 0]]
    )


def test_it_goes_on_straight_beyond_both_ends():
    path = path_of([[0, 0, 0], [3, 0, 0], [3, 4, 0]])
    np.testing.assert_allclose(path.at(np.array([-2.0, 9.0])), [[-2, 0, 0], [3, 6, 0]])


def test_on_the_ground_the_extension_keeps_the_height():
    path = path_of([[0, 0, 0], [4, 0, 3]], grounded=True)
    np.testing.assert_allclose(path.at(np.array([-2.0, 7.0])), [[-2, 0, 0], [6, 0, 3]])


@pytest.mark.parametrize("grounded", [False, True])
def test_frames_are_rotations_that_turn_smoothly(grounded):
    path = path_of(helix(), grounded)
    s = np.linspace(-3, path.length + 3, 3000)
    frames = path.frames(s, window=1.5)
    identity = np.einsum("mij,mik->mjk", frames, frames)
    np.testing.assert_allclose(identity, np.broadcast_to(np.eye(3), identity.shape), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(frames), 1.0)
    # no faster than the path's own curvature of at most 1/4 allows, with some slack
    turn = np.linalg.norm(np.diff(frames, axis=0), axis=(1, 2)) / np.diff(s)
    assert turn.max() < 1.0


def test_on_the_ground_up_is_up_and_the_heading_level():
    frames = path_of(helix(), grounded=True).frames(np.linspace(0, 40, 100))
    np.testing.assert_allclose(frames[:, :, 2], np.tile([0, 0, 1.0], (100, 1)), atol=1e-12)
    np.testing.assert_allclose(frames[:, 2, 0], 0.0, atol=1e-12)


def test_a_level_flight_does_not_roll():
    t = np.linspace(0, 6, 300)
    path = path_of(np.column_stack([3 * t, np.sin(t) * 4, np.zeros(300)]))
    frames = path.frames(np.linspace(0, path.length, 200))
    np.testing.assert_allclose(frames[:, 2, 2], 1.0, atol=1e-9)


def test_the_heading_of_a_straight_path_is_its_direction():
    path = path_of([[0, 0, 0], [1, 2, 2], [2, 4, 4]])
    frames = path.frames(np.array([-1.0, 0.0, 3.0, 9.0]))
    np.testing.assert_allclose(frames[:, :, 0], np.tile([1 / 3, 2 / 3, 2 / 3], (4, 1)))
    assert (frames[:, 2, 2] > 0).all()


def test_frames_do_not_jump_in_a_vertical_shaft():
    across = np.column_stack([np.linspace(0, 5, 60), np.zeros(60), np.zeros(60)])
    up = np.column_stack([np.full(60, 5.0), np.zeros(60), np.linspace(0.1, 5, 60)])
    back = np.column_stack([np.full(60, 5.0), np.linspace(0.1, 5, 60), np.full(60, 5.0)])
    path = path_of(np.concatenate([across, up, back]))
    s = np.linspace(0, path.length, 1500)
    frames = path.frames(s, window=1.0)
    step = np.linalg.norm(np.diff(frames, axis=0), axis=(1, 2))
    assert step.max() < 0.1
    assert frames[-1, 2, 2] > 0.9  # upright again


def test_a_path_that_turns_back_has_finite_headings():
    path = path_of([[0, 0, 0], [5, 0, 0], [0, 0, 0]])
    frames = path.frames(np.linspace(0, 10, 101))
    assert np.isfinite(frames).all()
    np.testing.assert_allclose(np.linalg.det(frames), 1.0)


def test_a_path_of_one_point():
    path = path_of([[1, 2, 3]])
    assert path.length == 0.0
    np.testing.assert_allclose(path.at(np.array([-1.0, 0, 2])), [[0, 2, 3], [1, 2, 3], [3, 2, 3]])
    np.testing.assert_allclose(path.frames(np.zeros(1))[0], np.eye(3), atol=1e-12)
    assert path.subgoals(1.0, None).tolist() == [[1, 2, 3]]


def test_arrays_are_read_only_and_checked():
    points = np.zeros((2, 3))
    path = path_of(points)
    with pytest.raises(ValueError, match="read-only"):
        path.points[0, 0] = 1.0
    with pytest.raises(ValueError, match=r"`points` must have shape \(K, 3\)"):
        CertifiedPath(np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(ValueError, match=r"`clearance` must have shape \(2,\)"):
        CertifiedPath(points, np.zeros(3))
    with pytest.raises(ValueError, match="`window` must be positive"):
        path.frames(np.zeros(1), window=0.0)


def test_subgoals_are_near_and_visible_from_one_another(rooms, walker):
    space = make_space("ground", rooms, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(0))
    start, goal = np.array([-8.0, 4, 0]), np.array([8.0, 4, 0])
    path = query(roadmap, start, goal, np.random.default_rng(0))
    subgoals = path.subgoals(3.0, space)
    np.testing.assert_array_equal(subgoals[-1], path.points[-1])
    chain = np.concatenate([path.points[:1], subgoals])
    assert (np.linalg.norm(np.diff(chain, axis=0), axis=1) <= 3.0 + 1e-9).all()
    assert all(way is not None for way in space.connect(chain[:-1], chain[1:]))
    assert len(subgoals) < 12
