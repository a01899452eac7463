"""Plans of problem files are watched, inspected, reported and exported."""

import json

import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d import cli
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import angle_between
from rmp3d.planner.problems.measures import least_clearance
from rmp3d.plans import motion
from rmp3d.plans.body_plan import WatchedPlan
from rmp3d.plans.motion import motion_along
from rmp3d.plans.saved import load_plan
from rmp3d.playback.from_plan import playback_of_plan
from rmp3d.scenes.formats import byu
from rmp3d.scenes.problems import pmpl
from rmp3d.viewer.drawings import DRAWINGS, Seen
from rmp3d.viewer.drawings.clearance import Nearest
from rmp3d.viewer.playback.playback import Pose
from rmp3d.viewer.shapes.edges import sharp_edges


@pytest.fixture(scope="module")
def result(room):
    return rp.plan(room, seed=1)


def rmp3d(capsys, *words):
    code = cli.main([str(word) for word in words])
    return code, *capsys.readouterr()


def test_every_waypoint_is_a_frame_and_the_body_moves_evenly(result):
    body = WatchedPlan.of_result(result).bodies[0]
    track = motion_along(body)
    rows = np.hstack([track.position, track.quaternion_wxyz])
    np.testing.assert_array_equal(rows[track.waypoint], result.configurations)
    reach = result.problem.space.world.reach
    step = np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1)
    step = step + reach * angle_between(rows[:-1, 3:], rows[1:, 3:])
    assert step.max() < 2.0 * np.median(step)


def test_frames_are_as_far_from_the_wall_as_the_planner_says(result):
    body = WatchedPlan.of_result(result).bodies[0]
    rows = np.hstack([motion_along(body).position, motion_along(body).quaternion_wxyz])
    # By python-fcl, frame by frame: what is seen is what was proved.
    gaps = [least_clearance(result.problem.rigid, row[None]) for row in rows]
    assert min(gaps) > 0.0
    np.testing.assert_allclose(np.minimum(body.clearance(rows), gaps), body.clearance(rows))


def test_a_file_of_a_result_shows_the_same_as_the_result(result, saved):
    live = playback_of_plan(WatchedPlan.of_result(result))
    read = playback_of_plan(load_plan(saved))
    np.testing.assert_array_equal(live.position, read.position)
    np.testing.assert_array_equal(live.orientation_wxyz, read.orientation_wxyz)
    np.testing.assert_array_equal(live.details[0].nodes, read.details[0].nodes)
    np.testing.assert_array_equal(live.details[0].edges, read.details[0].edges)
    assert live.events == read.events
    assert [event.kind for event in live.events][-1] == "goal"


def test_what_json_prints_can_be_watched_too(room, capsys, tmp_path):
    _, out, _ = rmp3d(capsys, "plan", room, "--seed", "1", "--json")
    (tmp_path / "a.json").write_text(out, encoding="utf-8")
    plan = load_plan(tmp_path / "a.json")
    assert plan.free
    assert len(plan.bodies[0].nodes) == 0


def test_a_path_that_is_no_longer_free_is_a_finding(room, saved, capsys, tmp_path):
    for file in room.parent.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    wide = trimesh.creation.box((1, 18.5, 20))
    byu.write(tmp_path / "wall.g", TriangleMesh(wide.vertices, wide.faces))
    facts = json.loads(saved.read_text(encoding="utf-8"))
    facts["problem"] |= {"file": str(tmp_path / "room.env"), "query": None}
    stale = tmp_path / "stale.json"
    stale.write_text(json.dumps(facts), encoding="utf-8")
    code, out, _ = rmp3d(capsys, "inspect", stale)
    assert code == 1
    assert "motions are not free, the first one from waypoint" in out
    code, _, _ = rmp3d(capsys, "report", stale, "-q")
    assert code == 1
    assert "not free" in (tmp_path / "stale-report.html").read_text(encoding="utf-8")
    assert "collision" in {event.kind for event in playback_of_plan(load_plan(stale)).events}
    code, out, _ = rmp3d(capsys, "inspect", saved)
    assert code == 0
    assert "motions proved free, and confirmed by python-fcl" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": {"file": "gone.env", "stops": []}}, "gone.env` that was planned is gone"),
        ({"path": [[0.0, 0.0]]}, r"`path\[0\]` must be 3 or 7 finite numbers"),
        ({"path": [[0.0] * 7, [0.0] * 6]}, r"`path\[1\]` must be 3 or 7 finite numbers"),
        ({"path": [[0.0] * 7]}, "`path` has a quaternion without length"),
        ({"roadmaps": [{"nodes": [[0, 0, 0]], "edges": [[0, 1]]}]}, "there are 1 nodes"),
        ({"seed": "one"}, "not a result of `rmp3d plan`"),
        (
            {"seconds": {"query": [0.1, 0.2]}},
            r"Expected `float \| null`, got `array` - at `\$.seconds",
        ),
        ({"queries": 7}, r"Expected `object \| null`, got `int` - at `\$.queries"),
        ({"nodes": "many"}, r"Expected `int \| null`, got `str` - at `\$.nodes"),
    ],
)
def test_a_wrong_result_is_refused_with_its_file_and_key(saved, tmp_path, change, message):
    facts = json.loads(saved.read_text(encoding="utf-8")) | change
    (tmp_path / "a.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(InputError, match=f"a.json: .*{message}"):
        load_plan(tmp_path / "a.json")


def test_bytes_that_are_no_text_under_an_unknown_key_are_refused(saved, tmp_path):
    (tmp_path / "a.json").write_bytes(saved.read_bytes().replace(b"{", b'{"\xff": 1, ', 1))
    with pytest.raises(InputError, match=r"a.json: not a result of .* bytes that are no text"):
        load_plan(tmp_path / "a.json")


def test_a_start_that_is_not_free_is_told_with_the_reason(room, capsys, tmp_path):
    query = tmp_path / "inside.query"
    pmpl.write_query(query, (0, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0))
    code, out, _ = rmp3d(capsys, "inspect", room, "--query", query)
    assert code == 1
    assert "start 0, 0, 0, 1, 0, 0, 0: in collision with `obstacles`" in out
    assert "goal 4, 0, 0, 1, 0, 0, 0: free, clearance 2" in out
    code, _, err = rmp3d(capsys, "export", room, tmp_path / "a.csv", "--query", query)
    assert code == 1
    assert "not solved: the start" in err
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2


def test_a_plan_is_exported_and_reported_from_the_command_line_and_from_python(
    result, saved, capsys, tmp_path
):
    code, _, _ = rmp3d(capsys, "export", saved, tmp_path / "a.glb", tmp_path / "a.html", "-q")
    assert code == 0
    (written,) = rp.export(result, tmp_path / "b.glb")
    assert written.read_bytes() == (tmp_path / "a.glb").read_bytes()
    page = rp.report(result, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Clearance along the path" in page
    assert "Components of the roadmap" in page
    with pytest.raises(InputError, match="`report` takes a Recording, PlanResult"):
        rp.report(3, tmp_path / "c.html")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "{saved}", "a.glb", "--seed", "3"], "--seed means nothing for a result"),
        (["export", "a.rmp3d", "a.glb", "--seed", "3"], "--seed means nothing for a recording"),
        (["view", "sky", "--query", "a.query"], "--query means nothing for what is not planned"),
        (["inspect", "{saved}", "--members", "3"], "--members is for scenes that are walked in"),
        (["report", "{saved}", "--no-verify"], "--no-verify is for recordings"),
    ],
)
def test_options_that_mean_nothing_for_a_target_are_refused(saved, capsys, words, message):
    code, _, err = rmp3d(capsys, *(word.format(saved=saved) for word in words))
    assert code == 2
    assert message in err


