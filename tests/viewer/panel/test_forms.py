"""Forms follow from the classes alone, so every registered class has one."""

import re
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

import pytest

from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.viewer.panel.forms import NOTHING, attribute_helps, fields_of, registries
from rmp3d.viewer.panel.named_fields import is_relevant
from rmp3d.viewer.panel.values import number_of
from rmp3d.viewer.texts import translations

SYMBOLS = re.compile(r"\[[^]]*\]|\b[A-Za-z]\b")
CLASSES = list(dict.fromkeys([
    registry[name] for registry in (*registries().values(), STEERING_BEHAVIORS, ACTIVITIES)
    for name in registry
] + [GroupTable, PlannerSettings, SimulationSettings]))  # fmt: skip


@dataclass(frozen=True)
class Made:
    """For the test.

    Attributes:
        speed: How fast [m/s]; more is
            faster.
        mode: Which way.
        point: Where to [m].
        anything: A list.
    """

    speed: float = 1.5
    mode: Literal["a", "b"] = "b"
    point: tuple[float, float, float] | None = None
    anything: tuple[str, ...] = ()
    must: int = 0


def test_kind_default_unit_and_help_come_from_the_class():
    speed, mode, point, anything, must = fields_of(Made)
    assert (speed.kind, speed.default, speed.unit) == ("number", 1.5, "m/s")
    assert speed.help == "How fast [m/s]; more is faster."
    assert (mode.kind, mode.choices, mode.default) == ("choice", ("a", "b"), "b")
    assert (point.kind, point.optional, point.unit) == ("vector", True, "m")
    assert (anything.kind, anything.default) == ("toml", ())
    assert (must.kind, must.help) == ("int", "")


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_that_can_be_chosen_has_a_form_that_explains_itself(kind):
    form = fields_of(kind)
    if is_dataclass(kind):
        assert {field.name for field in form} == {field.name for field in fields(kind)}
    # A symbol and a unit explain nothing.
    words = {
        field.name: len(re.findall("[A-Za-z]{3,}", SYMBOLS.sub("", field.help))) for field in form
    }
    assert not [name for name, count in words.items() if count < 2]


def test_what_an_acting_group_has_several_of_is_explained_in_sentences():
    helps = {field.name: field.help for field in fields_of(GROUP_BEHAVIORS["acting"])}
    for name in ("goals", "mental", "triggers", "rules", "switches"):
        assert helps[name][0].isupper(), helps[name]


def test_limits_are_those_of_the_file():
    members = next(field for field in fields_of(GroupTable) if field.name == "members")
    assert (members.low, members.high) == (1, 100_000)


def test_limits_that_a_help_tells_are_those_of_the_field():
    told = re.compile(r"(\d[\d,]*) to (\d[\d,]*)\.")
    seen = 0
    for table in (GroupTable, PlannerSettings, SimulationSettings):
        for field in fields_of(table):
            if field.high is not None and (limits := told.search(field.help)):
                seen += 1
                said = [int(each.replace(",", "")) for each in limits.groups()]
                assert said == [field.low, field.high], field.name
    assert seen


def test_names_are_chosen_from_the_registries():
    forms = {field.name: field for field in fields_of(PlannerSettings)}
    assert forms["sampler"].choices == tuple(SAMPLERS)
    assert forms["local_planner"].choices == tuple(LOCAL_PLANNERS)
    (formation,) = (
        f for f in fields_of(GROUP_BEHAVIORS["narrow_passages"]) if f.name == "formation"
    )
    assert formation.kind == "registry"
    assert "line" in formation.choices


def test_what_must_be_said_has_no_default():
    (goals,) = (f for f in fields_of(GROUP_BEHAVIORS["acting"]) if f.name == "goals")
    assert goals.default is NOTHING


def test_helps_of_base_classes_are_there_too():
    assert "perception" in attribute_helps(GROUP_BEHAVIORS["steering"])
    assert "behaviors" in attribute_helps(GROUP_BEHAVIORS["steering"])


def test_a_steering_form_shows_the_roles_that_its_behaviors_need_or_that_are_stated():
    kind = GROUP_BEHAVIORS["steering"]

    def shown(**table):
        roles = ("target", "target_heading", "quarry", "threat", "leader", "ward")
        return [name for name in roles if is_relevant(kind, name, table)]

    assert shown(behaviors=["wander"]) == []
    assert shown(behaviors=["wander", {"name": "flee", "weight": 2.0}]) == ["threat"]
    assert shown(behaviors=["arrive", "interpose"]) == ["target", "quarry", "ward"]
    assert shown(behaviors=["wander"], leader="guards") == ["leader"]
    assert is_relevant(kind, "combining", {})
    assert is_relevant(PlannerSettings, "sampler", {})


@pytest.mark.parametrize(
    ("registry", "name", "kinds"),
    [
        (GROUP_BEHAVIORS, "narrow_passages", {"alternatives": "choices",
                                              "after_passages": "choices"}),
        (GROUP_BEHAVIORS, "circle_following", {"ward": "named", "group": "named"}),
        (GROUP_BEHAVIORS, "leader_following", {"leader": "named", "group": "named"}),
        (GROUP_BEHAVIORS, "herding", {"flock": "named", "region": "named"}),
        (GROUP_BEHAVIORS, "steering", {"behaviors": "choices", "combining": "registry",
                                       "quarry": "named", "threat": "named", "target": "place"}),
        (GROUP_BEHAVIORS, "acting", {"goals": "tables", "rules": "list", "idle": "named"}),
        (ACTIVITIES, "wander", {"within": "named"}),
        (ACTIVITIES, "patrol", {"posts": "several"}),
    ],
)  # fmt: skip
def test_what_the_scenario_or_the_program_has_is_chosen_not_typed(registry, name, kinds):
    form = {field.name: field.kind for field in fields_of(registry[name])}
    assert {key: form[key] for key in kinds} == kinds


def test_a_zero_that_is_no_quantity_is_shown_as_what_it_means():
    zeros = {field.zero for kind in CLASSES for field in fields_of(kind)}
    assert {"automatic", "no limit", "never", "all in one rank"} <= zeros
    assert all(word in translations("es") for word in zeros - {""})
    kind = GROUP_BEHAVIORS["narrow_passages"]
    (spacing,) = [field for field in fields_of(kind) if field.name == "spacing"]
    assert spacing.zero == "automatic"
    assert [number_of(spacing, typed) for typed in ("", "0", "2 m")] == [0, 0, 2]
    (width,) = [field for field in fields_of(Made) if field.name == "speed"]
    assert width.zero == ""
