import numpy as np
import pytest

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import top

SIZE = (1280, 720)
BOX = np.array([[-10.0, -4.0, 0.0], [12.0, 5.0, 3.0]])


def cameras():
    rng = np.random.default_rng(0)
    for _ in range(20):
        yield Camera(
            target=rng.uniform(-5, 5, 3),
            azimuth=rng.uniform(-np.pi, np.pi),
            elevation=rng.uniform(-0.3, np.pi / 2),
            distance=rng.uniform(1, 50),
        )


def corners(box):
    return np.array([[x, y, z] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]])


def test_view_equals_the_look_at_matrix_of_eye_target_and_world_up():
    for camera in cameras():
        back = camera.eye - camera.target
        back = back / np.linalg.norm(back)
        right = np.cross([0, 0, 1], back)
        right = right / np.linalg.norm(right)
        up = np.cross(back, right)
        expected = np.eye(4)
        expected[:3, :3] = [right, up, back]
        expected[:3, 3] = -expected[:3, :3] @ camera.eye
        np.testing.assert_allclose(camera.view(), expected, atol=2e-5)  # float32 of tens of meters


def test_target_is_in_the_middle_and_at_the_distance():
    for camera in cameras():
        pixel, depth = camera.project(camera.target, SIZE)
        np.testing.assert_allclose(pixel[0], [640, 360], atol=1e-9)
        assert depth[0] == pytest.approx(camera.distance)


def test_ray_through_the_pixel_of_a_point_meets_the_point():
    rng = np.random.default_rng(1)
    for camera in cameras():
        pixel = tuple(rng.uniform(0, 720, 2))
        origin, direction = camera.ray(pixel, SIZE)
        assert np.linalg.norm(direction) == pytest.approx(1.0)
        found, _ = camera.project(origin + 7.0 * direction, SIZE)
        np.testing.assert_allclose(found[0], pixel, atol=1e-8)


def test_matrices_put_points_where_project_says():
    points = np.random.default_rng(2).uniform(-3, 3, (50, 3))
    for camera in cameras():
        clip = np.c_[points, np.ones(50)] @ camera.view_projection(16 / 9, BOX).T.astype(float)
        pixel, depth = camera.project(points, SIZE)
        seen = depth > 0.1
        across = (clip[:, :2] / clip[:, 3:] + 1.0) / 2.0 * SIZE
        np.testing.assert_allclose(across[seen], pixel[seen], rtol=1e-3, atol=0.05)
        np.testing.assert_allclose(clip[:, 3], depth, atol=1e-3)


def test_projection_maps_the_near_plane_to_minus_one_and_the_far_plane_beyond_the_scene():
    camera = Camera(distance=20.0)
    matrix = camera.projection(1.5, BOX).astype(float)
    near = matrix @ [0, 0, -camera.distance / 100.0, 1]
    assert near[2] / near[3] == pytest.approx(-1.0, abs=1e-4)
    depth = camera.project(corners(BOX), SIZE)[1]
    clip = np.c_[np.zeros((8, 2)), -depth, np.ones(8)] @ matrix.T
    assert (np.abs(clip[:, 2] / clip[:, 3]) < 1.0).all()


def test_fit_shows_all_of_a_box_and_touches_two_opposite_sides():
    for camera in cameras():
        pixel, depth = camera.fit(BOX, 16 / 9, margin=1.0).project(corners(BOX), SIZE)
        assert (depth > 0).all()
        assert (pixel > -1e-6).all()
        assert (pixel < np.array(SIZE) + 1e-6).all()
        room = np.maximum(pixel.min(axis=0), SIZE - pixel.max(axis=0))
        assert room.min() == pytest.approx(0.0, abs=1e-6)  # left and right, or below and above


def test_fit_of_a_single_point_keeps_a_distance():
    camera = Camera().fit(np.ones((2, 3)), 1.0)
    np.testing.assert_allclose(camera.target, np.ones(3))
    assert camera.distance > 0.0


def test_top_view_is_a_map_with_x_to_the_right_and_y_up():
    camera = top(BOX, 16 / 9)
    pixel, _ = camera.project(camera.target + np.eye(3)[:2], SIZE)
    assert pixel[0][0] > 640.1
    assert pixel[0][1] == pytest.approx(360)
    assert pixel[1][1] > 360.1
    assert pixel[1][0] == pytest.approx(640)


def test_pan_carries_the_target_along_with_the_mouse():
    for camera in cameras():
        moved = camera.panned((30.0, -20.0), SIZE)
        pixel, _ = moved.project(camera.target, SIZE)
        np.testing.assert_allclose(pixel[0], [670, 340], atol=1e-8)


def test_orbit_keeps_target_and_distance_and_stops_at_the_zenith():
    camera = Camera(target=[1, 2, 3], distance=4.0).orbited(0.3, 9.0)
    assert camera.elevation == pytest.approx(np.pi / 2)
    assert np.linalg.norm(camera.eye - [1, 2, 3]) == pytest.approx(4.0)
    assert camera.zoomed(1e-9).distance == pytest.approx(0.05)
