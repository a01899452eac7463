from dataclasses import replace

import numpy as np

from rmp3d.viewer.playback.growing import GrowingPlayback
from rmp3d.viewer.playback.playback import Event


def test_a_playback_that_grew_is_the_whole_playback(make):
    whole = make(members=3, seconds=20.0)
    first = replace(
        whole,
        position=whole.position[:1],
        orientation_wxyz=whole.orientation_wxyz[:1],
        subgoal=whole.subgoal[:1],
        formation_of=whole.formation_of[:1],
        events=(),
    )
    growing = GrowingPlayback(first)
    shown = []
    for at in range(1, whole.frame_count, 7):
        rows = slice(at, min(at + 7, whole.frame_count))
        growing.append(
            position=whole.position[rows],
            orientation_wxyz=whole.orientation_wxyz[rows],
            subgoal=whole.subgoal[rows],
            formation_of=whole.formation_of[rows],
            formation=whole.formation,
            events=(Event(at * whole.dt, "jam"),),
        )
        shown.append(growing.playback)
        assert len(growing.playback.drawn) == growing.playback.frame_count
    for name in ("position", "orientation_wxyz", "subgoal", "formation_of"):
        np.testing.assert_array_equal(getattr(growing.playback, name), getattr(whole, name))
        assert not getattr(growing.playback, name).flags.writeable
    assert shown[0].frame_count == 8, "what was shown before stays as it was"
    assert len(growing.playback.events) == len(shown)
    assert growing.playback.scene is whole.scene
