"""Who takes which trip, and when those come that are not at the start."""

import numpy as np
import pytest

from rmp3d.behaviors.groups import Crowd, Trip
from rmp3d.behaviors.groups.crowd.trips import drawn_trips, times_of_coming
from rmp3d.geometry import InputError


def test_counted_trips_are_taken_exactly_and_the_rest_by_weight():
    trips = [Trip(goal="a", count=3), Trip(goal="b", weight=3.0), Trip(goal="c", weight=1.0)]
    drawn = drawn_trips(trips, 4003, np.random.default_rng(0))
    taken = np.bincount(drawn)
    assert taken[0] == 3
    assert taken[1] / 4000 == pytest.approx(0.75, abs=0.03)  # three standard deviations: 0.02


def test_trips_that_count_more_or_fewer_than_there_are_are_refused():
    with pytest.raises(InputError, match=r"`count` of all is 3.*say `members = 3`"):
        drawn_trips([Trip(goal="a", count=3)], 2, np.random.default_rng(0))
    with pytest.raises(InputError, match="by a trip with a `weight`"):
        drawn_trips([Trip(goal="a", count=3)], 4, np.random.default_rng(0))


def test_a_rate_brings_as_many_as_it_says_within_its_time():
    trips = [
        Trip(goal="a", rate=2.0, since=10.0, until=60.0), Trip(goal="b", times=[12.0, 3.0]),
    ]  # fmt: skip
    trip, time = times_of_coming(trips, np.random.default_rng(0))
    assert np.bincount(trip).tolist() == [100, 2]
    assert (np.diff(time) >= 0.0).all()
    assert time[trip == 0].min() >= 10.0
    assert time[trip == 0].max() <= 60.0
    assert time[trip == 1].tolist() == [3.0, 12.0]
    # Gaps of a Poisson process: mean and standard deviation are alike.
    gaps = np.diff(time[trip == 0])
    assert gaps.std() == pytest.approx(gaps.mean(), rel=0.3)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rate": 1.0}, "`until`: 0 s; members come from `since`"),
        ({"weight": -1.0}, "`weight`: must be 0 or more"),
        ({"via": ["b"], "stay": [1.0, 2.0]}, "`stay`: 2 times for 1 places"),
        ({"stay": -1.0, "via": ["b"]}, "times are 0 s or more"),
        ({"at_goal": "sit"}, "`at_goal`: must be `stay` or `leave`"),
    ],
)
def test_a_trip_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        Trip(goal="a", **wrong)


def test_a_crowd_between_arrays_has_one_member_for_each_row():
    crowd = Crowd.between(np.zeros((3, 3)), np.ones((3, 3)), speed_std=0.2)
    assert [trip.count for trip in crowd.trips] == [1, 1, 1]
    assert crowd.trips[2].goal == (1.0, 1.0, 1.0)
    assert crowd.speed_std == 0.2


@pytest.mark.parametrize(
    "trip", [{"rate": 1e300, "until": 1e300}, {"rate": 1e200, "until": 1.0}, {"count": 10**20}]
)
def test_more_members_than_any_number_are_refused(trip):
    with pytest.raises(InputError, match=r"at most 10,000|at most 100,000"):
        Trip(goal="a", **trip)
