"""Members that come no nearer to where they are to be."""

import numpy as np

from rmp3d.behaviors.groups.goal_area.held_up import NEARER, NEW_TASK, PATIENCE, HeldUp
from rmp3d.behaviors.turnover import Turnover

DT = 0.1


def held_at(left, there=False):
    """Return when a member is held up whose distances are (T,), a tenth of a second apart."""
    watch = HeldUp(1)
    looks = (watch.look(np.array([d]), np.array([there]), DT * k) for k, d in enumerate(left))
    return [DT * k for k, held in enumerate(looks) if held[0]]


def test_who_stands_is_held_up_each_time_its_patience_is_over():
    times = held_at(np.full(200, 5.0))
    np.testing.assert_allclose(times, [PATIENCE, 2.0 * PATIENCE], atol=2.0 * DT + 1e-9)
    assert held_at(np.full(200, 5.0), there=True) == []


def test_who_comes_nearer_or_has_another_task_is_not_held_up():
    slow = 100.0 - 1.1 * NEARER * np.arange(400) * DT / (0.9 * PATIENCE)
    assert held_at(slow) == []
    assert held_at(100.0 + NEARER * np.sin(np.arange(120)))  # to and fro is not nearer
    tasks = np.repeat(5.0 + 1.1 * NEW_TASK * np.arange(4), 60)
    assert held_at(tasks) == []


def test_those_are_named_together_who_have_waited_for_half_as_long():
    watch = HeldUp(3)
    left = np.full(3, 5.0)
    for step in range(round((PATIENCE + DT) / DT) + 1):
        time = DT * step
        left[1] = 5.0 if time < 0.4 * PATIENCE else 4.0  # the second comes nearer, and then waits
        left[2] -= NEARER / 10.0  # the third comes nearer all the time
        held = watch.look(left, np.zeros(3, bool), time)
        assert held.any() == (time > PATIENCE)
    assert held.tolist() == [True, True, False]


def test_newcomers_wait_as_long_as_the_others():
    watch = HeldUp(1)
    watch.look(np.array([5.0]), np.zeros(1, bool), 0.0)
    watch.turn_over(Turnover(np.array([0, -1]), 1))
    held = watch.look(np.array([5.0, 3.0]), np.zeros(2, bool), PATIENCE + DT)
    assert held.tolist() == [True, False]
