"""Waits and their reasons, from poses alone."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from rmp3d.models import load_character
from rmp3d.reporting import page
from rmp3d.reporting.incidents import (
    MOST_OF_A_KIND,
    Incident,
    by_importance,
    chosen,
    reason,
    waits,
)
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots.moments import moment_pictures

DT = 0.1


@pytest.fixture(scope="module")
def queue():
    """Two go along x; both stand from 4 s to 9 s, the second 1 m behind the first."""
    time = np.arange(0.0, 15.0, DT)
    way = np.interp(time, [0.0, 4.0, 9.0, 15.0], [0.0, 4.0, 4.0, 10.0])
    position = np.zeros((len(time), 2, 3))
    position[:, 0, 0], position[:, 1, 0] = way + 1.0, way
    turns = np.zeros((len(time), 2, 4))
    turns[..., 0] = 1.0
    floor = sheet(-5, -5, 20, 5, 0.0)
    scene = Scene("hall", (Part("floor", "ground", floor, np.full((2, 3), 0.6)),), {}, floor.bounds)
    return Playback(
        scene=scene, characters=(load_character("pedestrian"),), character_of=[0, 0],
        group_of=[0, 1], group_names=("first", "second"), dt=DT, position=position,
        orientation_wxyz=turns, formation_of=np.full((len(time), 2), -1),
    )  # fmt: skip


def test_a_wait_is_between_going_and_going(queue):
    for member in (0, 1):
        ((start, end),) = waits(queue, member, np.inf)
        assert start == pytest.approx(4.0, abs=0.5)
        assert end == pytest.approx(9.0, abs=0.5)
    assert waits(queue, 0, 3.0) == []  # what is after its arrival is no wait
    still = replace(queue, position=np.repeat(queue.position[:1], queue.frame_count, axis=0))
    assert waits(still, 0, np.inf) == []  # it never went


def test_who_is_ahead_is_the_reason(queue):
    text, others = reason(queue, 1, 6.0)
    gap = 1.0 - 2 * queue.radius[0]
    assert text == f"member 0 of first was {gap:.1f} m ahead of it"
    assert others == (0,)
    near = replace(queue, position=0.42 * queue.position)
    assert reason(near, 1, 6.0)[0] == "member 0 of first was right ahead of it"
    text, others = reason(queue, 0, 6.0)  # the other one is behind
    assert text == "nobody was ahead of it"
    assert others == ()
    there = replace(queue, subgoal=queue.position + np.array([0.1, 0.0, 0.0]))
    assert reason(there, 0, 6.0)[0].startswith("it was at its place")
    gone = replace(queue, life=np.array([[0, 50], [0, queue.frame_count]]))
    assert reason(gone, 1, 6.0)[0] == "nobody was ahead of it"


def test_the_first_of_each_kind_are_shown():
    moments = [Incident(float(k), "wait", (0,), "") for k in range(9)] + [
        Incident(20.0, "jam", (0,), "")
    ]
    assert [each.kind for each in chosen(moments)] == ["wait"] * MOST_OF_A_KIND + ["jam"]


def test_a_picture_shows_those_that_it_is_about(queue):
    near, far = moment_pictures(queue, [(6.0, (1, 0)), (6.0, (0,))])
    with Image.open(BytesIO(near)) as image:
        texels = np.asarray(image.convert("RGB")).astype(int)
    blue = (texels[..., 2] - texels[..., 0] > 100).sum()
    orange = (texels[..., 0] - texels[..., 2] > 100).sum()
    assert blue > 50
    assert orange > 50
    assert near != far
    assert moment_pictures(queue, []) == []


def test_the_longest_wait_and_each_kind_come_first():
    moments = [Incident(float(k), "wait", (0,), "", 2.0 + k) for k in range(9)]
    moments.append(Incident(20.0, "jam", (0,), ""))
    assert [each.weight for each in by_importance(moments)][:3] == [10.0, 0.0, 9.0]
    shown = chosen(moments)
    assert {each.weight for each in shown if each.kind == "wait"} == {7.0, 8.0, 9.0, 10.0}
    assert [each.time for each in shown] == sorted(each.time for each in shown)


def test_each_moment_is_told_and_the_first_have_pictures(monkeypatch):
    monkeypatch.setattr(page, "MOST_PICTURES", 7)
    rest = [Incident(float(k), "wait", (0,), f"sentence {k}.") for k in range(30)]
    html = page._other_moments(rest, [b"a", b"b", b"c"])
    assert [f"sentence {k}." in html for k in range(30)] == [True] * 30
    assert html.count("<img") == 3
    assert "The others, in order of time: 30 waits" in html
    assert "Pictures are drawn of the 7 moments that matter most." in html
    assert page._other_moments([], []) == ""


def test_a_page_says_how_many_moments_it_does_not_tell(monkeypatch):
    monkeypatch.setattr(page, "MOST_SENTENCES", 5)
    rest = [Incident(float(k), "wait", (0,), f"sentence {k}.") for k in range(8)]
    html = page._other_moments(rest, [])
    assert html.count("sentence") == 5
    assert "3 more moments are not told" in html
