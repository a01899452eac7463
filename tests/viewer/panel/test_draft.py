import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.scenario import GroupTable
from rmp3d.scenario.loading import from_table
from rmp3d.scenes import builtin_scenarios, builtin_scenes
from rmp3d.viewer.panel.draft import Draft, is_live


def draft():
    return Draft(
        {"name": "a", "scene": {"name": "parking"}, "groups": [{"members": 3}]}, GroupTable
    )


def test_a_group_is_completed():
    assert draft().groups == [
        {"members": 3, "name": "group 1", "behavior": {"name": "narrow_passages"}, "goal": "goal"}
    ]


@pytest.mark.parametrize(
    ("given", "characters"),
    [("dog", ["dog"]), (["dog", "wolf"], ["dog", "wolf"]), (None, ["pedestrian"])],
)
def test_the_characters_of_a_group_are_one_or_several(given, characters):
    made = draft()
    made.set(["groups", 0, "character"], given)
    assert made.characters == characters


def test_the_table_it_was_made_of_is_not_changed():
    table = {"scene": {"name": "parking"}, "groups": [{}]}
    Draft(table, GroupTable).set(["groups", 0, "members"], 7)
    assert table == {"scene": {"name": "parking"}, "groups": [{}]}


def test_keys_are_set_and_left_out_again():
    made = draft()
    made.set(["planner", "nodes"], 50)
    made.set(["groups", 0, "behavior", "formation"], "arrow")
    assert made.get(["planner", "nodes"]) == 50
    assert made.get(["planner", "sampler", "name"], "none") == "none"
    made.set(["planner", "nodes"], None)
    assert made.get(["planner"]) == {}


def test_a_name_becomes_a_table_when_an_option_is_set():
    made = draft()
    made.set(["planner", "sampler"], "gaussian")
    made.set(["planner", "sampler", "std"], 0.5)
    assert made.get(["planner", "sampler"]) == {"name": "gaussian", "std": 0.5}


@pytest.mark.parametrize("name", list(GROUP_BEHAVIORS))
def test_every_behavior_can_be_chosen_and_needs_nothing_more_to_be_said(name):
    made = draft()
    made.choose_behavior(name)
    group = from_table(made.table).groups[0]
    assert group.behavior["name"] == name
    assert (group.goal is not None) == GROUP_BEHAVIORS[name].needs_goal


@pytest.mark.parametrize("name", builtin_scenes())
def test_every_scene_can_be_chosen_and_roadmap_settings_stay(name):
    made = draft()
    made.set(["planner", "nodes"], 123)
    made.choose_scene(name)
    scenario = from_table(made.table)
    assert scenario.scene.name == name
    assert scenario.planner.nodes == 123


@pytest.mark.parametrize("name", sorted(builtin_scenarios()))
def test_every_built_in_scenario_is_a_draft(name):
    from rmp3d.geometry.checked_toml import read_toml

    table = read_toml(builtin_scenarios()[name])
    groups = from_table(table).groups
    assert from_table(Draft(table, GroupTable).table).groups == groups


def test_a_goal_comes_back_with_a_behavior_that_needs_one():
    made = draft()
    made.set(["groups", 0, "goal"], "cars")
    made.set(["groups", 0, "goal_radius"], 3.0)
    made.choose_behavior("steering")
    assert not {"goal", "goal_radius"} & set(made.chosen)
    made.choose_behavior("acting")
    made.choose_behavior("self_guided")
    assert (made.chosen["goal"], made.chosen["goal_radius"]) == ("cars", 3.0)


def test_a_group_that_never_had_a_goal_goes_to_a_region_of_the_scene():
    made = Draft({"groups": [{"start": "cars", "behavior": "steering"}]}, GroupTable)
    made.regions = ["cars", "motorcycles"]
    made.choose_behavior("self_guided")
    assert made.chosen["goal"] == "motorcycles"


def test_groups_are_added_and_removed_but_not_the_last():
    made = draft()
    made.add_group()
    assert [group["name"] for group in made.groups] == ["group 1", "group 2"]
    assert made.group == 1
    made.remove_group()
    made.remove_group()
    assert [group["name"] for group in made.groups] == ["group 1"]


def test_which_keys_a_run_takes_on_the_way():
    assert is_live(["simulation", "duration"])
    assert is_live(["groups", 0, "behavior", "formation"])
    assert is_live(["groups", 2, "speed_limit"])
    assert not is_live(["groups", 0, "behavior", "name"])
    assert not is_live(["groups", 0, "members"])
    assert not is_live(["planner", "nodes"])
