"""Find a certified path for a rigid body: a problem file of OMPL.app, and a body in a scene."""

from pathlib import Path

import rmp3d as rp

file = Path(__file__).parents[1] / "docs" / "examples" / "window.cfg"
result = rp.plan(rp.Problem.load(file), seed=1, time_limit=60)
print(f"{file.name}: solved {result.solved}, {len(result.configurations)} configurations")
for x, y, z, *quaternion_wxyz in result.configurations[:3]:
    print(f"  at ({x:.2f}, {y:.2f}, {z:.2f}), turned by {[round(q, 2) for q in quaternion_wxyz]}")

result = rp.plan(
    "sky", body="drone", start=(-25, -15, 10), goal=(25, 15, 10), sampler=rp.Halton(), nodes=100
)
print(f"sky: {result.path.length:.1f} m, clearance at least {result.path.clearance.min():.2f} m")
