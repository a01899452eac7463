"""Groups that go with a member of another group: they surround it, or follow it."""

import numpy as np
import pytest

import rmp3d as rp

VISITORS = rp.Group(members=2, start="west", goal="east", behavior="self_guided", name="visitors")


def run(behavior, **keywords):
    hunters = rp.Group("wolf", 3, start="south", behavior=behavior, name="hunters")
    return rp.run("plain", [VISITORS, hunters], nodes=60, dt=0.1, **keywords)


def test_hunters_surround_the_ward_of_another_group_and_verification_finds_nothing():
    recording = run(rp.CircleFollowing(group="visitors", ward=1, radius=2.0), duration=16.0)
    position = recording.position()
    offset = position[:, 2:] - position[:, [1]]
    around = (np.abs(np.linalg.norm(offset, axis=2) - 2.0) < 0.3).all(axis=1)
    assert around.sum() * recording.dt >= 0.2
    offset = offset[around]
    angle = np.sort(np.arctan2(offset[..., 1], offset[..., 0]), axis=1)
    gaps = np.diff(angle, axis=1, append=angle[:, :1] + 2.0 * np.pi)
    assert gaps.max() < np.pi, "the ward is inside the triangle of its hunters"
    assert {finding.kind for finding in recording.verify().findings} <= {"not_arrived"}


def test_followers_of_another_group_come_behind_its_leader():
    recording = run(rp.LeaderFollowing(group="visitors", leader="first"), duration=18.0)
    position = recording.position()
    apart = np.linalg.norm(position[:, 2:] - position[:, [0]], axis=2)
    assert (apart[0] > 10.0).all()
    assert (apart[-80:] < 7.0).all()
    assert {finding.kind for finding in recording.verify().findings} <= {"not_arrived"}


@pytest.mark.parametrize(
    ("behavior", "said"),
    [
        (rp.CircleFollowing(group="visitor"), "no other group named `visitor`; did you mean"),
        (rp.CircleFollowing(group="hunters"), "no other group named `hunters`"),
        (rp.CircleFollowing(group="visitors", ward=2), "`visitors` has no member 2"),
        (rp.LeaderFollowing(group="visitors", leader="wolf"), "of another group, say `first`"),
        (rp.CircleFollowing(group="visitors", shape="sphere"), "only members that fly"),
    ],
)
def test_what_cannot_be_is_refused(behavior, said):
    with pytest.raises(rp.InputError, match=said):
        run(behavior, duration=0.2)


def test_a_group_that_goes_with_another_one_has_no_goal():
    with pytest.raises(rp.InputError, match="has no goal"):
        rp.Scenario("plain", [
            VISITORS,
            rp.Group(start="south", goal="north", behavior=rp.CircleFollowing(group="visitors")),
        ])  # fmt: skip
