"""Who leaves an opening goes first, then who passes, then who waits."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings import NarrowOpening
from rmp3d.behaviors.groups.openings.giving_way import GOES_BY, give_way
from rmp3d.behaviors.groups.openings.opening_queue import OpeningQueue
from rmp3d.behaviors.groups.openings.two_ways import Side

DOOR = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), 0.6, 0.4)
NOBODY = np.zeros(0, np.intp)
PACE = 1.3


@pytest.fixture
def meet(make, ways):
    """Return how two that touch, one before the other, are led if they want to change places."""

    def led(first, second, at=-1.5):
        wide = make.flock(np.zeros((1, 3)), grounded=True).bodies.half_width[0]
        places = np.array([[at, 0.0, 0.0], [at + 2.0 * wide + 0.01, 0.0, 0.0]])
        flock = make.flock(places, grounded=True)
        wish = np.array([[PACE, 0.0, 0.0], [-PACE, 0.0, 0.0]])
        roles = {first: 0, second: 1}
        rows = {name: np.array([roles[name]]) if name in roles else NOBODY for name in ROLES}
        queue = OpeningQueue(DOOR, 0.3, rows["passes"], Side())
        queue.side = Side(rows["waits"], rows["leaves"])
        led = np.isin([0, 1], [roles[name] for name in roles if name != "goes by"])
        point = flock.position + 10.0 * np.sign(wish)
        give_way([queue], flock, led, rows["goes by"], point, np.full(2, PACE), wish)
        return wish[:, 0].tolist()

    return led


ROLES = ("leaves", "goes by", "passes", "waits")


@pytest.mark.parametrize(
    ("first", "second"),
    [(a, b) for k, a in enumerate(ROLES) for b in ROLES[k + 1 :]],
)
def test_who_is_in_the_way_of_one_that_goes_before_it_steps_back(meet, first, second):
    one, other = meet(first, second)
    assert one == PACE
    assert 0.0 < other < PACE if second != "goes by" else other == -PACE
    other, one = meet(second, first)
    assert one == -PACE
    assert -PACE < other < 0.0 if second != "goes by" else other == PACE


def test_who_goes_by_far_off_is_no_matter(meet):
    assert meet("goes by", "passes", at=-GOES_BY - 1.0) == [PACE, -PACE]
