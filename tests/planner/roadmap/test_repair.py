"""A roadmap of a scene that changes, against one in which every edge is proved again."""

import numpy as np
import pytest

from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.repair import ChangingRoadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import PresenceDescription, Scene
from rmp3d.scenes.build.shapes import box

PARTS = {
    "floor": box((0, 0, -1), (20, 20, 0)),
    "house": box((4, 4, 0), (8, 8, 3)),
    "bar": box((9.5, 0.01, 0.01), (10.5, 19.99, 2)),
    "crate": box((13, 13, 0.01), (15, 15, 2)),
}


def made(walker, *there):
    scene = Scene.from_mesh(PARTS, roles={"floor": "ground"}).with_motions(
        presence=[PresenceDescription(name, [1.0], name in there) for name in ("bar", "crate")]
    )
    space = make_space("ground", scene, walker)
    return build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(1))


def pairs(roadmap):
    return {tuple(pair) for pair in roadmap.edges.tolist()}


def show(changing, *names):
    changing.roadmap.space.world.show(names)
    changing.show(names, np.random.default_rng(2))


@pytest.mark.parametrize("name", ["bar", "crate"])
def test_exactly_the_edges_go_that_are_not_free_any_more_and_few_are_asked(walker, name):
    roadmap = made(walker)
    changing = ChangingRoadmap(roadmap, ())
    show(changing, name)
    free = roadmap.space.world.polylines_are_free(roadmap.polylines)
    assert 0 < np.count_nonzero(~free)
    assert pairs(changing.roadmap) == {tuple(pair) for pair in roadmap.edges[free].tolist()}
    assert changing.touched < 0.5 * len(roadmap.edges)


def test_they_come_back_when_the_part_goes_but_not_into_another_one(walker):
    roadmap = made(walker)
    changing = ChangingRoadmap(roadmap, ())
    show(changing, "bar")
    show(changing, "bar", "crate")
    show(changing, "crate")
    free = roadmap.space.world.polylines_are_free(roadmap.polylines)
    assert pairs(changing.roadmap) == {tuple(pair) for pair in roadmap.edges[free].tolist()}
    show(changing)
    assert pairs(changing.roadmap) == pairs(roadmap)


def test_where_a_part_goes_that_was_there_from_the_start_the_roadmap_joins_both_sides(walker):
    roadmap = made(walker, "bar")
    left = np.array([5.0, 12.0, 0.0])
    changing = ChangingRoadmap(roadmap, ("bar",))
    component = roadmap.component[np.argmin(np.linalg.norm(roadmap.configurations - left, axis=1))]
    beyond = roadmap.configurations[:, 0] > 11.0
    assert not (roadmap.component[beyond] == component).any()
    show(changing)
    component = changing.roadmap.component
    assert component[: len(beyond)][beyond][0] == component[: len(beyond)][~beyond][0]
    world = changing.roadmap.space.world
    assert world.polylines_are_free(changing.roadmap.polylines).all()
