"""Floors as exporters write them: from both sides, twice, cracked, not quite joined."""

import itertools

import numpy as np
import pytest

import rmp3d
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.spaces import GroundSpace
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box

START, GOAL = (1.0, 1.5, 0.0), (7.0, 1.5, 0.0)
LENGTH, WIDTH = 8.0, 3.0
ROLES = {"nothing is said": {}, "it is ground": {"floor": "ground"}}


def sheet(x0=0.0, x1=LENGTH, z=0.0, pieces=4, rng=None, off=0.0):
    """A floor of quads side by side; each has vertices of its own, off by up to ``off`` [m]."""
    ends = np.linspace(x0, x1, pieces + 1)
    vertices, faces = [], []
    for low, high in itertools.pairwise(ends):
        at = len(vertices)
        vertices += [[low, 0, z], [high, 0, z], [high, WIDTH, z], [low, WIDTH, z]]
        faces += [[at, at + 1, at + 2], [at, at + 2, at + 3]]
    vertices = np.array(vertices, float)
    if rng is not None:
        vertices += rng.uniform(-off, off, vertices.shape)
    return vertices, np.array(faces)


def turned(mesh, lower=0.0):
    vertices, faces = mesh
    return vertices - [0.0, 0.0, lower], faces[:, ::-1]


def both(one, other):
    (vertices, faces), (more, others) = one, other
    return np.concatenate([vertices, more]), np.concatenate([faces, others + len(vertices)])


def slab(low, high):
    mesh = box(low, high)
    return mesh.vertices, mesh.faces


def solved(meshes, roles, max_step=None, goal=GOAL):
    scene = Scene.from_mesh(meshes, roles=roles, bounds=[[0, 0, -1], [LENGTH, WIDTH, 3]])
    return rmp3d.plan(scene, body="pedestrian", start=START, goal=goal, nodes=30).solved


@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
@pytest.mark.parametrize(
    "floor",
    [
        both(sheet(), turned(sheet())),
        both(sheet(), turned(sheet(pieces=3))),
        both(sheet(), turned(sheet(), 0.0005)),
        both(sheet(), turned(sheet(), -0.0005)),
        both(sheet(), turned(sheet(), 0.15)),
        both(sheet(), sheet()),
        both(sheet(), sheet(pieces=3)),
        both(both(sheet(), turned(sheet())), both(sheet(), turned(sheet()))),
        both(slab([0, 0, -0.2], [LENGTH, WIDTH, 0]), both(sheet(), turned(sheet()))),
        both(slab([0, 0, -0.2], [4, WIDTH, 0]), slab([4, 0, -0.2], [LENGTH, WIDTH, 0])),
    ],
    ids=["reversed", "reversed, cut otherwise", "reverse a little below", "a little above",
         "a slab without sides", "twice", "twice, cut otherwise", "twice and reversed",
         "upon a closed slab", "two closed slabs"],
)  # fmt: skip
def test_a_floor_of_many_sheets_is_walked_on(floor, roles):
    assert solved({"floor": floor}, roles)


@pytest.mark.parametrize(
    "roles", [{}, {"floor": "ground"}, {"floor*": "ground"}, {"floor": "ground", "back*": "decor"}]
)
@pytest.mark.parametrize("lower", [0.0, 1e-4])
def test_the_other_side_may_be_a_part_of_its_own(roles, lower):
    names = ("floor", "floor back") if "floor*" in roles else ("floor", "back")
    meshes = dict(zip(names, (sheet(), turned(sheet(), lower)), strict=True))
    assert solved(meshes, roles)


@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
@pytest.mark.parametrize("crack", [1e-7, 1e-5, 9e-4])
def test_floors_that_are_not_quite_joined_are_walked_over(crack, roles):
    half = both(sheet(0.0, 4.0 - crack / 2), sheet(4.0 + crack / 2, LENGTH))
    assert solved({"floor": half}, roles)
    assert solved({"floor": both(half, turned(half))}, roles)


@pytest.mark.parametrize("off", [1e-7, 1e-5, 3e-4])
def test_vertices_that_nearly_coincide_are_one_floor(off):
    rng = np.random.default_rng(0)
    floor = sheet(pieces=7, rng=rng, off=off)
    assert solved({"floor": floor}, {})
    assert solved({"floor": both(floor, turned(floor))}, {"floor": "ground"})
    other = turned(sheet(pieces=7, rng=rng, off=off))
    assert solved({"floor": both(floor, other)}, {})


def test_a_wall_of_one_sheet_still_stops():
    wall = np.array([[4.0, 0, 0], [4, WIDTH, 0], [4, WIDTH, 2], [4, 0, 2]]), sheet(pieces=1)[1]
    floor = both(sheet(), turned(sheet()))
    assert not solved({"floor": floor, "wall": wall}, {"floor": "ground"})
    assert not solved({"floor": floor, "wall": turned(wall)}, {})
    door = both(
        (np.array([[4.0, 0, 0], [4, 1, 0], [4, 1, 2], [4, 0, 2]]), wall[1]),
        (np.array([[4.0, 2, 0], [4, WIDTH, 0], [4, WIDTH, 2], [4, 2, 2]]), wall[1]),
    )
    assert solved({"floor": floor, "wall": both(door, turned(door))}, {"floor": "ground"})


def test_a_gap_of_a_hand_stops_and_a_low_ceiling_too():
    gap = both(sheet(0.0, 3.9), sheet(4.1, LENGTH))
    assert not solved({"floor": both(gap, turned(gap))}, {})
    lid = both(sheet(3.0, 5.0, 1.2), turned(sheet(3.0, 5.0, 1.2)))
    assert not solved({"floor": both(sheet(), turned(sheet())), "lid": lid}, {"floor": "ground"})


@pytest.mark.parametrize("lower", [2e-6, 5e-5])
def test_a_walk_may_end_where_two_tiles_lie_on_one_another(walker, lower):
    """The strip from 3.9 m to 4 m is drawn twice, at nearly one height."""
    floor = both(sheet(0.0, 4.0), sheet(3.9, LENGTH, -lower))
    bounds = [[0, 0, -1], [LENGTH, WIDTH, 3]]
    scene = Scene.from_mesh({"floor": floor}, roles={"floor": "ground"}, bounds=bounds)
    space = GroundSpace(CollisionWorld(scene, walker, max_step=0.2))
    strip = np.array([[3.95, 1.5, 0.0], [3.95, 1.5, -lower]])
    beside = np.array([[3.0, 1.5, 0.0], [5.0, 1.5, -lower]])
    one, two = (each.reshape(-1, 3) for each in np.broadcast_arrays(strip[:, None], beside[None]))
    assert space.connects(one, two).all()
    assert space.connects(two, one).all()
    for walk, end in zip(space.connect(two, one), one, strict=True):
        assert walk is not None
        assert (walk[-1] == end).all()
