"""What a refused start says: where it touches, how far to move, which floor faces down."""

import re

import numpy as np
import pytest

from rmp3d.geometry import InputError, TriangleMesh, join
from rmp3d.models import load_character
from rmp3d.planner import CollisionWorld, GoalError, GroundSpace, StartError, TranslationSpace
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenes import Box, Scene, Sphere
from rmp3d.scenes.build.shapes import box

FLOOR = [[0, 0, 0], [20, 0, 0], [20, 20, 0], [0, 20, 0]], [[0, 1, 2], [0, 2, 3]]
CEILING = [[0, 0, 3], [20, 0, 3], [20, 20, 3], [0, 20, 3]], [[0, 2, 1], [0, 3, 2]]
PILLAR = box([9, 9, 0], [11, 11, 3])
BOUNDS = [[0, 0, 0], [20, 20, 6]]


def ground(meshes, character="pedestrian", **keys):
    scene = Scene.from_mesh(meshes, bounds=BOUNDS, **keys)
    return GroundSpace(CollisionWorld(scene, load_character(character).body))


def points_in(message):
    return [
        np.array([float(word) for word in found.split(",")])
        for found in re.findall(r"\[([-\d., ]+)\]", message)
    ]


def test_a_start_at_a_wall_says_where_it_touches_and_where_it_is_free():
    space = ground({"floor": FLOOR, "pillar": PILLAR}, roles={"floor": "ground"})
    with pytest.raises(StartError, match=r"in collision with `pillar`, which it touches at") as at:
        endpoint(space, np.array([8.9, 10.3, 0.0]), "start")
    start, touched, free = points_in(str(at.value))
    assert touched[:2] == pytest.approx([9.0, 10.3], abs=0.01)
    away = float(re.search(r"([\d.]+) m away", str(at.value))[1])
    radius = load_character("pedestrian").body.radius
    assert radius - 0.1 <= away <= radius - 0.1 + 0.3, "hardly farther than it must go"
    assert np.linalg.norm(free - start) == pytest.approx(away, abs=0.02)
    assert space.is_free(free[None])[0]


STAIRS = [box([0.28 * k, 5, 0], [8, 15, 0.17 * (k + 1)]) for k in range(10)]
TREAD = np.array([1.54, 10.0, 1.02])
DECK = TriangleMesh(
    np.array([[1, 5, 2.4], [2, 5, 2.4], [2, 15, 2.4], [1, 15, 2.4]]), np.array(FLOOR[1])
)


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (box([1, 10.2, 0], [2.5, 15, 4]), (10.2, 1)),
        (DECK, (2.4, 2)),
    ],
)
def test_on_a_tread_it_is_the_wall_or_the_deck_that_is_touched_not_the_riser(other, place):
    floor = box([-5, 0, -0.2], [20, 20, 0])
    mesh = join([floor, *STAIRS, other])
    scene = Scene.from_mesh(mesh, bounds=[[-5, 0, -1], [20, 20, 6]])
    body = load_character("pedestrian").body
    space = GroundSpace(CollisionWorld(scene, body, max_step=0.2))
    with pytest.raises(StartError, match="which it touches at") as at:
        endpoint(space, TREAD, "start")
    _, touched, free = points_in(str(at.value))
    value, axis = place
    assert touched[axis] == pytest.approx(value, abs=0.01)
    assert space.is_free(space.place(free)[None])[0]


def test_a_region_inside_a_solid_says_where_it_is_free():
    space = ground({"floor": FLOOR, "pillar": PILLAR}, roles={"floor": "ground"})
    region = Box((9.7, 9.7, 0), (10.3, 10.3, 1)).named("post")
    with pytest.raises(GoalError, match=r"region `post` has no free configuration") as at:
        endpoint(space, region, "goal")
    free = points_in(str(at.value))[-1]
    assert space.is_free(free[None])[0]
    assert np.abs(free[:2] - 10.0).max() < 2.0


def test_a_flyer_s_start_says_it_too():
    scene = Scene.from_mesh({"pillar": PILLAR}, bounds=BOUNDS)
    body = load_character("drone").body
    space = TranslationSpace(CollisionWorld(scene, body, flying=True))
    with pytest.raises(StartError, match=r"touches at .* free is") as at:
        endpoint(space, np.array([10.0, 10.0, 3.1]), "start")
    _, touched, free = points_in(str(at.value))
    assert touched == pytest.approx([10.0, 10.0, 3.0], abs=0.01)
    assert space.is_free(free[None])[0]


def test_a_place_without_room_anywhere_says_so():
    lid = [[0, 0, 1], [20, 0, 1], [20, 20, 1], [0, 20, 1]], [[0, 2, 1], [0, 3, 2]]
    space = ground({"floor": FLOOR, "lid": lid}, roles={"floor": "ground"})
    with pytest.raises(StartError, match=r"nothing is free within 5 m"):
        endpoint(space, Sphere((5, 5, 0.5), 1.0).named("here"), "start")


def down(mesh):
    vertices, faces = mesh
    return vertices, [face[::-1] for face in faces]


@pytest.mark.parametrize(
    ("meshes", "keys", "reason"),
    [
        ({"floor": down(FLOOR)}, {}, r"faces of `floor` point down: .* `flip = true`"),
        ({"floor": down(FLOOR)}, {"roles": {"floor": "ground"}}, r"`floor` point down"),
        ({"a": down(FLOOR), "b": ([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]])}, {},
         r"faces of `a` point down: .* `flip = \[\"a\"\]`"),
        ({"floor": FLOOR}, {"roles": {"floor": "decor"}}, r"no part has the role `ground`"),
        ({"ramp": ([[0, 0, 0], [1, 0, 0], [0, 1, 2]], [[0, 1, 2]])}, {},
         r"flattest face of `ramp` is 63 degrees steep, more than `max_slope` \(45\)"),
        ({"wall": ([[0, 0, 0], [9, 0, 0], [0, 0, 9]], [[0, 1, 2]])}, {}, r"is y up in the file"),
    ],
)  # fmt: skip
def test_no_walkable_ground_says_why(meshes, keys, reason):
    with pytest.raises(InputError, match=r"no walkable ground: .*" + reason):
        ground(meshes, **keys)


def test_a_start_over_a_floor_that_faces_down_says_so():
    meshes = {"roof": [np.array(CEILING[0]) + np.array([0, 0, 2]), FLOOR[1]], "hall": down(FLOOR)}
    space = ground(meshes)
    with pytest.raises(StartError, match=r"floor there, `hall`, faces down: .*flip = \[\"hall\"\]"):
        endpoint(space, np.array([5.0, 5.0, 0.0]), "start")


def test_flipped_floors_are_walked_on():
    space = ground({"floor": down(FLOOR), "lid": CEILING}, flip=["floor"])
    assert endpoint(space, np.array([5.0, 5.0, 0.0]), "start") == pytest.approx([5, 5, 0])
