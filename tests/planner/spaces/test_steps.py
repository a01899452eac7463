"""Walkers on stairs, curbs and slabs: which are climbed, and what python-fcl says of the paths.

Every scene is made of boxes here, in one mesh without roles, as files of users are.
"""

import itertools

import fcl
import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh, join
from rmp3d.models import Body
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Scene

RADIUS, TOP, STEP = 0.28, 1.75, 0.2
RISE, RUN = 0.17, 0.28
FLOOR = (-5, -2, -0.2, 8, 2, 0)
WEST, EAST = (-3.0, 0.0, 0.0), (6.0, 0.0)


def box(x0, y0, z0, x1, y1, z1):
    """A closed box of twelve triangles."""
    corners = [(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)]
    faces = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3),
             (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]  # fmt: skip
    return TriangleMesh(np.array(corners, float), np.array(faces))


def sheets(*rectangles):
    """Rectangles of two triangles each, given by three corners; the fourth closes each."""
    meshes = []
    for a, b, c in np.asarray(rectangles, float):
        meshes.append(
            TriangleMesh(np.array([a, b, c, a + c - b]), np.array([[0, 1, 2], [0, 2, 3]]))
        )
    return join(meshes)


def stairs(count=10, rise=RISE, run=RUN, half=2.0):
    """Steps that go on to the end of the floor, one box each."""
    return [box(i * run, -half, 0, 8, half, (i + 1) * rise) for i in range(count)]


def planned(mesh, goal, start=WEST, radius=RADIUS, step=STEP, nodes=60, max_slope=None):
    """The path of a person, and its space.

    Raises:
        NoPathError: There is none.
    """
    scene = Scene.from_mesh(mesh, bounds=((-25, -9, -1), (25, 9, 9)), max_slope=max_slope)
    solid = box(-0.1, -0.1, 0.5, 0.1, 0.1, 1.2)
    body = Body(solid, radius, (radius, TOP - radius))
    space = make_space("ground", scene, body, max_step=step)
    rng = np.random.default_rng(0)
    problem = Problem(space, np.array(start, float), np.array(goal, float))
    return plan(problem, planner=PRM(nodes=nodes), rng=rng).or_raise().path.points


def fcl_mesh(mesh):
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return fcl.CollisionObject(model)


def touches(other, radius, low, high, points):
    """Whether an upright capsule touches something at any of the points, by python-fcl."""
    capsule = fcl.Capsule(radius, high - low)
    for point in points:
        place = fcl.Transform(point + np.array([0.0, 0.0, 0.5 * (low + high)]))
        request, result = fcl.CollisionRequest(), fcl.CollisionResult()
        if fcl.collide(fcl.CollisionObject(capsule, place), other, request, result):
            return True
    return False


def check(points, mesh, blocks=(), radius=RADIUS, step=STEP):
    """Assert that a path climbs steps at their edges only, and that the body is clear of all.

    Above the cone of 45 degrees over the feet, a step and a finger high, nothing at all may touch
    the body; what is no step may touch no part of it.
    """
    offset = np.diff(points, axis=0)
    across, climb = np.hypot(offset[:, 0], offset[:, 1]), np.abs(offset[:, 2])
    steep = climb > across + 1e-6
    assert (across[steep] < 1.1e-3).all()
    assert climb[steep].max(initial=0.0) <= step + 1e-6
    dense = [points[-1:]]
    for a, b in itertools.pairwise(points):
        share = np.linspace(0.0, 1.0, 2 + int(np.linalg.norm(b - a) / 0.04))[:-1, None]
        dense.append(a + share * (b - a))
    dense = np.concatenate(dense)
    everything, begin = fcl_mesh(mesh), step + 5e-3
    wide = begin + np.sqrt(2.0) * (radius + 5e-3)
    assert not touches(everything, 1e-6, begin, TOP, dense)
    assert wide < TOP - radius
    assert not touches(everything, radius, wide, TOP - radius, dense)
    if blocks:
        assert not touches(fcl_mesh(join(list(blocks))), radius, radius, TOP - radius, dense)


