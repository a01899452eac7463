import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.geometry.mesh import join
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import RigidBodySpace, make_space
from rmp3d.planner.spaces.metric import nearest
from rmp3d.scenes.problems.rigid_problem import RigidProblem

BOUNDS = np.array([[-9.0, -5, 0], [9, 5, 2.5]])


@pytest.fixture
def space(rooms, make_body):
    return make_space("rigid", rooms, make_body((0.6, 0.4, 0.2)), bounds=BOUNDS)


def drawn(space, count, seed=0):
    return space.from_unit_cube(np.random.default_rng(seed).random((count, space.dimension)))


def turns(rows):
    return Rotation.from_quat(rows[:, 3:], scalar_first=True)


def problem(make, make_body, kind, **changes):
    wall = make.box("wall", (-0.5, -2, -2), (0.5, 2, 2)).mesh
    pose = np.array([-3.0, 0, 0, 1, 0, 0, 0])
    goal = pose * [-1, 1, 1, 1, 1, 1, 1]
    bounds = np.array([[-5.0, -4, -3], [5, 4, 3]])
    given = dict(
        name="wall", robot=make_body((1, 0.5, 0.2)).mesh, obstacles=wall, solids=True,
        bounds=bounds, contain_body=True, space=kind, start=pose, goal=goal,
    )  # fmt: skip
    return RigidProblem(**(given | changes))


def test_distance_is_the_way_plus_radius_times_angle(space):
    a, b = drawn(space, 300), drawn(space, 300, seed=1)
    angle = (turns(a).inv() * turns(b)).magnitude()
    radius = 0.5 * np.sqrt(0.6**2 + 0.4**2 + 0.2**2)
    expected = np.linalg.norm(b[:, :3] - a[:, :3], axis=1) + radius * angle
    np.testing.assert_allclose(space.distance(a, b), expected, rtol=1e-7)
    np.testing.assert_allclose(space.distance(b, a), expected, rtol=1e-7)
    opposite = b * [1, 1, 1, -1, -1, -1, -1]
    np.testing.assert_allclose(space.distance(a, opposite), expected, rtol=1e-7)


def test_no_point_of_the_body_moves_farther_than_the_distance(space):
    a, b = drawn(space, 200), drawn(space, 200, seed=1)
    corners = space.world.body.mesh.vertices
    moved = np.stack(
        [
            (turns(b).apply(np.tile(c, (200, 1))) + b[:, :3])
            - (turns(a).apply(np.tile(c, (200, 1))) + a[:, :3])
            for c in corners
        ]
    )
    assert (np.linalg.norm(moved, axis=2) <= space.distance(a, b) + 1e-9).all()


def test_motions_go_straight_and_turn_at_constant_speed(space):
    a, b = drawn(space, 20), drawn(space, 20, seed=1)
    for share in (0.0, 0.3, 1.0):
        rows = space.interpolated(a, b, np.full(20, share))
        np.testing.assert_allclose(rows[:, :3], a[:, :3] + share * (b - a)[:, :3], atol=1e-12)
        for row in range(20):
            ends = Rotation.from_quat([a[row, 3:], b[row, 3:]], scalar_first=True)
            off = (Slerp([0, 1], ends)(share).inv() * turns(rows[row, None])).magnitude()
            assert off < 1e-7
    length = space.distance(a, b)
    middle = space.interpolated(a, b, np.full(20, 0.25))
    np.testing.assert_allclose(space.distance(a, middle), 0.25 * length, rtol=1e-6)


def test_displacements_lead_there(space):
    a, b = drawn(space, 100), drawn(space, 100, seed=1)
    reached = space.shifted(a, space.toward(a, b))
    assert space.distance(reached, b).max() < 1e-7
    there, arrived = space.move(a, space.toward(a, b))
    assert arrived.all()
    assert space.distance(there, b).max() < 1e-7
    beyond, arrived = space.move(a, np.tile([100.0, 0, 0], (100, 1)))
    assert not arrived.any()
    np.testing.assert_allclose(beyond[:, 0], 9.0)
    np.testing.assert_array_equal(beyond[:, 3:], a[:, 3:])


