"""Members of a crowd that keep a time gap to those whom they follow."""

import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d.behaviors.groups.crowd.headway import SLOWEST, STANDING, following_speed
from rmp3d.behaviors.proximity.neighbors import Neighbors

T = 1.06


def limit(position, velocity, course, headway=T):
    """Return the greatest speed of the first of bodies of radius 0.3 m that all see each other."""
    position, velocity = np.asarray(position, float), np.asarray(velocity, float)
    near = Neighbors.within(position, 5.0, np.full(len(position), 0.3))
    courses = np.tile(course, (len(position), 1))
    most = np.full(len(position), 1.5)
    return following_speed(near, velocity, courses, np.full(len(position), headway), most)[0]


def test_the_speed_follows_from_the_distance_to_who_goes_ahead():
    for apart in (0.6, 0.9, 1.4):
        found = limit([[0, 0, 0], [apart, 0, 0]], [[1, 0, 0], [1, 0, 0]], [1.0, 0.0, 0.0])
        assert found == pytest.approx((apart - STANDING) / T)


@pytest.mark.parametrize(
    ("place", "velocity"),
    [
        ([0.9, 0.5, 0.0], [1.0, 0.0, 0.0]),  # beside the way
        ([-0.9, 0.0, 0.0], [1.0, 0.0, 0.0]),  # behind
        ([0.9, 0.0, 0.0], [-1.0, 0.0, 0.0]),  # comes towards it
    ],
)
def test_others_are_not_followed(place, velocity):
    assert limit([[0, 0, 0], place], [[1, 0, 0], velocity], [1.0, 0.0, 0.0]) == 1.5


def test_without_headway_nobody_is_followed_and_with_it_nobody_has_to_stand():
    close = [[0, 0, 0], [0.3, 0, 0]]
    assert limit(close, np.zeros((2, 3)), [1.0, 0.0, 0.0], headway=0.0) == 1.5
    assert limit(close, np.zeros((2, 3)), [1.0, 0.0, 0.0]) == SLOWEST


def test_behind_a_slow_one_the_distance_is_that_of_people():
    walls = [
        trimesh.creation.box(bounds=((-2, side - 0.1, 0), (40, side + 0.1, 2)))
        for side in (-0.55, 0.55)
    ]
    scene = rp.Scene.load(
        trimesh.util.concatenate(
            [*walls, trimesh.creation.box(bounds=((-2, -2, -0.2), (40, 2, 0)))]
        )
    )
    groups = [
        rp.Group(
            members=1,
            behavior=rp.Crowd.between([[x, 0.0, 0.0]], [[goal, 0.0, 0.0]], speed=speed, headway=T),
        )
        for x, goal, speed in ((3.0, 39.0, 0.5), (0.0, 37.0, 1.3))
    ]
    run = rp.Simulation(scene, groups, duration=20.0)
    *_, last = run
    apart = last.position[0, 0] - last.position[1, 0]
    assert apart == pytest.approx(STANDING + T * 0.5, abs=0.05)


def test_a_negative_headway_is_refused():
    with pytest.raises(rp.InputError, match="`headway`: must be 0 or more, got -1"):
        rp.Crowd.between([[0, 0, 0]], [[1, 0, 0]], headway=-1)
