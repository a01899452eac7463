"""What the replay page has beside the motion: layers, ground under feet, steering, presence."""

import base64
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.models import load_character
from rmp3d.models.skeleton import clips_at_rest
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.viewer import export_playback
from rmp3d.viewer.export import web_layers
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.posing import Poses


def unpacked(path):
    """The head of a page's recording, and its arrays as bytes."""
    (code,) = re.findall(r'type="text/plain">([^<]*)</script>', path.read_text(encoding="utf-8"))
    data = zlib.decompress(base64.b64decode(code))
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + size])
    body = data[4 + size :]
    return head, {name: body[at : at + length] for name, (at, length) in head["arrays"].items()}


def bends(path, playback):
    """What the page knows of the ground and the wheels, (N, S, 4)."""
    head, arrays = unpacked(path)
    planes = np.frombuffer(arrays["gait_bend"], np.uint8).reshape(2, -1).astype(int)
    values = (planes[0] + 256 * planes[1] + 2**15) % 2**16 - 2**15
    return (values * head["gait"]["bend"]).reshape(playback.member_count, -1, 4)


@pytest.fixture
def mapped(make):
    """A group with a small roadmap."""
    nodes = np.array([[-10.0, 0, 0], [0, 0, 0], [10, 2, 0]])
    details = GroupDetails(
        nodes=nodes, edges=np.array([[0, 1], [1, 2]]), component=np.zeros(3, np.intp)
    )
    return replace(make(members=3, seconds=2.0), details=(details,))


def test_layers_are_those_of_the_window_that_have_something(mapped, tmp_path):
    export_playback(mapped, tmp_path / "a.html")
    head, arrays = unpacked(tmp_path / "a.html")
    layers = {each["name"]: each for each in head["layers"]}
    some = {name for name, each in layers.items() if "missing" not in each}
    assert {"roadmap", "samples", "regions", "path", "trails", "bodies", "markers"} <= some
    assert "free width" in layers["room"]["missing"]
    assert layers["path"]["on"]
    assert not layers["roadmap"]["on"]
    rows = np.frombuffer(arrays["layer_roadmap_lines"], "<f4").reshape(-1, 15)
    ends = {tuple(np.round(row[:2], 2)) for row in rows} | {tuple(row[3:5]) for row in rows}
    assert {(-10.0, 0.0), (0.0, 0.0), (10.0, 2.0)} <= ends


def test_a_layer_that_is_too_large_says_so(mapped, tmp_path, monkeypatch):
    monkeypatch.setattr(web_layers, "MOST_ROWS", 3)
    export_playback(mapped, tmp_path / "a.html")
    head, arrays = unpacked(tmp_path / "a.html")
    (roadmap,) = [each for each in head["layers"] if each["name"] == "roadmap"]
    assert "more than a page shows (3)" in roadmap["problem"]
    assert "layer_roadmap_lines" not in arrays


@pytest.mark.parametrize("slope", [0.0, 0.25, -0.4])
def test_the_ground_under_feet_is_that_of_the_scene(make, tmp_path, slope):
    ground = sheet(-20, -20, 20, 20, 0.0)
    vertices = ground.vertices.copy()
    vertices[:, 2] = slope * vertices[:, 0]
    mesh = type(ground)(vertices, ground.faces)
    hill = Scene("hill", (Part("hill", "ground", mesh, np.ones((2, 3))),), {}, mesh.bounds)
    base = make(members=2, seconds=2.0, scene=hill)
    position = base.position.copy()
    position[..., 2] = slope * position[..., 0]
    turns = np.zeros_like(base.orientation_wxyz)
    turns[..., 0] = 1.0
    turns[:, 1] = Rotation.from_euler("z", np.pi / 2).as_quat(scalar_first=True)
    walkers = replace(
        base, position=position, orientation_wxyz=turns,
        characters=(load_character("pedestrian"),),
    )  # fmt: skip
    export_playback(walkers, tmp_path / "a.html")
    if slope == 0.0:
        assert "gait_bend" not in unpacked(tmp_path / "a.html")[1]
        return
    found = bends(tmp_path / "a.html", walkers)
    np.testing.assert_allclose(found[0, :, :3], [[slope, 0.0, 0.0]] * found.shape[1], atol=0.003)
    np.testing.assert_allclose(found[1, :, :3], [[0.0, -slope, 0.0]] * found.shape[1], atol=0.003)