def test_images_are_no_farther_apart_than_configurations(space):
    a, b = drawn(space, 300), drawn(space, 300, seed=1)
    apart = np.linalg.norm(space.images(a) - space.images(b)[0], axis=2).min(axis=0)
    assert (apart <= space.distance(a, b) + 1e-9).all()


def test_a_quaternion_and_its_opposite_have_the_same_neighbors(space):
    nodes, points = drawn(space, 200), drawn(space, 20, seed=1)
    flipped = nodes.copy()
    flipped[::2, 3:] *= -1.0
    found = nearest(space, nodes, points, 6)
    np.testing.assert_array_equal(found, nearest(space, flipped, points, 6))
    assert all(len(set(row)) == 6 for row in found.tolist())
    images = np.stack([np.linalg.norm(space.images(nodes) - p, axis=2).min(axis=0)
                       for p in space.images(points)[0]])  # fmt: skip
    np.testing.assert_array_equal(found, np.argsort(images, axis=1, kind="stable")[:, :6])
    assert nearest(space, nodes[:3], points, 6).shape == (20, 3)
    near = nearest(space, nodes, points, 6, radius=2.0)
    np.testing.assert_array_equal(near == 200, np.sort(images, axis=1)[:, :6] >= 2.0)


def test_rotations_are_uniform(space):
    rows = drawn(space, 20_000)
    np.testing.assert_allclose(np.linalg.norm(rows[:, 3:], axis=1), 1.0, atol=1e-12)
    assert np.abs(turns(rows).as_matrix().mean(axis=0)).max() < 0.02
    # The law of the angle between random rotations has the distribution (t - sin t) / pi.
    angle = np.sort(turns(rows).magnitude())
    expected = (angle - np.sin(angle)) / np.pi
    assert np.abs(expected - np.linspace(0, 1, len(angle))).max() < 0.015


@pytest.mark.parametrize(
    ("kind", "dimension"), [("rigid", 6), ("translation", 3), ("planar", 2), ("planar_rotation", 3)]
)
def test_locked_degrees_of_freedom_stay(make, make_body, kind, dimension):
    space = RigidBodySpace.of_problem(problem(make, make_body, kind))
    assert (space.dimension, space.freedom.sum()) == (dimension, dimension)
    rows = drawn(space, 100)
    moved, _ = space.move(rows, np.random.default_rng(2).normal(size=(100, 6)))
    for found in (rows, moved):
        if kind.startswith("planar"):
            np.testing.assert_array_equal(found[:, 2], 0.0)
        axis = turns(found).apply([0, 0, 1])
        if kind != "rigid":
            np.testing.assert_allclose(axis, np.tile([0, 0, 1], (100, 1)), atol=1e-12)
        if not space.turns:
            np.testing.assert_allclose(np.abs(found[:, 3]), 1.0)
    assert space.meter == pytest.approx(0.5 * np.sqrt(1 + 0.25 + 0.04))


def test_a_locked_space_keeps_the_orientation_of_the_start(make, make_body):
    whole = RigidBodySpace.of_problem(problem(make, make_body, "rigid"))
    locked = whole.locked()
    assert (whole.dimension, locked.dimension) == (6, 3)
    assert locked.locked() is locked
    np.testing.assert_allclose(drawn(locked, 50)[:, 3:], np.tile([1.0, 0, 0, 0], (50, 1)))
    turned = np.array([-3.0, 0, 0, 0, 0, 0, 1])
    assert whole.place(turned).tolist() == turned.tolist()
    with pytest.raises(PlacementError, match=r"not to be reached: .* `translation`"):
        locked.place(turned)


def test_placing_says_what_is_in_the_way(make, make_body):
    space = RigidBodySpace.of_problem(problem(make, make_body, "rigid"))
    np.testing.assert_array_equal(space.place(np.array([3.0, 0, 0])), [3, 0, 0, 1, 0, 0, 0])
    with pytest.raises(PlacementError, match="in collision with `obstacles`"):
        space.place(np.array([0.5, 0, 0]))
    with pytest.raises(PlacementError, match="out of bounds"):
        space.place(np.array([9.0, 0, 0]))
    with pytest.raises(PlacementError, match="out of bounds"):
        space.place(np.array([4.8, 0, 0]))  # the body sticks out
    tiny = problem(make, make_body, "rigid", robot=make_body((0.1, 0.1, 0.1)).mesh)
    with pytest.raises(PlacementError, match="inside obstacles"):
        RigidBodySpace.of_problem(tiny).place(np.array([0.0, 0, 0]))
    with pytest.raises(PlacementError, match="quaternion is zero"):
        space.place(np.zeros(7))