def test_the_clearance_of_a_turned_body_is_measured_from_its_mesh(result):
    playback = playback_of_plan(WatchedPlan.of_result(result))
    upright = np.array([[np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]])  # 0.5 thick, seen along x
    for turn, gap in ((upright, 2.0 - 0.5 - 0.25), (np.array([[1.0, 0, 0, 0]]), 2.0 - 0.5 - 1.5)):
        found = Nearest(playback).to(0, Pose(np.array([[-2.0, 1.0, 1.0]]), turn))
        assert found[0] == pytest.approx(gap, abs=1e-9)
        assert np.linalg.norm(found[2] - found[1]) == pytest.approx(gap, abs=1e-9)


def test_start_and_goal_are_drawn_as_the_edges_of_the_body(result):
    playback = playback_of_plan(WatchedPlan.of_result(result))
    drawn = DRAWINGS["regions"](playback).draw(Seen(0.0, playback.pose(0.0)))
    assert len(drawn.lines) == 24
    at_start = drawn.lines[:12, :6].reshape(-1, 3)
    np.testing.assert_allclose(at_start.min(axis=0), [-5.5, -0.5, -0.25])
    at_goal = drawn.lines[12:, :6].reshape(-1, 3)  # turned by a quarter about y
    np.testing.assert_allclose(at_goal.max(axis=0), [4.25, 0.5, 1.5], atol=1e-6)


def test_a_flat_mesh_has_edges_only_around_it():
    plane = TriangleMesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    assert len(sharp_edges(plane)) == 4


def test_a_scenario_is_planned_and_its_groups_go_along_their_paths(tmp_path, capsys):
    file = tmp_path / "canyon.json"
    code, _, _ = rmp3d(capsys, "plan", "canyon", "-o", file, "-q", "--set", "planner.nodes=150")
    assert code == 0
    plan = load_plan(file)
    assert plan.free
    playback = playback_of_plan(plan)
    speed = np.linalg.norm(np.diff(playback.position[:, 0], axis=0), axis=1) / playback.dt
    cruise = plan.bodies[0].character.parameters.cruise_speed
    assert np.median(speed) == pytest.approx(cruise, rel=0.2)
    assert playback.characters[0].name == "drone"


def test_a_plan_without_its_clearance_or_length_is_inspected(saved, tmp_path, capsys):
    facts = json.loads(saved.read_text())
    del facts["clearance_min"]
    file = saved.with_name("unmeasured.json")
    for known in (f", length {facts['length']:.3f}", ""):
        file.write_text(json.dumps(facts))
        code, out, _ = rmp3d(capsys, "inspect", file)
        assert code == 0
        assert out.rstrip().endswith(f"waypoints{known}")
        facts.pop("length", None)


def test_a_long_way_is_passed_in_a_bounded_number_of_frames(monkeypatch):
    (body,) = WatchedPlan.of_result(
        rp.plan("plain", body="pedestrian", start="west", goal="east", nodes=30)
    ).bodies
    usual = motion_along(body)
    monkeypatch.setattr(motion, "MOST_FRAMES", 40)
    fast = motion_along(body)
    assert len(fast.position) <= 42 < len(usual.position)
    np.testing.assert_array_equal(fast.position[[0, -1]], usual.position[[0, -1]])
