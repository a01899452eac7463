import dataclasses

import numpy as np
import pytest

from rmp3d.geometry import InputError, TriangleMesh, join
from rmp3d.planner.collision import CollisionWorld, fcl_backend
from rmp3d.planner.collision.pieces import without_rooms
from rmp3d.planner.errors import ConfirmationError
from rmp3d.scenes import Part

BODIES = {"capsule": (0.28, (0.28, 1.45)), "sphere": (0.4, (0.0, 0.0)), "low": (0.3, (-0.1, 0.5))}


@pytest.fixture(params=sorted(BODIES))
def pair(request, make):
    """The two backends over a scene of triangle soup and closed boxes."""
    rng = np.random.default_rng(5)
    parts = [make.soup("soup", 60, rng, size=0.7)]
    for number in range(6):
        low = rng.uniform(-3, 2, 3)
        parts.append(make.box(f"box {number}", low, low + rng.uniform(0.2, 2.5, 3)))
    scene, body = make.scene(*parts), make.body(*BODIES[request.param])
    return (
        CollisionWorld(scene, body, flying=True),
        CollisionWorld(scene, body, flying=True, backend="fcl"),
    )


def near_contact(world, rng, count):
    """Configurations on both sides of the border between free and not, 1e-7 to 1e-3 m from it."""
    points = rng.uniform(-4, 4, (20 * count, 3))
    free = world.is_free(points)
    a, b = points[free], points[~free]
    size = min(len(a), len(b), count)
    a, b = a[:size], b[:size]
    for _ in range(40):
        middle = 0.5 * (a + b)
        free = world.is_free(middle)
        a, b = np.where(free[:, None], middle, a), np.where(free[:, None], b, middle)
    offset = rng.normal(size=a.shape)
    offset /= np.linalg.norm(offset, axis=1, keepdims=True)
    return a + offset * 10.0 ** rng.uniform(-7, -3, (size, 1))


def test_backends_agree_on_random_configurations(pair):
    kernels, fcl = pair
    points = np.random.default_rng(1).uniform(-4.5, 4.5, (3000, 3))
    free = kernels.is_free(points)
    assert 0.1 < free.mean() < 0.9
    np.testing.assert_array_equal(fcl.is_free(points), free)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BODIES))
@pytest.mark.parametrize("kind", ["soup", "needles", "huge", "tiny", "far"])
def test_backends_agree_in_a_hundred_thousand_cases_over_five_kinds_of_scene(make, name, kind):
    rng = np.random.default_rng(8)
    part = make.soup("soup", 60, rng)
    corners, away = part.mesh.triangles.copy(), 0.0
    if kind == "needles":
        corners[:, 2] = 0.5 * (corners[:, 0] + corners[:, 1]) + rng.normal(0, 1e-7, (60, 3))
    if kind == "huge":
        corners[:, 1:] += 1000.0 * (corners[:, 1:] - corners[:, :1])
    if kind == "tiny":
        corners[:, 1:] = corners[:, :1] + 1e-3 * (corners[:, 1:] - corners[:, :1])
    if kind == "far":
        away = 1e4
    mesh = type(part.mesh)(corners.reshape(-1, 3) + away, part.mesh.faces)
    scene = make.scene(type(part)("soup", "obstacle", mesh, part.colors))
    kernels, fcl = (
        CollisionWorld(scene, make.body(*BODIES[name]), flying=True, backend=backend)
        for backend in ("auto", "fcl")
    )
    points = rng.uniform(-4, 4, (7000, 3)) + away
    decided = np.abs(kernels.clearance(points) - kernels.tolerance) > 2e-6
    free = kernels.is_free(points)
    assert 0.01 < free.mean() < 0.99
    np.testing.assert_array_equal(fcl.is_free(points[decided]), free[decided])


def test_backends_agree_near_contact_down_to_a_micrometer(pair):
    kernels, fcl = pair
    points = near_contact(kernels, np.random.default_rng(2), 1000)
    # fcl's own tolerance of contact is 1e-6; nearer to the border its verdict is open.
    gap = kernels.clearance(points) - kernels.tolerance
    decided = np.abs(gap) > 2e-6
    assert decided.sum() > 500
    np.testing.assert_array_equal(fcl.is_free(points[decided]), kernels.is_free(points[decided]))


