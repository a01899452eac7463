"""The replay page has the layers of the window: none is forgotten, and each shows the same."""

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from rmp3d.models import load_character
from rmp3d.scenario.loading import load
from rmp3d.scenes import load_scene
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.drawings.clearance import Nearest
from rmp3d.viewer.drawings.cones import CORNERS, ConesDrawing
from rmp3d.viewer.drawings.drawing import Seen
from rmp3d.viewer.export import web_wants
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.export.web_layers import add_layers
from rmp3d.viewer.export.web_page import ReplayPage
from rmp3d.viewer.export.web_wants import add_wants
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.playback.details import FormationTrack, GroupDetails, PathCorridor, Sight
from rmp3d.viewer.texts import speak, tr

from .test_web_layers import unpacked

MEMBERS, SECONDS = 3, 4.0


@pytest.fixture(scope="module")
def house():
    return load_scene(load("patio_house", []).scene, Path("/"))


@pytest.fixture
def rich(make, house):
    """Walkers in a house, of whom all is known that a layer can show."""
    base = make(members=MEMBERS, seconds=SECONDS, scene=house)
    frames = base.frame_count
    foot = load_character("pedestrian").body
    position = np.tile(house.walkable.triangles.mean(axis=1)[[0, 40, 90]], (frames, 1, 1))
    position[..., 0] += np.linspace(0.0, 1.0, frames)[:, None]
    position[..., 2] += foot.radius - foot.capsule_axis[0]
    turns = np.zeros_like(base.orientation_wxyz)
    turns[..., 0] = 1.0
    rng = np.random.default_rng(0)
    station = np.array([0.0, 10.0])
    line = position[0, 0] + np.array([[-2.0, 0.3, 0.0], [2.0, 0.3, 0.0]])
    aside = np.tile([0.0, 1.0, 0.0], (2, 1))
    details = GroupDetails(
        nodes=line, edges=np.array([[0, 1]]), component=np.zeros(2, np.intp),
        corridor=PathCorridor(
            station=station, position=line, left=aside, up=np.tile([0.0, 0.0, 1.0], (2, 1)),
            room_left=np.ones(2), room_right=np.ones(2), formation=np.zeros(2, np.intp),
            names=("wedge",),
        ),
        track=FormationTrack(
            time=np.array([0.0, SECONDS]), leader=station,
            place=rng.normal(size=(2, MEMBERS, 3)),
        ),
        sight=Sight(8.0, 2.0), start=house.regions["garden"],
    )  # fmt: skip
    return replace(
        base, characters=(load_character("pedestrian"),), position=position,
        orientation_wxyz=turns, subgoal=position + np.array([2.0, 0.5, 0.0]), details=(details,),
        force=rng.normal(size=(frames, 2, MEMBERS, 3)).astype(np.float32) * 100.0,
        force_names=("separation", "seek"), paths=(line,),
    )  # fmt: skip


@pytest.fixture
def spanish():
    speak("es")
    yield
    speak("en")


def test_the_page_lists_the_layers_of_the_window(rich):
    listed = add_layers(Pack(), rich, paths=True)
    assert [
        (each["name"], each["key"], each["title"], each["help"], each["on"]) for each in listed
    ] == [(*row, getattr(Layers(), row.name)) for row in layer_rows()]
    assert [each["name"] for each in listed] == [each.name for each in fields(Layers)]


def test_each_layer_has_something_to_show_where_all_is_known(rich):
    listed = add_layers(Pack(), rich, paths=True)
    assert {each["name"]: each["missing"] for each in listed if "missing" in each} == {}


def test_a_layer_that_has_nothing_to_show_says_why(make):
    listed = {each["name"]: each for each in add_layers(Pack(), make(members=1), paths=False)}
    assert listed["roadmap"]["missing"] == "no group has a roadmap"
    assert "record_forces" in listed["forces"]["missing"]


def test_the_layers_are_said_in_the_language_of_the_window(rich, spanish):
    listed = add_layers(Pack(), rich, paths=True)
    assert [each["title"] for each in listed] == [tr(row.title) for row in layer_rows()]
    assert listed[0]["title"] != layer_rows()[0].title


def test_keys_of_layers_are_not_those_of_the_page():
    own = {" ", "[", "]", "n", "z", "h", "L"}
    assert own.isdisjoint(row.key for row in layer_rows())


def test_only_the_sum_of_forces_is_kept_where_all_would_be_too_many(rich, monkeypatch):
    pack = Pack()
    assert add_wants(pack, rich)["force"]["names"] == ["separation", "seek"]
    monkeypatch.setattr(web_wants, "MOST_FORCES", 10)
    assert add_wants(pack, rich)["force"]["names"] == []


