"""Risers that lean are steps: curbs that are battered, rounded noses, tilted blocks."""

import itertools

import numpy as np
import pytest

import rmp3d
from rmp3d.geometry import TriangleMesh
from rmp3d.scenes import Scene
from rmp3d.scenes.noses import RUN, noses

WIDE = 3.0


def profile(*points):
    """Strips 3 m wide over a line of points (x, z), each a quad of two triangles."""
    vertices = np.array([[x, y, z] for x, z in points for y in (-WIDE, WIDE)], float)
    quads = range(0, 2 * len(points) - 2, 2)
    faces = [row for k in quads for row in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    return vertices, np.array(faces)


def leaning(height, angle, rows=1):
    """A floor, a face that leans, in rows, and a floor above it."""
    run = height / np.tan(np.radians(angle))
    share = np.linspace(0.0, 1.0, rows + 1)[1:-1]
    between = [(part * run, part * height) for part in share]
    return profile((-4, 0), (0, 0), *between, (run, height), (4, height))


def rounded(height, radius=0.03, facets=6):
    """An upright riser whose edge is round."""
    angle = np.linspace(0.5 * np.pi, 0.0, facets + 1)
    edge = [(radius * (1 - np.sin(a)), height - radius * (1 - np.cos(a))) for a in angle]
    return profile((-4, 0), (0, 0), *edge, (4, height))


def flight(count, rise, tread, lean):
    """Stairs whose risers lean by so much [m]."""
    points = [(-4.0, 0.0), (0.0, 0.0)]
    for step in range(count):
        x, z = points[-1]
        points += [(x + lean, z + rise), (x + tread, z + rise)] if step < count - 1 else []
    x, z = points[-1]
    return profile(*points, (x + lean, z + rise), (x + 4.0, z + rise))


def solved(mesh, body="pedestrian", roles=None, goal_x=3.0):
    vertices = mesh[0]
    scene = Scene.from_mesh(
        {"ground": mesh}, roles=roles or {}, bounds=[[-4, -3, -1], [vertices[:, 0].max(), 3, 9]]
    )
    goal = (goal_x, 0.0, float(vertices[:, 2].max()))
    return rmp3d.plan(scene, body=body, start=(-3.0, 0.0, 0.0), goal=goal, nodes=60).solved


@pytest.mark.parametrize("roles", [{}, {"ground": "ground"}])
@pytest.mark.parametrize("mesh", [
    leaning(0.12, 60), leaning(0.18, 80), leaning(0.18, 89.0), leaning(0.02, 60),
    leaning(0.15, 70, rows=3), rounded(0.17),
    profile((-4, 0), (0, 0), (0.03, 0.12), (0.05, 0.17), (4, 0.17)),
], ids=["60 degrees", "80", "89", "2 cm", "three rows", "rounded", "two slopes"])  # fmt: skip
def test_a_leaning_riser_is_a_step(mesh, roles):
    assert solved(mesh, roles=roles)


def test_stairs_with_leaning_risers_are_climbed_and_proved(tmp_path):
    mesh = flight(5, 0.17, 0.30, 0.03)
    scene = Scene.from_mesh({"stairs": mesh}, bounds=[[-4, -3, -1], [5, 3, 9]])
    group = rmp3d.Group(members=2, start=(-3.0, 0.0, 0.0), goal=(4.0, 0.0, 0.85))
    recording = tmp_path / "run.rmp3d"
    rmp3d.run(rmp3d.Scenario(scene=scene, groups=[group]), to=recording)
    report = rmp3d.verify(recording)
    assert report.arrived == 2
    assert not report.findings


@pytest.mark.parametrize("mesh", [
    leaning(0.25, 80), leaning(0.25, 80, rows=2), leaning(0.5, 60, rows=10), leaning(0.3, 55),
    flight(6, 0.24, 0.30, 0.03),
], ids=["25 cm", "25 cm in two rows", "a slope of fine triangles", "30 cm at 55 degrees",
        "stairs of 24 cm"])  # fmt: skip
def test_what_is_too_high_stays_closed(mesh):
    assert not solved(mesh, goal_x=float(mesh[0][:, 0].max()) - 1.0)


def test_wheels_do_not_climb_what_leans():
    scene = Scene.from_mesh({"ground": leaning(0.12, 70)})
    for step, patches in ((0.02, 2), (0.2, 1)):
        surface = scene.footing(step).surface
        assert len(np.unique(surface.component)) == patches


def test_a_high_wall_that_leans_stays_closed_beside_a_leaning_curb():
    curb, wall = profile((-4, 0), (0, 0), (0.03, 0.12), (4, 0.12)), (4.03, 2.0)
    vertices = np.concatenate([curb[0], [[wall[0], y, wall[1]] for y in (-WIDE, WIDE)]])
    vertices = np.concatenate([vertices, [[8.0, y, wall[1]] for y in (-WIDE, WIDE)]])
    faces = [row for k in (6, 8) for row in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    mesh = vertices, np.concatenate([curb[1], faces])
    assert not solved(mesh, goal_x=7.0)
    assert len(noses(TriangleMesh(*mesh), _flat(mesh), np.radians(45)).faces) == 2


def test_a_ridge_without_a_tread_stays_an_obstacle():
    assert not solved(profile((-4, 0), (0, 0), (0.05, 0.15), (0.1, 0), (4, 0)))


def test_a_nose_is_level_with_its_tread_and_as_wide_as_the_riser():
    """On a curb beside a street that falls, too: the nose follows the upper edge."""
    street = np.array([[-2, y, -0.05 * y] for y in (-3, 0, 3)])
    foot = np.array([[0, y, -0.05 * y] for y in (-3, 0, 3)])
    edge = foot + np.array([0.04, 0.0, 0.12])
    back = edge + np.array([2.0, 0.0, 0.0])
    vertices = np.concatenate([street, foot, edge, back])
    faces = [
        row
        for k, y in itertools.product((0, 3, 6), (0, 1))
        for row in ([k + y, k + y + 3, k + y + 4], [k + y, k + y + 4, k + y + 1])
    ]
    mesh = vertices, np.array(faces)
    added = noses(TriangleMesh(*mesh), _flat(mesh), np.radians(45))
    assert len(added.faces) == 4
    assert added.vertices[:, 2] == pytest.approx(0.12 - 0.05 * added.vertices[:, 1])
    plan_area = 0.5 * np.abs(np.cross(*np.moveaxis(np.diff(added.triangles, axis=1), 1, 0))[:, 2])
    assert plan_area.sum() == pytest.approx(6 * 0.04)


def test_a_face_that_is_wider_than_a_riser_gets_no_nose():
    mesh = leaning(0.3, 60)
    assert 0.3 / np.tan(np.radians(60)) > RUN
    assert noses(TriangleMesh(*mesh), _flat(mesh), np.radians(45)) is None


def _flat(mesh):
    """Which faces are no steeper than 45 degrees."""
    return TriangleMesh(*mesh).normals[:, 2] >= np.sqrt(0.5) - 1e-9
