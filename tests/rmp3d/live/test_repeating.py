"""A run that was changed while it went on repeats from its saved scenario, and is proved."""

import copy

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.live.backend import LiveBackend
from rmp3d.scenario.loading import load
from rmp3d.scenario.saving import scenario_table
from rmp3d.viewer.panel.protocol import Advance, ChangeRun, Intervene, SaveRecording, StartRun

TABLE = {
    "name": "repeated",
    "scene": {"name": "plain"},
    "groups": [
        {"name": "a", "members": 2, "start": [-4.0, 0.0, 0.0], "goal": "middle",
         "behavior": {"name": "self_guided"}},
        {"name": "b", "members": 2, "start": [0.0, -4.0, 0.0], "goal": "middle",
         "behavior": {"name": "self_guided"}},
    ],
    "planner": {"nodes": 40},
    "simulation": {"duration": 4.0},
}  # fmt: skip
MORE = {"group": "a", "add": [-4.0, 2.0, 0.0], "count": 2}


def with_first(**keys):
    table = copy.deepcopy(TABLE)
    table["groups"][0] |= keys
    return table


def alone(**keys):
    table = with_first(**keys)
    return {**table, "groups": table["groups"][:1]}


def repeated(table, commands, folder):
    """Return the recording of a live run, of that which its scenario gives, and what was said."""
    backend, said = LiveBackend(lambda report: None), []
    backend.handle(StartRun(table))
    backend.handle(Advance(5))
    for command in commands:
        try:
            backend.handle(command)
        except InputError as error:
            said.append(str(error))
    backend.handle(Advance(10_000))
    backend.handle(SaveRecording(str(folder / "live.rmp3d")))
    live = rp.Recording.open(folder / "live.rmp3d")
    return live, rp.run(live.as_scenario()), said


@pytest.mark.parametrize(
    ("table", "command"),
    [
        (TABLE, ChangeRun(with_first(speed_limit=0.7))),
        (TABLE, ChangeRun(with_first(behavior={"name": "self_guided", "neighborhood": 1.0}))),
        (TABLE, Intervene(MORE)),
        (TABLE, Intervene({"group": "a", "remove": 1})),
        (alone(), Intervene(MORE)),
        (alone(behavior={"name": "narrow_passages"}), Intervene(MORE)),
        (alone(behavior={"name": "leader_following"}), Intervene({"group": "a", "remove": [0]})),
        (alone(), Intervene({"group": "a", "remove": [0, 1]})),
    ],
    ids=["limit", "behavior", "add", "remove", "alone", "passages", "leader", "all leave"],
)
def test_a_changed_run_repeats_to_the_bit_and_nothing_is_found(table, command, tmp_path):
    live, again, said = repeated(table, [command], tmp_path)
    assert said == []
    assert live.to_bytes() == again.to_bytes()
    kinds = {finding.kind for finding in live.verify().findings}
    assert kinds <= {"not_arrived"}


def test_newcomers_change_nobody_elses_chance(tmp_path):
    """Others wander as they would without them, for whom a recording has rows further down."""
    table = copy.deepcopy(TABLE)
    table["groups"][1]["behavior"] = {"name": "steering", "behaviors": ["wander"]}
    del table["groups"][1]["goal"]
    table["simulation"] = {"duration": 1.0}
    live, again, _ = repeated(table, [Intervene(MORE)], tmp_path)
    assert live.to_bytes() == again.to_bytes()


@pytest.mark.parametrize("name", ["station", "dock", "city_1000"])
def test_the_window_plans_and_runs_as_the_command_line_does(name, tmp_path):
    """With lifts, moving parts, goals by name, vehicles, and groups that share a roadmap."""
    scenario, backend = rp.Scenario.load(name, duration=0.5), LiveBackend(lambda report: None)
    backend.handle(StartRun(scenario_table(scenario.table)))
    backend.handle(Advance(10_000))
    backend.handle(SaveRecording(str(tmp_path / "live.rmp3d")))
    assert (tmp_path / "live.rmp3d").read_bytes() == rp.run(scenario).to_bytes()


def test_goals_and_variables_draw_by_name_as_recordings_have_them(tmp_path):
    table = scenario_table(load("grazing", seed=2))
    table["simulation"]["duration"] = 8.0  # members stroll, gather and graze again meanwhile
    live, again, _ = repeated(table, [], tmp_path)
    assert live.to_bytes() == again.to_bytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"add": "nowhere"}, "no region named `nowhere`"),
        ({"add": [99.0, 0.0, 0.0]}, "is not on walkable ground"),
        ({"add": [-4.0, 2.0, 0.0], "count": 500}, "there is room for"),
        ({"remove": 7}, "`a` has 2 members, counted from 0"),
        ({"send": [0.0, 0.0, 0.0]}, "go where `self_guided` leads them"),
    ],
)
def test_what_was_refused_is_not_in_the_saved_scenario(change, reason, tmp_path):
    live, again, said = repeated(alone(), [Intervene({"group": "a", **change})], tmp_path)
    assert len(said) == 1
    assert reason in said[0]
    assert not live.scenario.changes
    np.testing.assert_array_equal(live.position(), again.position())


def test_nobody_comes_to_where_a_bridge_is_drawn_up():
    dock = rp.Scene.load("dock")
    group = rp.Group(members=1, start="west", goal="east", name="a")
    simulation = rp.Simulation(dock, [group], duration=1.0, nodes=100)
    simulation.add_member("a", (0.0, 0.0, 0.0))
    (refused,) = (event for event in simulation.step().events if event.kind == "refused")
    assert "in the way of `bridge`" in refused.text
    assert simulation.step().position.shape == (1, 3)
