"""Several mesh files with a place each: a room with furniture."""

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.rotations import rotate
from rmp3d.scenario import Group, Scenario
from rmp3d.scenes import PlacedMesh, Scene, SceneDescription, placing
from rmp3d.scenes.meshes import each_file_read_once, read_mesh_file


@pytest.fixture
def folder(tmp_path):
    """A floor of 10 m, a table of one part, a lamp of two, a floor that faces down."""
    floor = trimesh.Trimesh(
        [[0, 0, 0], [10, 0, 0], [10, 10, 0], [0, 10, 0]], [[0, 1, 2], [0, 2, 3]]
    )
    floor.export(tmp_path / "floor.ply")
    floor.invert()
    floor.export(tmp_path / "under.ply")
    table = trimesh.creation.box(extents=(2.0, 1.0, 0.8))
    table.apply_translation((0.0, 0.0, 0.4))
    table.export(tmp_path / "table.stl")
    lamp = trimesh.Scene()
    lamp.add_geometry(
        trimesh.creation.box(extents=(0.1, 0.1, 2.0)), node_name="pole", geom_name="pole"
    )
    move = trimesh.transformations.translation_matrix((0.5, 0.0, 1.0))
    lamp.add_geometry(
        trimesh.creation.box(extents=(0.3, 0.3, 0.3)), node_name="shade", geom_name="shade",
        transform=move,
    )  # fmt: skip
    lamp.export(tmp_path / "lamp.glb")
    return tmp_path


def room(*entries, **keys):
    table = {"mesh": "floor.ply", "roles": {"floor": "ground"}, "meshes": list(entries), **keys}
    return checked(table, SceneDescription, "`scene`")


def test_each_mesh_stands_in_its_place(folder):
    scene = Scene.described(
        room(
            {"file": "table.stl", "position": [3, 4, 0], "yaw": 90},
            {"file": "table.stl", "name": "bench", "position": [7, 2, 0], "scale": 0.5},
        ),
        folder,
    )
    assert scene.part_names == ("floor", "table", "bench")
    assert scene.part("table").mesh.bounds == pytest.approx(
        np.array([[2.5, 3.0, 0.0], [3.5, 5.0, 0.8]]), abs=1e-6
    )
    assert scene.part("bench").mesh.bounds == pytest.approx(
        np.array([[6.5, 1.75, 0.0], [7.5, 2.25, 0.4]]), abs=1e-6
    )
    assert len(scene.solids) == 2, "turned and scaled, a closed mesh is still solid"


def test_rotation_is_roll_then_pitch_then_yaw_about_fixed_axes(folder):
    angles = (20.0, -35.0, 110.0)
    entry = {"file": "table.stl", "rotation": list(angles), "position": [1, 2, 3]}
    found = Scene.described(room(entry), folder).part("table").mesh.vertices
    half = np.radians(angles) / 2.0
    points = read_mesh_file(folder / "table.stl").parts[0].mesh.vertices
    for axis in range(3):
        turn = np.zeros(4)
        turn[0], turn[1 + axis] = np.cos(half[axis]), np.sin(half[axis])
        points = rotate(turn, points)
    assert found == pytest.approx(points + np.array([1, 2, 3]), abs=1e-9)


def test_names_are_unique_and_files_of_several_parts_keep_theirs(folder):
    scene = Scene.described(
        room(
            {"file": "table.stl"},
            {"file": "table.stl", "position": [3, 0, 0]},
            {"file": "table.stl", "position": [6, 0, 0]},
            {"file": "lamp.glb", "position": [3, 3, 0], "up": "z"},
            {"file": "lamp.glb", "position": [6, 3, 0], "up": "z"},
        ),
        folder,
    )
    assert scene.part_names == (
        "floor", "table", "table.2", "table.3",
        "lamp/pole", "lamp/shade", "lamp.2/pole", "lamp.2/shade",
    )  # fmt: skip


def test_a_file_that_is_placed_many_times_is_read_once(folder, monkeypatch):
    read = []

    def counted(path):
        read.append(path.name)
        return read_mesh_file(path)

    monkeypatch.setattr("rmp3d.scenes.assembly.read_mesh_file", counted)
    chairs = [{"file": "table.stl", "position": [x, 0, 0]} for x in range(20)]
    Scene.described(room(*chairs), folder)
    assert sorted(read) == ["floor.ply", "table.stl"]


def test_a_role_is_that_of_the_entry_unless_a_pattern_fits(folder):
    entries = [
        {"file": "table.stl", "role": "decor"},
        {"file": "table.stl", "position": [4, 0, 0], "role": "decor"},
        {"file": "lamp.glb", "role": "obstacle"},
    ]
    scene = Scene.described(
        room(*entries, roles={"floor": "ground", "table.2": "obstacle"}), folder
    )
    roles = {part.name: part.role for part in scene.parts}
    assert roles == {
        "floor": "ground", "table": "decor", "table.2": "obstacle",
        "lamp/pole": "obstacle", "lamp/shade": "obstacle",
    }  # fmt: skip
    alone = Scene.described(room({"file": "table.stl", "role": "decor"}, roles={}), folder)
    assert alone.roles_stated, "who states one role, states roles"


def test_furniture_alone_is_a_scene(folder):
    table = {"meshes": [{"file": "table.stl"}], "ground": {}, "bounds": [[-5, -5, 0], [5, 5, 3]]}
    scene = Scene.described(checked(table, SceneDescription, "`scene`"), folder)
    assert (scene.name, scene.part_names) == ("table", ("table", "ground plane"))


