"""Vehicles rather take the ways on that lie ahead."""

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.search.learning import Learning, LinkWeights
from rmp3d.behaviors.groups.search.turning import early, ease_of_turns
from tests.behaviors.groups.search.maps import map_on

HERE, EAST = np.array([-3.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0])


def way(degrees):
    turn = np.radians(degrees)
    return np.array([[0.0, 0.0, 0.0], [8.0 * np.cos(turn), 8.0 * np.sin(turn), 0.0]])


def test_the_sharper_the_turn_the_less_easy_and_straight_on_is_easiest():
    ease = ease_of_turns(HERE, EAST, 2.5, [way(angle) for angle in (0, 45, 90, 135, 180)])
    assert ease[0] == pytest.approx(1.0)
    assert (np.diff(ease) < 0.0).all()
    assert min(ease) > 0.0, "no way is ruled out"


def test_a_faster_vehicle_chooses_earlier_and_a_standing_one_a_turn_ahead():
    near = early(np.array([0.0, 2.0, 4.0]), 2.5, 7.0)
    assert near[0] == 2.5
    assert (np.diff(near) > 0.0).all()


@pytest.mark.parametrize(("reward", "place"), [(0.0, 3), (10.0, 2)])
def test_what_lies_ahead_is_chosen_unless_a_trail_leads_elsewhere(reward, place):
    weights = LinkWeights(map_on(nx.Graph([(0, 2), (0, 3), (3, 1)])), Learning(reward=reward))
    weights.reward([0, 2])
    rng = np.random.default_rng(0)
    assert weights.choose(0, [2, 3], rng, [1e-6, 1.0]) == place