@pytest.mark.parametrize("name", sorted(BODIES))
def test_backends_agree_about_triangles_without_area(make, name):
    rng = np.random.default_rng(7)
    part = make.soup("slivers", 60, rng)
    corners = part.mesh.triangles.copy()
    corners[:30, 2] = 0.5 * (corners[:30, 0] + corners[:30, 1])
    corners[30:, 2] = corners[30:, 1]
    mesh = type(part.mesh)(corners.reshape(-1, 3), part.mesh.faces)
    scene = make.scene(type(part)("slivers", "obstacle", mesh, part.colors))
    kernels, fcl = (
        CollisionWorld(scene, make.body(*BODIES[name]), flying=True, backend=backend)
        for backend in ("auto", "fcl")
    )
    points = rng.uniform(-4, 4, (3000, 3))
    free = kernels.is_free(points)
    assert 0.05 < 1.0 - free.mean()
    np.testing.assert_array_equal(fcl.is_free(points), free)


def test_fcl_clearance_is_a_close_lower_bound_of_the_exact_one(pair):
    kernels, fcl = pair
    points = np.random.default_rng(3).uniform(-4.5, 4.5, (200, 3))
    exact, bound = kernels.clearance(points, 2.0), fcl.clearance(points, 2.0)
    assert (bound <= exact + 1e-5).all()
    assert (bound >= exact - 0.011 * kernels.body.radius).all()


def test_backends_agree_on_motions_but_for_those_that_graze(pair):
    kernels, fcl = pair
    rng = np.random.default_rng(4)
    start = rng.uniform(-4, 4, (1500, 3))
    start = start[kernels.is_free(start)]
    end = start + rng.normal(0, 1.0, start.shape)
    ours, theirs = kernels.motions_are_free(start, end), fcl.motions_are_free(start, end)
    assert 0.1 < ours.mean() < 0.9
    share = np.linspace(0, 1, 2001)[:, None]
    for row in np.flatnonzero(ours != theirs):
        dense = start[row] + share * (end[row] - start[row])
        assert abs(kernels.clearance(dense).min() - kernels.tolerance) < kernels.tolerance


def test_no_motion_proved_free_touches_anything_when_stepped_finely(pair):
    kernels, fcl = pair
    rng = np.random.default_rng(6)
    start, end = rng.uniform(-4, 4, (2, 1200, 3))
    free = kernels.motions_are_free(start, end)
    share = rng.random((60, 1))  # by the other backend, at random places along each motion
    for a, b in zip(start[free], end[free], strict=True):
        assert fcl.is_free(a + share * (b - a)).all()


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_a_wall_without_thickness_is_never_tunneled(make, flyer, backend):
    scene = make.scene(make.sheet("sheet", 0.0, (-50, -50), (50, 50)))
    world = CollisionWorld(scene, flyer, backend=backend)
    rng = np.random.default_rng(0)
    start, end = rng.uniform(-9, 9, (2, 2000, 3))
    start[:, 0], end[:, 0] = -rng.uniform(0.5, 9, 2000), rng.uniform(0.5, 9, 2000)
    assert world.is_free(start).all()
    assert world.is_free(end).all()
    assert not world.motions_are_free(start, end).any()


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_a_body_wholly_inside_a_closed_box_collides(make, flyer, backend):
    scene = make.scene(
        make.box("safe", (-2, -2, -2), (2, 2, 2)), make.box("b", (5, 5, 0), (6, 6, 1))
    )
    world = CollisionWorld(scene, flyer, backend=backend)
    middle = np.zeros(3)
    assert not world.is_free(middle[None])[0]
    assert world.colliding_part(middle) == "inside safe"
    assert not world.motions_are_free(middle[None], middle[None] + 0.5)[0]
    # 2 m from the middle to the surface, and the radius
    assert world.clearance(middle[None])[0] == pytest.approx(-2.4, abs=0.01)


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_a_closed_part_that_is_inside_out_is_a_room_where_no_roles_are_stated(make, flyer, backend):
    def reversed_(box):
        return TriangleMesh(box.mesh.vertices, box.mesh.faces[:, ::-1])

    room, table = make.box("room", (-4, -4, -4), (4, 4, 4)), make.box("t", (1, 1, -3), (3, 3, 3))
    hollow = join([reversed_(room), table.mesh])
    part = Part("room", "obstacle", hollow, np.full((24, 3), 0.5))
    places = np.array([[-2.0, -2.0, 0.0], [2.0, 2.0, 0.0]])  # in the room; in what stands in it
    scene = dataclasses.replace(make.scene(part), roles_stated=False)
    world = CollisionWorld(scene, flyer, backend=backend, flying=True)
    assert world.is_free(places).tolist() == [True, False]
    stated = CollisionWorld(make.scene(part), flyer, backend=backend, flying=True)
    assert not stated.is_free(places[:1])[0], "an obstacle is a body, whatever way it faces"
    assert without_rooms(reversed_(room)) is None
    cavity = join([room.mesh, reversed_(table)])
    assert len(without_rooms(cavity).faces) == 24


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_a_body_inside_an_open_box_is_free(make, flyer, backend):
    closed = make.box("open", (-2, -2, -2), (2, 2, 2))
    part = type(closed)("open", "obstacle", closed.mesh.select(np.arange(2, 12)), closed.colors[2:])
    world = CollisionWorld(make.scene(part), flyer, backend=backend)
    assert world.is_free(np.zeros((1, 3)))[0]


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_the_part_that_is_hit_is_named(make, flyer, backend):
    scene = make.scene(
        make.box("near", (1, -1, -1), (2, 1, 1)), make.box("far", (5, -1, -1), (6, 1, 1))
    )
    world = CollisionWorld(scene, flyer, backend=backend)
    assert world.colliding_part(np.array([0.7, 0, 0])) == "near"
    assert world.colliding_part(np.array([6.3, 0, 0])) == "far"
    assert world.colliding_part(np.array([3.5, 0, 0])) is None


