"""`import rmp3d`: quick, complete for editors, and what it offers works as the pages write it."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

import rmp3d as rp

HEAVY = {"numpy", "scipy", "numba", "h5py", "msgspec", "trimesh", "networkx", "pyglet", "PIL"}


def block(size, at):
    """A box of a size, its middle at a point."""
    box = trimesh.creation.box(size)
    box.apply_translation(at)
    return box


@pytest.fixture(scope="module")
def scene():
    """A floor with a wall in the middle, as one mesh."""
    mesh = trimesh.util.concatenate(
        [block((30, 30, 1), (0, 0, -0.5)), block((1, 8, 3), (0, 0, 1.5))]
    )
    return rp.Scene.from_mesh(mesh, regions={"door": rp.Box((-12, -6, 0), (-6, 6, 2))})


@pytest.fixture(scope="module")
def group():
    return rp.Group("pedestrian", 3, start="door", goal=(8, 0, 0), behavior=rp.SelfGuided())


@pytest.fixture(scope="module")
def recording(scene, group):
    return rp.run(scene, [group], seed=1, nodes=120, duration=1.0)


def test_importing_it_loads_nothing_heavy():
    code = "import rmp3d, sys; print([m for m in sys.modules if '.' not in m])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(ast.literal_eval(loaded.stdout))


def test_every_name_is_there_and_is_what_editors_are_told():
    tree = ast.parse(Path(rp.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    told = {
        alias.name: node.module for node in block.body for alias in node.names
        if isinstance(node, ast.ImportFrom)
    }  # fmt: skip
    assert sorted(told) == sorted(rp.__all__)
    assert told == rp._HOME_OF
    assert set(rp.__all__) <= set(dir(rp))
    for name in rp.__all__:
        assert getattr(rp, name).__doc__, name
    assert rp.behaviors.__name__ == "rmp3d.behaviors"
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = rp.Nothing


def test_everything_that_a_scenario_names_is_at_the_front_door():
    from rmp3d.behaviors.formations import FORMATIONS
    from rmp3d.behaviors.groups import ACTIVITIES, GROUP_BEHAVIORS
    from rmp3d.planner.sampling import SAMPLERS

    for registry in (FORMATIONS, GROUP_BEHAVIORS, ACTIVITIES, SAMPLERS):
        for name in registry:
            kind = registry[name]
            if kind.__module__.startswith("rmp3d."):
                assert getattr(rp, kind.__name__) is kind, name


def test_a_simulation_yields_every_moment(scene, group):
    simulation = rp.Simulation(scene, [group], seed=1, nodes=120, duration=0.5)
    states = []
    for state in simulation:
        if len(states) == 5:
            simulation.change("group 1", speed_limit=0.4)
        states.append(state)
    assert [round(state.time * 30) for state in states] == list(range(16))
    assert states[-1].position.shape == states[-1].velocity.shape == (3, 3)
    np.testing.assert_allclose(np.linalg.norm(states[-1].heading, axis=1), 1.0)
    assert states[-1].orientation_wxyz.shape == (3, 4)
    assert [event.kind for event in states[5 + 1].events] == ["change"]
    assert not states[0].position.flags.writeable
    with pytest.raises(rp.InputError, match="no group named `group 2`; did you mean `group 1`"):
        simulation.change("group 2", speed_limit=1.0)
    with pytest.raises(rp.InputError, match="say `behavior`, `afterwards` or `speed_limit`"):
        simulation.change("group 1")


def test_a_change_of_behavior_on_the_way_may_be_an_object(scene):
    group = rp.Group(members=3, start="door", goal=(8, 0, 0), behavior=rp.NarrowPassages("line"))
    simulation = rp.Simulation(scene, group, nodes=120, duration=0.2)
    simulation.step()
    simulation.change("group 1", behavior=rp.NarrowPassages(rp.Column()))
    for _ in simulation:
        pass
    assert simulation.runs[0].formations


def test_in_memory_and_file_have_the_same_bytes(scene, group, recording, tmp_path):
    filed = rp.run(scene, [group], seed=1, nodes=120, duration=1.0, to=tmp_path / "a.rmp3d")
    assert filed.to_bytes() == recording.to_bytes()
    saved = recording.save(tmp_path / "b.rmp3d")
    assert saved.read_bytes() == recording.to_bytes()
    assert filed.save(tmp_path / "c.rmp3d").read_bytes() == recording.to_bytes()
    again = rp.run(recording.as_scenario())
    assert again.to_bytes() == recording.to_bytes()
    assert "in memory" in repr(recording)
    assert "b.rmp3d" in repr(rp.Recording.open(saved))


def test_a_recording_verifies_exports_reports_and_plays(recording, tmp_path):
    report = recording.verify()
    assert [finding.kind for finding in report.findings] == ["not_arrived"] * 3
    assert rp.verify(recording.save(tmp_path / "a.rmp3d")) == report
    written = recording.export(tmp_path / "a.glb", tmp_path / "a.csv", digits=3)
    assert all(path.stat().st_size > 0 for path in written)
    assert recording.report(tmp_path / "a.html", check=False).stat().st_size > 0
    assert recording._repr_html_().startswith("<iframe srcdoc=")
    assert len(recording._repr_html_()) < 1_000_000
    assert recording.position().shape == (recording.frames, 3, 3)
    assert recording.time[-1] == pytest.approx(1.0)


def test_a_path_for_one_body(scene):
    result = rp.plan(
        scene,
        body="pedestrian",
        start="door",
        goal=(8, 0, 0),
        sampler=rp.Halton(),
        nodes=150,
        seed=1,
    )
    assert result.solved
    assert result.roadmap.nodes is not None if hasattr(result.roadmap, "nodes") else True
    again = rp.plan(
        scene, body="pedestrian", start="door", goal=(8, 0, 0), sampler="halton", nodes=150, seed=1
    )
    np.testing.assert_array_equal(result.configurations, again.configurations)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s, g: rp.Group("pedestrian", membrs=3), "`membrs`; did you mean `members`"),
        (lambda s, g: rp.run(s, [g], durtion=3), "`durtion`; did you mean `duration`"),
        (lambda s, g: rp.run(s, rp.Group(start="dor")), "`dor`; did you mean `door`"),
        (lambda s, g: rp.run("parkin"), "did you mean `parking`"),
        (lambda s, g: rp.run(s), "give at least one Group"),
        (lambda s, g: rp.run(rp.Scenario(s, g), g), "a Scenario has its own"),
        (lambda s, g: rp.run(s, g, to="a.txt"), "ends in `.rmp3d`"),
        (lambda s, g: rp.run(3, g), "`mesh`: `scene` is 3; give a trimesh"),
        (lambda s, g: rp.run(np.zeros((999, 3))), r"a file, got array of shape \(999, 3\)$"),
        (lambda s, g: rp.run(rp.Scenario(s, g).table), r"a file, got .{57}\.\.\.$"),
        (lambda s, g: rp.run(s, ["a"]), r"`groups\[0\]` must be a Group"),
        (lambda s, g: rp.Scenario(s, 5), "`groups` must be a list of Group"),
        (lambda s, g: rp.Scenario(s, rp.Group(members="a")), "must be a whole number"),
        (lambda s, g: rp.Scenario(s, rp.Group(character=3)), "`character` must be a name"),
        (lambda s, g: rp.Scenario(s, rp.Group(start=(1, 2))), "`start` must be a region's name"),
        (lambda s, g: rp.Scenario(s, rp.Group(behavior=rp.Halton())), "not a group behavior"),
        (lambda s, g: rp.Scenario(s, rp.Group(behavior=rp.SelfGuided)), "not the class"),
        (lambda s, g: rp.Scenario(s, g, nodes=-1), "nodes"),
        (lambda s, g: rp.plan(s, body="drone"), "`start`: in a scene, say"),
        (lambda s, g: rp.plan(s, body="drone", start="door", goal="door", node=3), "`node`"),
        (lambda s, g: rp.plan(s, body="drone", start="dor", goal="door"), "did you mean `door`"),
        (lambda s, g: rp.verify(3), "must be a Recording, a result of `plan`, or a file"),
        (lambda s, g: rp.verify("a.rmp3d", scenario=3), "`scenario` must be a Scenario, a name or"),
        (lambda s, g: rp.verify("a.json", scenario="plain"), "but a plan is given"),
        (lambda s, g: rp.show(3), "`show` takes a Recording"),
        (lambda s, g: rp.Recording.open("nowhere.rmp3d"), "no such file"),
        (lambda s, g: rp.Recording.from_bytes(b"abc"), "recording in memory: not a recording"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_right(scene, group, call, said):
    with pytest.raises(rp.InputError, match=said):
        call(scene, group)


def test_wrong_exports_are_refused_before_any_work(recording, tmp_path):
    with pytest.raises(rp.InputError, match="did you mean `tolerance`"):
        recording.export(tmp_path / "a.glb", tolernce=1)
    with pytest.raises(rp.InputError, match="give at least one file"):
        recording.export()
    with pytest.raises(rp.InputError, match=r"ends in `\.rmp3d`"):
        recording.save(tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["box", "ball"])
def test_a_goal_whose_border_is_the_floor_holds_who_stands_there_as_recorded(place):
    # recorded heights are multiples of a micrometer: 3.2 m is not
    scene = rp.Scene.from_mesh(block((12, 6, 0.2), (0, 0, 3.1)))
    goal = rp.Box((1, -2, 3.2), (5, 2, 5)) if place == "box" else rp.Sphere((3, 0, 3.2), 2.0)
    group = rp.Group("pedestrian", 2, start=rp.Box((-5, -2, 3.2), (-3, 2, 5)), goal=goal)
    run = rp.run(scene, [group], seed=0, nodes=60, duration=20.0)
    assert run.verify().ok


@pytest.mark.parametrize(
    ("members", "seeds"),
    [(np.arange(1, 3), np.int64(2)), (range(1, 3), range(2)), ((1, 2), np.arange(2))],
)
def test_axes_and_seeds_of_a_study_may_be_ranges_and_arrays(members, seeds, monkeypatch):
    monkeypatch.setattr("rmp3d.front.studying.run_study", lambda design, *_, **__: design)
    design = rp.study("plain", {"groups.0.members": members}, seeds=seeds, to="unused")
    points = [{"groups.0.members": m, "seed": seed} for m in (1, 2) for seed in (0, 1)]
    assert design.points() == points


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"body": 5}, "`body` must be a character's name, file or object, or a mesh, got 5"),
        (
            {"body": ([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]])},
            r"`body`.*shape \(V, 3\), got \(3, 2\)",
        ),
        ({"seed": "a"}, "`seed` must be a whole number, 0 or more, got 'a'"),
        ({"seed": -1}, "`seed` must be a whole number, 0 or more, got -1"),
        ({"time_limit": -1}, "`time_limit` must be seconds, 0 or more, got -1"),
        ({"time_limit": float("nan")}, "`time_limit` must be seconds, 0 or more, got nan"),
        ({"time_limit": "a"}, "`time_limit` must be seconds, 0 or more, got 'a'"),
        ({"clearance_wanted": "a"}, "`clearance_wanted` must be meters, 0 or more, got 'a'"),
        ({"nodes": "a"}, "^`nodes`: must be a whole number"),
        ({"lazy": "a", "sampler": rp.Halton()}, "^`lazy`: must be true or false"),
        ({"space": "grund"}, "^`space`: no space named `grund`; did you mean `ground`"),
        ({"start": (1, 2)}, "^`start` must be a region's name"),
        ({"goal": "eats"}, "^`goal`: no region named `eats`; did you mean `east`"),
        ({"roadmap": "no.rmp"}, "no.rmp: no such file"),
    ],
)
def test_what_planning_is_given_is_refused_by_its_own_name(wrong, message):
    with pytest.raises(rp.InputError, match=message):
        rp.plan("plain", **{"body": "pedestrian", "start": "west", "goal": "east", **wrong})


def test_a_mesh_is_planned_for_as_a_body_that_turns():
    """A slab of 1.6 m passes a window 0.5 m wide and 2 m high upright only, its edge ahead."""
    frame = {
        "left": trimesh.creation.box(bounds=[(-0.1, 0.25, 0), (0.1, 3, 4)]),
        "right": trimesh.creation.box(bounds=[(-0.1, -3, 0), (0.1, -0.25, 4)]),
        "sill": trimesh.creation.box(bounds=[(-0.1, -0.25, 0), (0.1, 0.25, 1)]),
        "lintel": trimesh.creation.box(bounds=[(-0.1, -0.25, 3), (0.1, 0.25, 4)]),
    }
    scene = rp.Scene.from_mesh(frame, bounds=[(-4, -3, 0), (4, 3, 4)])
    slab = trimesh.creation.box((0.3, 1.6, 0.2))
    for body in (slab, (slab.vertices.astype(np.float32), slab.faces)):
        found = rp.plan(scene, body=body, start=(-2, 0, 2), goal=(2, 0, 2), seed=1)
        assert found.solved
        assert found.confirmed_by
        assert found.configurations.shape[1] == 7  # x, y, z and the quaternion
        assert np.abs(found.configurations[:, 3]).min() < 0.99


def test_a_start_that_is_not_free_is_told_by_the_result():
    found = rp.plan("plain", body="pedestrian", start=(100, 0, 0), goal="east")
    assert not found.solved
    with pytest.raises(rp.PlanningError, match="not on walkable ground"):
        found.or_raise()


def test_a_simulation_takes_what_a_run_takes():
    scenario = rp.Scenario.load("plain", duration=0.1)
    states = [[frame.position for frame in rp.Simulation(given, duration=0.1)]
              for given in (scenario, "plain")]  # fmt: skip
    np.testing.assert_array_equal(states[0], states[1])
    with pytest.raises(rp.InputError, match="a Scenario has its own"):
        rp.Simulation(scenario, [rp.Group(goal="east")])
