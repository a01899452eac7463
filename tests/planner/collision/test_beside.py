"""The clearance of a body that walks: what is below a deck, or above a head, is not beside it."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.collision.row_world import RowCollisionWorld
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import Part

CAP = 2.0


def slope(name, x, z, half_width):
    """A sheet of ground over x, at heights z."""
    vertices = np.array(
        [[a, y, b] for a, b in zip(x, z, strict=True) for y in (-half_width, half_width)]
    )
    faces = [[k, k + 2, k + 3] for k in range(0, 2 * len(x) - 2, 2)]
    faces += [[k, k + 3, k + 1] for k in range(0, 2 * len(x) - 2, 2)]
    return Part(
        name, "ground", TriangleMesh(vertices, np.array(faces)), np.full((len(faces), 3), 0.5)
    )


@pytest.fixture
def deck(make):
    """A deck with railings and a ramp down; below it a wall along one side, above a beam."""
    return make.scene(
        slope("deck", [-8.0, 4.0, 9.0], [0.0, 0.0, -2.0], 2.0),
        make.box("below", (-6, 0.2, -2.0), (3, 1.2, -0.15)),
        make.box("above", (-7, -2, 1.9), (-5, 2, 2.1)),
        make.box("across the ramp", (7, -2, -1.6), (7.2, 2, -1.0)),
        make.box("left", (-8, 2, -3), (9, 2.2, 1)),
        make.box("right", (-8, -2.2, -3), (9, -2, 1)),
        bounds=((-10, -10, -4), (10, 10, 4)),
    )


def test_on_a_deck_the_clearance_is_the_distance_to_the_railings(deck, walker):
    world = CollisionWorld(deck, walker)
    y = np.linspace(-1.6, 1.6, 9)
    places = np.column_stack([np.tile([-6.0, -2.0], 9), np.repeat(y, 2), np.zeros(18)])
    to_railing = np.repeat(2.0 - np.abs(y), 2) - walker.radius
    np.testing.assert_allclose(world.clearance(places, CAP), to_railing, atol=1e-9)
    for cap in (0.1, 0.7):
        np.testing.assert_allclose(world.clearance(places, cap), np.minimum(to_railing, cap))
    assert np.isfinite(world.clearance(places)).all()


SLOPE = 0.25
BELOW = 0.3  # [m] under the ramp's surface


@pytest.fixture
def ramp(make):
    """A ramp between two floors, with railings, on an embankment a little below all three."""
    x, z = np.array([-12.0, -6.0, 6.0, 12.0]), np.array([-1.5, -1.5, 1.5, 1.5])
    sides = [
        make.box(name, (-12, y, -3), (12, y + 0.2, 3)) for name, y in (("one", 2), ("other", -2.2))
    ]
    under = replace(slope("embankment", x, z - BELOW, 2.0), role="obstacle")
    return make.scene(slope("ramp", x, z, 2.0), under, *sides, bounds=((-12, -3, -4), (12, 3, 4)))


def on_the_ramp(x, y):
    return np.column_stack([x, y, np.clip(SLOPE * x, -1.5, 1.5)])


def test_on_a_ramp_the_clearance_is_the_distance_to_the_railings(ramp, walker):
    world, y = CollisionWorld(ramp, walker), np.linspace(-1.6, 1.6, 9)
    places = on_the_ramp(np.repeat([-10.0, -3.0, 0.0, 3.0, 10.0], 9), np.tile(y, 5))
    to_railing = np.tile(2.0 - np.abs(y), 5) - walker.radius
    np.testing.assert_allclose(world.clearance(places, CAP), to_railing, atol=1e-9)


def test_a_long_body_has_the_same_room_on_a_ramp_as_on_the_floor(ramp, make):
    """Its row stays level: one end of it is nearer to the embankment than the other."""
    row = np.array([[-0.6, 0.35, 0.6, 0.9], [0.0, 0.35, 0.6, 0.9], [0.6, 0.35, 0.6, 0.9]])
    body = replace(make.body(0.35, (0.6, 0.9)), capsules=row)
    world, y = RowCollisionWorld(ramp, body), np.linspace(-1.4, 1.4, 8)
    floor, middle = (on_the_ramp(np.full(8, x), y) for x in (-9.5, 0.5))
    for angle in (0.0, 0.5 * np.pi, np.pi):
        here, there = (world.clearance(posed(at, np.full(8, angle)), CAP) for at in (floor, middle))
        free = here > world.tolerance
        np.testing.assert_allclose(there[free], here[free], atol=1e-9)
        assert free.sum() >= 4


def test_near_the_crest_and_the_foot_of_a_ramp_there_is_room(ramp, walker):
    world = CollisionWorld(ramp, walker)
    x = np.linspace(-8.0, 8.0, 161)
    room = world.clearance(on_the_ramp(x, 0.0 * x), CAP)
    assert room.min() > 2.0 * BELOW


def test_under_a_deck_what_stands_on_it_does_not_count(make, walker):
    scene = make.scene(
        make.floor((-8, -8), (8, 8)),
        make.floor((-3, -3), (3, 3), height=2.0, name="deck"),
        make.box("on the deck", (-3, -3, 2.0), (3, 3, 3.0)),
        make.box("post", (4, -1, 0), (5, 1, 2)),
    )
    world = CollisionWorld(scene, walker)
    places = np.array([[0.0, 0.0, 0.0], [2.5, 0.0, 0.0], [3.2, 0.5, 0.0]])
    to_post = 4.0 - places[:, 0] - walker.radius
    np.testing.assert_allclose(world.clearance(places, CAP), np.minimum(to_post, CAP), atol=1e-9)


@pytest.mark.parametrize("scene", ["deck", "ramp"])
def test_a_walk_no_longer_than_the_clearance_touches_nothing(scene, walker, request):
    """On ramps, too, where the layer of the body's heights goes down as it walks."""
    space = make_space("ground", request.getfixturevalue(scene), walker)
    rng = np.random.default_rng(0)
    places = space.from_unit_cube(rng.random((400, 3)))
    places = places[space.is_free(places)]
    clearance = space.world.clearance(places, CAP)
    angle = rng.uniform(0.0, 2.0 * np.pi, len(places))
    way = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    in_plan = (clearance - 2e-3) / np.hypot(1.0, space.surface.slope)
    ends, arrived = space.move(places, in_plan[:, None] * way)
    assert space.connects(places[arrived], ends[arrived]).all()
    assert 100 < arrived.sum()
    assert 0.3 < np.mean(clearance)


def test_contact_and_what_is_inside_are_told_as_in_space(deck, walker):
    walking, flying = CollisionWorld(deck, walker), CollisionWorld(deck, walker, flying=True)
    rng = np.random.default_rng(1)
    places = rng.uniform((-8, -2.4, -2.0), (4, 2.4, -0.2), (400, 3))
    found, in_space = walking.clearance(places), flying.clearance(places)
    touched = ~walking.is_free(places)
    assert 20 < touched.sum() < 380
    assert (found[touched] <= walking.tolerance).all()
    assert (found[~touched] > walking.tolerance).all()
    inside = walking.is_in_solid(places)
    np.testing.assert_allclose(found[inside], in_space[inside], atol=1e-9)


def test_a_centered_path_keeps_to_the_middle_of_a_deck_over_a_wall(deck, walker):
    space = make_space("ground", deck, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=100), np.random.default_rng(0))
    ends = np.array([[-7.5, 0.0, 0.0], [3.5, 0.0, 0.0]])
    path = query(roadmap, *ends, np.random.default_rng(0), clearance_wanted=2.0)
    np.testing.assert_allclose(path.points[:, 1], 0.0, atol=0.02)
