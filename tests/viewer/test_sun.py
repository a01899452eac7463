import numpy as np

from viewer.sun import SUN_DIRECTION, sun_view_projection


def test_all_corners_of_the_box_are_in_the_map_and_depth_grows_away_from_the_sun():
    box = np.array([[-10.0, -4.0, 0.0], [12.0, 5.0, 3.0]])
    matrix = sun_view_projection(box).astype(float)
    corners = np.array([[x, y, z, 1] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]])
    seen = corners @ matrix.T
    assert (np.abs(seen[:, :3]) <= 1.0).all()
    assert np.abs(seen[:, :3]).max(axis=0).min() > 0.95  # tight
    nearer = matrix @ np.append(SUN_DIRECTION, 1.0) - matrix @ [0, 0, 0, 1.0]
    assert nearer[2] < 0.0
    np.testing.assert_allclose(nearer[:2], 0.0, atol=1e-6)
