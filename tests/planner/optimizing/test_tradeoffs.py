"""Several costs at once: certified paths of which none is better than another in every cost."""

import numpy as np
import pytest

from rmp3d.front import planning
from rmp3d.geometry import InputError
from rmp3d.planner import COSTS, Optimization
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.optimizing.tradeoffs import BlendedCost, blends, not_dominated
from rmp3d.planner.planners import plan
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import make_space
from rmp3d.terminal.improving import improved_text

START, GOAL = np.array([-4.0, 0.0, 1.0]), np.array([4.0, 0.0, 1.0])


@pytest.fixture
def island(make, flyer):
    """A block in a flat box of air: the shortest way is along its side."""
    block = make.box("block", (-1, -2, -1), (1, 1, 3))
    scene = make.scene(block, bounds=((-6, -6, 1), (6, 6, 1)))
    return make_space("translation", scene, flyer)


def test_not_dominated_agrees_with_the_definition():
    values = np.random.default_rng(0).integers(1, 6, (60, 3)).astype(np.float64)
    kept = values[not_dominated(values)]
    better = [
        not any((other <= own).all() and (other < own).any() for other in values) for own in values
    ]
    np.testing.assert_array_equal(
        np.unique(kept, axis=0), np.unique(values[np.array(better)], axis=0)
    )
    assert len(np.unique(kept, axis=0)) == len(kept)
    # Rounding is no gain.
    assert not_dominated(np.array([[1.0, 1.0], [1.0 - 1e-9, 1.0 + 1e-9]])).tolist() == [True, False]


def test_a_sum_of_costs_is_a_cost(island):
    parts = COSTS["length"](), COSTS["clearance"]()
    sums = [each for each in blends(parts, (8.0, 20.0)) if isinstance(each, BlendedCost)]
    assert len(sums) == 3
    points = np.array([START, [-2.0, 2.0, 1.0], [2.0, 2.0, 1.0], GOAL])
    values = [cost_of(part, island, points) for part in parts]
    for each in sums:
        assert cost_of(each, island, points) == pytest.approx(
            np.dot(each.weights, values), rel=0.05
        )
        least = each.least(island, START[None], GOAL[None])[0]
        assert 0.0 < least < cost_of(each, island, points)
        assert 0.0 < 8.0 * each.per_meter(island) <= least * (1.0 + 1e-9)


def test_the_short_path_is_near_and_the_far_path_long(island):
    asked = Optimization(work=2000, against=("clearance",))
    problem = Problem(island, START, GOAL)
    result = plan(problem, seed=1, optimization=asked)
    rows = result.improved.tradeoffs
    lengths = [row.costs["length"] for row in rows]
    assert len(rows) > 1
    assert lengths == sorted(lengths)
    values = np.array([list(row.costs.values()) for row in rows])
    assert not_dominated(values).all()
    near, far = (island.world.clearance(row.configurations).min() for row in (rows[0], rows[-1]))
    assert far > 2.0 * near
    for row in rows:
        np.testing.assert_array_equal(row.configurations[[0, -1]], [START, GOAL])
        assert island.connects(row.configurations[:-1], row.configurations[1:]).all()
        island.world.confirm(row.configurations)
    again = plan(problem, seed=1, optimization=asked).improved.tradeoffs
    assert [row.configurations.tobytes() for row in again] == [
        row.configurations.tobytes() for row in rows
    ]


def test_what_makes_no_sense_is_refused_before_anything_is_planned(island):
    problem = Problem(island, START, GOAL)
    with pytest.raises(InputError, match="need a limit"):
        Optimization(against=("clearance",))
    with pytest.raises(InputError, match="further costs, got 4"):
        Optimization(work=1, against=("clearance",) * 4)
    for against, words in (("length", "asked for twice"), ("far", "no cost named `far`")):
        with pytest.raises(InputError, match=words):
            plan(problem, optimization=Optimization(work=100, against=(against,)))


def test_a_script_may_name_one_further_cost_without_a_list():
    settings = {"optimize_work": 10, "against": "clearance"}
    assert planning._optimization(settings).against == ("clearance",)
    assert planning._optimization({**settings, "against": ["time"]}).against == ("time",)


def test_the_table_says_what_each_path_costs():
    rows = [
        {"costs": {"length": 2.0, "clearance": 5.0}},
        {"costs": {"length": 3.0, "clearance": 4}},
    ]
    text = improved_text({"tradeoffs": rows})
    assert "2 paths, none better" in text
    assert text.splitlines()[1].split() == ["length", "clearance"]
    assert text.splitlines()[-1].split() == ["3.0000", "4.0000"]
    assert "one path is the best" in improved_text({"tradeoffs": rows[:1]})
