"""Record to a file, prove it, and write it in other formats."""

import rmp3d as rp

group = rp.Group("drone", 4, start="west", goal="east", behavior=rp.SelfGuided())
run = rp.run("sky", group, seed=1, to="sky.rmp3d", nodes=100, duration=8.0)
report = run.verify()
print(
    f"{report.states} states and {report.motions} motions proved; {len(report.findings)} findings"
)
for finding in report.findings[:3]:
    print(f"  {finding.time:.1f} s: {finding.kind}: {finding.text}")
print(f"nearest to one another: {report.clearance_members:.2f} m")
for path in run.export("sky.glb", "sky.html", "sky.csv", tolerance=0.02, digits=3):
    print(f"{path}: {path.stat().st_size / 1e3:.0f} kB")
run.report("sky_report.html")
