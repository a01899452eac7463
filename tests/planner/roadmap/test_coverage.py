import numpy as np
import pytest

from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.coverage import measure_coverage
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space


def coverage(roadmap, **options):
    return measure_coverage(roadmap, np.random.default_rng(1), **options)


def test_an_empty_roadmap_covers_nothing(rooms, walker):
    assert coverage(Roadmap.empty(make_space("ground", rooms, walker))) == 0.0


def test_one_node_in_one_of_two_closed_rooms_covers_its_share(make, walker):
    scene = make.scene(
        make.floor((-10, -5), (10, 5)),
        make.box("wall", (2.0, -6, 0), (2.2, 6, 2)),
        bounds=((-10, -5, -1), (10, 5, 3)),
    )
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=1), np.random.default_rng(0))
    left = roadmap.configurations[0, 0] < 2.0
    # The floor's part on its side of the wall, less the wall's reach of one radius on both sides.
    side = (12.0 if left else 7.8) - 0.28
    expected = side / (20.0 - 0.2 - 2 * 0.28)
    assert coverage(roadmap, probes=2000) == pytest.approx(expected, abs=0.04)


def test_more_nodes_cover_more_and_the_same_seed_the_same(rooms, walker):
    space = make_space("ground", rooms, walker)
    small, large = (
        build_roadmap(space, RoadmapSettings(nodes=nodes), np.random.default_rng(0))
        for nodes in (3, 200)
    )
    assert coverage(small) < coverage(large)
    assert coverage(large) > 0.98
    assert coverage(small) == coverage(small)
