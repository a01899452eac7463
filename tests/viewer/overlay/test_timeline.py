"""The bar across the window: its marks, and what becomes of too many."""

from rmp3d.viewer.overlay.timeline import MOST_MARKS, Timeline
from rmp3d.viewer.playback.playback import Event


def test_many_events_of_one_kind_are_columns_and_rare_ones_keep_their_marks():
    timeline = Timeline((1200, 40), 20, 100.0)
    jams = [Event(0.1 * k, "jam", 0, k) for k in range(20 * MOST_MARKS)]
    rare = Event(50.0, "formation", 0)
    marked, columns = timeline.marks([*jams, rare])
    assert marked == [rare]
    assert {kind for kind, _, _ in columns} == {"jam"}
    assert len(columns) < len(jams) / 3
    assert max(share for _, _, share in columns) == 1.0
    few, none = timeline.marks(jams[:1])
    assert (few, none) == (jams[:1], [])
