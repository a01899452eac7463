import numpy as np

from rmp3d.geometry.axes import up_of_frame
from rmp3d.geometry.rotations import frame


def test_it_is_the_up_of_frame_also_where_up_and_heading_are_parallel():
    rng = np.random.default_rng(0)
    heading, up = rng.normal(size=(2, 60, 3))
    axes = np.eye(3)
    heading[:6], up[:6] = np.vstack([axes, -axes]), np.vstack([axes, axes])
    heading[6:9], up[6:9] = 3.0 * heading[9:12], 0.0
    heading[12:15] = [[1.0, 1, 0], [0, 1, 1], [1, 0, 1]]
    up[12:15] = 2.0 * heading[12:15]
    found = [up_of_frame(*pair) for pair in np.hstack([heading, up])]
    np.testing.assert_allclose(found, frame(heading, up)[:, :, 2], atol=1e-14)
