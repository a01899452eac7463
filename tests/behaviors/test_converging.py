"""Crowds that come together from all sides go round where they would meet."""

import numpy as np
import pytest

from benchmarks.trips import circle, write
from rmp3d.behaviors import converging
from rmp3d.behaviors.converging import LOOKS, Converging
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import unit
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation

COUNT, RADIUS = 20, 6.0


def on_a_ring(count=COUNT, radius=RADIUS, height=0.0):
    angle = 2.0 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle), np.full(count, height / radius)])


def angles_of(
    make, position, goal, *, grounded=True, free=True, rounds=3, speed=1.3, body=None, **world
):
    """Return by which angles (N,) to the right members are led that stay where they are."""
    flock = make.flock(position, grounded=grounded, **(body or {}))
    desire = speed * unit(goal - position)
    rule = Converging(len(flock), make.dt)
    around = WorldState(flock, dt=make.dt, **world)
    free = np.full(len(flock), free)
    for _ in range(rounds * len(LOOKS)):
        found = rule.bent(around, desire, goal, free)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.linalg.norm(desire, axis=1))
    across = desire[:, 0] * found[:, 1] - desire[:, 1] * found[:, 0]
    return -np.arctan2(across, (desire * found).sum(axis=1))


def opposite(position):
    return position * (-1.0, -1.0, 1.0)


def test_all_on_a_ring_keep_its_middle_on_the_left_and_have_room(make):
    position = on_a_ring()
    angle = angles_of(make, position, opposite(position))
    assert (angle > 0.0).all()
    np.testing.assert_allclose(angle, angle[0], rtol=1e-6)
    # Straight on along these courses they pass the middle so far away that all fit on a circle.
    assert 2.0 * np.pi * RADIUS * np.sin(angle[0]) > COUNT * 0.7


@pytest.mark.parametrize("sides", [2, 3])
def test_streams_that_meet_are_left_alone_until_they_come_from_three_sides(make, sides):
    """Two that come against each other part into lanes; three cannot."""
    rows = np.stack(np.meshgrid(np.arange(4) * 0.9 - 1.35, np.arange(4) * 0.9), -1).reshape(-1, 2)
    parts = []
    for angle in 2.0 * np.pi * np.arange(sides) / sides:
        c, s = np.cos(angle), np.sin(angle)
        parts.append((rows + np.array([0.0, 5.0])) @ np.array([[c, s], [-s, c]]))
    position = np.column_stack([np.concatenate(parts), np.zeros(16 * sides)])
    way = -unit(np.repeat([part.mean(axis=0) for part in parts], 16, axis=0))
    goal = position + np.column_stack([14.0 * way, np.zeros(len(way))])
    assert (angles_of(make, position, goal) > 0.0).any() == (sides > 2)


@pytest.mark.parametrize("scale", [0.125, 4.0])
def test_mice_and_elephants_do_as_people_do(make, scale):
    position = on_a_ring()
    people = angles_of(make, position, opposite(position))
    position *= scale
    size = {"radius": 0.3 * scale, "cruise_speed": 1.5 * scale}
    others = angles_of(make, position, opposite(position), speed=1.3 * scale, body=size)
    np.testing.assert_allclose(others, people, rtol=1e-9)


def test_few_pass_one_another(make):
    position = on_a_ring(7, 3.0)
    assert not angles_of(make, position, opposite(position)).any()


def test_nobody_goes_round_who_flies_is_not_free_or_has_its_goal_there(make):
    position = on_a_ring()
    assert not angles_of(make, position, opposite(position), grounded=False).any()
    assert not angles_of(make, position, opposite(position), free=False).any()
    assert not angles_of(make, position, -0.1 * position).any()


def test_those_on_another_storey_do_not_count(make):
    position = on_a_ring(14)
    assert (angles_of(make, position, opposite(position)) > 0.0).sum() >= 12
    every_other = position + np.where(np.arange(14) % 2, 3.0, 0.0)[:, None] * (0, 0, 1)
    assert not angles_of(make, every_other, opposite(every_other)).any()


@pytest.mark.parametrize(("pillar", "goes"), [((0.0, 0.0), False), ((9.0, 0.0), True)])
def test_a_place_with_a_wall_is_not_gone_round(make, pillar, goes):
    x, y = pillar
    column = MeshQuery(make.box((x - 0.2, y - 0.2, 0.0), (x + 0.2, y + 0.2, 3.0)))
    position = on_a_ring()
    assert angles_of(make, position, opposite(position), walking=column).any() == goes


@pytest.mark.parametrize(("half", "goes"), [(2.0, False), (8.0, True)])
def test_the_way_round_is_on_the_ground(make, half, goes):
    ground = WalkableSurface(make.grid([-8.0, 8.0], [-half, half], lambda x, y: 0.0 * x))
    position = on_a_ring()
    assert angles_of(make, position, opposite(position), surface=ground).any() == goes


def test_memory_goes_with_its_members(make):
    position = on_a_ring()
    flock = make.flock(position, grounded=True)
    rule, world = Converging(COUNT, make.dt), WorldState(flock, dt=make.dt)
    goal, everyone = opposite(position), np.ones(COUNT, np.bool_)
    desire = unit(goal - position)
    for _ in range(2 * len(LOOKS)):
        before = rule.bent(world, desire, goal, everyone)
    rule.turn_over(Turnover(np.arange(1, COUNT), COUNT))
    rest = WorldState(make.flock(position[1:], grounded=True), dt=make.dt)
    after = rule.bent(rest, desire[1:], goal[1:], everyone[1:])
    np.testing.assert_allclose(after, before[1:], atol=0.02)


def test_a_circle_crosses_sooner_than_without_the_rule(tmp_path, monkeypatch):
    def last_arrival():
        simulation = Simulation.of(load(str(write(circle(COUNT), tmp_path))))
        for _ in simulation:
            pass
        return simulation.reports()[0].last_arrival

    sooner = last_arrival()
    monkeypatch.setattr(converging, "FEWEST", 10**9)
    assert sooner < 0.85 * last_arrival()
