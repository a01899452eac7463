"""Formations: slots on arrays, and which one fits where on the way of a group."""

import sys

import rmp3d as rp

for formation in (rp.Line(), rp.Column(abreast=2), rp.Wedge(), rp.Arrow(angle_deg=30.0)):
    slots = formation.slots(7, spacing=1.5)  # (7, 3): lag, left, up [m]
    print(f"{type(formation).__name__}: {slots[:, 1].max() - slots[:, 1].min():.1f} m wide, "
          f"{slots[:, 0].max():.1f} m deep")  # fmt: skip

behavior = rp.NarrowPassages(rp.Wedge(), alternatives=(rp.Line(abreast=3),))
group = rp.Group("pedestrian", 6, start="cars", goal="motorcycles", behavior=behavior)
duration = float(sys.argv[1]) if sys.argv[1:] else 60.0
run = rp.run("parking", group, seed=2, duration=duration)
for event in run.events():
    if event.kind == "formation":
        print(f"{event.time:6.2f} s  {event.text}")
