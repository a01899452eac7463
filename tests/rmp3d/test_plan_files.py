"""`rmp3d plan` and its files: roadmaps saved and loaded, graphs, pictures, details."""

import errno
import json
import os
from contextlib import nullcontext

import networkx as nx
import numpy as np
import pytest

from rmp3d import cli


@pytest.fixture
def plan(world, capfd):
    scenario = world.folder / "yard.toml"
    scenario.write_text(world.scenario_text(), encoding="utf-8")

    def run(*arguments):
        code = cli.main(["plan", str(scenario), *(str(argument) for argument in arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    return run


def facts_of(answer):
    code, out, err = answer
    assert code == 0, err
    return json.loads(out)


def test_a_saved_roadmap_serves_other_goals_and_is_not_built_again(plan, tmp_path):
    file = tmp_path / "yard.roadmap"
    first = facts_of(plan("--json", "--save", file))
    again = facts_of(plan("--json", "--load", file, "--save", tmp_path / "again"))
    assert file.read_bytes() == (tmp_path / "again").read_bytes()
    assert again["nodes"] == first["nodes"]
    assert again["queries"]["collision"] < first["queries"]["collision"]
    elsewhere = ("--set", "groups.0.goal=[13.0, 4.0, 0.0]")
    other = facts_of(plan("--json", "--load", file, *elsewhere))
    np.testing.assert_allclose(other["path"][-1], [13.0, 4.0, 0.0], atol=1e-9)
    assert other["nodes"] == first["nodes"]


def test_a_loaded_roadmap_is_grown_if_the_rules_ask_for_more(plan, tmp_path):
    file = tmp_path / "yard.roadmap"
    assert facts_of(plan("--json", "--save", file, "--set", "planner.nodes=100"))["nodes"] == 100
    larger = ("--json", "--load", file, "--set", "planner.nodes=150", "--save")
    sizes = [facts_of(plan(*larger, tmp_path / name))["nodes"] for name in "ab"]
    assert sizes == [150, 150]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    # Nothing is drawn twice, though the seed is the same.
    graph = tmp_path / "yard.graphml"
    facts_of(plan(*larger, tmp_path / "c", "--graphml", graph))
    places = [(n["x"], n["y"]) for _, n in nx.read_graphml(graph).nodes(data=True)]
    assert len(set(places)) == 150
    # And what was drawn is what would have been drawn at once.
    whole = tmp_path / "whole.graphml"
    facts_of(plan("--json", "--set", "planner.nodes=150", "--graphml", whole))
    assert whole.read_bytes() == graph.read_bytes()


def test_ctrl_c_saves_what_was_built(plan, tmp_path, monkeypatch):
    def stop(done, total):
        if done > 60:
            raise KeyboardInterrupt

    file = tmp_path / "yard.roadmap"
    monkeypatch.setattr("rmp3d.terminal.progress.progress_bar", lambda *_, **__: nullcontext(stop))
    code, _, err = plan("--save", file, "--set", "groups.0.goal=[17.0, 5.0, 3.0]")
    monkeypatch.undo()
    assert code == 130
    assert "roadmap so far: " in err
    nodes = facts_of(plan("--json", "--load", file, "--set", "planner.nodes=1"))["nodes"]
    assert 60 < nodes < 200


def test_a_roadmap_of_another_body_is_bad_input(plan, tmp_path):
    file = tmp_path / "yard.roadmap"
    facts_of(plan("--json", "--save", file))
    code, _, err = plan("--load", file, "--set", "groups.0.character=drone")
    assert code == 2
    assert "yard.roadmap: a roadmap of another space: `name` is ground there, translation" in err
    code, _, err = plan("--load", tmp_path / "none.roadmap")
    assert code == 2
    assert "none.roadmap: no such file" in err


def test_pictures_are_written(plan, tmp_path):
    map_, profile = tmp_path / "map.png", tmp_path / "profile.svg"
    code, _, err = plan("--picture", map_, "--profile", profile)
    assert code == 0
    assert "map: " in err
    assert "profile: " in err
    assert map_.stat().st_size > 1000
    assert "along the path" in profile.read_text() or profile.stat().st_size > 1000
    code, _, err = plan("--profile", tmp_path / "profile.xyz")
    assert code == 2
    assert "profile.xyz: the profile cannot be written" in err


def test_details_come_only_when_asked_for(plan):
    assert "details" not in facts_of(plan("--json"))
    facts = facts_of(plan("--json", "-v", "--set", "planner.lazy=true"))
    (detail,) = facts["details"]
    assert 0.0 <= detail["coverage"] <= 1.0
    assert detail["untried"] > 0
    profile = detail["profile"]
    sizes = {len(profile[name]) for name in ("station", "clearance", "room_left", "room_right")}
    assert len(sizes) == 1
    assert profile["station"][-1] == pytest.approx(facts["length"], abs=1e-5)
    assert min(profile["clearance"]) == pytest.approx(facts["clearance_min"], abs=0.05)
    code, out, _ = plan("-v")
    assert code == 0
    assert "coverage" in out


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("neighbors=-1", "`planner.neighbors`"),
        ("neighbors=stars", "neighbors"),
        ("neighbors=0", "`neighbors` = 0 (no limit) needs a `radius`"),
        ("radius=-2.0", "radius"),
    ],
)
def test_impossible_settings_are_refused(plan, setting, message):
    code, _, err = plan("--set", f"planner.{setting}")
    assert code == 2
    assert message in err


def test_options_that_exclude_each_other_are_refused(plan):
    code, _, err = plan("--set", "planner.lazy=true", "--set", "planner.forest=true")
    assert code == 2
    assert "`planner`: `lazy` leaves open what is connected" in err


def test_every_neighbor_rule_can_be_set(plan):
    edges = {}
    for rule in ("neighbors=5", "neighbors=star", "radius=1.5", "forest=true"):
        edges[rule] = facts_of(plan("--json", "--set", f"planner.{rule}"))["edges"]
    assert edges["forest=true"] < edges["neighbors=5"] < edges["neighbors=star"]
    solved = facts_of(plan("--json", "--set", "planner.until_solved=true"))
    assert solved["edges"] < edges["neighbors=5"]


def test_a_full_disk_loses_no_older_file_and_leaves_no_other(plan, tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    wanted = {"--save": "a.roadmap", "--graphml": "a.graphml", "-o": "a.png", "--profile": "a.svg"}
    for option, name in wanted.items():
        file = tmp_path / name
        file.write_text("older", encoding="utf-8")
        code, _, err = plan(option, file)
        assert code == 2
        assert f"{name}: the " in err
        assert "cannot be written (No space left on device)" in err
        assert file.read_text(encoding="utf-8") == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(wanted.values())


def test_a_roadmap_that_is_missing_is_told_with_its_key(capfd):
    assert cli.main(["plan", "parking", "--set", "planner.roadmap=none.roadmap"]) == 2
    told = capfd.readouterr().err
    assert "`planner.roadmap`" in told
    assert "none.roadmap: no such file" in told
