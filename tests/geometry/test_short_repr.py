import numpy as np

from rmp3d.behaviors import Flock
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import load_character


def test_large_structures_are_shown_by_the_shapes_of_their_arrays():
    mesh = TriangleMesh(np.eye(3), [[0, 1, 2]])
    assert repr(mesh) == "TriangleMesh(vertices=array of shape (3, 3), faces=array of shape (1, 3))"


def test_what_a_notebook_shows_of_many_characters_is_short():
    walker = load_character("pedestrian")
    flock = Flock.at_rest([walker] * 1000, np.zeros((1000, 3)), np.eye(3)[[0] * 1000])
    assert "position=array of shape (1000, 3)" in repr(flock)
    assert len(repr(flock)) < 1000
    assert len(repr(walker)) < 1000
