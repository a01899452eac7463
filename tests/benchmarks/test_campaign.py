"""Campaigns are studies: cases load, short runs are measured, pages tell what there is."""

import argparse
from itertools import islice
from pathlib import Path

import pytest

from benchmarks import afterwards, groups, herding, mixed, motion, run_figures, trips, wanderers
from benchmarks.campaign import campaign, is_good, ran
from rmp3d import extensions
from rmp3d.scenario.loading import load
from rmp3d.studies import FIGURES, design_of
from rmp3d.studies.points import Runs


@pytest.fixture
def options(tmp_path, monkeypatch):
    """What a campaign is given: one seed, one process. The file of figures is not loaded twice."""
    monkeypatch.setattr(extensions, "_loaded", [run_figures.__file__])
    monkeypatch.setattr("benchmarks.campaign.load_extension", lambda path: None)
    monkeypatch.setenv("PYTHONPATH", "")
    return argparse.Namespace(seeds=1, to=tmp_path, jobs=1)


def figures():
    return Path(run_figures.__file__)


@pytest.mark.slow
def test_people_who_wander_on_a_plain_go_at_about_cruise_speed(options):
    group = afterwards.rp.Group("pedestrian", 3, start="east", goal="east", behavior="self_guided")
    scenario = afterwards.rp.Scenario("plain", [group], duration=60.0, linger=3.0)
    case = {"pedestrian/plain/wander": {"groups.0.afterwards": "wander"}}
    rows = campaign(scenario, options=options, cases=case, figures=["about"], extension=figures())
    assert rows[0]["findings"] == 0
    assert 0.5 < rows[0]["about.least"] <= rows[0]["about.share"] <= 1.2
    assert rows[0]["processor_seconds"] > 0.0
    assert is_good(rows[0])
    assert ran(rows) == rows
    page = list(afterwards._report(argparse.Namespace(seeds=1, seconds=3.0), rows))
    assert page[-2].startswith("| pedestrian | plain | 0.")
    assert page[-2].count("|") == len(afterwards.ACTIVITIES) + 3


@pytest.mark.slow
def test_walkers_animals_vehicles_and_flyers_on_ramps_touch_nothing(options):
    rows = campaign(mixed.scenario_of("crossing", 8.0), options=options)
    assert rows[0]["members"] == 12
    assert mixed.is_clean(rows[0]), rows[0]["reason"]
    assert rows[0]["clearance_scene"] > 0.0


@pytest.mark.slow
def test_formations_motion_and_claims_are_measured(options):
    changes = {"simulation.duration": [0.2], "name": ["flee"]}
    names = ["formation_story", "motion_of_groups", "claim"]
    row = campaign("rock_valley_flee", changes, options=options, figures=names,
                   extension=figures())[0]  # fmt: skip
    assert row["formation_story.behavior"] == "acting"
    assert row["formation_story.never_back"] is False
    groups = motion.groups_of(row)
    assert len(groups) == 2
    assert row[f"motion_of_groups.{groups[0]}.jerk.worst"] >= 0.0
    assert row["claim.holds"] is False  # nobody flees so early
    assert not wanderers.holds(row)


@pytest.mark.slow
def test_the_page_of_groups_tells_of_the_first_group(options):
    changes = {"simulation.duration": [0.5], "groups.0.members": [2]}
    row = campaign("meadow", changes, options=options, figures=[groups.STORY, groups.MOTION],
                   extension=figures())[0]  # fmt: skip
    row = row | {"scenario": "meadow", "sheep.last_arrival": 45.0, "last_arrival": 50.0}
    sheep, dogs = (row[f"motion_of_groups.{name}.jerk.median"] for name in ("sheep", "dogs"))
    assert sheep != dogs
    page = groups._report(argparse.Namespace(members="2", seeds=1, behaviors=None), [row])
    line = next(line for line in page if line.startswith("| meadow")).split(" | ")
    assert line[1:3] == ["herded", "2"]
    assert line[5] == "45.0"
    assert line[12] == f"{sheep:.2f}"


def runs_of(of, cases):
    design = design_of({"scenario": of, "cases": cases}, "study")
    return Runs(design).of(list(islice(design.points(), 3)))


def test_every_case_of_the_meadow_and_of_pursuit_is_a_scenario(tmp_path):
    cases = {case.key: herding._keys(case) for case in herding.CASES}
    assert [run.scenario.table.groups[0].members for run in runs_of("meadow", cases)] == [5, 20, 60]
    for case in wanderers.CASES.values():
        assert runs_of(case.scenario, {"one": dict(case.changes)})


def test_the_page_of_herding_has_a_line_for_each_case():
    flock, dogs = herding.FLOCK, herding.SHEPHERDS
    rows = [
        {"case": case.key, "seed": 0, "outcome": "complete", "members": 9, "findings": 0,
         f"{flock}.last_arrival": 61.0, f"{dogs}.seconds_collecting": 5.0,
         f"{dogs}.strays_fetched": 2, f"{dogs}.distance_driven": 80.0,
         "processor_seconds": 4.0, "simulated": 50.0}
        for case in {case.key: case for case in herding.CASES}.values()
    ]  # fmt: skip
    lines = list(herding.report(1, herding.CASES, rows))
    assert lines.count("| line | 20 | 2 | 1/1 | 61 | 5 | 2 | 80 | 0 | 4.0 |") == 2
    assert lines[-1] == f"{len(rows)} of {len(rows)} runs succeeded."


@pytest.mark.parametrize("name", trips.CASES)
def test_every_crossing_is_a_scenario_with_a_trip_for_each(name, tmp_path):
    case = trips.CASES[name]()
    scenario = runs_of(str(trips.write(case, tmp_path / "case")), {})[0].scenario
    assert sum(group.members for group in scenario.table.groups) == len(case.starts)
    assert len(trips.alone(case).starts) == 1


def test_a_rule_of_motion_is_switched_off_by_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(extensions, "_loaded", [])
    for module, name, _ in motion.RULES["play"]:  # all of them are as they were after the test
        monkeypatch.setattr(module, name, getattr(module, name))
    motion.switch_off("play", tmp_path / "without" / "play.py")
    assert motion.hugging.SWAY == motion.flying.SWAY == 0.0
    assert extensions.loaded_extensions() == (str(tmp_path / "without" / "play.py"),)


def test_the_figures_of_campaigns_are_registered():
    assert {"formation_story", "motion_of_groups", "about", "claim", "story"} <= set(FIGURES)


def test_the_herding_page_reads_the_groups_of_the_meadow():
    names = [group.name for group in load("meadow").groups]
    assert [herding.FLOCK, herding.SHEPHERDS] == names
