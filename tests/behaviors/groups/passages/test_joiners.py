"""Members that do not see their places on the path, and how they come back."""

from dataclasses import replace

import numpy as np

import rmp3d as rp
from rmp3d.behaviors import Flock
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.joiners import APART, LOOKS, Joiners
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

WALL = ([-0.1, -3.0, 0.0], [0.1, 10.0, 2.5])  # its end is at y = -3


def strays(walkers, ways):
    """Five members west of a wall; the places of the first two are behind it."""
    space = ways.space(radius=walkers.character.body.radius, walls=[WALL])
    roadmap = build_roadmap(space, RoadmapSettings(nodes=80), np.random.default_rng(0))
    position = np.column_stack([np.full(5, -1.0), np.arange(0.0, 10.0, 2.0), np.zeros(5)])
    place = position + np.array([0.5, 0.0, 0.0])
    place[:2, 0] = 1.0
    return Joiners(replace(walkers, space=space, roadmap=roadmap)), position, place


def looked(joiners, position, place, follows, steps):
    for k in range(steps):
        joiners.look(position(k), place, follows, k * APART)
    flock = Flock.at_rest(
        [joiners._task.character] * 5, position(steps), np.eye(3)[:1].repeat(5, 0), np.full(5, -1)
    )
    still = np.zeros((5, 3))
    intent = Intent.towards(flock, place)
    return joiners.led(intent, flock, place, still, steps * APART).subgoal


def test_who_does_not_see_its_place_for_long_goes_there_by_the_roadmap(walkers, ways):
    joiners, here, place = strays(walkers, ways)
    everyone = np.ones(5, bool)
    early = looked(joiners, lambda _: here, place, everyone, LOOKS)
    np.testing.assert_array_equal(early, place)  # the first look has nothing to compare with
    led = looked(joiners, lambda _: here, place, everyone, LOOKS + 2)
    np.testing.assert_array_equal(led[2:], place[2:])
    way = led[:2] - here[:2]
    assert (way[:, 1] < -0.1).all()  # towards the wall's end
    assert joiners._task.space.connects(here[:2], led[:2]).all()


def test_nobody_goes_back_to_a_place_that_comes_to_it(walkers, ways):
    """That is so for who has just strayed, and for who is on the way back."""
    joiners, here, place = strays(walkers, ways)
    asked = []

    def comes_to(member, sees):
        asked.append((member, sees(here[member]), sees(place[member])))
        return member == 0

    for k in range(LOOKS + 2):
        joiners.look(here, place, np.ones(5, bool), k * APART, comes_to)
    assert set(asked) == {(0, True, False), (1, True, False)}
    led = looked(joiners, lambda _: here, place, np.zeros(5, bool), 0)
    np.testing.assert_array_equal(led[0], place[0])
    assert (led[1] - here[1])[1] < -0.1  # towards the wall's end
    joiners.look(here, place, np.zeros(5, bool), 60.0, lambda member, sees: True)
    led = looked(joiners, lambda _: here, place, np.zeros(5, bool), 0)
    np.testing.assert_array_equal(led[1], place[1])


def test_who_comes_nearer_or_need_not_follow_has_not_strayed(walkers, ways):
    joiners, here, place = strays(walkers, ways)
    nearer = looked(joiners, lambda k: here - [1.2 - 0.15 * k, 0, 0], place, np.ones(5, bool), 8)
    np.testing.assert_array_equal(nearer, place)
    led = looked(joiners, lambda _: here, place, np.zeros(5, bool), 3 * LOOKS)
    np.testing.assert_array_equal(led, place)


def test_places_in_the_air_over_a_slope_are_looked_for_on_the_ground(walkers, ways):
    joiners, here, _ = strays(walkers, ways)
    place = here + np.array([0.5, 0.0, 0.4])
    np.testing.assert_array_equal(
        looked(joiners, lambda _: here, place, np.ones(5, bool), 3 * LOOKS), place
    )


def test_who_sees_its_place_again_follows_it(walkers, ways):
    joiners, here, place = strays(walkers, ways)
    looked(joiners, lambda _: here, place, np.ones(5, bool), LOOKS + 2)
    seen = here - [0.0, 5.0, 0.0]
    np.testing.assert_array_equal(
        looked(joiners, lambda _: seen, place - [0, 5.0, 0], np.ones(5, bool), 0)[:1],
        place[:1] - [0, 5.0, 0],
    )


def test_who_was_pushed_under_the_deck_of_the_goal_goes_up_through_the_hatch():
    """Five of twelve birds hung below their places on the racks for ever."""
    birds = rp.Group("bird", 12, start="dock", goal="racks", behavior=rp.NarrowPassages("diamond"))
    run = rp.Simulation("warehouse", [birds], seed=903, duration=60.0)
    *_, last = run
    assert run.scene.region("racks").contains(last.position).all()
