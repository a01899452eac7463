"""Containment in boxes, spheres and closed meshes; wall following."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import Containment, NoiseWander, WallFollowing
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery

BOX = np.array([[-3.0, -2, -2], [4, 3, 2]])


class Both:
    """Wandering wildly, contained."""

    def __init__(self, containment):
        self.containment, self.wander = containment, NoiseWander(strength=3.0, vertical=1.0)

    def steering_force(self, flock, around):
        held = self.containment.steering_force(flock, around)
        none = ~held.any(axis=1, keepdims=True)
        return held + none * self.wander.steering_force(flock, around)


@pytest.mark.parametrize("volume", ["box", "sphere", "mesh"])
def test_wanderers_stay_within(make, moves, volume):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.uniform(-1, 1, (20, 3)), rng.normal(size=(20, 3)))
    room = make.box(*BOX)
    known = {"bounds": BOX, "reach": 0.1, "obstacles": room if volume == "mesh" else None}
    walls = Both(Containment(volume, center=(0.5, 0.5, 0.0), radius=3.0))
    far = 0.0
    for now in moves(agents, walls, 40.0, dt=1 / 15, **known):
        if volume == "sphere":
            assert np.linalg.norm(now.position - [0.5, 0.5, 0], axis=1).max() < 2.7
        else:
            assert (now.position > BOX[0] + 0.3).all()
            assert (now.position < BOX[1] - 0.3).all()
        far = max(far, np.abs(now.position[:, 0]).max())
    assert far > 2.0, "and use the room"


def test_who_is_outside_comes_back_in(make, moves):
    agents = make.flock([[6.0, 4, 3], [-5, 0, 0]])
    for one in (Containment(), Containment("mesh")):
        room = make.box(*BOX)
        *_, now = moves(agents, one, 12.0, bounds=BOX, obstacles=room)
        assert (now.position > BOX[0]).all()
        assert (now.position < BOX[1]).all()


def test_clear_of_the_border_it_asks_for_nothing(make):
    agents = make.flock([[0.0, 0, 0]], [[0.5, 0.2, 0.1]])
    for one in (Containment(), Containment("sphere"), Containment("mesh")):
        around = make.surroundings(agents, bounds=BOX, obstacles=make.box(*BOX))
        np.testing.assert_array_equal(one.steering_force(agents, around), 0.0)


def test_it_turns_back_when_the_stopping_distance_says_so(make):
    for x, turns in ((2.1, False), (2.3, True)):
        agents = make.flock([[x, 0, 0]], [[2.0, 0, 0]])
        one, around = Containment(margin=0.0), make.surroundings(agents, bounds=BOX)
        # Of the room at the position in a response time half is kept back.
        room = 4.0 - 0.3 - (x + 2.0 * RESPONSE_TIME)
        assert (2.0 > np.sqrt(2 * 0.5 * 4.0 * room)) == turns
        wanted = -2.0 * (2.0 + 0.5 * 1.5) / RESPONSE_TIME if turns else 0.0
        np.testing.assert_allclose(one.steering_force(agents, around), [[wanted, 0, 0]])


def test_nobody_slides_along_the_border(make, moves):
    agents = make.flock([[3.2, 0, 0]], [[0.4, 1.4, 0]])
    track = [now.velocity[0, 0] for now in moves(agents, Containment(), 1.0, bounds=BOX)]
    assert min(track) < -0.4 * 1.5


def test_a_box_upside_down_is_refused():
    with pytest.raises(InputError, match="must be below `upper`"):
        Containment(lower=(0.0, 0, 0), upper=(1.0, -1, 1))
    with pytest.raises(InputError, match="must both be"):
        Containment(lower=(0.0, 0, 0))


@pytest.fixture
def pillar(make):
    """An upright cylinder of radius 2 m."""
    line = np.linspace(0, 1, 97)
    mesh = make.grid(line, np.array([-4.0, 4]), lambda x, y: 0 * x)
    angle = 2 * np.pi * mesh.vertices[:, 0]
    vertices = np.column_stack([2 * np.cos(angle), 2 * np.sin(angle), mesh.vertices[:, 1]])
    return TriangleMesh(vertices, mesh.faces)


@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_it_goes_round_a_pillar_at_its_distance_either_way(make, moves, pillar, turn):
    agents = make.flock([[3.5, 0, 0]], [[0.0, turn, 0]])
    track = [now.position[0] for now in moves(agents, WallFollowing(), 20.0, obstacles=pillar)]
    gap = np.linalg.norm(np.array(track)[:, :2], axis=1) - 2.0 - 0.3
    assert np.abs(gap[90:] - 0.6).max() < 0.1
    assert gap.min() > 0.3
    angle = turn * np.unwrap(np.arctan2(*np.array(track).T[[1, 0]]))
    assert angle[-1] - angle[0] > 2 * np.pi
    assert np.abs(np.array(track)[:, 2]).max() < 0.05


def test_it_follows_a_room_round_its_inner_corners(make, moves):
    room = make.box([-4.0, -3, -2], [4, 3, 2])
    agents = make.flock([[0.0, -2.2, 0]], [[1.5, 0, 0]], grounded=True)
    query = MeshQuery(make.box([-4.0, -3, -9], [4, 3, 9]))
    seen = set()
    for now in moves(agents, WallFollowing(), 30.0, obstacles=room):
        assert query.closest_point(now.position)[0][0] > 0.3
        seen.add((now.position[0, 0] > 0, now.position[0, 1] > 0))
    assert len(seen) == 4


def test_out_of_reach_it_asks_for_nothing(make):
    agents = make.flock([[0.0, 0, 0]], [[1.0, 0, 0]])
    for obstacles in (None, make.box([9.0, -1, -1], [10, 1, 1])):
        around = make.surroundings(agents, obstacles=obstacles)
        np.testing.assert_array_equal(WallFollowing().steering_force(agents, around), 0.0)
