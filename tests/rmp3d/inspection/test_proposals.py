"""From a mesh that nobody described to a verified run, without an edit."""

import json
import re
import tomllib
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from rmp3d import cli
from rmp3d.inspection.rooms import Door
from rmp3d.inspection.written import rooms_and_doors
from rmp3d.scenario.loading import load

Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])


def slab(low, high):
    shape = trimesh.creation.box(np.subtract(high, low))
    shape.apply_translation(0.5 * np.add(low, high))
    return shape


def sheet(points, faces):
    return trimesh.Trimesh(np.array(points, float), np.array(faces), process=False)


def plain(up=1):
    floor = sheet([[0, 0, 0], [9, 0, 0], [9, 6, 0], [0, 6, 0]], [[0, 1, 2], [0, 2, 3]])
    floor.faces = floor.faces[:, ::up]
    return [floor]


def house():
    return [
        slab((0, 0, -0.2), (9, 5, 0)),
        slab((4.4, 0, 0), (4.6, 2, 2.5)),
        slab((4.4, 3, 0), (4.6, 5, 2.5)),
    ]


def roofed():
    return [*house(), slab((0, 0, 2.5), (9, 5, 2.7))]


def stairs():
    treads = [slab((4 + 0.3 * k, 0, -0.2), (4.3 + 0.3 * k, 3, 0.16 * (k + 1))) for k in range(4)]
    return [slab((0, 0, -0.2), (4, 3, 0)), *treads, slab((5.2, 0, -0.2), (9, 3, 0.64))]


