"""The contract: what a behavior of one's own has to have, and what it gets by default."""

from dataclasses import dataclass

import numpy as np
import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS, Flock
from rmp3d.behaviors.groups import GroupBehavior, GroupRun, GroupTask, Intent, Task
from rmp3d.behaviors.groups.intent import convoys, gears
from rmp3d.geometry import InputError


@dataclass(frozen=True)
class StraightOn(GroupBehavior):
    """Go to the middle of the goal."""

    def begin(self, task):
        return StraightOnRun(task)


class StraightOnRun(GroupRun):
    """Members on their way."""

    def __init__(self, task):
        super().__init__(task)
        self._goal = task.goal

    def step(self, flock, time):
        inside = self._goal.contains(flock.position)
        self.tell_arrivals(inside, time)
        return Intent.towards(flock, np.tile(self._goal.center, (len(flock), 1)), inside)


def without_path(task):
    names = ("space", "start", "count", "character", "dt", "rng")
    return Task(**{name: getattr(task, name) for name in names})


def test_begin_and_step_are_enough(walkers):
    run = StraightOn().begin(walkers)
    assert run.start.shape == (5, 3)
    assert walkers.start.contains(run.start).all()
    assert walkers.space.is_free(run.start).all()
    np.testing.assert_allclose(run.heading, np.tile([1.0, 0, 0], (5, 1)), atol=1e-12)
    flock = Flock.at_rest([walkers.character] * 5, run.start, run.heading, np.zeros(5, int))
    intent = run.step(flock, 0.0)
    np.testing.assert_allclose(
        intent.remaining, np.linalg.norm(walkers.goal.center - run.start, axis=1)
    )
    assert not intent.parked.any()
    assert run.events == []
    assert (run.measures(), run.figures, run.formations, run.changes) == ({}, {}, (), [])
    assert run.pose(0.0) is None
    assert run.clearances(0.0, 1.0) is None


def test_arrivals_are_told_once_for_each_member(walkers):
    run = StraightOn().begin(walkers)
    flock = Flock.at_rest([walkers.character] * 5, run.start, run.heading, np.zeros(5, int))
    position = flock.position.copy()
    position[[1, 3]] = walkers.goal.center
    for time in (1.0, 2.0):
        assert run.step(flock.moved(position=position), time).parked.tolist() == [
            False, True, False, True, False,
        ]  # fmt: skip
    assert [(event.time, event.member) for event in run.events] == [(1.0, 1), (1.0, 3)]
    assert {event.kind for event in run.events} == {"arrived"}
    assert run.arrived.tolist() == [False, True, False, True, False]


def test_without_a_path_members_begin_anywhere_in_the_region(walkers):
    task = without_path(walkers)

    class Rest(GroupRun):
        def step(self, flock, time):
            return Intent.towards(flock, flock.position)

    run = Rest(task)
    assert task.start.contains(run.start).all()
    assert (run.heading == [1.0, 0.0, 0.0]).all()


def test_a_behavior_that_has_no_step_is_refused(walkers):
    class Nothing(GroupRun):
        pass

    with pytest.raises(TypeError, match="step"):
        Nothing(walkers)


def test_by_default_a_path_has_room_for_two_and_a_run_stays_as_it_is(walkers):
    behavior = StraightOn()
    assert behavior.needs_goal
    assert behavior.clearance_wanted(5, walkers.character) == 3.0 * walkers.character.body.radius
    run = behavior.begin(walkers)
    with pytest.raises(InputError, match="cannot be changed while it runs"):
        run.change(behavior, None)


@pytest.mark.parametrize("name", GROUP_BEHAVIORS)
def test_every_registered_behavior_keeps_the_contract(name):
    kind = GROUP_BEHAVIORS[name]
    assert issubclass(kind, GroupBehavior)
    assert isinstance(kind.needs_goal, bool)


def test_gears_and_lanes_of_groups_are_joined(walkers):
    assert isinstance(walkers, GroupTask)
    two, three = np.zeros((2, 3)), np.zeros((3, 3))
    plain = Intent(two, two, np.zeros(2), np.zeros(2, bool))
    driven = Intent(
        three, three, np.zeros(3), np.zeros(3, bool), gear=np.array([0, 1, -1]),
        in_lane=np.array([True, False, True]),
    )  # fmt: skip
    assert gears([plain, driven]).tolist() == [0, 0, 0, 1, -1]
    assert convoys([plain, driven]).tolist() == [-1, -1, 1, -1, 1]
