import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import make_space


@pytest.mark.parametrize("precision", [0.3, 0.01])
def test_samples_lie_at_the_boundary_of_obstacles(rooms, flyer, nearest_per_face, precision):
    space = make_space("translation", rooms, flyer)
    sampler = SAMPLERS["obstacle"](precision=precision)
    points, _ = draw(sampler, space, 100, np.random.default_rng(0))
    distance, _ = nearest_per_face(points, rooms.flying_obstacles[0])
    gap = distance.min(axis=1) - flyer.radius
    assert (gap > 0.0).all()
    assert (gap <= precision + space.world.tolerance).all()


def test_samples_on_the_ground_lie_at_the_walls(rooms, walker):
    space = make_space("ground", rooms, walker)
    points, _ = draw(SAMPLERS["obstacle"](), space, 100, np.random.default_rng(0))
    clearance = space.world.clearance(points)
    assert (clearance <= 0.05 + space.world.tolerance).all()
    assert len(np.unique(points[:, 0] > 0)) == 2  # both sides


def test_who_is_deep_inside_stays_there(make, flyer):
    # Only what is within reach of the surface comes out.
    rock = make.box("rock", (-9, -9, -2), (9, 9, 5))
    space = make_space("translation", make.scene(rock), flyer)
    near = SAMPLERS["obstacle"](reach=0.5).attempt(space, 4000, 0, np.random.default_rng(0))
    far = SAMPLERS["obstacle"](reach=20.0).attempt(space, 4000, 0, np.random.default_rng(0))
    assert 0 < len(near) < 0.2 * len(far)


@pytest.mark.parametrize(("reach", "precision"), [(1.0, 0.0), (0.0, 0.1), (np.inf, 0.1)])
def test_distances_that_make_no_sense_are_refused(reach, precision):
    with pytest.raises(InputError, match="`precision` must be positive"):
        SAMPLERS["obstacle"](reach=reach, precision=precision)
