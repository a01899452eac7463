"""Parts that appear and go: when they are there, and what is refused."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenes import KeyFrame, MotionDescription, PresenceDescription, Scene
from rmp3d.scenes.build.shapes import box


def crates(*presence, motions=()):
    return Scene.from_mesh(
        {
            "floor": box((0, 0, -1), (8, 4, 0)),
            "crate 1": box((2, 1, 0), (3, 2, 1)),
            "crate 2": box((5, 1, 0), (6, 2, 1)),
        },
        roles={"floor": "ground"},
    ).with_motions(motions, presence)


def test_a_part_is_there_between_its_times():
    motion = crates(PresenceDescription("crate 1", [2.0, 5.0], False)).part("crate 1").motion
    time = np.array([0.0, 1.9, 2.0, 4.9, 5.0, 9.0])
    there = motion.is_there(motion.untold(time))
    assert there.tolist() == [False, False, True, True, False, False]


def test_between_two_frames_it_is_there_if_it_is_in_one_of_them():
    motion = crates(PresenceDescription("crate 1", [2.0], False)).part("crate 1").motion
    assert motion.is_there(np.array([0.0, 0.3, 1.0])).tolist() == [False, True, True]


def test_a_pattern_names_several_parts_and_all_of_them_change():
    scene = crates(PresenceDescription("crate *", [2.0], True))
    assert [scene.part_names[row] for row in scene.moving] == ["crate 1", "crate 2"]
    assert scene.part("crate 1").stated_role == "obstacle"


def test_another_time_makes_another_scene():
    one, two = (crates(PresenceDescription("crate 1", [time], True)) for time in (2.0, 3.0))
    assert one.hash != two.hash


@pytest.mark.parametrize(
    ("presence", "said"),
    [
        (PresenceDescription("crat 1", [1.0]), "crate 1"),
        (PresenceDescription("crate 1", [3.0, 2.0], True), "2 s follows 3 s"),
        (PresenceDescription("crate 1", [0.0], True), "positive"),
        (PresenceDescription("crate 1", [float("nan")], True), "positive"),
    ],
)
def test_what_cannot_be_is_refused_with_part_and_time(presence, said):
    with pytest.raises(InputError, match=said):
        crates(presence)


def test_a_part_does_not_move_and_appear():
    moves = MotionDescription("crate 1", [KeyFrame(0), KeyFrame(5, (0, 1, 0))], "stay")
    with pytest.raises(InputError, match="has a motion already"):
        crates(PresenceDescription("crate 1", [1.0], True), motions=[moves])
    with pytest.raises(InputError, match="named twice"):
        crates(PresenceDescription("crate 1", [1.0]), PresenceDescription("crate *", [2.0]))
