"""A scene far from the origin, as geo-referenced ones are, looks like the same scene near it."""

import base64
import io
import json
import re
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes import Part, Region, Scene
from rmp3d.viewer import Layers, Offscreen, ViewerWindow, export_playback, named_camera
from rmp3d.viewer.drawings import DRAWINGS, Seen
from rmp3d.viewer.panel.marks import path_lines, place_lines, roadmap_lines
from rmp3d.viewer.panel.protocol import Grown, Place
from rmp3d.viewer.playback.details import GroupDetails, PathCorridor
from rmp3d.viewer.playback.near_origin import drawing_origin, near_origin

SIZE = (480, 270)
PLACES = [(85_000.0, 447_500.0, 0.0), (5_000_000.0, -5_000_000.0, 1000.0)]
CAMERAS = ("iso", "top", "group", "follow:4", "first:0")
LAYERS = Layers(trails=True, subgoals=True, samples=True, roadmap=True, slots=True)


def detailed(playback):
    """The playback with a roadmap and a corridor, as a recording has them."""
    path = playback.paths[0]
    across, up = np.tile([0.0, 1.0, 0.0], (3, 1)), np.tile([0.0, 0.0, 1.0], (3, 1))
    corridor = PathCorridor(
        station=np.array([0.0, 10.0, 20.0]), position=path, left=across, up=up,
        room_left=np.ones(3), room_right=np.ones(3),
    )  # fmt: skip
    details = GroupDetails(
        nodes=path + np.array([0.0, 1.0, 0.0]), edges=np.array([[0, 1], [1, 2]]),
        component=np.zeros(3, int), corridor=corridor, rejected=lambda: path,
    )  # fmt: skip
    return replace(playback, details=(details,))


def moved(playback, by):
    """The playback somewhere else, made without what is tested."""
    by = np.array(by)
    scene = playback.scene
    parts = [
        Part(part.name, part.role, part.mesh.transformed(translation=by), part.colors)
        for part in scene.parts
    ]
    regions = {
        name: Region.box(name, region.lower + by, region.upper + by)
        for name, region in scene.regions.items()
    }
    corridor = playback.details[0].corridor
    details = replace(
        playback.details[0],
        nodes=playback.details[0].nodes + by,
        corridor=replace(corridor, position=corridor.position + by),
        rejected=lambda: playback.details[0].rejected() + by,
    )
    return replace(
        playback,
        scene=Scene(scene.name, tuple(parts), regions, scene.bounds + by),
        position=playback.position + by,
        subgoal=playback.subgoal + by,
        paths=tuple(path + by for path in playback.paths),
        details=(details,),
    )


def check_same(one, other):
    """All but a few pixels, on edges, where the last bit decides."""
    differs = np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 8
    assert differs.mean() < 2e-3


@pytest.mark.usefixtures("opengl")
@pytest.mark.parametrize("by", PLACES)
def test_pictures_are_the_same(playback, by):
    near, found = detailed(playback), []
    for each in (near, moved(near, by)):
        with Offscreen(each, SIZE) as offscreen:
            found.append([
                offscreen.picture(
                    7.0, named_camera(name, each, 7.0, SIZE[0] / SIZE[1]), layers=LAYERS,
                    selected=3,
                )
                for name in CAMERAS
            ])  # fmt: skip
    for one, other in zip(*found, strict=True):
        check_same(one, other)
    assert np.ptp(found[0][0]) > 100, "there is something in them"


@pytest.mark.usefixtures("opengl")
@pytest.mark.parametrize("by", PLACES[:1])
def test_the_window_shows_the_same_and_picks_the_same_member(playback, by, tmp_path):
    pixels, picked = [], []
    for each in (detailed(playback), moved(detailed(playback), by)):
        window = ViewerWindow(each, size=SIZE, visible=False, screenshot_folder=tmp_path)
        window.controls.resize(SIZE)
        chest = each.position[0, 4] + [0.0, 0.0, 1.0]
        window.frame(1 / 60)
        window.frame(1 / 60)
        pixels.append(window._renderer.read(SIZE))
        x, y = window.controls.camera.project(chest, SIZE)[0][0]
        window.controls.press(x, y, "left")
        window.controls.release(x, y)
        picked.append(window.controls.selected)
        window.close()
    check_same(*pixels)
    assert picked == [4, 4]


