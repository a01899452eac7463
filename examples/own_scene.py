"""A scene of arrays: a floor, a wall with a gap, and two places."""

import numpy as np

import rmp3d as rp

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
         [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip


def box(lower, upper):
    """Vertices (8, 3) and faces (12, 3) of a box."""
    return np.array(lower) + CORNERS * np.subtract(upper, lower), FACES


scene = rp.Scene.from_mesh(
    {
        "floor": box((0, 0, -1), (30, 12, 0)),
        "wall left": box((14, 0, 0), (15, 5, 3)),
        "wall right": box((14, 7, 0), (15, 12, 3)),
    },
    roles={"floor": "ground"},
    regions={"here": rp.Box((1, 1, 0), (8, 11, 2)), "there": rp.Sphere((25, 6, 0), 4.0)},
)
group = rp.Group(members=4, start="here", goal="there", behavior=rp.NarrowPassages("line"))
scenario = rp.Scenario(scene, group, seed=3, name="gap", nodes=150)
run = rp.run(scenario)
print(run, "proved:", run.verify().ok)
for event in run.events():
    print(f"{event.time:6.2f} s  {event.kind}  {event.text}")
print("saved:", scenario.save("gap.toml"), "runs the same from the command line")
