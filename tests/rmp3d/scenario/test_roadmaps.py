import dataclasses

import pytest

from rmp3d import cli
from rmp3d.geometry import InputError
from rmp3d.planner import RoadmapSettings, save_roadmap
from rmp3d.planner.errors import RoadmapFileError
from rmp3d.scenario import PlannerSettings
from rmp3d.scenario.loading import load
from rmp3d.scenario.roadmaps import file_of_group, planner_of, stored_roadmap
from rmp3d.simulation import plan_groups


@pytest.fixture
def write(world):
    def write(extra=""):
        path = world.folder / "yard.toml"
        path.write_text(f"{world.scenario_text()}{extra}", encoding="utf-8")
        return path

    return write


def test_every_setting_of_a_roadmap_can_be_set_in_a_scenario():
    names = {field.name for field in dataclasses.fields(RoadmapSettings)}
    assert names <= set(field.name for field in dataclasses.fields(PlannerSettings))
    given = PlannerSettings(
        nodes=7, seconds=3.0, until_solved=True, neighbors="star", radius=2.0, lazy=True
    )
    rules = planner_of(given, "prm")
    assert {name: getattr(rules, name) for name in names} == {
        name: getattr(given, name) for name in names
    }


def test_the_file_is_looked_for_beside_the_scenario(write):
    path = write('roadmap = "maps/yard.roadmap"\n')
    assert load(str(path)).planner.roadmap == str(path.parent / "maps" / "yard.roadmap")
    assert load(str(write())).planner.roadmap == ""


def test_a_group_with_another_body_builds_its_own(write, world):
    group = '[[groups]]\ncharacter = "flyer.toml"\nmembers = 1\nstart = [2.0, 2.0, 3.0]\n'
    both = load(str(write(f"{group}goal = [8.0, 2.0, 3.0]\n")))
    _, (walkers, flyers) = plan_groups(both)
    file = world.folder / "yard.roadmap"
    save_roadmap(walkers.plan.roadmap, file)
    assert stored_roadmap(str(file), walkers.space, 0) is not None
    assert stored_roadmap(str(file), flyers.space, 1) is None
    assert stored_roadmap("", walkers.space, 0) is None
    with pytest.raises(RoadmapFileError, match="another space"):
        stored_roadmap(str(file), flyers.space, 0)


@pytest.mark.slow
def test_every_group_has_its_own_file(write, world):
    group = '[[groups]]\ncharacter = "flyer.toml"\nmembers = 1\nstart = [2.0, 2.0, 3.0]\n'
    both = str(write(f"{group}goal = [8.0, 2.0, 3.0]\n"))
    file = world.folder / "yard.roadmap"
    assert (
        cli.main(["plan", both, "-q", "--save", str(file), "-o", str(world.folder / "a.png")]) == 0
    )
    assert (world.folder / "a-2.png").exists()
    _, built = plan_groups(load(both))
    _, again = plan_groups(load(both, [f"planner.roadmap={file}"]))
    for row, (first, second) in enumerate(zip(built, again, strict=True)):
        own = stored_roadmap(str(file), first.space, row)
        nodes = first.plan.roadmap.configurations.tolist()
        assert own.configurations.tolist() == nodes
        assert second.plan.roadmap.configurations.tolist() == nodes
    file_of_group(file, 1).write_bytes(b"damaged")
    with pytest.raises(RoadmapFileError, match=r"yard-2.roadmap: not a roadmap file"):
        plan_groups(load(both, [f"planner.roadmap={file}"]))


def test_characters_do_not_turn_over(write):
    with pytest.raises(InputError, match="a body turns freely, which `walker` cannot do"):
        plan_groups(load(str(write()), ["planner.space=rigid"]))


def test_a_run_goes_over_the_roadmap_of_its_file(write, world):
    _, (built,) = plan_groups(load(str(write())))
    save_roadmap(built.plan.roadmap, world.folder / "yard.roadmap")
    _, (again,) = plan_groups(load(str(write('roadmap = "yard.roadmap"\n'))))
    assert again.plan.roadmap.configurations.tolist() == built.plan.roadmap.configurations.tolist()
    assert again.plan.certified
