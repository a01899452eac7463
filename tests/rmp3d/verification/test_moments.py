"""Events and changes by time: as if each were compared with all others, but found at once."""

import numpy as np

from rmp3d.recording import RecordedEvent
from rmp3d.scenario import ChangeTable
from rmp3d.verification.moments import Asked, Moments

SLACK = 0.1


def test_events_and_changes_near_a_time_are_those_of_a_search_through_all():
    rng = np.random.default_rng(2)
    kinds = rng.choice(["came", "left", "change"], 200)
    times = np.round(3.0 * rng.random(200), 2)
    events = [
        RecordedEvent(float(time), str(kind), k % 2, k % 7, "")
        for k, (time, kind) in enumerate(zip(times, kinds, strict=True))
    ]
    changes = [
        ChangeTable(time=float(time), group="g", remove=[k % 5]) if k % 2
        else ChangeTable(time=float(time), group="g", add=(0.0, 0.0, 0.0))
        for k, time in enumerate(times[:20])
    ]  # fmt: skip
    moments, asked = Moments(events, SLACK), Asked(changes, SLACK)
    for time in [*times.tolist(), -1.0, 9.0]:
        near = [e for e in events if time - SLACK <= e.time <= time + SLACK]
        assert moments.at(time).kinds == {(e.kind, e.group) for e in near}
        left = {e.member for e in near if (e.kind, e.group) == ("left", 1)}
        assert moments.at(time).left[1] == left
        own = [c for c in changes if time - SLACK <= c.time <= time + SLACK]
        assert asked.comes("g", time) == any(c.add is not None for c in own)
        for number in range(5):
            stated = any(number in (c.remove or ()) for c in own)
            assert asked.leaves("g", time, number) == stated
    assert not asked.comes("nobody", 1.0)


def test_many_changes_at_one_moment_read_its_events_once():
    events = [RecordedEvent(1.0, "left", 0, k, "") for k in range(100)]
    moments = Moments(events, SLACK)
    assert all(moments.at(1.0 + 1e-6 * k) is moments.at(1.0) for k in range(1000))
