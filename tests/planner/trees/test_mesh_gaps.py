"""The gaps of a mesh: where two parts of its surface face each other across little space."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.mesh import join
from rmp3d.planner.trees.mesh_gaps import MOST, gaps_of
from rmp3d.scenes.build.shapes import box


def found(mesh, reach=4.0, seed=0):
    return gaps_of(mesh, reach, np.random.default_rng(seed))


@pytest.mark.parametrize("slot", [0.1, 0.4, 1.5])
def test_the_slot_between_two_plates_is_a_gap_of_its_width(slot):
    plates = join([box((0, -1, -1), (1, 1, 1)), box((1 + slot, -1, -1), (2 + slot, 1, 1))])
    gaps = found(plates)
    np.testing.assert_allclose(gaps.width, slot, rtol=1e-4)
    np.testing.assert_allclose(gaps.middle[:, 0], 1 + 0.5 * slot, rtol=1e-4)
    assert (np.abs(gaps.middle[:, 1:]) < 1.0).all()


def test_the_narrowest_come_first_and_not_twice():
    walls = [box((x, -0.2, -0.2), (x + 1.0, 0.2, 0.2)) for x in (0.0, 1.3, 2.5, 4.6)]
    gaps = found(join(walls), reach=2.0)
    np.testing.assert_allclose(gaps.width, [0.2, 0.3], rtol=1e-4)  # 1.1 is more than half the reach
    assert len(gaps.width) <= MOST


def test_a_body_without_hollows_has_none_and_an_open_mesh_neither():
    body = box((-1, -1, -1), (1, 1, 1))
    assert len(found(body).width) == 0
    slot = join([body, box((1.2, -1, -1), (2, 1, 1))])
    assert len(found(TriangleMesh(slot.vertices, slot.faces[1:])).width) == 0
