"""A door of two leaves is one gate: who passes one leaf is not beside the other."""

import numpy as np

import rmp3d as rp
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation
from rmp3d.simulation.moving import gates_of


def hall():
    parts = {"floor": box((0, 0, -1), (16, 4, 0))}
    motions = []
    for x in (5.0, 11.0):
        parts[f"wall {x} south"] = box((x, 0, 0), (x + 0.2, 1, 2.5))
        parts[f"wall {x} north"] = box((x, 3, 0), (x + 0.2, 4, 2.5))
        for name, low, high, way in (("south", 1.0, 1.99, -0.98), ("north", 2.01, 3.0, 0.98)):
            parts[f"leaf {x} {name}"] = box((x - 0.12, low, 0.02), (x - 0.04, high, 2.2))
            keys = [KeyFrame(0), KeyFrame(1), KeyFrame(2, (0.0, way, 0.0))]
            motions.append(MotionDescription(f"leaf {x} {name}", keys, "stay", together=f"{x}"))
    scene = rp.Scene.from_mesh(
        parts,
        roles={"floor": "ground"},
        regions={"west": rp.Box((1, 1, 0), (3, 3, 2)), "east": rp.Box((13, 1, 0), (15, 3, 2))},
    )
    return scene.with_motions(motions)


def test_both_leaves_of_a_door_have_one_box_and_another_door_has_its_own():
    group = rp.Group(members=1, start="west", goal="east", behavior="self_guided")
    simulation = Simulation(hall(), group, nodes=40)
    gates = gates_of(simulation.plans[0], 0, simulation.scene)
    boxes = {gate.crossing.name: gate.crossing.box for gate in gates}
    assert len(boxes) == 4
    for x in (5.0, 11.0):
        south, north = boxes[f"leaf {x} south"], boxes[f"leaf {x} north"]
        np.testing.assert_array_equal(south, north)
        assert south[0, 1] < 1.0
        assert south[1, 1] > 3.0
        assert np.ptp(south[:, 0]) < 0.5
