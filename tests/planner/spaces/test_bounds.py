"""Words for a place out of bounds."""

import numpy as np
import pytest

from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import GroundSpace


def test_the_error_says_how_much_narrower_the_bounds_are_than_the_scene_s(make, walker):
    scene = make.scene(make.floor((-9, -9), (9, 9)), bounds=((-6, -3, -1), (6, 3, 3)))
    world = CollisionWorld(scene, walker)
    inner = np.array([[-5.0, -2.0, -1.0], [5.0, 2.0, 3.0]])
    with pytest.raises(PlacementError, match=r"\(the scene's, less 1 m for the body\)"):
        GroundSpace(world, inner).place(np.array([5.5, 0.0, 0.0]))
    with pytest.raises(PlacementError, match=r"out of bounds \[\[-6\.0, -3\.0, -1\.0\].*\]\]$"):
        GroundSpace(world).place(np.array([6.5, 0.0, 0.0]))
