"""Plan, run, prove and export a group in a built-in scene: ten lines."""

import sys

import rmp3d as rp

scene = rp.Scene.load("parking")
group = rp.Group(
    "pedestrian", 5, start="cars", goal="motorcycles", behavior=rp.NarrowPassages("line")
)
run = rp.run(scene, group, seed=1, duration=float(sys.argv[1]) if sys.argv[1:] else 60.0)
report = run.verify()
print(run)
print(f"{report.arrived} of {report.expected} arrived, {report.states} states proved")
print("positions (frames, members, xyz):", run.position().shape)
run.export("quickstart.html")