def test_wheels_are_steered_by_the_curve(make, tmp_path):
    car, base = load_character("car"), make(members=1, seconds=3.0)
    time, radius, speed = np.arange(base.frame_count) / 30, 8.0, 4.0
    turn = speed * time / radius
    position = np.zeros((len(time), 1, 3))
    position[:, 0, 0], position[:, 0, 1] = radius * np.sin(turn), radius * (1 - np.cos(turn))
    turns = Rotation.from_euler("z", turn[:, None]).as_quat(scalar_first=True)
    driven = replace(
        base, characters=(car,), position=position, orientation_wxyz=turns[:, None], subgoal=None
    )
    export_playback(driven, tmp_path / "a.html")
    angle = bends(tmp_path / "a.html", driven)[0, 2:-2, 3]
    np.testing.assert_allclose(angle, np.arctan(car.rig.wheelbase / radius), atol=0.02)
    head, arrays = unpacked(tmp_path / "a.html")
    pivots = np.frombuffer(arrays[f"{head['kinds'][0]['body']}_pivot"], "<f4").reshape(-1, 3)
    places = car.rig.skeleton.position[list(car.rig.steered), :2]
    assert {tuple(row) for row in pivots[pivots[:, 2] == 1, :2]} == {
        tuple(row) for row in places.astype(np.float32)
    }
    assert (pivots[:, 2] == 0).any()


@pytest.mark.slow
def test_the_page_shows_layers_and_who_is_there(mapped, opened_replay):
    count = mapped.frame_count
    life = np.array([[0, count], [30, 45], [0, count]])
    coming = replace(mapped, characters=(load_character("pedestrian"),), life=life)
    browser = opened_replay(coming)
    shown = "replay.picture.kinds.map(kind => kind.instances.shown).reduce((a, b) => a + b)"
    for time, there in ((0.0, 2), (1.2, 3), (1.7, 2)):
        browser.run(f"replay.seek({time})")
        browser.until("!replay.stale")
        assert browser.run(shown) == there
    before = browser.picture()
    browser.run("document.getElementById('layer').click()")
    for name in ("roadmap", "trails", "bodies"):
        browser.run(f"document.getElementById('layer-{name}').click()")
    browser.until("!replay.stale")
    assert (browser.picture() != before)[:600, :1000].any(axis=2).sum() > 300
    assert browser.run("replay.shown.roadmap && replay.shown.trails") is True
    assert browser.problems() == []


def test_who_sits_in_the_window_sits_on_the_page(make, tmp_path):
    base = make(members=2, seconds=8.0)
    turns = np.zeros_like(base.orientation_wxyz)
    turns[..., 0] = 1.0
    resting = replace(
        base, position=np.tile(base.position[:1], (len(base.position), 1, 1)),
        orientation_wxyz=turns, at_rest=("sit",) * len(base.group_names),
        characters=(load_character("pedestrian"),),
    )  # fmt: skip
    export_playback(resting, tmp_path / "a.html")
    head, arrays = unpacked(tmp_path / "a.html")
    steps = np.frombuffer(arrays["gait_rest"], np.int8).reshape(2, -1).astype(int)
    share = np.cumsum(steps, axis=1) * head["gait"]["rest"]
    poses, times = Poses(resting), np.arange(share.shape[1]) * head["gait"]["step"]
    poses.motions(0, np.arange(2), resting.pose(0.0), 0.0)
    expected = [[poses._walks[m].at(time, resting.dt)[3] for time in times] for m in range(2)]
    np.testing.assert_allclose(share, expected, atol=0.006)
    assert share[:, 0].max() == 0.0
    assert share[:, -1].min() == 1.0

    facts = head["kinds"][0]["poses"]
    rig = resting.characters[0].rig
    rows = np.frombuffer(arrays["kind0_motions"], "<f2").astype(float)
    rows = rows.reshape(-1, facts["phases"], facts["joints"], 3, 4)
    clip = clips_at_rest(rig).index("sit")
    assert head["gait"]["rest_of"] == [clip, clip]
    assert facts["rests"][clip] == rig.clips["sit"].duration
    hips = rig.skeleton.position[0]
    standing, sitting = (
        float((motion[:3, :3] @ hips + motion[:3, 3])[2])
        for motion in (rows[0, 0, 0], rows[len(facts["speeds"]) + clip, 0, 0])
    )
    assert standing > 0.9 * hips[2]
    assert sitting < 0.4 * hips[2]
