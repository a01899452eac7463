"""Who follows when somebody is pushed off its slot: Balch and Arkin's references."""

import numpy as np
import pytest

from rmp3d.behaviors.formations import Arrow, Line
from rmp3d.behaviors.groups.formation.references import (
    FOLLOWED,
    REFERENCES,
    check_reference,
    shifts,
)
from rmp3d.geometry import InputError

SLOTS = Arrow().slots(5, 1.0)  # the tip, then alternately left and right arm
PUSH = np.array([-0.3, 0.5, 0.2])


def after_pushing(reference, member):
    deviation = np.zeros((5, 3))
    deviation[member] = PUSH
    return shifts(reference, deviation, SLOTS)


@pytest.mark.parametrize("member", range(5))
def test_by_the_path_nobody_follows(member):
    np.testing.assert_array_equal(after_pushing("path", member), 0.0)


@pytest.mark.parametrize("member", range(5))
def test_by_the_center_all_follow_whoever_it_is_by_a_share(member):
    shift = after_pushing("center", member)
    np.testing.assert_allclose(shift, np.tile(FOLLOWED * PUSH / 5, (5, 1)))


@pytest.mark.parametrize("member", range(5))
def test_by_a_leader_all_others_follow_the_leader_alone(member):
    shift = after_pushing("leader", member)
    expected = np.zeros((5, 3))
    if member == 0:
        expected[1:] = PUSH
    np.testing.assert_allclose(shift, expected)


@pytest.mark.parametrize(
    ("member", "followers"), [(0, [1, 2]), (1, [3]), (2, [4]), (3, []), (4, [])]
)
def test_by_a_neighbor_follows_who_is_next_on_the_same_arm(member, followers):
    shift = after_pushing("neighbor", member)
    expected = np.zeros((5, 3))
    expected[followers] = PUSH
    np.testing.assert_allclose(shift, expected)


@pytest.mark.parametrize("reference", REFERENCES)
def test_nobody_is_shifted_ahead_of_where_the_path_wants_it(reference):
    deviation = np.zeros((4, 3))
    deviation[:, 0] = 0.7
    np.testing.assert_array_equal(shifts(reference, deviation, Line().slots(4, 1.0)), 0.0)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("count", [0, 1])
def test_nobody_and_a_single_one_have_a_reference(reference, count):
    found = shifts(reference, np.zeros((count, 3)), np.zeros((count, 3)))
    np.testing.assert_array_equal(found, np.zeros((count, 3)))


def test_an_unknown_reference_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="no reference named `leaders`; did you mean `leader`"):
        check_reference("leaders")
