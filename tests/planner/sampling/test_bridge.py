import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import make_space


@pytest.fixture
def corridor(make):
    """Two slabs, 1.2 m apart, that are larger than the bounds: no bridge ends at the bounds."""
    return make.scene(
        make.box("left", (-12, 0.6, -3), (12, 12, 6)),
        make.box("right", (-12, -12, -3), (12, -0.6, 6)),
    )


def test_samples_lie_within_reach_of_obstacles(corridor, flyer):
    space = make_space("translation", corridor, flyer)
    points, _ = draw(SAMPLERS["bridge"](std=0.8), space, 100, np.random.default_rng(0))
    assert (np.abs(points[:, 1]) < 0.2).all()  # in the corridor, whose free width is 0.4 m


def test_a_lone_wall_makes_no_bridges(make, flyer):
    # The wall is convex: a middle between two ends that touch it touches it as well.
    wall = make.box("wall", (-12, -1, -3), (12, 1, 6))
    space = make_space("translation", make.scene(wall), flyer)
    found = SAMPLERS["bridge"](std=2.0).attempt(space, 20_000, 0, np.random.default_rng(0))
    assert found.shape == (0, 3)


@pytest.mark.parametrize("name", ["ground", "translation"])
def test_the_door_gets_most_samples(rooms, walker, name):
    space = make_space(name, rooms, walker)
    share = {}
    for sampler, count in (("uniform", 1000), ("bridge", 40)):
        points, _ = draw(SAMPLERS[sampler](), space, count, np.random.default_rng(1))
        share[sampler] = (np.abs(points[:, :2]) < [0.5, 0.6]).all(axis=1).mean()
    assert share["bridge"] > 5 * share["uniform"]


def test_a_footbridge_between_drops_is_a_passage(bridge, walker):
    space = make_space("ground", bridge, walker)
    points, _ = draw(SAMPLERS["bridge"](std=2.0), space, 200, np.random.default_rng(0))
    on_deck = (points[:, 2] > 0.5).mean()
    assert on_deck > 3 * 60 / (800 + 60)  # its share of the walkable area, in plan


@pytest.mark.parametrize("std", [0.0, -1.0, np.nan])
def test_a_deviation_that_is_not_positive_is_refused(std):
    with pytest.raises(InputError, match="`std` must be positive"):
        SAMPLERS["bridge"](std=std)
