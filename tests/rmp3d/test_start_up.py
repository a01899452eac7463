"""What commands load before they do anything."""

import subprocess
import sys

SLOW = ("scipy.spatial", "scipy.sparse", "scipy.special", "scipy.stats", "trimesh", "matplotlib")


def test_inspecting_and_running_load_no_library_that_few_need():
    modules = "rmp3d.inspection.proposal, rmp3d.simulation, rmp3d.scenario.loading"
    told = f"import sys, {modules}; print([name for name in {SLOW} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
