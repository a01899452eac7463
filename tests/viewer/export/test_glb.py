import json
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.geometry import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import builtin_models, load_character
from rmp3d.scenario.loading import load
from rmp3d.scenes import builtin_scenes, load_scene
from rmp3d.viewer import export_playback
from rmp3d.viewer.playback.bounds import LIFTED

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs
THREE_PAGE = Path(__file__).parent / "three.html"
TO_GLTF = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # (x, y, z) to (x, z, -y)


WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
KIND = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


class Glb:
    """A GLB file read by the specification alone."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size = struct.unpack_from("<4sII", data)
        assert (magic, version, size) == (b"glTF", 2, len(data))
        length, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json = json.loads(data[20 : 20 + length])
        self.binary = data[28 + length :]
        self.name = [node["name"] for node in self.json["nodes"]]

    def array(self, row):
        accessor = self.json["accessors"][row]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = WIDTH[accessor["type"]]
        start = view["byteOffset"] + accessor["byteOffset"]
        kind = KIND[accessor["componentType"]]
        flat = np.frombuffer(self.binary, kind, accessor["count"] * width, start)
        return flat.reshape(-1, width).astype(float)

    def triangles(self, node):
        """Corners (F, 3, 3) of a node's mesh."""
        primitives = self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"]
        return np.concatenate(
            [
                self.array(each["attributes"]["POSITION"])[self.array(each["indices"]).astype(int)]
                for each in primitives
            ]
        ).reshape(-1, 3, 3)

    def track(self, node, path, interpolation="LINEAR"):
        """Times (K,) and values (K, D) of a node's channel."""
        (animation,) = self.json["animations"]
        for channel in animation["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                sampler = animation["samplers"][channel["sampler"]]
                assert sampler["interpolation"] == interpolation
                return self.array(sampler["input"])[:, 0], self.array(sampler["output"])
        raise KeyError(path)


def away(glb, playback):
    """Largest distance [m] and angle [rad] from the playback at any frame, by SciPy."""
    times = np.arange(playback.frame_count) * playback.dt
    worst = np.zeros(2)
    for member in range(playback.member_count):
        group = playback.group_names[playback.group_of[member]]
        node = glb.name.index(f"{group} {member}")
        at, moved = glb.track(node, "translation")
        assert (np.diff(at) > 0).all()
        there = np.column_stack([np.interp(times, at, axis) for axis in moved.T])
        gap = np.linalg.norm(there - playback.drawn[:, member] @ TO_GLTF.T, axis=1)
        at, turned = glb.track(node, "rotation")
        spin = Slerp(at, Rotation.from_quat(turned))(np.clip(times, at[0], at[-1]))
        mixed = np.column_stack([np.interp(times, at, part) for part in turned.T])
        ours = Rotation.from_quat(playback.orientation_wxyz[:, member], scalar_first=True)
        turn = Rotation.from_matrix(TO_GLTF)
        for each in (spin, Rotation.from_quat(mixed)):  # as glTF says; as Blender does
            angle = (each.inv() * (turn * ours * turn.inv())).magnitude()
            worst = np.maximum(worst, [gap.max(), angle.max()])
    return worst


@pytest.mark.parametrize("seed", range(3))
def test_interpolated_motion_is_within_a_centimeter_and_a_degree(winding, tmp_path, seed):
    playback = winding(seed)
    export_playback(playback, tmp_path / "a.glb")
    gap, angle = away(Glb(tmp_path / "a.glb"), playback)
    assert 0.005 < gap <= 0.01
    assert np.radians(0.5) < angle <= np.radians(1.0)


def test_tolerances_are_kept_and_a_wider_one_takes_fewer_keys(winding, tmp_path):
    playback = winding(4)
    keys = []
    for tolerance, angle_deg in ((0.002, 0.2), (0.05, 5.0)):
        options = {"tolerance": tolerance, "angle_tolerance": np.radians(angle_deg)}
        export_playback(playback, tmp_path / "a.glb", options=options)
        glb = Glb(tmp_path / "a.glb")
        gap, angle = away(glb, playback)
        assert gap <= tolerance
        assert np.degrees(angle) <= angle_deg
        keys.append(len(glb.track(glb.name.index("visitors 0"), "translation")[0]))
    assert keys[0] > 2 * keys[1]


def test_who_stands_still_or_moves_evenly_needs_two_keys(make, tmp_path):
    playback = make(members=2, seconds=10.0)
    still = replace(playback, position=np.repeat(playback.position[:1], playback.frame_count, 0))
    export_playback(still, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    assert len(glb.track(glb.name.index("visitors 0"), "translation")[0]) == 2


def test_a_steady_spin_is_cut_where_straight_lines_between_quaternions_would_leave_it(
    make, tmp_path
):
    base = make(members=1, seconds=2.0)
    angle = np.linspace(0.0, 1.9 * np.pi, base.frame_count)
    turns = np.zeros((base.frame_count, 1, 4))
    turns[:, 0, 0], turns[:, 0, 3] = np.cos(angle / 2), np.sin(angle / 2)
    playback = replace(base, orientation_wxyz=turns)
    export_playback(playback, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    assert np.degrees(away(glb, playback)[1]) <= 1.0
    assert 3 < len(glb.track(glb.name.index("visitors 0"), "rotation")[0]) < 10


def test_keys_are_near_signed_for_readers_that_do_not_take_the_short_way(winding, tmp_path):
    playback = winding(5, members=2)
    export_playback(playback, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    for member in range(2):
        _, turned = glb.track(glb.name.index(f"visitors {member}"), "rotation")
        assert (np.einsum("ij,ij->i", turned[1:], turned[:-1]) >= 0).all()


def test_the_scene_comes_back_by_name_with_its_colors(playback, tmp_path):
    export_playback(playback, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    for part in playback.scene.parts:
        corners = glb.triangles(glb.name.index(part.name)) @ TO_GLTF
        order = [np.lexsort(each.reshape(-1, 9).T) for each in (corners, part.mesh.triangles)]
        np.testing.assert_allclose(
            corners[order[0]], part.mesh.triangles[order[1]], atol=1e-5
        )  # the same triangles, each with its sense
    names = {material["name"] for material in glb.json["materials"]}
    assert {"#b8a894", "#8c8f91"} <= names  # stone and gray, sRGB
    line = glb.json["nodes"][glb.name.index("path of visitors")]["mesh"]
    (strip,) = glb.json["meshes"][line]["primitives"]
    there = glb.array(strip["attributes"]["POSITION"])
    np.testing.assert_allclose(there @ TO_GLTF, playback.paths[0] + LIFTED, atol=1e-6)


def test_members_of_a_group_share_a_mesh_and_groups_have_their_own_color(make, tmp_path):
    two = replace(
        make(members=6),
        group_names=("reds", "blues"),
        group_of=[0, 0, 0, 1, 1, 1],
        formation_of=np.zeros((600, 2), int),
        paths=(),
    )
    export_playback(two, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    meshes = [node["mesh"] for node in glb.json["nodes"] if node["name"][:4] in ("reds", "blue")
              and "mesh" in node]  # fmt: skip
    assert meshes[:3] == [meshes[0]] * 3 != meshes[3:] == [meshes[3]] * 3
    colors = [
        {primitive["material"] for primitive in glb.json["meshes"][row]["primitives"]}
        for row in (meshes[0], meshes[3])
    ]
    assert colors[0] != colors[1]


def test_a_mesh_of_many_colors_has_them_at_its_vertices(playback, tmp_path):
    rng = np.random.default_rng(0)
    floor = playback.scene.parts[0]
    pieces = trimesh.creation.icosphere(subdivisions=2)
    mesh = TriangleMesh(pieces.vertices, pieces.faces)
    part = replace(floor, mesh=mesh, colors=rng.random((len(mesh.faces), 3)))
    scene = replace(playback.scene, parts=(part, *playback.scene.parts[1:]))
    export_playback(replace(playback, scene=scene), tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    (primitive,) = glb.json["meshes"][0]["primitives"]
    assert glb.json["materials"][primitive["material"]]["name"] == "painted"
    paint = glb.array(primitive["attributes"]["COLOR_0"])
    assert len(np.unique(paint, axis=0)) == len(mesh.faces)


def test_nobody_and_a_single_frame_have_no_animation(make, tmp_path):
    for playback in (make(members=0), make(members=2, seconds=0.03)):
        export_playback(playback, tmp_path / "a.glb")
        assert "animations" not in Glb(tmp_path / "a.glb").json


def test_same_playback_same_bytes(playback, tmp_path):
    for name in ("a.glb", "b.glb"):
        export_playback(playback, tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_impossible_tolerances_are_refused(playback, tmp_path):
    for name in ("tolerance", "angle_tolerance"):
        for value in (0.0, -1.0, np.nan, np.inf):
            with pytest.raises(InputError, match=f"`{name}` must be at least"):
                export_playback(playback, tmp_path / "a.glb", options={name: value})
    far = replace(playback, position=playback.position + 1e6)
    with pytest.raises(InputError, match="far from its origin"):
        export_playback(far, tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []


def validated(path, packages):
    code = (
        "const validator = require('gltf-validator'), fs = require('fs');"
        "validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))"
        ".then(report => console.log(JSON.stringify(report)))"
    )
    done = subprocess.run(
        ["node", "-e", code, str(path)],
        cwd=packages.parent, capture_output=True, text=True, timeout=HUNG, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.slow
def test_the_khronos_validator_finds_nothing(make, winding, npm_packages, tmp_path):
    playbacks = [make(), make(members=0), make(members=1, seconds=0.03)]
    playbacks.append(winding(0))
    floor, *walls = playbacks[0].scene.parts
    faces = np.append(floor.mesh.faces, [[0, 0, 1]], axis=0)  # one without area
    mesh, colors = TriangleMesh(floor.mesh.vertices, faces), np.full((13, 3), 0.5)
    scene = replace(playbacks[0].scene, parts=(replace(floor, mesh=mesh, colors=colors), *walls))
    playbacks.append(make(scene=scene))
    for playback in playbacks:
        export_playback(playback, tmp_path / "a.glb")
        issues = validated(tmp_path / "a.glb", npm_packages)["issues"]
        assert issues["messages"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_scenes())
def test_built_in_scenes_and_characters_are_valid(make, npm_packages, tmp_path, name):
    scene = load_scene(load(name, []).scene, Path("/"))
    kinds = tuple(load_character(model) for model in builtin_models())
    playback = make(members=len(kinds), seconds=1.0, scene=scene)
    playback = replace(playback, characters=kinds, character_of=np.arange(len(kinds)))
    export_playback(playback, tmp_path / "a.glb")
    assert validated(tmp_path / "a.glb", npm_packages)["issues"]["messages"] == []


@pytest.mark.slow
def test_three_js_plays_the_same_motion(winding, npm_packages, browser, serve, tmp_path):
    playback = winding(1)
    export_playback(playback, tmp_path / "scene.glb")
    (tmp_path / "three").symlink_to(npm_packages / "three")
    (tmp_path / "index.html").symlink_to(THREE_PAGE)
    browser.open(f"{serve(tmp_path)}/index.html")
    browser.until("window.ready === true")
    members = [f"visitors {row}" for row in range(playback.member_count)]
    frames = list(range(0, playback.frame_count, 7))
    times = [frame * playback.dt for frame in frames]
    rows = np.array(browser.run(f"poses({json.dumps(members)}, {json.dumps(times)})"))
    gap = np.linalg.norm(rows[..., :3] @ TO_GLTF - playback.position[frames], axis=-1)
    assert gap.max() <= 0.01
    turn = Rotation.from_matrix(TO_GLTF)
    ours = Rotation.from_quat(playback.orientation_wxyz[frames].reshape(-1, 4), scalar_first=True)
    theirs = Rotation.from_quat(rows[..., 3:].reshape(-1, 4))
    angle = (theirs.inv() * (turn * ours * turn.inv())).magnitude()
    assert np.degrees(angle).max() <= 1.0
    browser.run("draw(0)")
    assert browser.picture().std() > 10
    assert browser.run("events_[0].length") == len(playback.events)
    assert browser.problems() == []
