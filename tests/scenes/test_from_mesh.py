"""Scenes from Python: arrays, trimesh objects and files, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Box, Scene, SceneDescription, Sphere
from rmp3d.scenes.formats import ac3d
from rmp3d.scenes.stating import own_meshes

FLOOR = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]], [[0, 1, 2], [0, 2, 3]]
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]], [[0, 1, 2]]


@pytest.fixture
def cluttered():
    """A floor and a rotated ball, in units of 0.1 m and y up, with places."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    ball.apply_transform(trimesh.transformations.rotation_matrix(0.7, [1, 2, 3]))
    floor = np.array(FLOOR[0], float)[:, [0, 2, 1]], np.array(FLOOR[1])[:, ::-1]
    return Scene.from_mesh(
        {"floor": floor, "ball [1]": ball},
        name="clutter",
        roles={"floor": "ground"},
        up="y",
        scale=0.1,
        position=(1.0, 2.0, 1 / 3),
        regions={"door": Box((0, 0, 0), (1, 1, 2)), "air": Sphere((0.1, 0.2, 0.3), 0.7)},
    )


def test_parts_roles_and_places_are_as_given(cluttered):
    assert cluttered.part_names == ("floor", "ball [1]")
    assert [part.role for part in cluttered.parts] == ["ground", "obstacle"]
    assert cluttered.regions["door"].kind == "box"
    np.testing.assert_array_equal(cluttered.regions["air"].radius, 0.7)
    np.testing.assert_allclose(cluttered.part("floor").mesh.bounds[:, 2], 1 / 3)
    assert (cluttered.part("floor").mesh.normals[:, 2] > 0.9).all(), "y up was turned"
    assert cluttered.part("ball [1]").mesh.is_watertight


def test_a_file_of_its_meshes_reads_back_to_the_same_bits(cluttered, tmp_path):
    ac3d.write(tmp_path / "clutter.ac", own_meshes(cluttered.parts))
    description = SceneDescription(
        mesh="clutter.ac", up="z", embed=True, roles={"floor": "ground"},
        regions=cluttered.source.description.regions,
    )  # fmt: skip
    again = Scene.described(description, tmp_path)
    assert again.hash == cluttered.hash
    assert again.name == cluttered.name
    assert again.source.description == cluttered.source.description
    for one, other in zip(again.parts, cluttered.parts, strict=True):
        np.testing.assert_array_equal(one.colors, other.colors)


def test_a_scene_of_parts_is_made_again_from_its_source(cluttered):
    bare = Scene(cluttered.name, cluttered.parts, cluttered.regions, cluttered.bounds)
    again = bare.reproducible
    made = Scene.described(again.source.description, held=again.source)
    assert made.hash == again.hash
    assert bare.reproducible is again


def test_a_file_is_named_and_read(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    scene = Scene.from_mesh(tmp_path / "a.obj", ground=-1.0)
    assert scene.name == "a"
    assert scene.source.description.mesh == str(tmp_path / "a.obj")
    assert "ground plane" in scene.part_names
    both = Scene.from_mesh([tmp_path / "a.obj", str(tmp_path / "a.obj")])
    assert len(both.parts) == 2


def test_colors_and_transforms_of_trimesh_are_kept():
    box = trimesh.creation.box((1, 1, 1))
    box.visual.face_colors = [255, 0, 51, 255]
    placed = trimesh.Scene()
    placed.add_geometry(box, node_name="here")
    placed.add_geometry(
        box, node_name="there", transform=trimesh.transformations.translation_matrix([5, 0, 0])
    )
    scene = Scene.from_mesh(placed)
    assert scene.part_names == ("here", "there")
    np.testing.assert_allclose(scene.part("there").mesh.bounds[:, 0], [4.5, 5.5])
    np.testing.assert_allclose(scene.parts[0].colors[0], [1.0, 0.0, 0.2])


def test_with_regions_adds_places_to_any_scene():
    scene = Scene.load("plain").with_regions({"here": Box((0, 0, -1), (1, 1, 1))})
    assert {"west", "here"} <= set(scene.regions)
    made = Scene.described(scene.source.description)
    assert made.hash == scene.hash


def test_load_finds_names_files_and_scenarios(tmp_path):
    assert Scene.load("parking").name == "parking"
    assert Scene.load("steering/seek").parts
    (tmp_path / "s.toml").write_text('[scene]\nname = "plain"\n')
    assert Scene.load(tmp_path / "s.toml").name == "plain"
    with pytest.raises(InputError, match="did you mean `parking`"):
        Scene.load("parkin")


def test_load_takes_meshes_too():
    box = trimesh.creation.box((2, 2, 2))
    for mesh in (box, (box.vertices, box.faces), {"crate": box}):
        assert Scene.load(mesh).hash == Scene.from_mesh(mesh).hash
    with pytest.raises(InputError, match="give a trimesh"):
        Scene.load(5)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"mesh": 5}, r"`mesh`: `scene` is 5; give a trimesh"),
        ({"mesh": {}}, "`mesh`: an empty dictionary"),
        ({"mesh": ([[0, 0]], [[0, 0, 0]])}, r"vertices must have shape \(V, 3\)"),
        ({"mesh": (FLOOR[0], [[0, 1, 2, 3]])}, r"faces must have shape \(F, 3\)"),
        ({"mesh": (FLOOR[0], [[0, 1, 9]])}, "a face refers to vertex 9"),
        ({"mesh": (FLOOR[0], [[0.5, 1, 2]])}, "faces must be whole numbers"),
        ({"mesh": ([["a"] * 3], [[0, 0, 0]])}, "not arrays of numbers"),
        ({"mesh": {"a\nb": FLOOR}}, "a name is printable text"),
        ({"mesh": Path("nowhere.obj")}, "nowhere.obj: no such file"),
        ({"name": "a/b"}, "`name`: 'a/b'; use letters"),
        ({"roles": {"flor": "ground"}}, "`roles`: no part fits `flor`; the parts are scene"),
        ({"roles": {"scene": "floor"}}, "`roles"),
        ({"up": "x"}, "`up`"),
        ({"scale": -1.0}, "`scale`"),
        ({"position": "here"}, "`position` must be numbers"),
        ({"bounds": [[0, 0, 0], [1, 1]]}, "`bounds` must be numbers"),
        ({"max_slope": 95.0}, "`max_slope`"),
        ({"regions": {"door": (1, 2)}}, r"`regions`: `door` must be `Box\(lower, upper\)`"),
        ({"regions": [1]}, "`regions` must be a dictionary"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_right(keywords, said):
    given = {"mesh": FLOOR, **keywords}
    with pytest.raises(InputError, match=said):
        Scene.from_mesh(given.pop("mesh"), **given)


def test_places_say_what_is_wrong_with_them():
    with pytest.raises(InputError, match="`lower` must be three finite numbers"):
        Box((0, 0), (1, 1, 1))
    with pytest.raises(InputError, match="is not below"):
        Box((0, 0, 5), (1, 1, 1))
    with pytest.raises(InputError, match="`radius`"):
        Sphere((0, 0, 0), "1")
    assert Box((0, 0, 0), (1, 1, 1)) == Box([0, 0, 0], np.ones(3))
    assert Sphere((0, 0, 0), 2).contains([[0, 0, 2.0]]).all()


def test_a_triangle_mesh_is_taken_as_it_is():
    scene = Scene.from_mesh(TriangleMesh(*map(np.array, TRIANGLE)))
    assert scene.part_names == ("scene",)
