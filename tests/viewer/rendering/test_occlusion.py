import numpy as np

from rmp3d.viewer.rendering.occlusion import BIAS, SceneDepth, SceneLight

DOWN = np.diag([1.0, 1.0, -1.0, 1.0]).astype(np.float32)


def test_the_shadow_map_says_who_is_in_the_sun():
    depth = np.ones((64, 64), np.float32)
    depth[:, :32] = 0.3  # seen from above, the western half lies under a roof
    light = SceneLight(DOWN, depth)
    points = np.array([[-0.5, 0, -0.5], [0.5, 0, -0.5], [-0.5, 0, 0.9], [0.0, 0.0, -0.5]])
    share = light.share(points)
    assert share[:3].tolist() == [0.0, 1.0, 1.0]
    assert 0.0 < share[3] < 1.0


def test_the_share_of_the_sun_is_that_of_the_nine_texels_around():
    rng = np.random.default_rng(3)
    depth = rng.uniform(0.0, 1.0, (16, 16)).astype(np.float32)
    points = rng.uniform(-0.8, 0.8, (200, 3))
    at = np.column_stack([points[:, 0] + 1, points[:, 1] + 1, 1 - points[:, 2]]) / 2
    expected = []
    for x, y, z in at:
        column, row = int(16 * x), int(16 * y)
        nine = depth[row - 1 : row + 2, column - 1 : column + 2]
        expected.append((z - BIAS <= nine).mean())
    np.testing.assert_allclose(SceneLight(DOWN, depth).share(points), expected)
    assert 0.2 < np.mean(expected) < 0.8


def test_the_picture_s_depths_say_which_points_are_hidden():
    depth = np.full((10, 20), 0.5, np.float32)
    scene = SceneDepth(np.eye(4, dtype=np.float32), depth)
    points = np.zeros((2, 3, 3))
    points[0, :, 2], points[1, :, 2] = [-0.5, 0.5, -0.1], [-0.5, 0.5, 0.5]
    assert scene.hides(points).tolist() == [[False, True, False], [False, True, True]]
