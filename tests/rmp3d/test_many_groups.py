"""Many groups for one body in one scene begin with one roadmap, and tell of their progress."""

from pathlib import Path

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.plans import facts
from rmp3d.scenario import Scenario
from rmp3d.scenario.loading import load
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import plan_groups, planning, shared_roadmaps
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


def test_groups_that_ask_the_same_are_planned_once_and_few_groups_each_for_itself(tmp_path):
    def asked(count):
        text = YARD + GROUP.format(y=1.0) * (count - 1) + GROUP.format(y=2.0)
        path = tmp_path / "same.toml"
        path.write_text(text, encoding="utf-8")
        return plan_groups(load(str(path)))[1]

    groups = asked(MANY + 1)
    assert len({id(group.plan) for group in groups}) == 2
    assert [group.group.name for group in groups] == [f"group {k + 1}" for k in range(MANY + 1)]
    assert groups[-1].plan.path.points[0, 1] == pytest.approx(2.0)
    assert len({id(group.plan) for group in asked(MANY)}) == MANY


@pytest.mark.slow
def test_after_a_vehicle_that_only_fits_with_its_heading_the_others_begin_with_it(monkeypatch):
    """The door is 0.72 m wide: the motorbike passes it, a round body as long does not."""
    many, asked, plan = 2, [], planning.plan
    monkeypatch.setattr(shared_roadmaps, "MANY", many)
    monkeypatch.setattr(
        planning, "plan", lambda problem, **more: asked.append(problem) or plan(problem, **more)
    )
    groups = [
        rp.Group("motorbike", 1, start=(-5.5, y, 0), goal=(5.5, -y, 0))
        for y in np.linspace(-2.0, 2.0, many + 1)
    ]
    _, planned = plan_groups(Scenario(walled(0.72), groups, nodes=60))
    spaces = [type(problem.space).__name__ for problem in asked]
    assert spaces[-many:] == ["GroundHeadingSpace"] * many
    assert len({id(group.space) for group in planned}) == 1
    for group, y in zip(planned, np.linspace(-2.0, 2.0, many + 1), strict=True):
        path = group.plan.path
        np.testing.assert_allclose(path.points[[0, -1], 1], [y, -y], atol=1e-6)
        assert group.space.is_free(path.configurations).all()


def walled(width):
    """A floor of 16 m by 10 m with a wall across, and an opening of a width in it."""
    corners = np.array([[-8.0, -5, 0], [8, -5, 0], [8, 5, 0], [-8, 5, 0]])
    floor = corners, np.array([[0, 1, 2], [0, 2, 3]])
    walls = [
        box((-0.15, 0.5 * width, 0), (0.15, 5, 3)),
        box((-0.15, -5, 0), (0.15, -0.5 * width, 3)),
    ]
    meshes = {"floor": floor} | {
        f"wall {k}": (each.vertices, each.faces) for k, each in enumerate(walls)
    }
    return rp.Scene.from_mesh(meshes, roles={"floor": "ground", "*": "obstacle"})
