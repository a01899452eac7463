"""Scenarios from Python: what is saved runs the same to the byte; objects of one's own run, too."""

from dataclasses import dataclass

import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d.behaviors.groups import GroupBehavior, GroupRun, Intent
from rmp3d.front import showing
from rmp3d.scenario.loading import load

QUICK = {"nodes": 100, "duration": 0.6}


@dataclass(frozen=True)
class Hasty(GroupBehavior):
    """Straight to the goal; in no registry."""

    hurry: float = 2.0

    def begin(self, task):
        run = HastyRun(task)
        run.goal = task.path.points[-1]
        return run


class HastyRun(GroupRun):
    def step(self, flock, time):
        return Intent.towards(flock, np.tile(self.goal, (len(flock), 1)))

    def change(self, behavior, flock):
        self.figures["hurry"] = behavior.hurry


@dataclass(frozen=True)
class Coarse:
    """A sampler in no registry."""

    steps: int = 9

    def attempt(self, space, count, first, rng):
        cube = np.round(rng.random((count, space.dimension)) * self.steps) / self.steps
        configurations = space.from_unit_cube(cube)
        return configurations[space.is_free(configurations)]


@pytest.fixture(scope="module")
def scene():
    """A floor and a ball, turned, scaled and moved, as dictionary of parts; the roof is decor."""
    ball = trimesh.creation.icosphere(subdivisions=2, radius=1.3)
    floor = trimesh.creation.box((40.0, 1.0, 40.0))
    floor.apply_translation((0.0, -0.5, 0.0))
    roof = trimesh.creation.box((4.0, 0.1, 4.0))
    roof.apply_translation((0.0, 5.0, 0.0))
    roof.visual.face_colors = [10, 200, 77, 255]
    return rp.Scene.from_mesh(
        {"floor": floor, "ball": ball, "roof 1": roof},
        name="hall",
        up="y",
        scale=0.9,
        position=(1.0, 0.0, 0.1),
        roles={"floor": "ground", "roof *": "decor"},
        max_slope=30,
        regions={"west": rp.Box((-15, -6, -1), (-8, 6, 2)), "east": rp.Sphere((12, 1 / 3, 0), 4.0)},
    )


@pytest.fixture(scope="module")
def robot():
    post = trimesh.creation.cylinder(0.3, 1.7)
    post.apply_translation((0.0, 0.0, 0.85))
    return rp.Character(post, name="robot", max_speed=2.0, max_turn_rate=1.1)


def groups_of(robot):
    return [
        rp.Group(robot, 2, start="west", goal="east", behavior=rp.NarrowPassages(rp.Column())),
        rp.Group([robot, "pedestrian"], 3, start=rp.Box((4, 8, -1), (12, 14, 2)), goal=(-10, 9, 0),
                 behavior=rp.SelfGuided(sensor_range=5), speed_limit=1.2, name="others"),
    ]  # fmt: skip


def test_what_is_saved_runs_the_same_to_the_byte(scene, robot, tmp_path):
    changes = [rp.Change(time=0.2, group="others", speed_limit=0.5)]
    sampler = rp.Gaussian(std=0.7)
    scenario = rp.Scenario(
        scene, groups_of(robot), seed=5, changes=changes, sampler=sampler, **QUICK
    )
    file = scenario.save(tmp_path / "hall.toml")
    from_python = rp.run(scenario, to=tmp_path / "a.rmp3d")
    from_file = rp.run(file, to=tmp_path / "b.rmp3d")
    assert (tmp_path / "a.rmp3d").read_bytes() == (tmp_path / "b.rmp3d").read_bytes()
    assert rp.Scenario.load(file).table == scenario.table
    again = rp.Scenario.load(file).save(tmp_path / "again.toml")
    assert rp.run(again).to_bytes() == from_python.to_bytes()
    # The recording holds scene and characters: it is verified without any of the files.
    for path in (tmp_path / "hall.files").iterdir():
        path.unlink()
    kinds = {finding.kind for finding in from_file.verify().findings}
    assert kinds <= {"not_arrived"}
    assert from_file.playback().scene.part("roof 1").colors[0, 1] == pytest.approx(200 / 255)


