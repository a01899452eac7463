import numpy as np

from rmp3d.viewer.rendering.sun import (
    SIDES,
    SUN_DIRECTION,
    steady_sun_view_projection,
    sun_view_projection,
)


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


def test_texels_of_a_steady_map_stay_where_they_are_while_the_box_moves():
    box = np.array([[-10.0, -4.0, 0.0], [12.0, 5.0, 3.0]])
    place = np.array([1.3, -2.1, 0.4])
    offsets = []
    for moved in np.linspace(0.0, 0.7, 8)[:, None] * [1.0, 0.6, 0.1]:
        matrix, side = steady_sun_view_projection(box + moved, 0.02)
        at = (matrix[:3, :3].astype(float) @ place + matrix[:3, 3])[:2]
        offsets.append((at * 0.5 + 0.5) * side)
        corners = np.array(
            [[x, y, z, 1] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]]
        ) + np.append(moved, 0.0)
        assert (np.abs((corners @ matrix.T)[:, :3]) < 1.0).all()
    shift = np.array(offsets) - offsets[0]
    np.testing.assert_allclose(shift, np.round(shift), atol=2e-3)
    assert np.ptp(np.round(shift), axis=0).max() >= 3


def test_a_map_is_no_finer_than_it_has_to_be():
    box = np.array([[-10.0, -4.0, 0.0], [12.0, 5.0, 3.0]])
    sides = [steady_sun_view_projection(box, finest)[1] for finest in (0.0, 0.05, 1.0)]
    assert sides[0] == SIDES[-1] > sides[1] > sides[2] == SIDES[0]
    matrix, side = steady_sun_view_projection(box, 0.05)
    texel = 2.0 / np.linalg.norm(matrix[:2, :3], axis=1) / side
    assert texel.max() <= 0.05
