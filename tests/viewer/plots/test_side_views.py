"""Views of a body on its path."""

import numpy as np
import pytest

from rmp3d.viewer.plots.side_views import side_views


@pytest.mark.parametrize("far", [3.0, 1e19, 1e60])
def test_a_path_of_any_length_is_drawn(far):
    edges = np.array([[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]])
    path = np.array([[0.0, 0.0, 0.0], [far, 1.0, 0.0]])
    page = side_views(edges, [edges, edges + path[1]], path)
    assert page.count("from the side") == 1
