"""A part that comes to stand in the way for good: all members go another way."""

import pytest

import rmp3d as rp
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box


def yard():
    """A yard that a cart crosses in 4.6 s, to stay beside the goal."""
    parts = {
        "floor": box((0, 0, -1), (14, 6, 0)),
        "cart": box((3.2, 2.7, 0.02), (3.8, 3.3, 1.2)),
    }
    scene = rp.Scene.from_mesh(
        parts, name="yard", roles={"floor": "ground"}, bounds=((0, 0, -1), (14, 6, 4)),
        regions={
            "south": rp.Box((5, 0.5, -0.1), (9, 1.5, 2)),
            "north": rp.Box((5, 4.5, -0.1), (9, 5.5, 2)),
        },
    )  # fmt: skip
    keys = [KeyFrame(0.0), KeyFrame(4.6, (5.8, 0.0, 0.0))]
    return scene.with_motions([MotionDescription("cart", keys, "stay")])


@pytest.mark.parametrize("seed", [0, 1])
def test_nobody_waits_for_a_part_that_goes_no_more(seed):
    group = rp.Group(members=2, start="south", goal="north", behavior="self_guided")
    recording = rp.run(yard(), group, seed=seed, duration=15.0, linger=0.0, nodes=40)
    assert recording.verify().ok