def ramp():
    points = [[x, y, z] for x, z in ((0, 0), (4, 0), (6, 0.8), (10, 0.8)) for y in (0, 4)]
    faces = [row for k in (0, 2, 4) for row in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    return [sheet(points, faces)]


def hills():
    x, y = np.meshgrid(np.linspace(0, 12, 25), np.linspace(0, 8, 17), indexing="ij")
    z = 0.3 * np.sin(x) * np.cos(0.7 * y)
    row = np.arange(25 * 17).reshape(25, 17)
    a, b, c, d = (r.ravel() for r in (row[:-1, :-1], row[1:, :-1], row[1:, 1:], row[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return [sheet(np.stack([x, y, z], -1).reshape(-1, 3), faces)]


def walls():
    """Of a yard without a floor."""
    return [
        slab((0, 0, 0), (10, 0.2, 2)), slab((0, 5.8, 0), (10, 6, 2)),
        slab((0, 0.2, 0), (0.2, 5.8, 2)), slab((9.8, 0.2, 0), (10, 5.8, 2)),
    ]  # fmt: skip


def boulders():
    """Nothing to stand on but a few domes."""
    return [
        trimesh.creation.icosphere(2, 1.0).apply_translation((4 * i, 3 * j, 2 * (i + j) % 5))
        for i in range(3)
        for j in range(3)
    ]


MESHES = {
    "plain.obj": plain(),
    "down.obj": plain(-1),
    "house.glb": house(),
    "y_up.obj": [part.copy().apply_transform(Y_UP) for part in house()],
    "millimeters.stl": [part.copy().apply_scale(1000.0) for part in roofed()],
    "stairs.ply": stairs(),
    "ramp.off": ramp(),
    "hills.obj": hills(),
    "walls.obj": walls(),
    "boulders.ply": boulders(),
}
EXPECTED = {
    "down.obj": {"flip": True},
    "y_up.obj": {"up": "y"},
    "millimeters.stl": {"scale": 0.001},
    "walls.obj": {"ground": {"height": 0.0}},
}


@pytest.mark.parametrize("name", MESHES)
def test_what_inspect_proposes_runs_and_is_verified(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    mesh = tmp_path / "meshes" / name
    mesh.parent.mkdir()
    whole = trimesh.util.concatenate(MESHES[name])
    if name.endswith(".glb"):
        whole.apply_transform(Y_UP)
    whole.export(mesh)
    asked = ["inspect", f"meshes/{name}", "--members", "2", "--write", "proposed.toml", "--json"]
    if name == "walls.obj":  # the file does not say, and its walls are larger than their tops
        asked += ["--set", "scene.up=z"]
    assert cli.main(asked) == 0
    facts = json.loads(capfd.readouterr().out)
    table = tomllib.loads((tmp_path / "proposed.toml").read_text(encoding="utf-8"))
    assert table["scene"]["mesh"] == f"meshes/{name}"
    for key, value in EXPECTED.get(name, {}).items():
        assert table["scene"][key] == value
    assert table["groups"][0]["character"] == ("drone" if "boulders" in name else "pedestrian")
    assert table["groups"][0]["members"] == facts["trip"]["members"]
    assert cli.main(["run", "proposed.toml", "-o", "run.rmp3d", "-q"]) == 0
    assert cli.main(["verify", "run.rmp3d", "-q"]) == 0


def test_a_house_in_millimeters_says_why_they_are_taken(tmp_path, capfd):
    whole = trimesh.util.concatenate(MESHES["millimeters.stl"])
    whole.export(tmp_path / "house.stl")
    assert cli.main(["inspect", str(tmp_path / "house.stl")]) == 0
    told = capfd.readouterr().out
    assert re.search(r"taken as millimeters: there are \d{4} units of air over its floors", told)
    assert f"1 part, {len(whole.faces)} triangles" in told


def test_a_house_that_is_inside_out_is_turned_over(tmp_path, capfd):
    mesh, written = tmp_path / "mirrored.obj", tmp_path / "own.toml"
    whole = trimesh.util.concatenate(house())
    turned = trimesh.Trimesh(whole.vertices * [-1.0, 1.0, 1.0], whole.faces, process=False)
    assert turned.volume < 0.0
    turned.export(mesh)
    assert cli.main(["inspect", str(mesh), "--write", str(written)]) == 0
    assert "`pedestrian` walks over" in capfd.readouterr().out
    table = tomllib.loads(written.read_text(encoding="utf-8"))
    assert table["scene"]["flip"] is True
    assert table["groups"][0]["character"] == "pedestrian"


def test_a_scan_of_a_room_is_walked_on_its_floor_even_by_one_round_a_table(tmp_path, capfd):
    mesh, written = tmp_path / "scan.obj", tmp_path / "own.toml"
    shell = slab((0, 0, 0), (3.6, 4.4, 2.6))
    shell.invert()  # as scanners see it: closed, its floor faces up, its ceiling down
    trimesh.util.concatenate([shell, slab((1, 1, 0.01), (2.6, 3.4, 0.7))]).export(mesh)
    assert cli.main(["inspect", str(mesh), "--write", str(written)]) == 0
    told = capfd.readouterr().out
    assert "1 `pedestrian` from" in told
    assert "there is room for 1 of 5 members in one place" in told
    table = tomllib.loads(written.read_text(encoding="utf-8"))
    assert "flip" not in table["scene"]
    assert table["scene"]["regions"]["start"]["lower"][2] < 0.0, "not on the ceiling"
    assert cli.main(["run", str(written), "-o", str(tmp_path / "run.rmp3d"), "-q"]) == 0
    assert cli.main(["verify", str(tmp_path / "run.rmp3d"), "-q"]) == 0


def test_a_scenario_file_is_replaced_only_by_force(tmp_path, capfd):
    mesh, written = tmp_path / "plain.obj", tmp_path / "own.toml"
    plain()[0].export(mesh)
    written.write_text("mine", encoding="utf-8")
    assert cli.main(["inspect", str(mesh), "--write", str(written)]) == 2
    assert "own.toml: exists already; `--force` replaces it" in capfd.readouterr().err
    assert written.read_text(encoding="utf-8") == "mine"
    assert cli.main(["inspect", str(mesh), "--write", str(written), "--force", "-q"]) == 0
    assert "[scene]" in written.read_text(encoding="utf-8")


def test_the_maps_show_storeys_doors_and_only_what_is_asked_for(tmp_path, capfd):
    mesh, picture = tmp_path / "house.ply", tmp_path / "map.png"
    trimesh.util.concatenate(house()).export(mesh)
    asked = ["inspect", str(mesh), "--map", "--storey", "1", "-o", str(picture)]
    assert cli.main(asked) == 0
    out = capfd.readouterr().out
    assert "a room_1  b room_2" in out
    assert "storey 1 at 0.00 m" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert cli.main([*asked, "--bounds", "0", "0", "4", "5"]) == 0
    assert "b room_2" not in capfd.readouterr().out
    assert cli.main(["inspect", str(mesh), "--map", "--storey", "7"]) == 2
    assert "--storey 7: there is 1 to " in capfd.readouterr().err


def test_of_a_town_the_map_shows_what_is_in_the_bounds_of_the_scene(tmp_path, capfd):
    slab((-300, -300, -1), (300, 300, 0)).export(tmp_path / "town.obj")
    scene = 'mesh = "town.obj"\nbounds = [[-6.0, -5.0, -1.0], [6.0, 5.0, 4.0]]'
    (tmp_path / "town.toml").write_text(f"[scene]\n{scene}\n", encoding="utf-8")
    assert cli.main(["inspect", str(tmp_path / "town.toml"), "--map"]) == 0
    rows = [line for line in capfd.readouterr().out.splitlines() if "|a" in line]
    heights = [float(row[:9]) for row in rows if row[:9].strip()]
    assert 4.0 < max(heights) < 5.0
    assert -5.0 < min(heights) < -3.5
    assert {row.strip("|")[10:].strip("a |") for row in rows} == {""}


def test_a_door_without_width_is_no_region():
    """Measured between two corners that meet; a region of radius 0 would be refused."""
    doors = [
        Door(f"door_{row}", 0, ("room_1", "room_2"), (row, 0.0, 0.0), width)
        for row, width in enumerate((0.9, 0.0, 0.0008))
    ]
    survey = SimpleNamespace(rooms=SimpleNamespace(rooms=[], doors=doors))
    assert rooms_and_doors(survey) == {"door_0": {"center": [0, 0.0, 0.0], "radius": 0.45}}


def test_of_a_scene_wider_than_walks_a_part_is_proposed(tmp_path, capsys):
    floor = sheet([[0, 0, 0], [5e7, 0, 0], [5e7, 6, 0], [0, 6, 0]], [[0, 1, 2], [0, 2, 3]])
    floor.export(tmp_path / "a.ply")
    written = tmp_path / "a.toml"
    command = ["inspect", str(tmp_path / "a.ply"), "--set", "scene.scale=1.0"]
    assert cli.main([*command, "--write", str(written)]) == 0
    assert "more than 10 km wide, so only 1 km of it are looked over" in capsys.readouterr().out
    scene = load(str(written)).scene
    assert (np.ptp(np.array(scene.bounds), axis=0)[:2] == [1000.0, 6.0]).all()


def test_thirty_birds_have_a_part_of_the_air_over_a_wide_scene_and_no_formation(tmp_path, capsys):
    mesh, written = tmp_path / "valley.obj", tmp_path / "own.toml"
    points = [(0, 0, 0), (9000, 0, 900), (9000, 7000, 1600), (0, 7000, 300)]
    sheet(points, [(0, 1, 2), (0, 2, 3)]).export(mesh)
    asked = [
        "inspect",
        str(mesh),
        "--character",
        "bird",
        "--members",
        "30",
        "--write",
        str(written),
    ]
    assert cli.main([*asked, "--set", "scene.scale=1"]) == 0
    told = capsys.readouterr().out
    assert "proposal: 30 `bird`" in told
    assert "400 m of air over the middle of the scene (`bounds`)" in told
    table = tomllib.loads(written.read_text(encoding="utf-8"))
    assert np.ptp(table["scene"]["bounds"], axis=0).max() == pytest.approx(400.0, abs=0.01)
    assert table["groups"][0]["behavior"] == "self_guided"


def test_a_gltf_file_with_z_up_is_found(tmp_path, capsys):
    """The standard says y; exports of arrays that never asked have z."""
    scene = trimesh.Scene()
    for name, size, center in (
        ("floor", (30.0, 20.0, 0.1), (0.0, 0.0, -0.05)),
        ("wall", (0.2, 8.0, 2.5), (0.0, 0.0, 1.25)),
    ):
        box = trimesh.creation.box(size)
        box.apply_translation(center)
        scene.add_geometry(box, geom_name=name, node_name=name)
    scene.export(tmp_path / "z.glb")
    assert cli.main(["inspect", str(tmp_path / "z.glb")]) == 0
    assert "up is z: nearly all level faces are square to it (glTF says y)" in (
        capsys.readouterr().out
    )
    scene.apply_transform(trimesh.transformations.rotation_matrix(-np.pi / 2, [1, 0, 0]))
    scene.export(tmp_path / "y.glb")
    assert cli.main(["inspect", str(tmp_path / "y.glb")]) == 0
    assert "glTF says y" not in capsys.readouterr().out


def test_a_gltf_file_that_may_lie_on_its_side_is_read_as_it_says_and_the_key_is_named(
    tmp_path, capsys
):
    """Walls in rows have so much area that its axis is not sure."""
    parts = [trimesh.creation.box((20.0, 20.0, 0.1))]
    for k in range(8):
        wall = trimesh.creation.box((18.0, 0.1, 2.0))
        parts.append(wall.apply_translation((0.0, 2.0 * k - 7.0, 1.05)))
    trimesh.util.concatenate(parts).export(tmp_path / "rows.glb")
    assert cli.main(["inspect", str(tmp_path / "rows.glb")]) == 0
    told = capsys.readouterr().out
    assert "up: y\n" in told
    assert "--set scene.up=z: there is more floor along that axis" in told
    assert cli.main(["inspect", str(tmp_path / "rows.glb"), "--set", "scene.up=z"]) == 0
    told = capsys.readouterr().out
    assert "up: z\n" in told
    assert "scene.up" not in told