def risers(heights):
    """Floors at heights, 5 m each, with risers between, all in one mesh of sheets."""
    made = []
    for k, height in enumerate(heights):
        x = 5.0 * (k - 1)
        made.append([(x, -2, height), (x + 5, -2, height), (x + 5, 2, height)])
        if k:
            made.append([(x, -2, heights[k - 1]), (x, 2, heights[k - 1]), (x, 2, height)])
    return sheets(*made)


SLABS = [box(-25, -8, -0.2, 0, 8, 0), box(0, -8, -0.2, 25, 8, 0)]
TWO = sheets(
    [(-5, -3, 0), (7, -3, 0), (7, 3, 0)],
    [(-5, -3, 0), (-5, 3, 0), (7, 3, 0)],
)
NOSING = [box(*FLOOR)] + [
    box(i * RUN - 0.03, -2, (i + 1) * RISE - 0.04, (i + 1) * RUN, 2, (i + 1) * RISE)
    for i in range(9)
] + [box(9 * RUN - 0.03, -2, 1.5, 8, 2, 1.7)]  # fmt: skip
COLUMNS = [box(*FLOOR)] + [
    box(i * RUN, -2, 0, (i + 1) * RUN, 2, (i + 1) * RISE) for i in range(9)
] + [box(9 * RUN, -2, 0, 8, 2, 1.7)]  # fmt: skip
UP = (*EAST, 10 * RISE)

CLIMBED = {
    "riser of 0.5 mm": ([risers([0.0, 0.0005])], (4, 0, 0.0005)),
    "riser of 10 mm": ([risers([0.0, 0.01])], (4, 0, 0.01)),
    "riser of 150 mm": ([risers([0.0, 0.15])], (4, 0, 0.15)),
    "riser of 200 mm": ([risers([0.0, 0.2])], (4, 0, 0.2)),
    "slabs that abut": (SLABS, (6, 0, 0)),
    "floor from both sides": ([TWO], (6, 0, 0)),
    "box stairs": ([box(*FLOOR), *stairs()], UP),
    "steps as high as the highest": ([box(*FLOOR), *stairs(6, STEP, 0.28)], (6, 0, 1.2)),
    "open risers with nosing": (NOSING, UP),
    "stairs 1 m wide": ([box(*FLOOR), *stairs(half=0.5)], UP),
    "columns": (COLUMNS, UP),
    "curb up and down": ([box(*FLOOR), box(0, -2, 0, 0.1, 2, 0.15)], (6, 0, 0)),
    "thick slab": ([box(-5, -2, -1, 0, 2, 0), box(0, -2, -1, 8, 2, 0.18)], (6, 0, 0.18)),
}
BLOCKED = {
    "riser of 250 mm": ([box(*FLOOR), box(0, -2, 0, 8, 2, 0.25)], (6, 0, 0.25)),
    "stairs of 52 degrees": ([box(*FLOOR), *stairs(10, 0.19, 0.15)], (6, 0, 1.9)),
    "ridge with steep sides": (
        [risers([0.0]), sheets([(0, -2, 0), (0.1, -2, 0.15), (0.1, 2, 0.15)],
                               [(0.1, -2, 0.15), (0.2, -2, 0), (0.2, 2, 0)],
                               [(0, -2, 0), (8, -2, 0), (8, 2, 0)])], (6, 0, 0),
    ),
    "bench": ([box(*FLOOR), box(0, -2, 0, 0.4, 2, 0.45)], (6, 0, 0)),
}  # fmt: skip
HEADROOM = {
    "bar 1.32 m above a tread": ([box(*FLOOR), *stairs()], [box(1, -2, 2.0, 1.2, 2, 2.2)], UP, 0),
    "bar 2.27 m above a tread": ([box(*FLOOR), *stairs()], [box(1, -2, 2.95, 1.2, 2, 3.1)], UP, 1),
    "deck at 1.5 m": ([box(*FLOOR)], [box(0, -2, 1.5, 3, 2, 1.7)], (6, 0, 0), 0),
    "deck at 1.8 m": ([box(*FLOOR)], [box(0, -2, 1.8, 3, 2, 1.95)], (6, 0, 0), 1),
    "levels 2.1 m apart": ([box(*FLOOR)], [box(-1, -2, 2.0, 4, 2, 2.1)], (6, 0, 0), 1),
    "levels 1.7 m apart": ([box(*FLOOR)], [box(-1, -2, 1.6, 4, 2, 1.7)], (6, 0, 0), 0),
}