@pytest.mark.parametrize("layer", sorted(DRAWINGS))
@pytest.mark.parametrize("by", PLACES)
def test_every_layer_draws_the_same_rows_and_labels(playback, layer, by):
    near = detailed(playback)
    far = moved(near, by)
    drawn = []
    for each in (near, near_origin(far, drawing_origin(far.scene))):
        drawing = DRAWINGS[layer](each)
        drawn.append(drawing.draw(Seen(7.0, each.pose(7.0), 3)))
    assert drawn[0].lines == pytest.approx(drawn[1].lines, abs=1e-4)
    assert drawn[0].patches == pytest.approx(drawn[1].patches, abs=1e-4)
    assert drawn[0].rings == pytest.approx(drawn[1].rings, abs=1e-4)
    for one, other in zip(drawn[0].labels, drawn[1].labels, strict=True):
        assert one.text == other.text
        assert one.at == pytest.approx(other.at, abs=1e-4)


def test_a_scene_near_the_origin_is_not_copied(playback):
    assert near_origin(playback, drawing_origin(playback.scene)) is playback


def test_the_panel_s_marks_are_the_same(playback):
    by = np.array(PLACES[0])
    region = playback.scene.regions["start"]
    far = Region.box("start", region.lower + by, region.upper + by)
    places = [(Place("start", 0, each, None),) for each in (region, far)]
    assert place_lines(places[0], 0) == pytest.approx(place_lines(places[1], 0, by), abs=1e-5)
    path = playback.paths[0]
    assert path_lines((path,)) == pytest.approx(path_lines((path + by,), by), abs=1e-5)
    grown = [
        Grown(group=0, nodes=each, component=np.zeros(3, int), start=each[:-1], end=each[1:])
        for each in (path, path + by)
    ]
    rows = roadmap_lines({0: grown[0]})
    assert rows == pytest.approx(roadmap_lines({0: grown[1]}, by), abs=1e-5)


def written(playback, path):
    export_playback(playback, path)
    return path.read_bytes()


def test_a_glb_file_is_the_same_and_says_where_it_was(playback, tmp_path):
    near, far = detailed(playback), moved(detailed(playback), PLACES[0])
    files = [written(each, tmp_path / f"{i}.glb") for i, each in enumerate((near, far))]
    heads, bodies = [], []
    for data in files:
        length = struct.unpack_from("<I", data, 12)[0]
        heads.append(json.loads(data[20 : 20 + length]))
        bodies.append(np.frombuffer(data[28 + length :], "<u4"))
    assert heads[1]["asset"].pop("extras") == {"origin": list(PLACES[0])}
    assert "extras" not in heads[0]["asset"]
    largest = [max(max(map(abs, accessor["max"])) for accessor in head["accessors"]
                   if "max" in accessor) for head in heads]  # fmt: skip
    assert largest[0] == pytest.approx(largest[1], abs=1e-4)
    assert len(bodies[0]) == len(bodies[1])


@pytest.mark.parametrize("by", PLACES)
def test_a_replay_page_is_the_same_and_says_where_it_was(playback, tmp_path, by):
    near, far = detailed(playback), moved(detailed(playback), by)
    found = []
    for i, each in enumerate((near, far)):
        text = written(each, tmp_path / f"{i}.html").decode()
        packed = max(re.findall(r"[A-Za-z0-9+/=]{1000,}", text), key=len)
        data = io.BytesIO(zlib.decompress(base64.b64decode(packed)))
        head = json.loads(data.read(struct.unpack("<I", data.read(4))[0]))
        body = data.read()
        start, size = head["arrays"]["scene_position"]
        found.append((head, np.frombuffer(body[start : start + size], "<f4")))
    assert found[0][0]["origin"] == [0.0, 0.0, 0.0]
    assert found[1][0]["origin"] == list(by)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-4)
    assert found[0][0]["camera"]["target"] == pytest.approx(
        found[1][0]["camera"]["target"], abs=1e-4
    )
