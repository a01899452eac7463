"""The page of behaviors says what there is."""

import re
from dataclasses import MISSING, fields
from pathlib import Path

import numpy as np
import pytest

from rmp3d.behaviors import STEERING_BEHAVIORS

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "steering.md").read_text("utf-8")


@pytest.mark.parametrize("name", list(STEERING_BEHAVIORS))
def test_the_page_has_each_behavior_with_its_needs_and_parameters(name):
    (row,) = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.M)
    _, _, _, needs, parameters, _ = row.split("|")
    cls = STEERING_BEHAVIORS[name]
    assert re.findall(r"`(\w+)`", needs) == list(getattr(cls, "needs", ()))
    shown = dict(re.findall(r"`(\w+)(?: = ([^`]*))?`", parameters))
    assert list(shown) == [field.name for field in fields(cls)]
    for field in fields(cls):
        if field.default is MISSING:
            assert shown[field.name] == ""
            continue
        value = list(field.default) if isinstance(field.default, tuple) else field.default
        if isinstance(value, str):
            value = f'"{value}"'
        assert shown[field.name] == str(value)


def test_the_example_is_a_behavior(make):
    codes = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (code,) = (each for each in codes if "class Hover" in each)
    code = code.replace('@STEERING_BEHAVIORS.register("hover")', "")
    space = {"__name__": "hover"}
    exec(compile(code, "docs/reference/steering.md", "exec"), space)
    agents = make.flock(np.zeros((2, 3)), [[1.0, 2, 3], [0, 0, 1]])
    force = space["Hover"]().steering_force(agents, make.surroundings(agents))
    np.testing.assert_allclose(force, -4.0 * agents.velocity)


def test_the_example_of_strokes_is_a_flow_field():
    codes = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (code,) = (each for each in codes if "FlowStroke" in each)
    exec(compile(code, "docs/reference/steering.md", "exec"), {})
