"""Ways out: straight away in the open, along a wall, past a slow threat out of a corner."""

import numpy as np
import pytest

from behaviors.behavior import Surroundings
from behaviors.flock import flock_at_rest
from behaviors.neighbors import Neighbors
from behaviors.ways_out import way_out
from geometry.mesh import join
from geometry.query import MeshQuery
from geometry.surface import Surface
from geometry.vectors import unit
from models import load_character
from scenes.build.shapes import box, floor


def chosen(position, threat, speed, obstacles=None, half=40.0, ways=16):
    """The way of a pedestrian (1.8 m/s) on a square floor, away from a threat at some speed."""
    line = np.linspace(-half, half, 9)
    surface = Surface(floor(line, line, np.ones((8, 8), bool)))
    place, face = surface.locate(np.array([position], float))
    flock = flock_at_rest([load_character("pedestrian")], place, np.array([[1.0, 0, 0]]), face)
    around = Surroundings(
        neighbors=Neighbors.within(place, 1.0, flock.radius),
        subgoal=place,
        subgoal_velocity=np.zeros((1, 3)),
        obstacles=obstacles,
        surface=surface,
    )
    threat = np.array([threat], float)
    away = unit(place - threat)
    return way_out(flock, around, away, threat, np.array([speed]), ways, 4.0)[0], away[0]


@pytest.mark.parametrize("threat", [(3.0, 0.0, 0.0), (-1.0, 2.0, 0.0), (4.0, -4.0, 0.0)])
def test_in_the_open_the_way_out_is_straight_away(threat):
    way, away = chosen((0.0, 0.0, 0.0), threat, 1.5)
    np.testing.assert_allclose(way, away, atol=1e-12)


def test_before_a_wall_the_way_out_is_along_it():
    wall = MeshQuery(box([2.0, -40, -1], [3.0, 40, 3]))
    way, _ = chosen((1.6, 0.0, 0.0), (-3.0, 0.0, 0.0), 1.5, wall)
    assert abs(way[1]) > 0.9
    assert way[0] <= 0.1


def test_the_edge_of_the_ground_stops_as_a_wall_does():
    way, _ = chosen((9.7, 0.0, 0.0), (5.0, 0.0, 0.0), 1.5, half=10.0)
    assert abs(way[1]) > 0.9


def test_out_of_a_corner_it_leads_past_a_slow_threat():
    corner = MeshQuery(join([box([2, -40, -1], [3, 40, 3]), box([-40, 2, -1], [40, 3, 3])]))
    way, away = chosen((1.5, 1.5, 0.0), (-1.0, -1.0, 0.0), 0.9, corner)
    assert way @ away < -0.5
    time = np.linspace(0.0, 3.0, 30)[:, None]
    run = np.array([1.5, 1.5]) + 1.8 * time * way[:2] - np.array([-1.0, -1.0])
    assert (np.linalg.norm(run, axis=1) > 0.9 * time[:, 0]).all()
    far, away = chosen((1.5, 1.5, 0.0), (-9.0, -9.0, 0.0), 0.9, corner)
    assert far @ away > 0.3, "as long as the threat is far, there is no hurry"


def test_nobody_has_no_way():
    assert chosen((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, ways=1)[0] == pytest.approx([-1, 0, 0])
