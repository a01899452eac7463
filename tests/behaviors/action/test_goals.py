"""The goal queue against a list that is kept by hand for each member."""

import numpy as np
import pytest

from rmp3d.behaviors.action.goals import GoalQueue

GRAZE, DRINK, FLEE = range(3)
EVERYBODY = np.ones(2, bool)


def queue():
    return GoalQueue(["graze", "drink", "flee"], 2)


def test_the_goal_of_the_highest_priority_is_pursued_and_what_was_before_is_resumed():
    goals = queue()
    assert not goals.arbitrate(0.0).any()
    assert goals.active.tolist() == [-1, -1]
    goals.put(GRAZE, EVERYBODY, 1.0, np.inf)
    goals.put(FLEE, np.array([1]), 5.0, 2.0)
    assert goals.arbitrate(0.0).tolist() == [True, True]
    assert goals.active.tolist() == [GRAZE, FLEE]
    assert not goals.arbitrate(2.0).any()
    assert goals.arbitrate(2.1).tolist() == [False, True]
    assert goals.active.tolist() == [GRAZE, GRAZE]
    assert goals.since.tolist() == [0.0, 2.1]


def test_of_equals_the_first_that_came_is_pursued_even_if_another_is_renewed():
    goals = queue()
    goals.put(DRINK, EVERYBODY, 1.0, 9.0)
    goals.put(GRAZE, EVERYBODY, 1.0, 9.0)
    goals.put(GRAZE, EVERYBODY, 1.0, 99.0)
    goals.arbitrate(0.0)
    assert goals.active.tolist() == [DRINK, DRINK]
    goals.take_out(DRINK, np.array([0]))
    goals.arbitrate(0.0)
    assert goals.active.tolist() == [GRAZE, DRINK]


def test_renewing_prolongs_and_never_shortens():
    goals = queue()
    goals.put(FLEE, EVERYBODY, 1.0, 5.0)
    goals.put(FLEE, EVERYBODY, 2.0, 3.0)
    assert goals.expires[:, FLEE].tolist() == [5.0, 5.0]
    goals.put(FLEE, np.array([0]), 1.0, 8.0)
    goals.arbitrate(6.0)
    assert goals.active.tolist() == [FLEE, -1]


def test_a_goal_can_be_added_while_it_runs():
    goals = queue()
    goals.put(GRAZE, EVERYBODY, 1.0, np.inf)
    goals = goals.with_names([*goals.names, "rest"])
    goals.put(3, np.array([1]), 4.0, np.inf)
    goals.arbitrate(0.0)
    assert goals.names[goals.active[1]] == "rest"
    assert goals.names[goals.active[0]] == "graze"


def test_a_goal_that_is_taken_away_leaves_the_queues_and_the_others_stay():
    goals = queue()
    goals.put(GRAZE, EVERYBODY, 1.0, np.inf)
    goals.put(FLEE, np.array([0]), 2.0, np.inf)
    goals.arbitrate(0.0)
    fewer = goals.with_names([name for name in reversed(goals.names) if name != "flee"])
    assert fewer.active[0] == -1
    assert fewer.names[fewer.active[1]] == "graze"
    fewer.arbitrate(1.0)
    assert [fewer.names[row] for row in fewer.active] == ["graze"] * len(fewer.active)


@pytest.mark.parametrize("seed", range(3))
def test_arbitration_agrees_with_lists_kept_by_hand(seed):
    rng = np.random.default_rng(seed)
    goals, count = GoalQueue(list("abcde"), 6), 6
    by_hand = [{} for _ in range(count)]  # goal: [priority, expires, entered]
    for step in range(60):
        time = 0.1 * step
        for _ in range(rng.integers(0, 4)):
            goal, priority = int(rng.integers(5)), float(rng.integers(3))
            expires = time + float(rng.choice([0.0, 0.35, 1.05, np.inf]))
            mask = rng.random(count) < 0.5
            goals.put(goal, mask, priority, expires)
            for member in np.flatnonzero(mask):
                entry = by_hand[member].setdefault(goal, [priority, expires, goals._entries])
                entry[0], entry[1] = max(entry[0], priority), max(entry[1], expires)
        if rng.random() < 0.3:
            goals.take_out(2, np.arange(3))
            for member in range(3):
                by_hand[member].pop(2, None)
        goals.arbitrate(time)
        for member, entries in enumerate(by_hand):
            for goal in [goal for goal, entry in entries.items() if entry[1] < time]:
                del entries[goal]
            best = min(entries, key=lambda g: (-entries[g][0], entries[g][2]), default=-1)
            assert goals.active[member] == best
