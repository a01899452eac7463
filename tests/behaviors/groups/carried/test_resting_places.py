"""Places at rest: on something, level, apart, and in the region."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.carried.place_roadmap import reached, with_places
from rmp3d.behaviors.groups.carried.resting_places import places_at_rest
from rmp3d.models import Body
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes import Part, Region, Scene
from rmp3d.scenes.build.shapes import box

BOUNDS = np.array([[0.0, 0.0, 0.0], [6.0, 4.0, 3.0]])


@pytest.fixture(scope="module")
def space():
    """A room of 6 x 4 x 3 m with a table, 0.8 m high, in its east half."""
    parts = [
        Part(name, "obstacle", mesh, np.full((len(mesh.faces), 3), 0.5))
        for name, mesh in (
            ("floor", box((0.0, 0.0, -0.2), (6.0, 4.0, 0.0))),
            ("table", box((3.0, 0.5, 0.001), (5.5, 3.5, 0.8))),
        )
    ]
    crate = box((-0.6, -0.25, -0.2), (0.6, 0.25, 0.2))
    scene = Scene("room", tuple(parts), {}, BOUNDS)
    return RigidBodySpace.of_scene(scene, Body(crate, 0.7, (0.0, 0.0)))


def found(space, lower, upper, most=12):
    region = Region.box("here", lower, upper)
    turns = np.radians([0.0, 90.0])
    rng = np.random.default_rng(0)
    return region, places_at_rest(space, region, 0.1, rng, turns, most)


def test_bodies_stand_on_the_floor_or_on_the_table_and_nowhere_between(space):
    region, places = found(space, BOUNDS[0], BOUNDS[1])
    assert len(places) == 12
    assert region.contains(places[:, :3]).all()
    heights = np.round(places[:, 2] - 0.2, 2)
    assert set(heights.tolist()) == {0.0, 0.8}
    on_table = heights == 0.8
    assert (places[on_table, 0] > 3.0).all()
    assert space.is_free(places).all()
    np.testing.assert_allclose(places[:, 4:6], 0.0)


def test_a_region_above_the_floor_gives_places_on_the_table_only(space):
    _, places = found(space, (0.0, 0.0, 0.9), (6.0, 4.0, 1.5), 5)
    assert len(places) > 1
    np.testing.assert_allclose(places[:, 2], 1.0, atol=0.01)


def test_places_are_joined_to_the_roadmap_by_proved_motions(space):
    rng = np.random.default_rng(0)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=40), rng)
    _, places = found(space, BOUNDS[0], BOUNDS[1], 6)
    grown = with_places(roadmap, places)
    anchor = roadmap.configurations[int(np.argmax(roadmap.component == 0))]
    assert reached(grown, places, anchor).all()
    pairs = grown.configurations[grown.edges[len(roadmap.edges) :]]
    assert space.connects(pairs[:, 0], pairs[:, 1]).all()


def test_a_corner_too_small_for_the_body_has_no_places(space):
    _, places = found(space, (5.6, 0.0, 0.0), (6.0, 0.4, 0.6))
    assert len(places) == 0
