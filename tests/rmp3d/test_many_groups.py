"""Many groups for one body in one scene begin with one roadmap, and tell of their progress."""

from pathlib import Path

import pytest

from rmp3d.plans import facts
from rmp3d.scenario.loading import load
from rmp3d.simulation import plan_groups
from rmp3d.simulation.shared_roadmaps import MANY

YARD = """\
[scene]
name = "plain"

[planner]
nodes = 20
"""
GROUP = """
[[groups]]
members = 2
start = [-4.0, {y}, 0.0]
goal = [0.0, {y}, 0.0]
behavior = "leader_following"
"""


def planned(folder: Path, count, progress=None):
    text = YARD + "".join(GROUP.format(y=-6.0 + 0.5 * row) for row in range(count))
    path = folder / "yard.toml"
    path.write_text(text, encoding="utf-8")
    return plan_groups(load(str(path)), progress)[1]


def test_many_groups_begin_with_the_roadmap_of_the_first(tmp_path):
    groups = planned(tmp_path, MANY + 1)
    assert len({id(group.plan.roadmap.configurations) for group in groups}) == 1
    for row, group in enumerate(groups):
        assert group.plan.path.points[0, 1] == pytest.approx(-6.0 + 0.5 * row)


def test_few_groups_have_a_roadmap_each(tmp_path):
    groups = planned(tmp_path, 2)
    assert len({group.plan.roadmap.configurations.tobytes() for group in groups}) == 2


def test_progress_goes_through_all_groups(tmp_path):
    told = []
    planned(tmp_path, MANY + 1, lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert len(set(told)) >= MANY + 1
    assert told[-1] == 1.0


def test_the_coverage_of_a_shared_roadmap_is_measured_once(tmp_path, monkeypatch):
    measured = []
    monkeypatch.setattr(
        "rmp3d.planner.measure_coverage",
        lambda roadmap, rng: measured.append(roadmap) or 0.5,
    )
    coverages = {}
    for group in planned(tmp_path, MANY + 1):
        assert facts.group_facts(group, 0, coverages)["coverage"] == 0.5
    assert len(measured) == 1
