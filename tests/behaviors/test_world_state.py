"""What there is in one step: who is near whom, and what a group is told of the scene."""

import numpy as np
import pytest

from rmp3d.behaviors import world_state as module
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.query import MeshQuery


@pytest.mark.parametrize("few", [0, 10**9])
@pytest.mark.parametrize("rows", [[], [3], list(range(0, 60, 3)), list(range(60))])
def test_near_pairs_are_those_of_a_double_loop_whichever_way_they_are_found(
    make, monkeypatch, few, rows
):
    monkeypatch.setattr(module, "FEW", few)
    flock = make.flock(np.random.default_rng(2).uniform(-4, 4, (60, 3)), grounded=True)
    world = WorldState(flock, np.zeros(60, np.intp), ("one",))
    own, other = world.near(np.array(rows, np.intp), 2.0)
    middle = flock.position + np.array([0.0, 0.0, 0.85])
    expected = [
        (k, j)
        for k, i in enumerate(rows)
        for j in range(60)
        if i != j and np.linalg.norm(middle[i] - middle[j]) <= 2.0
    ]
    assert list(zip(own.tolist(), other.tolist(), strict=True)) == expected


def test_walkers_are_told_of_walls_and_ground_and_flyers_of_all_that_is_solid(make):
    solid, walking = (MeshQuery(make.box([k, 0, 0], [k + 1, 1, 1])) for k in (3, 5))
    for grounded, obstacles in ((True, walking), (False, solid)):
        flock = make.flock([[0.0, 0, 0]], grounded=grounded)
        world = WorldState(
            flock, np.zeros(1, np.intp), ("one",), solid=solid, walking=walking, time=2.0, seed=7
        )
        rows = np.array([0])
        near = Neighbors.within(flock.position, 1.0, flock.bodies.radius)
        around = world.surroundings(rows, near, flock.position, flock.velocity)
        assert around.obstacles is obstacles
        assert around.crowd is flock
        assert (around.time, around.seed, around.member.tolist()) == (2.0, 7, [0])
