"""Where a way is too narrow, against doors of known place and width."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.planner.explaining import explained
from rmp3d.planner.paths.narrowest import narrowest, thinner
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.failures import NoPathError, TooNarrowError
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space

START, GOAL = np.array([-5.0, 0.5, 0.0]), np.array([5.0, -0.5, 0.0])
SETTINGS = RoadmapSettings(nodes=60, sampler="uniform")


def walled(make, width, height=2.5):
    """A floor 12 m x 6 m that a wall at x = 1 divides, with a door around y = -1."""
    return make.scene(
        make.floor((-6, -3), (6, 3)),
        make.box("south", (0.8, -3, 0), (1.2, -1 - width / 2, height)),
        make.box("north", (0.8, -1 + width / 2, 0), (1.2, 3, height)),
        bounds=((-6, -3, -1), (6, 3, 4)),
    )


@pytest.fixture
def failed(walker):
    """What planning for the walker has told."""
    return NoPathError(30, 30, (30, 30), 2 * walker.radius, SimpleNamespace(nodes=60))


def explain(failed, walker, scene):
    def space_of(body):
        return make_space("ground", scene, body)

    rng = np.random.default_rng(0)
    return explained(failed, walker, space_of, SETTINGS, START, GOAL, rng)


@pytest.mark.parametrize("share", [0.6, 0.95])
def test_the_place_and_the_width_of_a_door_that_is_too_narrow_are_told(make, walker, failed, share):
    width = share * 2 * walker.radius
    found = explain(failed, walker, walled(make, width))
    assert isinstance(found, TooNarrowError)
    assert found.width == 2 * walker.radius
    # Never more than there is, and less by no more than two lanes and the tolerances.
    assert width - 0.04 <= found.passage <= width
    assert np.abs(found.place[:2] - [1.0, -1.0]).max() < 0.45
    assert f"only {found.passage:.3g} m wide at (" in str(found)
    assert found.statistics is failed.statistics


def test_a_door_that_is_wide_enough_is_not_to_blame(make, walker, failed):
    assert explain(failed, walker, walled(make, 1.1 * 2 * walker.radius)) is failed


def test_the_narrowest_place_of_a_flight_is_measured_all_round(make):
    """A flat slit in a wall: 3 m wide and 0.9 m high."""
    scene = make.scene(
        make.box("below", (-0.2, -5, -4), (0.2, 5, -0.45)),
        make.box("above", (-0.2, -5, 0.45), (0.2, 5, 4)),
        make.box("left", (-0.2, 1.5, -0.45), (0.2, 5, 0.45)),
        make.box("right", (-0.2, -5, -0.45), (0.2, -1.5, 0.45)),
        bounds=((-8, -5, -4), (8, 5, 4)),
    )
    space = make_space("translation", scene, make.body(0.3, (0.0, 0.0)))
    narrow = narrowest(space, CertifiedPath(np.array([[-4.0, 0, 0], [4, 0, 0]]), np.ones(2)), 0.8)
    assert abs(narrow.place[0]) < 0.6
    assert 0.9 - 0.05 <= narrow.width <= 0.9


def test_a_thinner_body_is_as_tall(walker):
    thin = thinner(walker, 0.5)
    assert thin.radius == 0.5 * walker.radius
    assert thin.capsule_axis == walker.capsule_axis
    assert thin.overhang(thin.mesh) < 0.0
