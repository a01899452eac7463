"""Clearance along edges: a lower bound of it, however long they are, for a bounded work."""

import numpy as np
import pytest

from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.paths import edges
from rmp3d.planner.paths.edges import least_clearance
from rmp3d.planner.spaces import TranslationSpace


@pytest.fixture
def column(make, flyer):
    """A ball's space, and ways of 10 m to 180 km that pass a column at 1.1 m and more."""
    scene = make.scene(make.box("column", (-1, -1, 0), (1, 1, 4)), bounds=[[-1e5] * 3, [1e5] * 3])
    space = TranslationSpace(CollisionWorld(scene, flyer), scene.bounds)
    rng = np.random.default_rng(0)
    ways = []
    for far in (5.0, 30.0, 9e4):
        start = np.array([-far, rng.uniform(2.5, 40.0), 2.0])
        ways.append(np.array([start, [0.0, start[1], 2.0], [far, start[1], 2.0]]))
    return space, ways


def test_least_clearance_is_a_lower_bound_of_long_edges_for_a_bounded_number_of_points(
    column, monkeypatch
):
    space, ways = column
    asked = []
    clearance = space.world.clearance

    def counted(points, cap):
        asked.append(len(points))
        return clearance(points, cap)

    monkeypatch.setattr(type(space.world), "clearance", lambda _, *given: counted(*given))
    found = least_clearance(space, ways)
    assert sum(asked) < len(ways) * (edges.MOST + 4)
    for way, least in zip(ways, found, strict=True):
        assert 0.0 < least <= min(way[0, 1] - 1.4, 4.0) + 1e-9
    assert found[0] == pytest.approx(min(ways[0][0, 1] - 1.4, 4.0), abs=0.25)


def test_parts_of_all_edges_give_the_same_as_all_at_once(column, monkeypatch):
    space, ways = column
    shifts = np.linspace(0.0, 3.0, 20)[:, None, None] * [0.0, 1.0, 0.0]
    ways = [way + shift for way in ways[:2] for shift in shifts]
    whole = least_clearance(space, ways)
    monkeypatch.setattr(edges, "TOGETHER", 50)
    np.testing.assert_array_equal(least_clearance(space, ways), whole)
    assert least_clearance(space, []).shape == (0,)
