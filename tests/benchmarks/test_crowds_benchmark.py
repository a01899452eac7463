"""Crowds in free space and the benchmark's scenarios, small: all arrive, nobody overlaps."""

import argparse
from functools import partial

import numpy as np
import pytest

from benchmarks.campaign import is_through
from benchmarks.crowd_cases import (
    FreeCrowd,
    antipodes,
    free_flock,
    head_on,
    lattices,
    swept_gap,
)
from benchmarks.crowd_scenes import CASES
from benchmarks.crowd_sizes import field, trips
from benchmarks.crowds import report
from benchmarks.safety import exponent, time_step

CROWDS = {
    "two exactly head-on": head_on,
    "32 on exact lattices head-on": partial(lattices, 4),
    "33 on a sphere": partial(antipodes, 12.0, 0.5),
}


def mixed(count=60, seed=0):
    """Two groups of mixed sizes, speeds and forces that change sides, within a slab."""
    rng = np.random.default_rng(seed)
    cells = np.stack(np.meshgrid(*[np.arange(8)] * 2, indexing="ij"), -1).reshape(-1, 2)
    plan = 2.6 * cells[:count] + rng.uniform(-0.2, 0.2, (count, 2))
    side = np.where(np.arange(count) < count // 2, -1.0, 1.0)
    place = np.column_stack([side * (6.0 + plan[:, 0]), plan[:, 1], rng.uniform(-1, 1, count)])
    flock = free_flock(place, radius=rng.uniform(0.2, 1.0, count), cruise_speed=1.0,
                       max_speed=2.0, force=4.0)  # fmt: skip
    speed = rng.uniform(0.5, 2.0, count)
    force = rng.uniform(1.0, 8.0, count)
    flock = flock.with_bodies(
        cruise_speed=speed, max_speed=1.5 * speed, max_acceleration=force,
        max_brake=force, max_side_acceleration=force,
    )  # fmt: skip
    return FreeCrowd(flock, place * [-1.0, 1.0, 1.0])


@pytest.mark.parametrize("name", CROWDS)
def test_symmetric_crowds_all_arrive_and_nobody_overlaps(name):
    crowd = CROWDS[name]()
    for _ in crowd.run(120.0):
        pass
    assert crowd.there.all()
    assert crowd.overlaps == 0
    assert crowd.least_gap > 0.0


@pytest.mark.slow
def test_groups_of_mixed_sizes_speeds_and_forces_pass_one_another():
    crowd = mixed()
    for before in crowd.run(120.0):
        assert (
            np.linalg.norm(before.velocity, axis=1) <= before.bodies.max_speed * (1 + 1e-9)
        ).all()
    assert crowd.there.all()
    assert crowd.overlaps == 0


@pytest.mark.parametrize("count", [1, 2, 7])
def test_few_members_arrive_too(count):
    place = np.column_stack([np.zeros(count), 3.0 * np.arange(count), np.zeros(count)])
    flock = free_flock(place, radius=0.5, cruise_speed=1.0, max_speed=2.0, force=4.0)
    crowd = FreeCrowd(flock, place + np.array([4.0, 0.0, 0.0]))
    assert sum(1 for _ in crowd.run(30.0)) > 0
    assert crowd.there.all()
    assert (crowd.arrival < 10.0).all()


def test_the_gap_on_the_way_is_that_of_a_fine_sampling():
    rng = np.random.default_rng(2)
    start = rng.uniform(-1.5, 1.5, (20, 3))
    end = start + rng.normal(0, 0.2, (20, 3))
    radius = rng.uniform(0.05, 0.2, 20)
    i, j = np.triu_indices(20, 1)
    share = np.linspace(0, 1, 2001)[:, None, None]
    between = start + share * (end - start)
    apart = np.linalg.norm(between[:, i] - between[:, j], axis=2).min(axis=0)
    gap, overlaps = swept_gap(start, end, radius)
    assert gap == pytest.approx((apart - radius[i] - radius[j]).min(), abs=1e-4)
    assert overlaps == (apart - radius[i] - radius[j] < 0).sum()


def test_a_sphere_of_the_published_size_has_812_members_apart():
    crowd = antipodes()
    assert len(crowd.flock) == 812
    still = crowd.flock.position
    assert swept_gap(still, still, crowd.flock.bodies.radius)[1] == 0
    np.testing.assert_array_equal(crowd.goal, -still)


def test_times_are_positive_and_the_exponent_is_that_of_a_power_law():
    took, near = time_step(200, 2, packed=True)
    assert took > 0.0
    assert 4.0 < near < 8.0
    assert exponent([10, 100, 1000], [2.0 * n**1.3 for n in (10, 100, 1000)]) == pytest.approx(1.3)


def test_every_case_is_a_scenario_that_loads(tmp_path):
    from rmp3d.scenario.loading import load

    for case in CASES.values():
        scenario = load(str(case.write(tmp_path)))
        assert sum(group.members for group in scenario.groups) in (60, 100, 200)


def row_of(case, seed, **changes):
    good = {"name": case, "seed": seed, "outcome": "complete", "reason": "", "members": 9,
            "arrived": 9, "findings": 0, "last_arrival": 7.0, "jams": 1, "jams_left": 0,
            "longest_jam": 2.5, "clearance_members": 0.1, "simulated": 10.0,
            "simulate_seconds": 6.0}  # fmt: skip
    return good | changes


def test_the_page_tells_of_failures_and_of_runs_that_there_were_not():
    options = argparse.Namespace(seeds=4, parts="city")
    late = {"arrived": 8, "outcome": "incomplete", "reason": "1 of 9 did not arrive"}
    none = {"name": "city", "seed": 3, "outcome": "refused", "reason": "no room"}
    long = row_of("city", 2, longest_jam=10.1)
    rows = [row_of("city", 0), row_of("city", 1, **late), long, none]
    assert [is_through(row) for row in rows[:3]] == [True, False, False]
    text = "\n".join(report(options, rows))
    assert "| city | 9 | 72.2 % | 1 of 4 | 7.0 | 1.0 | 10.1 |  | 0.1000 | 50 |" in text
    assert "1 of 4 runs without fault.\n- city, seed 1: 1 of 9 did not arrive" in text
    assert text.endswith("- city, seed 2: 0 jams left, the longest 10.1 s\n- city, seed 3: no room")


def test_trips_of_a_crowd_of_any_size_have_places_of_their_own():
    starts, goals = trips(field(200), 200, np.random.default_rng(0))
    for places in (starts, goals):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        assert (apart[~np.eye(200, dtype=bool)] > 0.7).all()