def test_what_is_no_rigid_space_is_refused(rooms, make_body):
    with pytest.raises(InputError, match="takes no `tolerance`"):
        make_space("rigid", rooms, make_body((1, 1, 1)), tolerance=0.1)
    with pytest.raises(InputError, match="no collision backend named `bullet`"):
        make_space("rigid", rooms, make_body((1, 1, 1)), backend="bullet")


def test_bodies_that_stand_side_by_side_are_solid(make, make_body):
    """They share corners and edges by place, so that as one mesh they are not closed."""
    lower, upper = make.box("a", (-2, -2, -2), (2, 2, 0)), make.box("b", (-2, 0, 0), (2, 2, 2))
    both = join([lower.mesh, upper.mesh])
    tiny = make_body((0.1, 0.1, 0.1)).mesh
    rows = np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1))
    rows[:, :3] = [0, 1, 1], [0, 0, -1], [0, -1, 1]
    for shape in (both, TriangleMesh(both.triangles.reshape(-1, 3), np.arange(72).reshape(-1, 3))):
        asked = problem(make, make_body, "rigid", obstacles=shape, robot=tiny)
        spaces = [RigidBodySpace.of_problem(asked, backend) for backend in ("auto", "fcl")]
        free = [space.is_free(rows).tolist() for space in spaces]
        assert free[0] == free[1]
        if shape is both:
            assert free[0] == [False, False, True]


@pytest.fixture(params=["soup", "solids", "sheets", "nested", "walls"])
def both(request, make, make_body):
    """A problem, as the kernels see it and as python-fcl does."""
    rng = np.random.default_rng(0)
    meshes = {
        "soup": make.soup("soup", 60, rng).mesh,
        "solids": make.box("solid", (-2, -2, -2), (2, 2, 2)).mesh,
        "sheets": make.sheet("sheet", 0.0, (-2, -2), (2, 2)).mesh,
        "nested": make.soup("fine", 300, rng, size=0.2).mesh,
        "walls": None,
    }
    asked = problem(make, make_body, "rigid", obstacles=meshes[request.param])
    return [RigidBodySpace.of_problem(asked, backend) for backend in ("auto", "fcl")]


def test_both_backends_say_the_same(both):
    kernels, fcl = both
    rows = drawn(kernels, 400)
    free = kernels.is_free(rows)
    np.testing.assert_array_equal(free, fcl.is_free(rows))
    assert 0 < free.sum() < len(rows)
    far = rows[free][:60]
    ours, theirs = kernels.world.clearance(far), fcl.world.clearance(far)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)
    np.testing.assert_array_equal(kernels.world.clearance(rows[~free]), 0.0)
    # What the kernels prove leaves a larger gap than python-fcl asks for.
    start, end = far[:30], far[30:60]
    proved = kernels.world.motions_are_free(start, end)
    confirmed = fcl.world.motions_are_free(start, end)
    assert not (proved & ~confirmed).any()
    assert (proved != confirmed).sum() <= 1


@pytest.mark.slow
def test_both_backends_say_the_same_next_to_contact(both):
    """Configurations that kernels move to within 1e-6 of where contact begins."""
    kernels, fcl = both
    rows = drawn(kernels, 1500, seed=3)
    start, end = rows[:750], rows[750:]
    apart = kernels.is_free(start) & ~kernels.is_free(end)
    start, end = start[apart], end[apart]
    low, high = np.zeros(len(start)), np.ones(len(start))
    for _ in range(22):
        middle = 0.5 * (low + high)
        free = kernels.is_free(kernels.interpolated(start, end, middle))
        low, high = np.where(free, middle, low), np.where(free, high, middle)
    for share in (low, high):
        near = kernels.interpolated(start, end, share)
        np.testing.assert_array_equal(kernels.is_free(near), fcl.is_free(near))