@pytest.mark.parametrize("case", CLIMBED)
def test_steps_are_climbed_up_and_down_and_python_fcl_confirms_it(case):
    boxes, goal = CLIMBED[case]
    mesh = join(boxes)
    check(planned(mesh, goal), mesh)
    check(planned(mesh, WEST, start=goal), mesh)


@pytest.mark.parametrize("case", BLOCKED)
def test_what_is_no_step_is_no_path(case):
    boxes, goal = BLOCKED[case]
    with pytest.raises(NoPathError):
        planned(join(boxes), goal, nodes=20)


@pytest.mark.parametrize("case", HEADROOM)
def test_the_head_has_room_on_every_tread(case):
    ground, bars, goal, is_free = HEADROOM[case]
    mesh = join([*ground, *bars])
    if is_free:
        check(planned(mesh, goal), mesh, bars)
    else:
        with pytest.raises(NoPathError):
            planned(mesh, goal, nodes=20)


@pytest.mark.parametrize("boxes", [[box(*FLOOR), *stairs()], CLIMBED["curb up and down"][0]])
def test_who_takes_low_steps_only_takes_none_of_these(boxes):
    goal = UP if len(boxes) > 2 else (6, 0, 0)
    with pytest.raises(NoPathError):
        planned(join(boxes), goal, step=0.05, nodes=20)


def test_a_landing_turns_the_stairs():
    flight = [box(i * RUN, -1, 0, 8, 1, (i + 1) * RISE) for i in range(5)]
    turned = [box(2, 1 + i * RUN, 0, 4, 8, (i + 6) * RISE) for i in range(5)]
    mesh = join([box(*FLOOR), *flight, *turned])
    check(planned(mesh, (3, 5, 10 * RISE), nodes=150), mesh)


TURN = np.radians(18.0)