def test_a_floor_that_faces_down_is_flipped(folder):
    under = {"mesh": "under.ply", "roles": {"under": "ground"}}
    assert Scene.described(SceneDescription(**under), folder).walkable is None
    for flip in (True, ["und*"]):
        scene = Scene.described(SceneDescription(**under, flip=flip), folder)
        assert scene.walkable.areas.sum() == pytest.approx(100.0)
    entry = {"file": "under.ply", "role": "ground", "flip": True}
    placed = Scene.described(SceneDescription(meshes=[PlacedMesh(**entry)]), folder)
    assert placed.walkable.areas.sum() == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"file": "sofa.stl"}, r"`scene\.meshes\[0\]\.file`: .*sofa\.stl: no such file"),
        ({}, r"`scene\.meshes\[0\]\.file`: is missing"),
        ({"file": "table.stl", "yaw": 3, "rotation": [1, 2, 3]}, r"either `yaw` or `rotation`"),
        ({"file": "table.stl", "role": "sofa"}, r"`scene\.meshes\[0\]\.role`"),
        ({"file": "table.stl", "scale": 0}, r"`scene\.meshes\[0\]\.scale`"),
        ({"file": "table.stl", "sofa": 1}, r"sofa"),
        ({"file": "table.stl", "scale": 1e300}, r"`scene\.meshes\[0\]\.scale`: must be at most"),
    ],
)
def test_a_wrong_entry_says_which(folder, entry, message):
    with pytest.raises(InputError, match=message):
        Scene.described(room(entry), folder)


def test_flip_names_parts_that_there_are(folder):
    with pytest.raises(InputError, match=r"`scene\.flip`: no part fits `roof`"):
        Scene.described(room(flip=["roof"]), folder)


def test_too_many_meshes_or_triangles_are_refused(folder, monkeypatch):
    with pytest.raises(InputError, match=r"meshes.*10000"):
        room(*[{"file": "table.stl"}] * 10_001)
    monkeypatch.setattr("rmp3d.scenes.placing.MAX_TRIANGLES", 30)
    with pytest.raises(InputError, match=r"`scene\.meshes\[2\]`: .* 36 triangles"):
        Scene.described(room(*[{"file": "table.stl"}] * 3), folder)


def test_python_files_and_copies_say_the_same(folder, tmp_path):
    """The same scene from Python, from a saved scenario, and from what a recording holds."""
    meshes = [
        PlacedMesh(file=folder / "table.stl", position=(3, 4, 0), yaw=30.0),
        PlacedMesh(file=str(folder / "table.stl"), position=np.array([6, 4, 0]), role="decor"),
    ]
    scene = Scene.from_mesh(folder / "floor.ply", roles={"floor": "ground"}, meshes=meshes)
    assert scene.part_names == ("floor", "table", "table.2")
    path = tmp_path / "saved.toml"
    Scenario(scene, Group(start=(1, 1, 0), goal=(8, 8, 0))).save(path)
    assert Scene.load(path).hash == scene.hash
    embedded = Scene.from_mesh(
        folder / "floor.ply", roles={"floor": "ground"}, meshes=meshes, embed=True
    )
    assert embedded.source.is_held
    assert [part.role for part in embedded.parts] == ["ground", "obstacle", "decor"]
    in_memory = Scene.from_mesh(
        {"floor": trimesh.load_mesh(folder / "floor.ply")}, roles={"floor": "ground"}, meshes=meshes
    )
    assert in_memory.hash == embedded.hash
    with pytest.raises(InputError, match=r"`meshes\[0\]` must be a `PlacedMesh`"):
        Scene.from_mesh(folder / "floor.ply", meshes=["table.stl"])


@pytest.mark.parametrize("keys", [{"scale": 1e9}, {"position": (0.0, 0.0, -1.01e8)}])
def test_a_scene_that_reaches_beyond_all_sense_is_refused(folder, keys):
    with pytest.raises(InputError, match=r"floor\.ply: reaches .* m from the origin, but a scene"):
        Scene.described(SceneDescription(mesh=["floor.ply"], **keys), folder)


def test_scenes_of_a_file_that_is_read_once_share_its_meshes_in_one_pose(folder):
    def lamp(**keys):
        table = {"meshes": [{"file": "lamp.glb", **keys}]}
        return Scene.described(checked(table, SceneDescription, "`scene`"), folder).parts

    with each_file_read_once():
        first, again, moved = lamp(), lamp(), lamp(position=[1, 0, 0])
    assert all(one.mesh is two.mesh for one, two in zip(first, again, strict=True))
    for one, two in zip(first, moved, strict=True):
        assert two.mesh.bounds == pytest.approx(one.mesh.bounds + np.array([1.0, 0.0, 0.0]))
    assert all(one.mesh is not two.mesh for one, two in zip(first, lamp(), strict=True))


def test_a_scene_of_too_many_parts_is_refused_before_they_are_made(folder, monkeypatch):
    monkeypatch.setattr(placing, "MAX_PARTS", 4)
    assert len(Scene.described(room({"file": "lamp.glb"}), folder).parts) == 3
    message = r"`scene.meshes\[1\]`: lamp.glb: with this file there are 5 parts, .* at most 4"
    with pytest.raises(InputError, match=message):
        Scene.described(room({"file": "lamp.glb"}, {"file": "lamp.glb"}), folder)
    with pytest.raises(InputError, match=r"`scene.mesh`: lamp.glb: with this file there are 5"):
        Scene.described(SceneDescription(mesh=["table.stl"] * 3 + ["lamp.glb"]), folder)
