from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.paths import center
from rmp3d.planner.paths.center import centered, room_beside
from rmp3d.planner.paths.polyline import densified, joined, total_length
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import RigidBodySpace, make_space
from rmp3d.scenes.problems.rigid_problem import RigidProblem


@pytest.fixture
def pillars(make):
    """A floor, 20 m x 10 m, with eight pillars beside the way."""
    rng = np.random.default_rng(3)
    places = np.column_stack([np.linspace(-7, 7, 8), rng.uniform(-2.5, 2.5, 8)])
    parts = [make.box(f"p{k}", (x - 0.3, y - 0.3, 0), (x + 0.3, y + 0.3, 2.5))
             for k, (x, y) in enumerate(places)]  # fmt: skip
    return make.scene(make.floor((-10, -5), (10, 5)), *parts, bounds=((-10, -5, -1), (10, 5, 4)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ground", "translation"])
@pytest.mark.parametrize("wanted", [0.3, 1.0, 4.0])
def test_the_centered_path_is_proved_and_keeps_its_ends(pillars, walker, kind, wanted):
    space = make_space(kind, pillars, walker)
    z = 0.0 if space.grounded else 1.0
    ends = np.array([-9.0, 0.5, z]), np.array([9.0, -0.5, z])
    roadmap = build_roadmap(space, RoadmapSettings(nodes=150), np.random.default_rng(0))
    way = shortest_route(roadmap, *ends)
    found = centered(space, way, wanted)
    np.testing.assert_array_equal(found[[0, -1]], ends)
    assert space.world.polylines_are_free([found]).all()
    space.world.confirm(found)

    def shortage(points):
        dense = densified(points, 0.05)
        return np.clip(wanted - space.world.clearance(dense, wanted), 0.0, None).mean()

    assert shortage(found) <= shortage(way)


def test_proving_costs_a_few_motions_for_each_point_of_the_band(pillars, walker):
    """As many as would be proved by doing so after each round are six times that."""
    space = make_space("ground", pillars, walker)
    way = np.array([[-9.0, 3.3, 0], [9.0, 3.3, 0]])
    assert space.world.polylines_are_free([way]).all()
    before = space.world.counts.copy()
    found = centered(space, way, 2.0)
    assert space.world.counts.since(before).collision < 6 * total_length(way) / 0.14
    assert found[:, 1].max() > 3.5  # the band did move


def test_what_is_beneath_a_slope_is_not_beside_a_path(make, walker):
    """The clearance does not count it either, but to the walls."""

    def tilted(part, over):
        mesh = part.mesh
        rise = np.column_stack(
            [np.zeros((len(mesh.vertices), 2)), 0.4 * mesh.vertices[:, 0] + over]
        )
        return replace(part, mesh=TriangleMesh(mesh.vertices + rise, mesh.faces))

    plate = replace(make.floor((-4, -0.9), (4, 0.9), name="plate"), role="obstacle")
    scene = make.scene(
        tilted(make.floor((-8, -4), (8, 4)), 0.0),
        tilted(plate, -0.4),
        make.box("left", (-4, 1, -4), (4, 1.2, 4)),
        make.box("right", (-4, -1.2, -4), (4, -1, 4)),
    )
    space = make_space("ground", scene, walker)
    aside = np.repeat([0.0, 0.2, -0.4], 2)
    points = np.column_stack([np.tile([-1.0, 1.0], 3), aside, np.tile([-0.4, 0.4], 3)])
    first = np.array([0, 2, 4, 6])
    to_wall = 1.0 - np.abs(aside) - walker.radius
    np.testing.assert_allclose(room_beside(space, points, first, 3.0), to_wall, atol=0.02)
    assert (room_beside(space, points, first, 0.1) == 0.1).all()
    np.testing.assert_allclose(space.world.clearance(points, 3.0), to_wall, atol=1e-9)


def test_a_body_that_turns_keeps_away_too(make):
    """Past the corner of a wall, a quarter turned on the way."""
    wall = make.box("wall", (-0.2, -4, -2), (0.2, 0.0, 2)).mesh
    board = make.box("board", (-0.5, -0.2, -0.1), (0.5, 0.2, 0.1)).mesh
    bounds = np.array([[-5.0, -4, -2], [5, 4, 2]])
    start, goal = np.array([-3.0, 0.5, 0, 1, 0, 0, 0]), np.array([3.0, 0.5, 0, 0, 0, 0, 1])
    problem = RigidProblem("corner", board, wall, True, bounds, True, "rigid", start, goal)
    space = RigidBodySpace.of_problem(problem)
    middle = np.array([0.0, 0.75, 0, *(np.array([1.0, 0, 0, 1]) / np.sqrt(2))])
    ways = space.connect(np.stack([start, middle]), np.stack([middle, goal]))
    found = centered(space, joined(ways), 1.0)
    np.testing.assert_array_equal(found[[0, -1]], [start, goal])
    space.world.confirm(found)
    np.testing.assert_allclose(np.linalg.norm(found[:, 3:], axis=1), 1.0, atol=1e-9)
    assert space.world.clearance(found, 1.0).min() > space.world.clearance(middle[None], 1.0)[0]


@pytest.mark.slow
def test_a_band_among_random_triangles_stays_proved(make):
    proved = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        scene = make.scene(make.soup("soup", 12, rng))
        space = make_space("translation", scene, make.body(0.2, (0.0, 0.4)))
        points = rng.uniform([-6, -6, 0], [6, 6, 3], (3, 3))
        ways = [way for way in space.connect(points[:-1], points[1:]) if way is not None]
        if len(ways) == 2:
            found = centered(space, joined(ways), rng.uniform(0.2, 3.0))
            assert space.world.polylines_are_free([found]).all()
            proved += 1
    assert proved > 5


@pytest.mark.parametrize("count", [3, 4, 9])
def test_a_band_of_any_number_of_points_is_tightened_as_its_equation_says(count):
    points = np.random.default_rng(count).normal(size=(count, 3))
    found = center._tightened(points, 1.7)
    np.testing.assert_array_equal(found[[0, -1]], points[[0, -1]])
    second = found[:-2] - 2.0 * found[1:-1] + found[2:]
    np.testing.assert_allclose(found[1:-1] - 1.7**2 * second, points[1:-1], atol=1e-12)
