from pathlib import Path

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.geometry.checked_toml import checked
from rmp3d.scenes import GroundDescription, RegionDescription, SceneDescription, load_scene


@pytest.fixture
def folder(tmp_path):
    room = trimesh.Scene()
    for name, size, place in (
        ("floor", (4, 4, 0.1), (0, 0, -0.05)),
        ("wall left", (4, 0.1, 2), (0, 2, 1)),
        ("wall right", (4, 0.1, 2), (0, -2, 1)),
        ("picture", (1, 0.02, 1), (0, 1.94, 1.2)),
    ):
        move = trimesh.transformations.translation_matrix(place)
        box = trimesh.creation.box(extents=size)
        room.add_geometry(box, node_name=name, geom_name=name, transform=move)
    room.export(tmp_path / "room.glb")
    trimesh.creation.box(extents=(1, 2, 4)).export(tmp_path / "crate.ply")
    return tmp_path


def room(**keys):
    roles = {"floor": "ground", "pic*": "decor", "wall ?ight": "obstacle"}
    return SceneDescription(**{"mesh": "room.glb", "up": "z", "roles": roles, **keys})


def test_roles_go_by_pattern_and_the_rest_is_obstacle(folder):
    scene = load_scene(room(), folder)
    assert {part.name: part.role for part in scene.parts} == {
        "floor": "ground",
        "wall left": "obstacle",
        "wall right": "obstacle",
        "picture": "decor",
    }
    assert scene.name == "room"
    assert len(scene.solids) == 2
    assert [scene.part_names[row] for row in scene.solid_part] == ["wall left", "wall right"]


def test_ground_is_split_into_what_is_walked_on_and_what_is_not(folder):
    scene = load_scene(room(), folder)
    assert scene.walkable.areas.sum() == pytest.approx(16.0)
    assert scene.walkable.normals == pytest.approx(np.tile([0, 0, 1], (2, 1)))
    floor_row = scene.part_names.index("floor")
    underside = scene.obstacles.select(scene.obstacle_part == floor_row)
    assert len(underside.faces) == 10
    assert "picture" not in {scene.part_names[row] for row in scene.obstacle_part}
    flying, part = scene.flying_obstacles
    assert len(flying.faces) == len(scene.obstacles.faces) + len(scene.walkable.faces)
    assert len(part) == len(flying.faces)


def test_without_roles_all_is_obstacle_and_what_is_flat_can_be_walked_on(folder):
    scene = load_scene(room(roles={}), folder)
    assert len(scene.obstacles.faces) == 48
    assert (scene.walkable.normals[:, 2] > 0.99).all()
    walking, _ = scene.walking_obstacles
    assert len(walking.faces) + len(scene.walkable.faces) == 48


def test_roles_without_ground_leave_nothing_to_walk_on(folder):
    assert load_scene(room(roles={"picture": "decor"}), folder).walkable is None


def test_a_ground_plane_is_added_over_the_bounds(folder):
    bounds = ((-5.0, -3.0, 0.0), (5.0, 3.0, 3.0))
    description = SceneDescription(mesh="crate.ply", ground=GroundDescription(0.5), bounds=bounds)
    scene = load_scene(description, folder)
    assert scene.walkable.bounds == pytest.approx(np.array([[-5, -3, 0.5], [5, 3, 0.5]]))
    assert scene.part("ground plane").role == "ground"
    assert len(scene.obstacles.faces) == 12
    assert scene.bounds == pytest.approx(np.array(bounds))


def test_a_steep_ground_is_an_obstacle(tmp_path):
    (tmp_path / "roof.obj").write_text("v 0 0 0\nv 1 0 1\nv 0 1 0\nf 1 2 3\n")
    for max_slope, walkable in ((44.0, False), (46.0, True)):
        roof = SceneDescription(mesh="roof.obj", roles={"*": "ground"}, max_slope=max_slope)
        scene = load_scene(roof, tmp_path)
        assert (scene.walkable is not None) == walkable
        assert (scene.obstacles is None) == walkable


def test_a_y_up_file_is_turned(folder):
    scene = load_scene(SceneDescription(mesh="crate.ply", up="y"), folder)
    assert scene.parts[0].mesh.bounds == pytest.approx(np.array([[-0.5, -2, -1], [0.5, 2, 1]]))
    assert scene.parts[0].mesh.is_watertight
    outward = np.einsum(
        "fi,fi->f", scene.parts[0].mesh.normals, scene.parts[0].mesh.triangles.mean(axis=1)
    )
    assert (outward > 0).all()


def test_gltf_is_y_up_unless_said_otherwise(folder):
    turned = load_scene(room(up=None), folder).part("wall left").mesh.bounds
    stated = load_scene(room(up="z"), folder).part("wall left").mesh.bounds
    assert turned[:, 2] == pytest.approx(stated[:, 1])


def test_centering_uses_all_vertices_before_scale_and_place(tmp_path):
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 3 0 0\nv 0 3 0\nv 5 1 4\nf 1 2 3\n")
    description = SceneDescription(
        mesh="m.obj", center="vertices", scale=2.0, position=(10.0, 0.0, 0.0)
    )
    mesh = load_scene(description, tmp_path).parts[0].mesh
    assert mesh.bounds[0] == pytest.approx([10 - 2 * 2.0, -2.0, -2.0])


