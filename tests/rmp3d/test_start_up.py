"""What commands load before they do anything."""

import subprocess
import sys

import numpy as np
import pytest

from rmp3d.inspection.survey import prepared_space
from rmp3d.models import load_character
from rmp3d.scenario import Group, Scenario
from rmp3d.scenes import Scene
from rmp3d.simulation.planning import prepare

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


def test_looking_over_a_built_in_scene_loads_no_behaviors_and_no_simulation():
    code = """
import sys
from rmp3d.inspection.survey import prepared_space
from rmp3d.models import load_character
from rmp3d.scenario.targets import described_scene, description_of_target
description, group = description_of_target("plain", [])
prepared_space(described_scene("plain", description), load_character(group.kinds[0]))
print([name for name in ("rmp3d.behaviors", "rmp3d.simulation") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["pedestrian", "drone", "car"])
def test_what_is_looked_over_is_the_space_of_a_run(name):
    scene, character = Scene.load("plain"), load_character(name)
    here = tuple(scene.bounds.mean(axis=0).tolist())
    group = Group(name, 1, start=here, goal=here, behavior="self_guided")
    prepared = prepare(Scenario(scene, group), scene, 0)
    usual = prepared.driving.ground if name == "car" else prepared.space
    own = prepared_space(scene, character)
    assert type(own) is type(usual)
    assert np.array_equal(own.bounds, usual.bounds)
    assert own.world.max_step == usual.world.max_step
    for one, two in ((own.world.body, usual.world.body), (own.world, usual.world)):
        for field in ("radius", "capsule_axis", "tolerance"):
            assert getattr(one, field, None) == getattr(two, field, None)
