"""Patterns of parts: what they fit, and how much work they are."""

from fnmatch import fnmatchcase

import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenes import KeyFrame, MotionDescription, Scene, motions, patterns
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.patterns import Patterns

NAMES = ["car", "car 1", "car 2", "tree", "tree [old]", "wall*"]
GLOBS = ["car 2", "car*", "tree", "*old]", "[t]ree*", "wall?", "car"]


def test_the_first_pattern_that_fits_counts_as_fnmatch_says():
    found = Patterns(GLOBS, NAMES, "`scene.roles`")
    for name in [*NAMES, "bush"]:
        fitting = [row for row, glob in enumerate(GLOBS) if fnmatchcase(name, glob)]
        assert found.first(name) == (fitting[0] if fitting else -1)
    for row, glob in enumerate(GLOBS):
        assert found.rows(row) == [k for k, name in enumerate(NAMES) if fnmatchcase(name, glob)]
    found.refuse_unused()


@pytest.mark.parametrize("glob", ["bush", "b*"])
def test_a_pattern_that_fits_nothing_is_refused(glob):
    with pytest.raises(InputError, match=r"`scene.flip`: no part fits `b.*`; the parts are car, "):
        Patterns(["car", glob], NAMES, "`scene.flip`").refuse_unused()


def test_names_cost_nothing_and_too_many_patterns_are_refused(monkeypatch):
    monkeypatch.setattr(patterns, "MOST_LETTERS", 100)
    Patterns(NAMES[:4], NAMES, "`scene.roles`")
    with pytest.raises(InputError, match=r"`scene\.roles`: 2 pattern\(s\) of 6 parts are too much"):
        Patterns(["car*", "tree*"], NAMES, "`scene.roles`")


def test_key_frames_count_for_each_part_that_moves(monkeypatch):
    keys = [KeyFrame(0.0), KeyFrame(1.0, (0.0, 0.0, 1.0))]
    parts = {f"door {k}": box((2 * k, 0, 0), (2 * k + 1, 1, 1)) for k in range(3)}
    move = MotionDescription("door *", keys, repeat="stay")
    assert len(Scene.from_mesh(parts).with_motions([move]).moving) == 3
    monkeypatch.setattr(motions, "MAX_FRAMES", 5)
    with pytest.raises(InputError, match="there are 6 key frames of parts, but at most 5"):
        Scene.from_mesh(parts).with_motions([move])