@pytest.fixture
def opened(rich, opened_replay):
    return opened_replay(rich)


@pytest.mark.slow
def test_each_layer_changes_the_picture(opened):
    near = "replay.followed = 0, replay.camera.distance = 25"
    opened.run(f"replay.seek(2), {near}")
    same = []
    opened.run("Object.keys(replay.shown).forEach(each => replay.shown[each] = false)")
    for row in layer_rows():
        if row.name in ("mean", "roofs"):
            continue  # `mean` changes the maps; roofs are hidden from above
        opened.run("replay.overview()" if row.name == "regions" else near)
        opened.run("replay.stale = true")
        opened.until("!replay.stale")
        before = opened.picture()
        opened.run(f"replay.toggleLayer('{row.name}')")
        opened.until("!replay.stale")
        if not (opened.picture() != before)[60:600, 250:1000].any():
            same.append(row.name)
        opened.run(f"replay.toggleLayer('{row.name}')")
    assert set(same) <= {"hidden"}  # nobody is behind a wall here
    assert opened.problems() == []


@pytest.mark.slow
def test_the_page_measures_and_looks_as_the_window(opened, rich):
    nearest, cones, cutaway = Nearest(rich), ConesDrawing(rich), Cutaway(rich)
    for member, time in ((0, 0.0), (1, 1.5), (2, 3.0)):
        opened.run(f"replay.seek({time})")
        sight, motion = "replay.picture.marks.sight", "replay.motion"
        pose = rich.pose(time)
        gap = opened.run(f"{sight}.clearance({member}, {motion})?.length ?? null")
        assert gap == pytest.approx(nearest.to(member, pose)[0], abs=0.03)
        rim = json.loads(
            opened.run(f"JSON.stringify({sight}.cone({member}, {motion}, 8, 2).at(-1))")
        )
        expected = cones._places(Seen(time, pose), member, 8.0, 2.0)[-1]
        off = np.linalg.norm(np.array(rim)[:, :2] - expected[:, :2], axis=1)
        assert len(rim) == CORNERS
        assert np.mean(off < 0.05) > 0.9  # a ray may just miss a corner
        height = opened.run(f"{sight}.ceiling({member}, {motion})")
        expected_height = cutaway.height(time, member)
        assert min(height, 1e9) == pytest.approx(min(expected_height, 1e9), abs=0.3)


@pytest.mark.slow
def test_what_members_want_is_where_the_window_draws_it(opened, rich):
    opened.run("replay.seek(2)")
    wants, motion = "replay.picture.marks.wants", "replay.motion"
    frame, _ = rich.frame_at(2.0)
    for member in range(MEMBERS):
        subgoal = opened.run(f"{wants}.placeOf({wants}.subgoal, {member}, {motion})")
        np.testing.assert_allclose(subgoal, rich.subgoal[frame, member], atol=0.06)
        slot = opened.run(f"{wants}.placeOf({wants}.slot, {member}, {motion})")
        np.testing.assert_allclose(slot, rich.details[0].slots_at(2.0)[member], atol=0.06)
    stride = opened.run(f"{wants}.force.stride")
    opened.run(f"replay.seek({stride} * 5 * replay.head.dt)")
    most = rich.characters[0].parameters.max_force
    for behavior in range(2):
        asked = opened.run(f"{wants}.forceOf({behavior}, 1, {motion}, 1)")
        expected = rich.force[5 * stride, behavior, 1] / most
        np.testing.assert_allclose(asked, expected, atol=web_wants.FORCE_UNIT)


def test_news_of_a_run_have_what_members_want(rich, tmp_path):
    from rmp3d.viewer.export.keyframes import BLOCK_FRAMES

    long = replace(
        rich, position=np.tile(rich.position[:1], (BLOCK_FRAMES + 40, 1, 1)),
        orientation_wxyz=np.tile(rich.orientation_wxyz[:1], (BLOCK_FRAMES + 40, 1, 1)),
        subgoal=np.tile(rich.subgoal[:1], (BLOCK_FRAMES + 40, 1, 1)), force=None,
        formation_of=np.tile(rich.formation_of[:1], (BLOCK_FRAMES + 40, 1)),
    )  # fmt: skip
    news = ReplayPage().more(long, BLOCK_FRAMES, goes_on=True).decode()
    page = tmp_path / "news.html"
    page.write_text(f'<script type="text/plain">{news}</script>', encoding="utf-8")
    head, arrays = unpacked(page)
    assert head["slotted"] == list(range(MEMBERS))
    assert "subgoal_frame" in arrays
    assert head["missing"]["slots"] == ""
    assert "record_forces" in head["missing"]["forces"]
