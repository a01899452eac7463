"""The guide of a vehicle has the height of the ground between its points."""

import numpy as np
import pytest

from rmp3d.behaviors import Flock
from rmp3d.behaviors.groups.driving.ends import ends_along
from rmp3d.behaviors.groups.driving.guide import on_ground
from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.behaviors.groups.driving.routes import find_route
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Scene

# From one foot of the bridge of `crossing` to the other: up a ramp, over the deck, and down.
BRIDGE = np.array([[28.0, 0.0, 0.4], [-31.0, 0.0, 0.0]])


@pytest.fixture(scope="module")
def crossing():
    body = load_character("motorbike").body
    return make_space(
        "ground_heading", Scene.load("crossing"), body, turn_radius=2.5, reverses=True
    )


def test_a_guide_over_a_bridge_follows_its_ramp_as_far_as_routes_lead(crossing):
    guide = on_ground(crossing, BRIDGE)
    found, _ = crossing.surface.locate(guide, 0.1, 0.1)
    np.testing.assert_allclose(found, guide, atol=0.02)
    assert guide[1:-1, 2].max() > 3.0
    np.testing.assert_array_equal(guide[[0, -1]], BRIDGE)
    assert (np.diff(guide[:, 0]) < 0.0).all()
    assert guide[-2, 0] > 28.0 - 7.0 * 2.5


def test_a_route_leads_up_a_ramp_to_a_place_beyond_the_bridge(crossing):
    """A motorbike looked for a way level with the far end, and stood on the ramp every 2 m."""
    bodies = Flock.at_rest(
        [load_character("motorbike")], BRIDGE[:1], np.array([[-1.0, 0, 0]])
    ).bodies
    bike = Driven(
        crossing, BRIDGE[0], np.pi, 2.5, True, bodies.ends[0], float(bodies.half_width[0]),
        np.zeros((0, 6)),
    )  # fmt: skip
    route = find_route(bike, *ends_along(on_ground(crossing, BRIDGE), 4.0, 2.5, stops=False))
    assert route.goes_on
    assert route.station[-1] > 1.9 * 2.5
    straight = find_route(bike, *ends_along(BRIDGE, 4.0, 2.5, stops=False))
    assert straight is None or not straight.goes_on


def test_a_guide_on_level_ground_stays_as_it_is(gate):
    guide = np.array([[-14.0, 0.0, 0.0], [-6.0, 0.0, 0.0], [-6.0, 0.0, 0.0], [14.0, 1.0, 0.0]])
    np.testing.assert_array_equal(on_ground(gate, guide), guide)
