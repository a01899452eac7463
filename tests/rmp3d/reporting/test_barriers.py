"""A gate that is across the way of one that waits."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.models import load_character
from rmp3d.reporting.barriers import barrier
from rmp3d.reporting.incidents import reason
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box, sheet
from rmp3d.scenes.motion import PartMotion
from rmp3d.viewer.playback.playback import Playback

DT = 0.1
AHEAD = np.array([1.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def before_a_gate():
    """One stands at the origin and looks along x; from 5 s to 6 s a gate 2 m ahead slides aside."""
    gate, floor = box((2.0, -1.0, 0.0), (2.1, 1.0, 2.0)), sheet(-5, -5, 20, 5, 0.0)
    turns = np.zeros((2, 4))
    turns[:, 0] = 1.0
    motion = PartMotion(
        "obstacle", np.array([0.0, 5.0, 6.0]), np.array([[0.0, 0, 0], [0, 0, 0], [0, 3, 0]]),
        np.repeat(turns[:1], 3, axis=0), np.zeros(3), "stay",
    )  # fmt: skip
    parts = (
        Part("floor", "ground", floor, np.full((len(floor.faces), 3), 0.6)),
        Part("gate", "decor", gate, np.full((len(gate.faces), 3), 0.6), motion=motion),
    )
    frames = 100
    return Playback(
        scene=Scene("hall", parts, {}, floor.bounds), characters=(load_character("pedestrian"),),
        character_of=[0], group_of=[0], group_names=("visitors",), dt=DT,
        position=np.zeros((frames, 1, 3)), orientation_wxyz=np.tile(turns[0], (frames, 1, 1)),
        formation_of=np.full((frames, 1), -1),
    )  # fmt: skip


def test_a_closed_gate_is_the_reason_and_an_open_one_is_not(before_a_gate):
    name, far = barrier(before_a_gate, 0, AHEAD, 2.0)
    assert name == "gate"
    assert far == pytest.approx(2.0 - before_a_gate.radius[0])
    assert barrier(before_a_gate, 0, AHEAD, 7.0) is None
    assert reason(before_a_gate, 0, 2.0)[0] == "`gate` was across its way, 1.7 m ahead"
    assert reason(before_a_gate, 0, 7.0)[0] == "nobody was ahead of it"
    assert reason(before_a_gate, 0, 2.0, stands=False)[0] == "nobody was ahead of it"


def test_a_gate_is_in_the_way_only_ahead_and_at_the_height_of_the_body(before_a_gate):
    assert barrier(before_a_gate, 0, -AHEAD, 2.0) is None
    assert barrier(before_a_gate, 0, np.array([0.0, 1.0, 0.0]), 2.0) is None
    above = replace(before_a_gate, position=before_a_gate.position + np.array([0.0, 0.0, 3.0]))
    assert barrier(above, 0, AHEAD, 2.0) is None
    far = replace(before_a_gate, position=before_a_gate.position - np.array([4.0, 0.0, 0.0]))
    assert barrier(far, 0, AHEAD, 2.0) is None
