"""Ways through what a part sweeps, found without a path."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.behaviors.moving_parts.ways_through import crossing_of_space
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box

WALLS = {"south": box((4.9, 0, 0), (5.1, 3, 2.5)), "north": box((4.9, 5, 0), (5.1, 8, 2.5))}
LEAF = box((4.95, 3.05, 0.02), (5.05, 4.95, 2.2))
SLIDES = [KeyFrame(0), KeyFrame(5), KeyFrame(6, (0, 2, 0)), KeyFrame(14, (0, 2, 0)), KeyFrame(15)]
TURNS = [
    KeyFrame(0), KeyFrame(5), KeyFrame(7, rotation=(0, 0, 88)),
    KeyFrame(16, rotation=(0, 0, 88)), KeyFrame(18),
]  # fmt: skip


def crossing(parts, keys, name, **motion):
    scene = rp.Scene.from_mesh(
        {"floor": box((0, 0, -1), (10, 8, 0)), **parts}, roles={"floor": "ground"}
    ).with_motions([MotionDescription(name, keys, "cycle", **motion)])
    space = make_space("ground", scene, load_character("pedestrian").body)
    row = int(scene.moving[0])
    return crossing_of_space(SweptPart(row, scene.parts[row]), 0, space, 0.0, scene.max_slope)


@pytest.mark.parametrize(("keys", "hinge"), [(SLIDES, None), (TURNS, (5.0, 3.0, 0.0))])
def test_the_way_leads_through_the_opening_also_where_a_leaf_turns_before_it(keys, hinge):
    motion = {} if hinge is None else {"hinge": hinge}
    found = crossing({**WALLS, "leaf": LEAF}, keys, "leaf", **motion)
    assert found is not None
    assert found.ends[0, 0] < 4.9 < 5.1 < found.ends[1, 0]
    assert found.is_open(8.0, 4.0)
    assert not found.is_open(1.0, 1.0)


def test_there_is_no_gate_where_one_can_go_round():
    cart = box((4.5, 3.5, 0.1), (5.5, 4.5, 1.0))
    keys = [KeyFrame(0), KeyFrame(2), KeyFrame(4, (0, 1, 0)), KeyFrame(6)]
    assert crossing({"cart": cart}, keys, "cart") is None


def test_nor_where_a_wall_is_all_there_is():
    wall = {"wall": box((4.9, 0, 0), (5.1, 8, 2.5))}
    leaf = box((4.7, 3.05, 0.02), (4.8, 4.95, 2.2))
    found = crossing({**wall, "leaf": leaf}, SLIDES, "leaf")
    assert found is None or np.ptp(found.ends[:, 0]) < 4.0