def test_ground_is_an_obstacle_to_those_who_fly_only(make, walker):
    scene = make.scene(make.floor((-5, -5), (5, 5)))
    on_the_floor = np.zeros((1, 3))
    assert CollisionWorld(scene, walker).is_free(on_the_floor)[0]
    flying = CollisionWorld(scene, walker, flying=True)
    assert not flying.is_free(on_the_floor)[0]
    assert flying.colliding_part(on_the_floor[0]) == "floor"


def test_the_lower_face_of_the_slab_below_leaves_a_walker_its_clearance(make, walker):
    slab = make.box("slab", (-5, -5, -0.2), (5, 5, 0), role="ground")
    scene = make.scene(slab, make.box("wall", (2, -5, 0), (2.2, 5, 2)))
    world = CollisionWorld(scene, walker)
    assert world.clearance(np.zeros((1, 3)))[0] == pytest.approx(2.0 - 0.28)
    # but under a slab as low as this there is no room to stand
    assert world.clearance(np.array([[0, 0, -1.0]]))[0] < 0.0


@pytest.mark.parametrize("many", [10**6, 1], ids=["small mesh", "large mesh"])
def test_confirm_passes_what_is_free_and_says_where_it_is_not(make, flyer, monkeypatch, many):
    monkeypatch.setattr(fcl_backend, "MANY_TRIANGLES", many)
    scene = make.scene(make.box("wall", (-0.1, -5, -5), (0.1, 5, 5)))
    world = CollisionWorld(scene, flyer)
    world.confirm(np.array([[-3, 0, 0], [-1, 0, 0], [-0.501, 4, 0]]))
    world.confirm(np.array([[-3.0, 0, 0]]))
    with pytest.raises(ConfirmationError, match="does not confirm") as caught:
        world.confirm(np.array([[-3.0, 0, 0], [-1, 0, 0], [1, 0, 0]]))
    assert caught.value.index == 1


def test_queries_are_counted(make, flyer):
    world = CollisionWorld(make.scene(make.box("b", (3, 3, 0), (4, 4, 1))), flyer)
    world.is_free(np.zeros((5, 3)))
    world.motions_are_free(np.zeros((2, 3)), np.ones((2, 3)))
    world.clearance(np.zeros((4, 3)))
    assert (world.counts.collision, world.counts.distance) == (7, 4)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_batches_of_none_and_one(make, flyer, backend, count):
    world = CollisionWorld(make.scene(make.box("b", (3, 3, 0), (4, 4, 1))), flyer, backend=backend)
    points = np.zeros((count, 3))
    assert world.is_free(points).shape == (count,)
    assert world.clearance(points, 1.0).shape == (count,)
    assert world.motions_are_free(points, points + 1).shape == (count,)


def test_a_scene_of_decor_has_no_obstacles(make, flyer):
    scene = make.scene(make.box("flag", (-1, -1, -1), (1, 1, 1), role="decor"))
    world = CollisionWorld(scene, flyer)
    assert world.is_free(np.zeros((1, 3)))[0]
    assert world.clearance(np.zeros((1, 3)), 7.0)[0] == 7.0
    world.confirm(np.zeros((2, 3)))


def test_wrong_arguments_are_refused(make, flyer):
    scene = make.scene(make.box("b", (3, 3, 0), (4, 4, 1)))
    with pytest.raises(InputError, match="no collision backend named `pqp`"):
        CollisionWorld(scene, flyer, backend="pqp")
    with pytest.raises(ValueError, match="`tolerance` must be positive"):
        CollisionWorld(scene, flyer, tolerance=0.0)
    with pytest.raises(ValueError, match="must be finite"):
        CollisionWorld(scene, flyer, backend="fcl").is_free(np.array([[0, np.nan, 0]]))