def test_several_files_make_one_scene(folder):
    scene = load_scene(SceneDescription(mesh=["crate.ply", "room.glb"]), folder)
    assert scene.part_names[:2] == ("crate/crate", "room/floor")


def test_regions_are_boxes_or_spheres(folder):
    regions = {
        "door": RegionDescription(lower=(0, 0, 0), upper=(1, 1, 2)),
        "nest": RegionDescription(center=(0, 0, 5), radius=2.0),
    }
    scene = load_scene(SceneDescription(mesh="crate.ply", regions=regions), folder)
    points = np.array([[0.5, 0.5, 2.0], [0.5, 0.5, 2.01], [0, 0, 3.0], [1.5, 1.5, 5]])
    assert scene.region("door").contains(points).tolist() == [True, False, False, False]
    assert scene.region("nest").contains(points).tolist() == [False, False, True, False]
    assert scene.region("nest").bounds.tolist() == [[-2, -2, 3], [2, 2, 7]]
    with pytest.raises(
        InputError, match=r"no region named `nst`; did you mean `nest`\?.*door, nest"
    ):
        scene.region("nst")
    with pytest.raises(InputError, match="no part named `crat`; did you mean `crate`"):
        scene.part("crat")


def test_the_hash_names_the_geometry_not_the_file_or_the_colors(folder):
    first = load_scene(room(), folder).hash
    assert load_scene(room(), folder).hash == first
    assert len(first) == 64
    region = {"a": RegionDescription(lower=(0, 0, 0), upper=(1, 1, 1))}
    for changed in (
        room(regions=region),
        room(scale=1.001),
        room(max_slope=10.0),
        room(bounds=((-9, -9, 0), (9, 9, 3))),
        room(roles={"floor": "ground"}),
    ):
        assert load_scene(changed, folder).hash != first


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"mesh": "gone.obj"}, r"gone\.obj: no such file"),
        ({"mesh": "../crate.obj"}, "no such file"),
        ({"mesh": "x" * 5000 + ".obj"}, r"^`scene\.mesh`: \.\.\.x{296}\.obj: (no such|cannot be)"),
        ({"mesh": None}, r"needs `name` .*, `mesh` .* or `meshes`"),
        (
            {"name": "parkng", "mesh": None},
            "no built-in scene named `parkng`; did you mean `parking`",
        ),
        ({"name": "parking", "mesh": "x.obj"}, r"`scene\.mesh`: cannot be given with `name`"),
        ({"name": "parking", "mesh": None, "up": "y"}, r"`scene\.up`: cannot be given with `name`"),
        ({"roles": {"flor": "ground"}}, "no part fits `flor`; the parts are crate"),
        ({"bounds": ((0, 0, 0), (-1, 1, 1))}, "lower corner first"),
        ({"bounds": ((0, 0, 0), (np.inf, 1, 1))}, "finite"),
        ({"scale": np.inf}, r"crate\.ply: `scale` or `position`"),
        ({"position": (np.nan, 0, 0)}, r"crate\.ply: `scale` or `position`"),
        ({"ground": GroundDescription(np.nan)}, r"`scene\.ground`"),
        (
            {"regions": {"a": RegionDescription(lower=(0, 0, 0))}},
            r"`scene\.regions\.a`: needs either",
        ),
        (
            {"regions": {"a": RegionDescription(lower=(0, 0, 0), upper=(1, 1, -1))}},
            "`scene.regions.a`: `lower`",
        ),
        (
            {"regions": {"a": RegionDescription(lower=(0, 0, 0), upper=(1, 1, 1), radius=1.0)}},
            "needs either",
        ),
        ({"regions": {"a": RegionDescription(center=(np.nan, 0, 0), radius=1.0)}}, "`center`"),
    ],
)
def test_a_wrong_description_says_which_key(folder, keys, message):
    with pytest.raises(InputError, match=message):
        load_scene(SceneDescription(**{"mesh": "crate.ply", **keys}), folder)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"mseh": "a.obj"}, "unknown key; did you mean `mesh`"),
        ({"mesh": 3}, "must be text or a list of texts, given 3"),
        ({"up": "x"}, "up"),
        ({"scale": -1.0}, "scale"),
        ({"max_slope": 95}, "max_slope"),
        ({"roles": {"a": "wall"}}, "roles"),
        ({"regions": {"a": {"lwer": [0, 0, 0]}}}, "lwer"),
        ({"position": [0, 0]}, "position"),
    ],
)
def test_a_wrong_table_says_which_key(table, message):
    with pytest.raises(InputError, match=message):
        checked(table, SceneDescription, "my.toml: scene")


def test_regions_of_a_scenario_join_those_of_the_built_in_scene():
    region = {"bay 3": RegionDescription(lower=(0, 0, 0), upper=(1, 1, 1))}
    scene = load_scene(SceneDescription(name="parking", regions=region, max_slope=5.0), Path())
    assert set(scene.regions) == {"bay 3", "cars", "motorcycles"}
    assert scene.max_slope == pytest.approx(np.radians(5.0))
    assert scene.name == "parking"
