import numpy as np
import pytest

from rmp3d.scenes.build import shapes
from rmp3d.scenes.build.street import bench, car, hedge, lamp, motorcycle, tree


def volume(mesh):
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    return np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0


@pytest.mark.parametrize(
    ("solid", "expected"),
    [
        (shapes.box((0, 0, 0), (1, 2, 3)), 6.0),
        (shapes.prism([(0, 0), (2, 0), (0, 2)], 1.0, 4.0), 6.0),
        (shapes.prism([(0, 0), (3, 0), (3, 3), (2, 1), (1, 1), (0, 3)], 0.0, 1.0), 5.0),
        (shapes.frustum((0, 0, 2, 2), (0.5, 0.5, 1.5, 1.5), 0.0, 3.0), 7.0),
        (shapes.turned([(1.0, 0.0), (1.0, 2.0)], 4), 4.0),
        (shapes.rod((1, 1, 1), (1, 4, 1), 1.0, 4), 6.0),
        (hedge((0, 0, 0), (1, 1, 1)), None),
        (shapes.blob((5, 5, 5), (1, 1, 1), np.random.default_rng(0)), None),
    ],
)
def test_a_solid_is_closed_and_faces_out(solid, expected):
    assert solid.is_watertight
    assert volume(solid) > 0.0
    if expected is not None:
        assert volume(solid) == pytest.approx(expected)


def test_a_solid_inside_out_is_turned_over():
    crate = shapes.box((0, 0, 0), (1, 1, 1))
    inside_out = type(crate)(crate.vertices, crate.faces[:, ::-1])
    assert volume(shapes.outward(inside_out)) == pytest.approx(1.0)
    assert volume(shapes.outward(crate)) == pytest.approx(1.0)


def test_a_panel_lies_just_off_its_wall_and_faces_the_same_way():
    wall = [(0, 0, 0), (4, 0, 0), (4, 0, 2), (0, 0, 2)]
    window = shapes.panel(wall, (0.25, 0.5), (0.5, 1.0), lift=0.01)
    assert window.normals == pytest.approx(np.tile([0, -1, 0], (2, 1)))
    assert window.bounds == pytest.approx(np.array([[1, -0.01, 1], [2, -0.01, 2]]))


def test_a_floor_covers_the_chosen_cells_and_faces_up():
    kept = np.array([[True, False], [True, True]])
    mesh = shapes.floor([0, 1, 3], [0, 1, 2], kept)
    assert mesh.areas.sum() == pytest.approx(1 + 2 + 2)
    assert (mesh.normals[:, 2] == 1.0).all()


def test_what_stands_in_the_street_is_of_a_believable_size(tmp_path):
    from rmp3d.scenes import read_meshes

    sizes = {
        "car": (car("#aa0000"), (4.3, 1.8, 1.5)),
        "motorcycle": (motorcycle("#aa0000"), (2.1, 0.7, 1.1)),
        "bench": (bench(), (1.6, 0.55, 0.9)),
        "lamp": (lamp(), (1.6, 0.3, 4.8)),
        "tree": (tree(np.random.default_rng(0)), (2.9, 2.9, 5.0)),
    }
    for name, (model, size) in sizes.items():
        model.write(tmp_path / f"{name}.glb")
        boxes = np.array([part.mesh.bounds for part in read_meshes(tmp_path / f"{name}.glb")])
        x, y, z = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
        assert (x, z, y) == pytest.approx(size, rel=0.15), name  # the file is y up
