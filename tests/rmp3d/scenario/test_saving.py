"""A scenario that is written and read again is the same scenario."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmp3d.geometry.errors import InputError
from rmp3d.scenario import GroupTable, PlannerSettings, ScenarioTable, SimulationSettings
from rmp3d.scenario.loading import from_table, load
from rmp3d.scenario.saving import save_scenario, scenario_table, scenario_text
from rmp3d.scenes import SceneDescription, builtin_scenarios

NUMBERS = st.floats(0.001, 1e4)
POINTS = st.tuples(*[st.floats(-100, 100)] * 3)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)


@st.composite
def scenarios(draw):
    names = draw(st.lists(TEXTS.filter(bool), min_size=1, max_size=3, unique=True))
    groups = [
        GroupTable(
            name=name,
            members=draw(st.integers(1, 50)),
            start=draw(st.one_of(POINTS, st.just("motorcycles"))),
            goal=draw(st.one_of(POINTS, st.just("cars"))),
            goal_radius=draw(st.none() | NUMBERS),
            behavior={
                "name": "narrow_passages",
                "formation": draw(st.sampled_from(["line", "column", "arrow"])),
                "spacing": draw(NUMBERS),
                "alternatives": ["arrow"],
            },
        )
        for name in names
    ]
    return ScenarioTable(
        name=draw(TEXTS),
        description=draw(TEXTS),
        seed=draw(st.integers(0, 2**62)),
        scene=SceneDescription(name="parking"),
        groups=groups,
        planner=PlannerSettings(
            sampler=draw(st.sampled_from([{"name": "halton"}, {"name": "gaussian", "std": 0.25}])),
            nodes=draw(st.integers(1, 9999)),
            neighbors=draw(st.sampled_from([3, 10, "star"])),
        ),
        simulation=SimulationSettings(dt=draw(st.floats(2e-3, 0.9)), duration=draw(NUMBERS) + 1),
    )


@settings(max_examples=30, deadline=None)
@given(scenarios())
def test_what_is_written_is_read_again(scenario):
    table = msgspec.toml.decode(scenario_text(scenario))
    assert from_table(table).to_json() == scenario.to_json()


@pytest.mark.parametrize("name", sorted(builtin_scenarios()))
def test_built_in_scenarios_are_the_same_when_saved(name, tmp_path):
    scenario = load(name)
    save_scenario(scenario, tmp_path / "saved.toml")
    assert load(tmp_path / "saved.toml").to_json() == scenario.to_json()


def test_defaults_are_left_out():
    scenario = from_table({"name": "a", "scene": {"name": "parking"}, "groups": [{}]})
    table = scenario_table(scenario)
    assert set(table) == {"name", "scene", "groups"}
    assert table["groups"] == [{"name": "group 1", "goal": "goal"}]


@pytest.mark.parametrize(
    ("file", "problem"), [("a.txt", "ends in `.toml`"), ("no/a.toml", "cannot be written")]
)
def test_what_cannot_be_written_is_said(tmp_path, file, problem):
    with pytest.raises(InputError, match=problem):
        save_scenario(load("parking"), tmp_path / file)
