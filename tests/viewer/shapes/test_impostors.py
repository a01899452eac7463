import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.palette import linear
from rmp3d.viewer.rendering.crowd import Detail
from rmp3d.viewer.shapes.impostors import impostor
from rmp3d.viewer.shapes.surfaces import dyed_share

NAMES = ["pedestrian", "sheep", "wolf", "bird", "drone"]


def made(name):
    kind = load_character(name)
    shares = dyed_share(kind.colors)
    return kind, *impostor(kind.mesh, kind.colors, shares)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_has_16_triangles_that_look_outwards_and_is_as_large(name):
    kind, rows, faces = made(name)
    assert faces.shape == (16, 3)
    assert faces.max() == len(rows) - 1
    low, high = kind.mesh.bounds
    np.testing.assert_allclose(rows[:, 2].min(), low[2], atol=1e-5)
    np.testing.assert_allclose(rows[:, 2].max(), high[2], atol=1e-5)
    assert (rows[:, :3] >= low - 1e-5).all()
    assert (rows[:, :3] <= high + 1e-5).all()
    size = np.ptp(rows[:, :2], axis=0)
    assert (size > 0.5 * (high - low)[:2]).all()  # hands, toes and wing tips are left out
    figure = TriangleMesh(rows[:, :3].astype(float), faces)
    for corners in (range(6), range(6, 18)):
        own = np.flatnonzero(np.isin(faces[:, 0], list(corners)))
        middle = rows[list(corners), :2].mean(axis=0)
        outward = figure.triangles[own].mean(axis=1)[:, :2] - middle
        sides = np.abs(figure.normals[own, 2]) < 0.9
        facing = np.einsum("fi,fi->f", figure.normals[own, :2], outward)[sides]
        assert (facing > 0.0).all()
    assert (figure.normals[-2:, 2] > 0.99).all()


def test_a_pedestrian_is_cut_at_the_belt_and_takes_the_groups_color_above():
    _, rows, _ = made("pedestrian")
    foot, body, lid = rows[0], rows[6], rows[14]
    assert 0.7 < body[2] < 1.1
    assert foot[9] < 0.2 < 0.5 < body[9]
    assert lid[9] < 0.2  # hair
    assert foot[6:9].max() < 0.2


def test_a_body_of_one_color_keeps_it():
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 2)], float)
    mesh = TriangleMesh(corners, [[0, 1, 2], [4, 6, 5], [0, 4, 1], [2, 3, 6], [0, 2, 4], [1, 5, 3]])
    rows, _ = impostor(mesh, np.tile([0.5, 0.2, 0.1], (6, 1)), np.zeros(6))
    np.testing.assert_allclose(rows[:, 6:9], np.tile(linear([0.5, 0.2, 0.1]), (18, 1)), rtol=1e-5)


def test_detail_takes_the_tallest_and_no_more_than_it_may():
    height = np.array([5.0, 30.0, 50.0, 0.0, 40.0])
    assert Detail(20.0, 10).chosen(height).tolist() == [False, True, True, False, True]
    assert Detail(20.0, 2).chosen(height).tolist() == [False, False, True, False, True]
    assert Detail(20.0, 2).chosen(np.full(5, 30.0)).sum() == 0  # all the same: none before others


def test_few_members_are_whole_even_where_they_are_small():
    assert Detail(28.0, 150).chosen(np.full(20, 15.0)).all()
    assert not Detail(28.0, 150).chosen(np.full(20, 8.0)).any()
    assert not Detail(28.0, 150).chosen(np.full(200, 15.0)).any()
    away = np.concatenate([np.full(20, 15.0), np.zeros(500)])  # these are out of sight
    assert Detail(28.0, 150).chosen(away).sum() == 20


def test_a_flat_character_is_as_large_in_plan_as_its_arms_not_as_the_box_around_them():
    arms = [box([-1, -0.05, 0], [1, 0.05, 0.1]), box([-0.05, -1, 0], [0.05, 1, 0.1])]
    mesh = join(arms)
    rows, _ = impostor(mesh, np.full((len(mesh.faces), 3), 0.5), np.zeros(len(mesh.faces)))
    assert np.ptp(rows[6:10, :2], axis=0).prod() == pytest.approx(0.4, rel=0.1)
    tall = TriangleMesh(mesh.vertices * [1, 1, 20], mesh.faces)
    rows, _ = impostor(tall, np.full((len(mesh.faces), 3), 0.5), np.zeros(len(mesh.faces)))
    assert np.ptp(rows[6:10, :2], axis=0).min() > 1.2


@pytest.mark.parametrize("name", [*NAMES, "fish", "dog", "car"])
def test_a_simpler_mesh_is_dyed_as_much_as_the_whole_one(name):
    for look in load_character(name).rig.looks:
        shares = []
        for each in (look, *look.levels):
            share = dyed_share(each.colors, look.colors)
            shares.append(np.average(share, weights=each.mesh.areas))
        assert np.ptp(shares) < 0.2
