"""What commands load before they do anything."""

import subprocess
import sys

SLOW = ("scipy.spatial", "scipy.sparse", "scipy.special", "scipy.stats", "trimesh", "matplotlib")


def test_inspecting_and_running_load_no_library_that_few_need():
    modules = "rmp3d.inspection.proposal, rmp3d.simulation, rmp3d.scenario.loading"
    told = f"import sys, {modules}; print([name for name in {SLOW} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_python_looks_for_no_cycles_among_all_objects_as_a_command_ends():
    # What is registered first is called last.
    told = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 10_000))"
    code = f"{told}; import sys; sys.argv = ['rmp3d', '--version']\n"
    code += "from rmp3d.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "True"
