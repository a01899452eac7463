"""The examples in the docstrings of the front door run as they are written."""

import doctest
import importlib

import pytest

MODULES = [
    "rmp3d.front.planning", "rmp3d.front.running", "rmp3d.models.character",
    "rmp3d.scenario.group", "rmp3d.scenario.scenario", "rmp3d.scenes.region",
    "rmp3d.scenes.scene", "rmp3d.simulation.run",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