@pytest.mark.parametrize("name", ["parking", "steering/seek"])
def test_a_built_in_scenario_is_the_same_as_object_and_as_saved(name, tmp_path):
    scenario = rp.Scenario.load(name, duration=0.3, nodes=80)
    assert scenario.table.simulation.duration == 0.3
    again = rp.Scenario.load(scenario.save(tmp_path / "a.toml"))
    assert again.table == scenario.table
    groups = scenario.groups
    made = rp.Scenario(rp.Scene.load(name), groups, seed=scenario.seed, duration=0.3, nodes=80)
    assert [each.members for each in made.groups] == [each.members for each in groups]
    assert made.table.groups[0].behavior["name"] == scenario.table.groups[0].behavior["name"]


def test_a_scene_that_embeds_its_files_is_recorded_as_one_of_arrays(scene, robot, tmp_path):
    file = rp.Scenario(scene, groups_of(robot), **QUICK).save(tmp_path / "hall.toml")
    assert load(str(file)).scene.embed
    plain = load(str(file), ["scene.embed=false"])
    assert plain.scene.mesh == str(tmp_path / "hall.files" / "hall.ac")
    with rp.run(rp.Scenario.of(plain)) as recording:
        assert recording.header.held.scene is None
        assert recording.scenario.scene.mesh == plain.scene.mesh


def test_behaviors_and_samplers_of_classes_in_no_registry_run_and_are_recorded(scene, tmp_path):
    group = rp.Group(members=2, start="west", goal=(10, 3, 0), behavior=Hasty(hurry=3.0))
    scenario = rp.Scenario(scene, group, sampler=Coarse(), **QUICK)
    assert scenario.groups[0].behavior == Hasty(3.0)
    recording = rp.run(scenario)
    assert recording.scenario.groups[0].behavior == {"name": "Hasty", "hurry": 3.0}
    assert recording.scenario.planner.sampler == {"name": "Coarse", "steps": 9}
    assert recording.playback().details[0].behavior == "Hasty"
    assert recording.report(tmp_path / "a.html", check=False).exists()
    with pytest.raises(rp.InputError, match=r"(?s)`Coarse`|`Hasty`.*--with FILE\.py"):
        scenario.save(tmp_path / "a.toml")
    assert not (tmp_path / "a.toml").exists()
    simulation = rp.Simulation(scene, group, **QUICK)
    simulation.step()
    simulation.change("group 1", behavior=Hasty(hurry=7.0))
    simulation.step()
    simulation.step()
    assert simulation.runs[0].figures == {"hurry": 7.0}


def test_two_objects_of_one_class_keep_their_own_options(scene):
    groups = [
        rp.Group(members=1, start="west", goal=(10, 3, 0), behavior=Hasty(hurry=hurry))
        for hurry in (1.0, 4.0)
    ]
    scenario = rp.Scenario(scene, groups, **QUICK)
    assert [group.behavior for group in scenario.groups] == [Hasty(1.0), Hasty(4.0)]


def test_two_characters_of_one_name_are_refused(scene, robot):
    other = rp.Character(robot.mesh, name="robot")
    with pytest.raises(rp.InputError, match="two characters are named `robot`"):
        rp.Scenario(scene, rp.Group([robot, other], 2, start="west", goal="east"))


def test_a_name_from_memory_says_what_to_do_where_it_is_not(scene, robot):
    table = rp.Scenario(scene, groups_of(robot)).table
    with pytest.raises(rp.InputError, match="save the scenario from Python"):
        _ = rp.Scenario.of(table).scene


def test_what_is_shown_of_each_kind(scene, robot):
    scenario = rp.Scenario(scene, groups_of(robot), **QUICK)
    assert showing.playback_of(scenario).member_count == 5
    assert showing.playback_of(scene).member_count == 0
    result = rp.plan(scene, body=robot, start="west", goal="east", nodes=100)
    moved = showing.playback_of(result)
    np.testing.assert_allclose(moved.position[-1, 0], result.path.points[-1])
    assert showing.playback_of(result.problem).member_count == 2


def test_a_notebook_is_shown_a_replay(scene, monkeypatch):
    shown = []
    display = type("display", (), {"HTML": str, "display": staticmethod(shown.append)})
    monkeypatch.setitem(__import__("sys").modules, "IPython.display", display)
    monkeypatch.setattr(showing, "in_notebook", lambda: True)
    rp.show(scene)
    assert shown[0].startswith("<iframe srcdoc=")


def test_without_screen_and_notebook_the_error_says_what_to_do(scene, robot, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert not showing.in_notebook()
    from rmp3d.viewer import ViewerError

    with pytest.raises(ViewerError, match="in a notebook `show` plays inline"):
        rp.show(rp.Scenario(scene, groups_of(robot)))
    with pytest.raises(ViewerError, match=r"no display|DISPLAY"):
        rp.show(scene)
