import numpy as np
import pytest

from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.paths.corridor import Corridor, measure_corridor
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import TranslationSpace, make_space

LANE, MARGIN = 0.1, 0.05


@pytest.fixture
def duct(make):
    """A duct along x, 3 m wide and 2 m high inside, with a beam under its ceiling at x = 0."""
    return make.scene(
        make.box("ceiling", (-6, -2, 1.2), (6, 2, 1.4)),
        make.box("floor", (-6, -2, -1.0), (6, 2, -0.8)),
        make.box("left", (-6, 1.0, -1), (6, 1.2, 1.4)),
        make.box("right", (-6, -2.2, -1), (6, -2.0, 1.4)),
        make.box("beam", (-0.1, -2, 0.9), (0.1, 2, 1.2)),
        bounds=((-8, -5, -4), (8, 5, 4)),
    )


def room_of(space, most=3.0):
    points = np.array([[-5.0, 0, 0], [5, 0, 0]])
    path = CertifiedPath(points, np.ones(2), space.grounded)
    return measure_corridor(space, path, most, lane=LANE, margin=MARGIN)


def close_below(measured, true):
    """Never more than there is, and less by no more than a lane and the margin."""
    return (measured <= true + 1e-9).all() and (measured >= true - LANE - MARGIN - 1e-2).all()


def test_room_in_a_duct_in_all_four_directions(duct, make):
    ball = make.body(0.3, (0.0, 0.0))
    room = room_of(make_space("translation", duct, ball))
    far = np.abs(room.station - 5.0) > 1.0
    assert close_below(room.left, 1.0 - 0.3)
    assert close_below(room.right, 2.0 - 0.3)
    assert close_below(room.below, 0.8 - 0.3)
    assert close_below(room.above[far], 1.2 - 0.3)
    assert close_below(room.above[np.abs(room.station - 5.0) < 0.1], 0.9 - 0.3)


def test_a_tall_body_has_less_room_above(duct, make):
    ball, pole = (room_of(make_space("translation", duct, make.body(0.3, (0.0, high))))
                  for high in (0.0, 0.2))  # fmt: skip
    assert (pole.above <= ball.above).all()
    assert (pole.above < ball.above - 0.05).any()
    np.testing.assert_array_equal(pole.below, ball.below)


def test_room_ends_at_the_bounds(make):
    space = make_space(
        "translation",
        make.scene(make.box("far", (8, -9, 0), (9, -8, 1))),
        make.body(0.3, (0.0, 0.0)),
    )
    room = room_of(space, most=20.0)
    assert close_below(room.above, space.bounds[1, 2])
    assert close_below(room.below, -space.bounds[0, 2])


def test_who_walks_or_stays_in_a_plane_has_no_room_above(rooms, walker, flyer):
    plane = np.array([[-9, -9, 0.0], [9, 9, 0.0]])
    planar = TranslationSpace(CollisionWorld(rooms, flyer), plane)
    for space in (make_space("ground", rooms, walker), planar):
        room = room_of(space)
        assert room.above.shape == room.below.shape == room.station.shape
        assert (room.above == 0.0).all()
        assert (room.below == 0.0).all()


@pytest.mark.parametrize("directions", [2, 4, 12])
def test_offsets_are_cut_to_the_room_ahead_and_keep_their_direction(directions):
    rng = np.random.default_rng(directions)
    stations = np.linspace(0.0, 9.0, 46)
    sides = np.zeros(46)
    corridor = Corridor(stations, sides, sides, 0.3, around=rng.uniform(0.2, 2.0, (46, directions)))
    at, aside = rng.uniform(-1.0, 10.0, 200), rng.normal(0.0, 1.5, (200, 2))
    ahead, more = np.array([0.0, 0.4, 1.3]), np.array([0.0, 0.0, 0.2])
    found = corridor.within(at, aside, ahead, more)
    most = np.full(200, np.inf)
    for distance, wider in zip(ahead, more, strict=True):
        where = at + distance
        measured = (where >= 0.0) & (where <= 9.0)
        room = corridor.reach(where, aside[:, 0], aside[:, 1]) + wider
        most = np.where(measured, np.minimum(most, room), most)
    size = np.linalg.norm(aside, axis=1)
    share = np.minimum(1.0, most / size)
    np.testing.assert_allclose(found, aside * share[:, None], rtol=0.0, atol=1e-12)
    kept = size <= most
    assert kept.any()
    assert not kept.all()
    assert (found[kept] == aside[kept]).all()


@pytest.mark.parametrize("directions", [2, 4, 12])
def test_the_room_towards_an_offset_is_the_least_of_what_is_measured_around_it(directions):
    rng = np.random.default_rng(directions)
    stations, sides = np.linspace(0.0, 2.0, 11), np.zeros(11)
    around = rng.uniform(0.2, 2.0, (11, directions))
    corridor = Corridor(stations, sides, sides, 0.3, around=around)
    at, turn = rng.uniform(0.0, 2.0, 200), rng.uniform(0.0, directions, 200)
    turn[::7] = np.round(turn[::7])  # along a direction that was measured
    angle = turn * (2.0 * np.pi / directions)
    found = corridor.reach(at, np.cos(angle), np.sin(angle))
    for k in range(200):
        rows = np.abs(stations - at[k]) < 0.2
        apart = np.abs((np.arange(directions) - turn[k] + directions / 2) % directions)
        near = np.abs(apart - directions / 2) < (1e-6 if k % 7 == 0 else 1.0)
        assert found[k] == around[rows][:, near].min()
