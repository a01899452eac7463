import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.choices import choose
from rmp3d.models import load_character
from rmp3d.planner import COSTS
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces import make_space

SPEEDS = {"speed": 2.0, "turn_rate": 1.5, "stop": 3.0}


@pytest.fixture
def spaces(rooms, walker, flyer, vehicle, make_body):
    return (
        make_space("ground", rooms, walker),
        make_space("translation", rooms, flyer),
        make_space("rigid", rooms, make_body((0.6, 0.2, 0.1))),
        make_space("ground_heading", rooms, vehicle, turn_radius=1.0),
    )


def cost_named(name):
    return choose(COSTS, {"name": name, **(SPEEDS if name == "time" else {})}).of_body(None)


@pytest.mark.parametrize("name", list(COSTS))
def test_no_polyline_costs_less_than_the_bounds_of_its_pieces(name, spaces):
    cost = cost_named(name)
    for space in spaces:
        points = space.from_unit_cube(np.random.default_rng(0).random((6, space.dimension)))
        least = cost.least(space, points[:-1], points[1:])
        dense = densified(points, cost.spacing(space), space)
        assert cost.pieces(space, dense).min() >= 0.0
        assert cost_of(cost, space, points) >= least.sum() * (1.0 - 1e-9)
        # The bounds obey the triangle inequality, or samples and searches would miss something.
        assert cost.least(space, points[:1], points[-1:])[0] <= least.sum() * (1.0 + 1e-9)
        moved = np.linalg.norm(points[1:, :3] - points[:-1, :3], axis=1)
        assert (least >= cost.per_meter(space) * moved * (1.0 - 1e-9)).all()
        assert cost_of(cost, space, points[:1]) == 0.0


def test_clearance_and_weighted_costs_rise_towards_a_wall(rooms, flyer):
    space = make_space("translation", rooms, flyer)
    for name in ("clearance", "weighted"):
        near, far = (
            cost_of(cost_named(name), space, np.array([[x, 2.0, 1.5], [x, 4.0, 1.5]]))
            for x in (-0.55, -5.0)
        )
        assert near > 1.2 * far


def test_a_meter_at_a_clearance_of_one_radius_costs_one_meter(make, flyer):
    scene = make.scene(make.box("wall", (0, -5, 0), (1, 5, 4)))
    space = make_space("translation", scene, flyer)
    line = np.array([[-0.8, 0.0, 2.0], [-0.8, 1.0, 2.0]])
    assert cost_of(cost_named("clearance"), space, line) == pytest.approx(1.0, abs=1e-6)


def test_a_change_of_gear_costs_the_time_of_a_stop(rooms, vehicle):
    space = make_space("ground_heading", rooms, vehicle, turn_radius=1.0)
    ahead = np.array([[-8.0, 0, 0, 1, 0, 0, 0], [-6.0, 0, 0, 1, 0, 0, 0]])
    and_back = np.concatenate([ahead, ahead[:1]])
    cost = cost_named("time")
    assert cost_of(cost, space, ahead) == pytest.approx(1.0)
    assert cost_of(cost, space, and_back) == pytest.approx(2.0 + 3.0)


def test_the_time_of_a_character_is_that_of_its_own_speeds():
    own = load_character("car").parameters
    cost = choose(COSTS, "time").of_body(load_character("car"))
    assert (cost.speed, cost.turn_rate) == (own.cruise_speed, own.max_turn_rate)
    assert cost.stop > 0.0


def test_time_without_a_character_asks_for_its_speeds():
    with pytest.raises(InputError, match="needs its speeds"):
        choose(COSTS, "time").of_body(None)
    with pytest.raises(InputError, match="weight"):
        choose(COSTS, {"name": "weighted", "weight": -1.0})
