"""Which runs a study has: counts and values by closed forms, and what is refused."""

import shutil
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.scenario.loading import load
from rmp3d.studies import design_of, read_study
from rmp3d.studies import points as points_of_studies
from rmp3d.studies.axes import shares
from rmp3d.studies.points import Runs

MODELS = Path(rp.models.__file__).parent / "builtin"


def points(**table):
    return design_of({"scenario": "plain", **table}, "study").points()


def values(axis):
    return [point["planner.nodes"] for point in points(axes={"planner.nodes": axis})]


@given(st.lists(st.integers(1, 4), min_size=0, max_size=4), st.integers(1, 3))
@settings(max_examples=25)
def test_the_runs_are_all_combinations_each_once(counts, seeds):
    axes = {f"planner.a{row}": list(range(count)) for row, count in enumerate(counts)}
    found = points(axes=axes, seeds=seeds)
    assert len(found) == prod(counts) * seeds
    assert len({tuple(point.items()) for point in found}) == len(found)
    assert [point["seed"] for point in found[:seeds]] == list(range(seeds))


def test_ranges_have_their_ends_and_stay_whole():
    assert values({"from": 1, "to": 9, "step": 4}) == [1, 5, 9]
    assert values({"from": 1, "to": 8, "step": 4}) == [1, 5]
    assert values({"from": 0, "to": 1, "count": 5}) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert values({"from": 1, "to": 100, "count": 3, "scale": "log"}) == [1, 10, 100]
    assert values({"from": 0.1, "to": 0.3, "step": 0.1}) == [0.1, 0.2, 0.3]
    assert all(isinstance(value, int) for value in values({"from": 1, "to": 9, "step": 4}))


@pytest.mark.parametrize("method", ["sobol", "random"])
def test_drawn_points_stay_when_more_are_drawn_and_are_within_their_bounds(method):
    few, many = shares(5, 3, method, 7), shares(9, 3, method, 7)
    assert np.array_equal(few, many[:5])
    axes = {"x.a": {"min": 2, "max": 4}, "x.b": {"min": 0.01, "max": 100.0, "scale": "log"}}
    found = points(axes=axes, samples={"count": 64, "method": method})
    a, b = (np.array([point[key] for point in found]) for key in axes)
    assert set(a.tolist()) == {2, 3, 4}
    assert ((b >= 0.01) & (b <= 100.0)).all()
    assert 0.3 < (b < 1.0).mean() < 0.7  # evenly in its logarithm


def test_sobol_points_fill_every_eighth_of_an_axis_alike():
    assert (np.histogram(shares(64, 2, "sobol", 0)[:, 1], 8, (0.0, 1.0))[0] == 8).all()


def test_cases_and_scenarios_are_axes_and_tables_may_be_nested():
    table = {
        "scenario": ["plain", "sky"],
        "cases": {"few": {"groups": {"0": {"members": 2}}}, "many": {"groups.0.members": 4}},
        "axes": {"planner": {"nodes": [50, 60]}},
    }
    design = design_of(table, "study")
    assert design.keys == ("case", "scenario", "planner.nodes")
    runs = Runs(design).of(design.points())
    assert len(runs) == 8
    for run in runs:
        members = {"few": 2, "many": 4}[run.point["case"]]
        assert run.scenario.table.groups[0].members == members
        assert run.scenario.table.planner.nodes == run.point["planner.nodes"]


def test_a_run_is_named_by_what_it_does():
    design = design_of({"scenario": "plain", "axes": {"groups.0.members": [2, 3]}}, "study")
    same = design_of({"scenario": ["plain"], "set": {"groups.0.members": 3}}, "other")
    (two, three), (alone,) = (Runs(each).of(each.points()) for each in (design, same))
    assert three.name == alone.name != two.name


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"axes": {"groups.0.membrs": [1]}}, ["axis `groups.0.membrs` = 1", "did you mean"]),
        ({"axes": {"groups.0.members": [2, -4]}}, ["axis `groups.0.members` = -4", "from 1"]),
        ({"axes": {"groups.7.members": [2]}}, ["groups.7.members", "1 entries"]),
        ({"axes": {"groups.0.start": ["west", "nowhere"]}}, ["`groups.0.start` = nowhere"]),
        ({"axes": {"groups.0.behavior": ["swim"]}}, ["`groups.0.behavior` = swim", "choose from"]),
        ({"axes": {"planner.nodes": []}}, ["axis `planner.nodes`", "empty list"]),
        ({"axes": {"planner.nodes": 5}}, ["axis `planner.nodes`", "expected a list"]),
        ({"axes": {"planner.nodes": {"from": 9, "to": 1, "step": 1}}}, ["below `to`"]),
        ({"axes": {"planner.nodes": {"from": 1, "to": 9}}}, ["either `step` or `count`"]),
        ({"axes": {"planner.nodes": {"from": 1, "to": 1e9, "step": 1e-3}}}, ["at most"]),
        ({"axes": {"planner.nodes": {"min": 0, "max": 1, "scale": "log"}}}, ["above 0"]),
        ({"axes": {"planner.nodes": {"min": 0}}}, ["axis `planner.nodes.max`", "is missing"]),
        ({"axes": {"seed": [1]}, "seeds": 2}, ["leave one out"]),
        ({"axes": {"scenario": ["sky"]}}, ["of the study itself"]),
        ({"seeds": 100_000, "axes": {"planner.nodes": [10, 20]}}, ["200,000 runs", "at most"]),
        ({"cases": {"odd": {"groups.0.membrs": 1}}}, ["`case` = odd", "did you mean"]),
        ({"sedes": 2}, ["did you mean `seeds`"]),
        ({"scenario": "plian"}, ["did you mean `plain`"]),
    ],
)
def test_what_cannot_be_is_refused_before_the_first_run(table, words):
    def checked():
        design = design_of({"scenario": "plain", **table}, "my.toml")
        return Runs(design).of(design.points())

    with pytest.raises(InputError) as error:
        checked()
    for word in ["my.toml", *words]:
        assert word in str(error.value)


