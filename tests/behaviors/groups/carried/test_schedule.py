"""Departures: bodies keep their gap at every moment, judged by python-fcl."""

from itertools import permutations

import fcl
import numpy as np
import pytest

from rmp3d.behaviors.groups.carried.motion import Limits, between, timed
from rmp3d.behaviors.groups.carried.resting_places import keeps_apart
from rmp3d.behaviors.groups.carried.schedule import DepartureSchedule, NoOrderError, _topological
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rotations import uniform_rotations
from rmp3d.scenes.build.shapes import box

DT, GAP = 1 / 30, 0.15
CRATE = box((-0.6, -0.25, -0.2), (0.6, 0.25, 0.2))
FAR = box((90.0, 90.0, 90.0), (91.0, 91.0, 91.0))
LEVEL, UPENDED = [1.0, 0.0, 0.0, 0.0], [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]


def distance(first, second):
    """Between two crates at (7,) and (7,), by python-fcl on boxes."""
    objects = [
        fcl.CollisionObject(fcl.Box(1.2, 0.5, 0.4), fcl.Transform(row[3:].copy(), row[:3].copy()))
        for row in (first, second)
    ]
    return fcl.distance(*objects, fcl.DistanceRequest(), fcl.DistanceResult())


def motion(*rows):
    pair = MeshPair(CRATE, FAR)
    return timed(pair, np.array(rows, float), Limits(1.2, 1.0, 1.0, pair.reach), DT)


def traffic(*motions):
    return DepartureSchedule(MeshPair(CRATE, CRATE), list(motions), GAP, DT)


def test_bodies_are_found_apart_as_python_fcl_measures():
    rng = np.random.default_rng(0)
    rows = [
        np.hstack([rng.uniform(-1.0, 1.0, (60, 3)), uniform_rotations(rng.random((60, 3)))])
        for _ in range(2)
    ]
    measured = np.array([distance(*pair) for pair in zip(*rows, strict=True)])
    apart = keeps_apart(MeshPair(CRATE, CRATE), *rows, np.full(60, GAP))
    assert apart.tolist() == (measured > GAP).tolist()
    assert 10 < apart.sum() < 50


def test_crossing_motions_keep_the_gap_between_frames_too():
    motions = [
        motion([-3, 0, 0, *LEVEL], [3, 0, 0, *UPENDED]),
        motion([0, -3, 0, *LEVEL], [0, 3, 0, *UPENDED]),
        motion([0, 0, -3, *UPENDED], [0, 0, 3, *LEVEL]),
    ]
    departure = traffic(*motions).departures(np.random.default_rng(0))
    assert sorted(departure > 0) == [False, True, True]
    nearest = np.inf
    for clock in range(max(len(m) + d for m, d in zip(motions, departure, strict=True))):
        for share in (0.0, 0.3, 0.6):
            rows = []
            for poses, first in zip(motions, departure, strict=True):
                row = np.clip(clock - first, 0, len(poses) - 1)
                after = np.clip(clock - first + 1, 0, len(poses) - 1)
                rows.append(between(poses[row], poses[after], np.array([share]))[0])
            nearest = min(
                nearest, *(distance(rows[i], rows[j]) for i, j in [(0, 1), (0, 2), (1, 2)])
            )
    assert nearest >= GAP


def test_who_stands_in_the_way_goes_first():
    behind = motion([-3, 0, 0, *LEVEL], [2, 0, 0, *LEVEL])
    ahead = motion([0, 0, 0, *LEVEL], [6, 0, 0, *LEVEL])
    departure = traffic(behind, ahead).departures(np.random.default_rng(0))
    assert departure[1] == 0


def test_bodies_that_must_change_places_are_refused():
    there = motion([-3, 0, 0, *LEVEL], [3, 0, 0, *LEVEL])
    back = motion([3, 0, 0, *LEVEL], [-3, 0, 0, *LEVEL])
    with pytest.raises(NoOrderError, match=r"stand in one another's way.*fewer members"):
        traffic(there, back).departures(np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(20))
def test_an_order_is_found_exactly_where_there_is_one(seed):
    rng = np.random.default_rng(seed)
    before = rng.random((5, 5)) < 0.25
    np.fill_diagonal(before, False)
    possible = [
        order
        for order in permutations(range(5))
        if not any(before[order[b], order[a]] for a in range(5) for b in range(a + 1, 5))
    ]
    order = _topological(before, rng.random(5))
    assert (order is None) == (not possible)
    assert order is None or tuple(order.tolist()) in possible
