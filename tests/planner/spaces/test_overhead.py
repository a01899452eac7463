"""Decks and ramps of one sheet are obstacles to whoever is too tall to pass beneath."""

import fcl
import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Part

PLANNER = PRM(nodes=80)


def planned(space):
    rng = np.random.default_rng(0)
    return plan(Problem(space, WEST, EAST), planner=PLANNER, rng=rng).or_raise()


WEST, EAST = np.array([-4.0, 0.0, 0.0]), np.array([4.0, 0.0, 0.0])


def sheet(name, corners):
    mesh = TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))
    return Part(name, "ground", mesh, np.full((2, 3), 0.5))


def deck(height, north):
    return sheet("deck", [[x, y, height] for x, y in ((-1, -3), (1, -3), (1, north), (-1, north))])


@pytest.fixture
def yard(make):
    """A floor of 12 m x 6 m with other parts on it."""

    def with_parts(*parts):
        return make.scene(make.floor((-6, -3), (6, 3)), *parts, bounds=((-6, -3, -1), (6, 3, 6)))

    return with_parts


def touches(part, radius, low, high, points):
    """Which upright capsules at points (M, 3) touch a part, by python-fcl."""
    model = fcl.BVHModel()
    model.beginModel(len(part.mesh.vertices), len(part.mesh.faces))
    model.addSubModel(part.mesh.vertices, part.mesh.faces)
    model.endModel()
    other = fcl.CollisionObject(model)
    found = []
    for point in points:
        place = fcl.Transform(point + np.array([0.0, 0.0, 0.5 * (low + high)]))
        body = fcl.CollisionObject(fcl.Capsule(radius, high - low), place)
        request, result = fcl.CollisionRequest(), fcl.CollisionResult()
        found.append(fcl.collide(body, other, request, result) > 0)
    return np.array(found)


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_a_path_goes_round_a_low_deck(yard, walker, backend):
    scene = yard(deck(1.0, 1.5))
    space = make_space("ground", scene, walker, backend=backend)
    found = planned(space)
    points = densified(found.path.configurations, 0.02)
    low, high = walker.capsule_axis
    assert np.abs(points[:, 2]).max() < 1e-9
    # The floor is level: all of the body but a curb's height counts.
    assert not touches(scene.part("deck"), walker.radius, low + 0.03, high, points).any()
    assert points[np.abs(points[:, 0]) < 1.0, 1].min() > 1.5 + 0.9 * walker.radius
    space.world.confirm(found.path.configurations)


def test_no_way_under_a_low_deck_is_an_error(yard, walker):
    space = make_space("ground", yard(deck(1.0, 3.0)), walker)
    with pytest.raises(NoPathError, match="no path"):
        planned(space)
    with pytest.raises(PlacementError, match="in collision with `deck`"):
        space.place(np.zeros(3))
    assert space.world.clearance(np.zeros((1, 3)))[0] < 0.0


def test_a_high_deck_is_passed_beneath_and_stood_on(yard, walker):
    space = make_space("ground", yard(deck(3.0, 3.0)), walker)
    found = planned(space)
    assert found.path.length == pytest.approx(8.0, abs=0.5)
    assert space.is_free(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [0.0, 1.4, 3.0]])).all()


@pytest.mark.parametrize("height", [0.1, 0.5, 1.5])
def test_an_edge_higher_than_a_step_is_in_the_way_from_the_side(yard, walker, height):
    space = make_space("ground", yard(deck(height, 1.5)), walker)
    beside = np.array([[0.0, 1.5 + gap, 0.0] for gap in (0.05, 0.29)])
    assert space.is_free(beside).tolist() == [False, True]
    assert not space.connects(np.array([[-3.0, 1.55, 0.0]]), np.array([[3.0, 1.55, 0.0]]))[0]
    # Whoever stands on it is as free as on any floor, up to its edge.
    on_deck = np.array([[0.0, 1.49, height], [0.99, 0.0, height]])
    assert space.is_free(on_deck).all()


def test_a_curb_is_no_obstacle(yard, walker):
    space = make_space("ground", yard(deck(0.015, 3.0)), walker)
    (way,) = space.connect(np.array([[-3.0, 0.0, 0.0]]), np.array([[0.0, 0.5, 0.015]]))
    assert way is not None


def test_a_ramp_is_walked_up_and_passed_beneath_only_where_it_is_high(yard, walker):
    corners = [[-4, -1, 0], [4, -1, 4], [4, 1, 4], [-4, 1, 0]]
    scene = yard(sheet("ramp", corners))
    space = make_space("ground", scene, walker)
    x = np.linspace(-3.9, 3.9, 40)
    beneath = np.column_stack([x, np.zeros((40, 2))])
    free = space.is_free(beneath)
    # Under the ramp by more than its width, which is the surface x / 2 + 2.
    top = walker.capsule_axis[1] + walker.radius
    head = x / 2 + 2 - np.hypot(0.5, 1.0) * walker.radius - walker.capsule_axis[1]
    assert (free == (head > walker.radius * 1e-3))[np.abs(head) > 0.02].all()
    assert not free[x / 2 + 2 < top].any()
    assert space.is_free(np.column_stack([x, 0 * x, x / 2 + 2])).all()
    (up,) = space.connect(np.array([[-4.5, 0.0, 0.0]]), np.array([[3.0, 0.2, 3.5]]))
    assert up is not None
    low, high = (
        np.array([[-2.0, -2.0, 0.0], [2.5, -2.0, 0.0]]),
        np.array([[-2.0, 2, 0], [2.5, 2, 0]]),
    )
    assert space.connects(low, high).tolist() == [False, True]


def test_backends_agree_on_ground_overhead(yard, walker):
    corners = [[-4, -1, 0], [4, -1, 4], [4, 1, 4], [-4, 1, 0]]
    scene = yard(sheet("ramp", corners))
    rng = np.random.default_rng(3)
    spaces = [make_space("ground", scene, walker, backend=name) for name in ("auto", "fcl")]
    points = spaces[0].from_unit_cube(rng.random((300, 3)))
    kernels, judge = (space.is_free(points) for space in spaces)
    assert (kernels == judge).all()
    assert 30 < kernels.sum() < 290


def test_a_round_body_as_wide_as_tall_passes_beneath_what_is_higher(yard, make):
    ball = make.body(0.6, (0.6, 0.6))
    for height, free in ((1.15, False), (1.25, True)):
        space = make_space("ground", yard(deck(height, 3.0)), ball)
        assert space.is_free(np.zeros((1, 3)))[0] == free
        assert space.is_free(np.array([[0.0, 0.0, height]]))[0]
