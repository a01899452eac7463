"""Nodes in gaps: in doors, between columns, and nowhere else."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.crowd.routes import SharedRoutes, route_lengths
from rmp3d.behaviors.groups.guided.roadmap_routes import covering_roadmap
from rmp3d.planner.roadmap.gaps import gaps_of, with_gaps
from tests.behaviors.groups.conftest import space

DOOR = [([-0.15, -9, 0], [0.15, -0.6, 2]), ([-0.15, 0.6, 0], [0.15, 9, 2])]


def test_the_middle_of_a_door_is_a_gap():
    found = gaps_of(space(walls=DOOR))
    assert len(found) > 0
    assert np.abs(found[:, 0]).max() < 1.0
    assert np.abs(found[:, 1]).max() < 0.1


@pytest.mark.parametrize(
    "walls",
    [[], [([-0.3, -0.3, 0], [0.3, 0.3, 2])], [*DOOR[:1], ([-0.15, 5.0, 0], [0.15, 9, 2])]],
    ids=["level ground", "one column", "a wide opening"],
)
def test_where_nothing_is_narrow_there_are_no_gaps(walls):
    assert gaps_of(space(walls=walls)).shape == (0, 3)


def test_a_route_leads_through_a_door_and_not_round_the_wall():
    walled = space(walls=DOOR)
    ends = np.array([[-3.0, 2.0, 0], [3.0, 2.0, 0]])
    roadmap = with_gaps(covering_roadmap(walled, 60, list(ends), np.random.default_rng(3)))
    routes = SharedRoutes(roadmap).routes(ends[:1], ends[1:])
    assert route_lengths(ends[:1], routes)[0] < 9.0
