"""The study of vehicles: one short run, when a run ends early, and the table."""

from types import SimpleNamespace

import numpy as np

from benchmarks.vehicles import PATIENCE, _Progress, run_one, table

JOB = ("crossing", "motorbike", "self_guided", 1, 0, 0.5)


def test_a_run_that_is_too_short_to_arrive_touches_nothing():
    row = run_one(JOB)
    assert (row["arrived"], row["members"], row["last"]) == (0, 1, None)
    assert row["findings"] == []
    lines = table({JOB: row, (*JOB[:2], "goal_search", 1, 0, 0.5): {"error": "no path"}})
    assert "| 0/1 |" in lines[2]
    assert "no path" in lines[3]
    assert len({line.count("|") for line in lines}) == 1


def test_a_run_ends_early_when_nobody_under_way_comes_farther():
    arrived = np.array([False, True])
    run = SimpleNamespace(arrived=arrived)

    def now(time, x, parked=0.0):
        flock = SimpleNamespace(position=np.array([[x, 0.0, 0.0], [parked, 0.0, 0.0]]))
        return SimpleNamespace(runs=[run], flock=flock, time=time)

    watch = _Progress()
    assert not watch.is_stuck(now(0.0, 0.0))
    assert not watch.is_stuck(now(PATIENCE, 1.0))
    assert not watch.is_stuck(now(PATIENCE + 0.1, 3.0)), "it has come farther"
    assert not watch.is_stuck(now(2.0 * PATIENCE, 3.5))
    assert watch.is_stuck(now(2.0 * PATIENCE + 0.2, 3.5, parked=9.0)), "only one that is there has"
    arrived[0] = True
    assert not watch.is_stuck(now(2.0 * PATIENCE + 0.3, 3.5)), "nobody is under way"