def test_a_key_of_thousands_of_letters_is_not_repeated():
    design = design_of({"scenario": "plain", "axes": {"x" * 3000: [1]}}, "my.toml")
    with pytest.raises(InputError) as error:
        Runs(design).of(design.points())
    assert len(str(error.value)) < 700


def test_scenario_files_are_beside_the_study(tmp_path):
    (tmp_path / "my.toml").write_text('scenario = "own.toml"\nseeds = 2\n')
    (tmp_path / "own.toml").write_text('[scene]\nmesh = "plain"\n', encoding="utf-8")
    design = read_study(tmp_path / "my.toml")
    assert design.scenarios == (str(tmp_path / "own.toml"),)
    assert design.table.name == "my"


@pytest.mark.parametrize("scenario", ["plain", "inner/own.toml"])
def test_character_files_among_the_values_are_beside_the_study(tmp_path, scenario):
    """They were looked for beside the scenario: of a built-in one, among the files of RMP3D."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "own.toml").write_text(
        '[scene]\nname = "plain"\n[[groups]]\nstart = "west"\ngoal = "east"\n'
    )
    for name in ("child.toml", "child.glb", "child_body.glb"):
        shutil.copy(MODELS / name, tmp_path / name)
    study = tmp_path / "s.toml"
    study.write_text(
        f'scenario = "{scenario}"\n[axes]\ngroups.0.character = ["child.toml", "pedestrian"]\n'
    )
    design = read_study(study)
    runs = Runs(design).of(design.points())
    kinds = [run.scenario.table.groups[0].character for run in runs]
    assert kinds == [str(tmp_path / "child.toml"), "pedestrian"]


def test_tables_in_cases_mean_the_same_for_a_scenario_of_a_program():
    given = rp.Scenario("plain", rp.Group(members=3, start="west", goal="east"), nodes=70)
    cases = {"few": {"groups": {"0": {"members": 2}}}, "other": {"groups.0.goal": "north"}}
    design = design_of({"scenario": "mine", "cases": cases}, "study", given)
    few, other = (run.scenario.table for run in Runs(design).of(design.points()))
    assert (few.groups[0].members, few.groups[0].goal) == (2, "east")
    assert (other.groups[0].members, other.groups[0].goal) == (3, "north")
    assert few.planner.nodes == other.planner.nodes == 70


def test_a_point_that_comes_again_is_checked_once(monkeypatch):
    checked = []
    monkeypatch.setattr(
        points_of_studies, "load", lambda *a, **k: checked.append(a) or load(*a, **k)
    )
    table = {"scenario": "plain", "axes": {"planner.nodes": [50, 60, 60, 60]}}
    Runs(design_of(table, "study")).of([{"planner.nodes": 60, "seed": 0}] * 5)
    assert len(checked) <= 3


def test_another_seed_is_not_checked_again_and_gives_the_run_of_a_check(monkeypatch):
    checked = []
    monkeypatch.setattr(
        points_of_studies, "load", lambda *a, **k: checked.append(a) or load(*a, **k)
    )
    design = design_of({"scenario": "plain", "seeds": 50, "set": {"planner.nodes": 60}}, "study")
    told = []
    runs = Runs(design).of(design.points(), lambda *counts: told.append(counts))
    assert len(checked) == 1
    assert told == [(done, 100) for done in range(1, 101)]
    assert [run.scenario.table.seed for run in runs] == list(range(50))
    alone = design_of({"scenario": "plain", "set": {"planner.nodes": 60, "seed": 7}}, "study")
    (run,) = Runs(alone).of(alone.points())
    assert run.name == runs[7].name


@pytest.mark.parametrize("seed", [-1, 2**63, "x", True, 1.5])
def test_a_seed_that_is_none_is_refused(seed):
    def checked():
        design = design_of({"scenario": "plain", "axes": {"seed": [1, seed]}}, "study")
        return Runs(design).of(design.points())

    with pytest.raises(InputError, match="seed"):
        checked()