def spiral(count=24, inner=0.6, outer=2.6):
    """Winders round a well, each a plate of 8 cm; the second turn is over the first."""
    made = []
    for k in range(count):
        a, b = k * TURN, (k + 1) * TURN + 0.02
        ring = [
            (outer * np.cos(a), outer * np.sin(a)),
            (outer * np.cos(b), outer * np.sin(b)),
            (inner * np.cos(b), inner * np.sin(b)),
            (inner * np.cos(a), inner * np.sin(a)),
        ]
        low, high = (k + 1) * RISE - 0.08, (k + 1) * RISE
        points = np.array([(x, y, z) for z in (low, high) for x, y in ring])
        sides = [(i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4) for i in range(4)]
        quads = [(3, 2, 1, 0), (4, 5, 6, 7), *sides]
        faces = [triangle for q in quads for triangle in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
        made.append(TriangleMesh(points, np.array(faces)))
    return made


def test_a_spiral_stair_is_climbed():
    winders = spiral()
    mesh = join([box(-6, -6, -0.2, 6, 6, 0), *winders])
    angle = TURN * 23.5
    goal = (1.6 * np.cos(angle), 1.6 * np.sin(angle), 24 * RISE)
    points = planned(mesh, goal, start=(3.5, -2.0, 0.0), nodes=300)
    assert np.ptp(points[:, 2]) == pytest.approx(24 * RISE, abs=1e-6)
    check(points, mesh)


def test_a_stair_of_a_meter_is_found_on_an_edge_of_forty():
    deck = [box(0, -20, 0, 8, 20, 3 * RISE)]
    flight = [box(-(3 - i) * RUN, 7.3, 0, 0, 8.3, (i + 1) * RISE) for i in range(2)]
    mesh = join([box(-5, -20, -0.2, 8, 20, 0), *deck, *flight])
    scene = Scene.from_mesh(mesh, bounds=((-5, -20, -1), (8, 20, 9)))
    surface = scene.footing(STEP).surface
    level = surface.border[(surface.border[..., 2] == 3 * RISE).all(axis=1)]
    front = level[(level[..., 0] == 0.0).all(axis=1)]
    ends = np.sort(front[..., 1], axis=1)
    assert np.sort(ends.ravel()) == pytest.approx([-20.0, 7.3, 8.3, 20.0])


def test_wide_bodies_climb_what_their_feet_do():
    mesh = join([box(*FLOOR), *stairs()])
    check(planned(mesh, UP, radius=0.6), mesh, radius=0.6)


def test_a_beam_before_a_riser_lets_pass_who_fits_on_both_heights():
    beam = box(-0.6, -2, 1.8, -0.29, 2, 2.5)
    ground = [box(*FLOOR), box(0, -2, 0, 8, 2, RISE)]
    mesh = join([*ground, beam])
    check(planned(mesh, (6, 0, RISE)), mesh, [beam])
    low = box(-0.6, -2, 1.8, -0.05, 2, 2.5)  # who steps up here knocks the head
    with pytest.raises(NoPathError):
        planned(join([*ground, low]), (6, 0, RISE), nodes=20)


def test_the_whole_body_keeps_off_walls_beside_a_stair():
    ground = [box(*FLOOR), *stairs()]
    walls = [box(-1, y - 0.1, 0, 4, y + 0.1, 4) for y in (-0.45, 0.45)]
    mesh = join([*ground, *walls])
    check(planned(mesh, UP, nodes=150), mesh, walls)
    close = [box(-1, -2, 0, 4, -0.27, 4), box(-1, 0.27, 0, 4, 2, 4)]
    with pytest.raises(NoPathError):
        planned(join([*ground, *close]), UP, nodes=20)


def test_a_ramp_hidden_in_a_flight_of_stairs_is_walked_on_where_it_is_higher():
    """Game levels have such ramps; the steps are as high as the highest, and a hair more."""
    flight = stairs(8, STEP + 3e-4, 0.4)
    top = 8 * (STEP + 3e-4)
    ramp = sheets([(0.0, -2, STEP + 3e-4 - 0.002), (2.8, -2, top - 0.002), (2.8, 2, top - 0.002)])
    mesh = join([box(*FLOOR), *flight, ramp])
    scene = Scene.from_mesh(mesh, bounds=((-5, -2, -1), (8, 2, 9)))
    surface = scene.footing(STEP).surface
    beside = np.array([[x, 0.7, 9.0] for x in np.linspace(0.013, 2.713, 41)])
    highest, _ = surface.locate(beside, 0.0, 9.0)
    # Whatever sheet a walk begins on, it is the highest: no other is left within a step below.
    _, face = surface.locate(highest - np.array([0.0, 0.0, 0.105]), 0.1, 0.1)
    assert (face < 0).all()
    points = planned(mesh, (6, 0, top))
    inner = points[(points[:, 0] > 0.05) & (points[:, 0] < 2.7)]
    on_top, _ = surface.locate(inner + np.array([0.0, 0.0, 1.0]), 0.0, 9.0)
    np.testing.assert_allclose(inner[:, 2], on_top[:, 2], atol=2e-2)


def test_a_path_has_no_place_between_two_treads():
    mesh = join([box(*FLOOR), *stairs()])
    scene = Scene.from_mesh(mesh, bounds=((-25, -9, -1), (25, 9, 9)))
    body = Body(box(-0.1, -0.1, 0.5, 0.1, 0.1, 1.2), RADIUS, (RADIUS, TOP - RADIUS))
    space = make_space("ground", scene, body, max_step=STEP)
    problem = Problem(space, np.array(WEST), np.array(UP))
    path = plan(problem, planner=PRM(nodes=60), rng=np.random.default_rng(0)).or_raise().path
    places = np.concatenate([path.points, path.at(np.linspace(0.0, path.length, 997))])
    _, face = space.surface.locate(places, 2e-3, 2e-3)
    assert (face >= 0).mean() > 0.99  # but for those within a millimeter of an edge
    assert (face[: len(path.points)] >= 0).all()
    subgoals = path.subgoals(4.0, space)
    assert (space.surface.locate(subgoals, 1e-6, 1e-6)[1] >= 0).all()
