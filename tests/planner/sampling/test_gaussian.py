import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import make_space


@pytest.mark.parametrize("name", ["ground", "translation"])
def test_samples_lie_close_to_obstacles(rooms, walker, name):
    space = make_space(name, rooms, walker)
    std = 0.2
    points, _ = draw(SAMPLERS["gaussian"](std=std), space, 300, np.random.default_rng(0))
    clearance = space.world.clearance(points)
    # the pair's other end collides: five sigma per axis away, at most
    assert (clearance < 5 * std * np.sqrt(3)).all()
    uniform, _ = draw(SAMPLERS["uniform"](), space, 300, np.random.default_rng(0))
    assert np.median(clearance) < 0.5 * np.median(space.world.clearance(uniform))


def test_doors_get_more_samples_than_by_chance(rooms, walker):
    space = make_space("ground", rooms, walker)
    near = {}
    for name in ("uniform", "gaussian"):
        points, _ = draw(SAMPLERS[name](), space, 1000, np.random.default_rng(1))
        near[name] = (np.abs(points[:, :2]) < [0.5, 0.6]).all(axis=1).sum()
    assert near["gaussian"] > 2 * near["uniform"]


@pytest.mark.parametrize("std", [0.0, -1.0, np.nan])
def test_a_deviation_that_is_not_positive_is_refused(std):
    with pytest.raises(InputError, match="`std` must be positive"):
        SAMPLERS["gaussian"](std=std)
