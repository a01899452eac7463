"""Mesh queries against brute force: trimesh, dense sampling, and Moeller-Trumbore in numpy."""

import signal
import subprocess
import sys

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from rmp3d.geometry import TriangleMesh, join
from rmp3d.geometry.query import STACK, MeshQuery, sweep_one
from rmp3d.geometry.vectors import length, unit

UPRIGHT = (0.3, 1.4)


def nearest_by_trimesh(mesh, points):
    """Distance (M,) to the nearest triangle, all pairs, by trimesh's Ericson routine."""
    count = len(mesh.faces)
    found = trimesh.triangles.closest_point(
        np.tile(mesh.triangles, (len(points), 1, 1)), np.repeat(points, count, axis=0)
    )
    return length(found.reshape(len(points), count, 3) - points[:, None]).min(axis=1)


def hits_by_numpy(mesh, origin, direction):
    """Distance (M,) of the first hit of every ray, all pairs; inf for none."""
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    system = np.stack(np.broadcast_arrays(-direction[:, None], b - a, c - a), axis=-1)
    solvable = np.abs(np.linalg.det(system)) > 1e-12
    system[~solvable] = np.eye(3)
    right = (origin[:, None] - a)[..., None]
    t, u, v = np.moveaxis(np.linalg.solve(system, right)[..., 0], -1, 0)
    hit = solvable & (t >= 0) & (u >= 0) & (v >= 0) & (u + v <= 1)
    return np.where(hit, t, np.inf).min(axis=1)


def on_face(mesh, point, face):
    """Distance (M,) of points from the triangles (M,) they are said to lie in."""
    found = trimesh.triangles.closest_point(mesh.triangles[face], point)
    return length(found - point)


def test_closest_point_agrees_with_trimesh(make):
    rng = np.random.default_rng(0)
    mesh = make.soup(70, rng)
    points = rng.uniform(-5, 5, (300, 3))
    distance, nearest, face = MeshQuery(mesh).closest_point(points)
    np.testing.assert_allclose(distance, nearest_by_trimesh(mesh, points), atol=1e-12)
    np.testing.assert_allclose(length(nearest - points), distance, atol=1e-12)
    assert on_face(mesh, nearest, face).max() < 1e-12


def sampled_distance(mesh, points, count=25):
    """Upper bound (M,) of the distance by a grid of barycentric coordinates; any triangle."""
    share = np.linspace(0, 1, count)
    b, c = (grid.ravel() for grid in np.meshgrid(share, share))
    weight = np.stack([1 - b - c, b, c], axis=1)[b + c <= 1 + 1e-12]
    samples = np.einsum("sk,fkj->fsj", weight, mesh.triangles).reshape(-1, 3)
    return np.array([length(samples - point).min() for point in points])


def test_closest_point_copes_with_points_segments_and_slivers(make):
    rng = np.random.default_rng(1)
    mesh = make.degenerate(rng)
    points = np.concatenate([rng.uniform(-3, 3, (80, 3)), mesh.vertices[:30] + 1e-3])
    distance, nearest, face = MeshQuery(mesh).closest_point(points)
    sampled = sampled_distance(mesh, points)
    assert (distance <= sampled + 1e-9).all()
    assert (distance >= sampled - 0.25).all()  # the sampling's step on the largest triangle
    for point, row in zip(nearest, face, strict=True):
        # On its triangle: within the segment or triangle that its corners span, to a micrometer.
        gap, _, _ = MeshQuery(mesh.select([row])).closest_point(point[None])
        assert gap[0] < 1e-6
        low, high = mesh.triangles[row].min(axis=0), mesh.triangles[row].max(axis=0)
        assert ((point > low - 1e-6) & (point < high + 1e-6)).all()


corner = st.tuples(*[st.floats(-2, 2, allow_subnormal=False)] * 3).map(np.array)


def exact_distance(triangle, point):
    """Distance by rational arithmetic, so that no sliver is too thin."""
    from fractions import Fraction

    def exact(vector):
        return [Fraction(float(value)) for value in vector]

    def dot(u, v):
        return sum(x * y for x, y in zip(u, v, strict=True))

    def minus(u, v):
        return [x - y for x, y in zip(u, v, strict=True)]

    a, b, c = (exact(vertex) for vertex in triangle)
    p = exact(point)
    u, v, q = minus(b, a), minus(c, a), minus(p, a)
    uu, uv, vv, uq, vq = dot(u, u), dot(u, v), dot(v, v), dot(u, q), dot(v, q)
    best = None
    determinant = uu * vv - uv * uv
    if determinant > 0:
        s, t = (vv * uq - uv * vq) / determinant, (uu * vq - uv * uq) / determinant
        if s >= 0 and t >= 0 and s + t <= 1:
            foot = [q[k] - s * u[k] - t * v[k] for k in range(3)]
            best = dot(foot, foot)
    for start, end in ((a, b), (b, c), (c, a)):
        along, offset = minus(end, start), minus(p, start)
        size = dot(along, along)
        share = min(max(dot(offset, along) / size, Fraction(0)), Fraction(1)) if size else 0
        rest = [offset[k] - share * along[k] for k in range(3)]
        best = dot(rest, rest) if best is None else min(best, dot(rest, rest))
    return float(best) ** 0.5


@settings(max_examples=150, deadline=None)
@given(corner, corner, corner, corner)
def test_the_distance_to_a_triangle_is_the_exact_one(a, b, c, point):
    triangle = np.stack([a, b, c])
    query = MeshQuery(TriangleMesh(triangle, [[0, 1, 2]]))
    distance, nearest, _ = query.closest_point(point[None])
    assert distance[0] == pytest.approx(exact_distance(triangle, point), abs=1e-6)
    assert exact_distance(triangle, nearest[0]) < 1e-6


@settings(max_examples=150, deadline=None)
@given(corner, corner, st.floats(-0.5, 1.5), corner, st.floats(-16, -1), st.integers(0, 2), corner)
def test_the_distance_to_a_sliver_is_the_exact_one(a, b, share, off, exponent, turn, point):
    triangle = np.stack([a, b, a + share * (b - a) + 10.0**exponent * off])
    triangle = np.roll(triangle, turn, axis=0)
    query = MeshQuery(TriangleMesh(triangle, [[0, 1, 2]]))
    distance, nearest, _ = query.closest_point(point[None])
    assert distance[0] == pytest.approx(exact_distance(triangle, point), abs=1e-6)
    assert exact_distance(triangle, nearest[0]) < 1e-6


@pytest.mark.parametrize("cap", [0.0, 0.1, 0.7, 3.0])
def test_nothing_beyond_the_cap_is_reported(make, cap):
    rng = np.random.default_rng(2)
    query = MeshQuery(make.soup(30, rng))
    points = rng.uniform(-5, 5, (200, 3))
    distance, nearest, face = query.closest_point(points)
    capped, point, row = query.closest_point(points, cap)
    near = distance < cap
    np.testing.assert_array_equal(row, np.where(near, face, -1))
    np.testing.assert_allclose(capped, np.minimum(distance, cap), atol=1e-12)
    np.testing.assert_allclose(point, np.where(near[:, None], nearest, points), atol=1e-12)


@pytest.mark.parametrize("capsule_axis", [UPRIGHT, (0.0, 0.0), (-1.0, 1.0)])
def test_capsule_clearance_is_the_least_over_its_segment(make, capsule_axis):
    rng = np.random.default_rng(3)
    mesh = join([make.soup(25, rng), make.degenerate(rng)])
    query = MeshQuery(mesh)
    points = rng.uniform(-4, 4, (60, 3))
    heights = np.linspace(*capsule_axis, 401)
    samples = points[:, None] + heights[None, :, None] * [0, 0, 1.0]
    dense = query.closest_point(samples.reshape(-1, 3))[0].reshape(60, -1).min(axis=1)
    clearance, face = query.capsule_clearance(points, capsule_axis, 0.25)
    assert (clearance <= dense - 0.25 + 1e-9).all()
    # The distance changes by at most the distance of the samples.
    assert (clearance >= dense - 0.25 - 0.5 * (heights[1] - heights[0]) - 1e-9).all()
    assert (face >= 0).all()
    assert (clearance >= -0.25 - 1e-12).all()
    capped, none = query.capsule_clearance(points, capsule_axis, 0.25, cap=0.5)
    np.testing.assert_allclose(capped, np.minimum(clearance, 0.5), atol=1e-12)
    np.testing.assert_array_equal(none >= 0, clearance < 0.5)


def test_a_capsule_whose_middle_is_pierced_has_the_least_clearance(make):
    query = MeshQuery(make.flat([-5, -5], [5, 5], 1.0))
    clearance, _ = query.capsule_clearance(np.array([[0.1, 0.2, 0.0]]), (0.3, 1.7), 0.3)
    assert clearance[0] == -0.3


def test_sweeps_agree_with_dense_stepping_and_are_never_falsely_free(make):
    rng = np.random.default_rng(4)
    mesh = join([make.soup(25, rng, size=0.6), make.degenerate(rng)])
    query = MeshQuery(mesh)
    start = rng.uniform(-3.5, 3.5, (3000, 3))
    end = start + rng.normal(0, 1.0, (3000, 3))
    end[:50] = start[:50]
    share = np.linspace(0, 1, 60)
    between = start[:, None] + share[None, :, None] * (end - start)[:, None]
    for capsule_axis, radius in ((UPRIGHT, 0.15), ((0.0, 0.0), 0.2)):
        free, face = query.sweep_capsule(start, end, capsule_axis, radius)
        clearance, _ = query.capsule_clearance(
            between.reshape(-1, 3), capsule_axis, radius, cap=1.0
        )
        least = clearance.reshape(len(start), -1).min(axis=1)
        assert 0.1 < free.mean() < 0.9, "the test has both kinds"
        assert (least[free] > 0.0).all(), "never a false free"
        step = length(end - start) / 59
        assert (free | (least <= 1e-4 + 0.5 * step)).all(), "nor a needless refusal"
        np.testing.assert_array_equal(free, face < 0)
        assert (face[~free] < len(mesh.faces)).all()


def test_a_sweep_that_may_name_any_face_proves_the_same_motions(make):
    rng = np.random.default_rng(6)
    mesh = join([make.soup(25, rng, size=0.6), make.degenerate(rng)])
    query = MeshQuery(mesh)
    start = rng.uniform(-3.5, 3.5, (3000, 3))
    end = start + rng.normal(0, 1.0, (3000, 3))
    end[:50] = start[:50]
    for radius in (0.2, 0.0):
        free, _ = query.sweep_capsule(start, end, UPRIGHT, radius)
        soon, face = query.sweep_capsule(start, end, UPRIGHT, radius, first=False)
        np.testing.assert_array_equal(soon, free)
        share = np.linspace(0, 1, 400)[:, None]
        for row in np.flatnonzero(~soon)[:20]:
            met = MeshQuery(mesh.select(face[row : row + 1]))
            between = start[row] + share * (end[row] - start[row])
            clearance, _ = met.capsule_clearance(between, UPRIGHT, radius)
            assert clearance.min() < 1e-4 + length(end[row] - start[row]) / 400


def test_a_sweep_along_a_wall_and_into_another_is_refused_by_one_look(make):
    long, across = make.flat([-5, -5], [5, 5], 0.0), make.flat([-5, -5], [5, 5], 0.0)
    across = TriangleMesh(across.vertices[:, [2, 1, 0]] + [3.0, 0, 0], across.faces)
    arrays = MeshQuery(join([long, across])).arrays
    room = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)

    def looks(first):
        way = (-4.0, 0.1, 0.22, 4.0, 0.1, 0.22)
        row, count = sweep_one(*arrays, *way, 0.0, 1.0, 0.2, 1e-4, first, *room)
        assert row >= 0
        return count

    assert looks(True) > 20
    assert looks(False) == 1


def test_a_thin_wall_stops_the_fastest_sweep(make):
    rng = np.random.default_rng(5)
    wall = make.box([0.0, -5, -5], [1e-6, 5, 5])
    query = MeshQuery(wall)
    start = np.column_stack([-rng.uniform(1, 1e4, 2000), rng.uniform(-3, 3, (2000, 2))])
    end = np.column_stack([rng.uniform(1, 1e4, 2000), rng.uniform(-3, 3, (2000, 2))])
    free, face = query.sweep_capsule(start, end, (0.0, 0.0), 0.01)
    assert not free.any()
    assert (face >= 0).all()
    aside = start + np.array([0.0, 0.0, 20.0])
    assert query.sweep_capsule(aside, aside + np.array([2e4, 0, 0]), (0.0, 0.0), 0.01)[0].all()


def test_a_sweep_keeps_its_tolerance(make):
    query = MeshQuery(make.flat([-5, -5], [5, 5]))
    start, end = np.array([[-1.0, 0, 0]]), np.array([[1.0, 0.3, 0]])
    for gap, expected in ((0.009, False), (0.011, True)):
        lift = [0, 0, 0.2 + gap]
        found, _ = query.sweep_capsule(start + lift, end + lift, (0.0, 1.0), 0.2, tolerance=0.01)
        assert found[0] == expected


def test_sweeps_that_begin_or_end_in_contact_are_refused(make):
    query = MeshQuery(make.box([-1, -1, -1], [1, 1, 1]))
    touching, outside = np.array([[1.1, 0, 0]]), np.array([[3.0, 0, 0]])
    assert not query.sweep_capsule(touching, outside, (0.0, 0.0), 0.1)[0][0]
    assert not query.sweep_capsule(outside, touching, (0.0, 0.0), 0.1)[0][0]
    assert query.sweep_capsule(outside, outside, (0.0, 0.0), 0.1)[0][0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_sweeps_from_or_to_nowhere_are_refused_rather_than_endless(make, bad):
    query = MeshQuery(make.box([-1, -1, -1], [1, 1, 1]))
    with pytest.raises(ValueError, match="must be finite"):
        query.sweep_capsule(np.array([[bad, 0, 0]]), np.zeros((1, 3)), (0.0, 0.0), 0.1)
    with pytest.raises(ValueError, match="must be finite"):
        query.sweep_capsule(np.array([[5.0, 0, 0]]), np.full((1, 3), bad), (0.0, 0.0), 0.1)


def test_rays_agree_with_brute_force(make):
    rng = np.random.default_rng(6)
    mesh = join([make.soup(60, rng), make.degenerate(rng)])
    origin = rng.uniform(-3, 3, (500, 3))
    direction = unit(rng.normal(size=(500, 3)))
    distance, face = MeshQuery(mesh).cast_ray(origin, direction)
    expected = hits_by_numpy(mesh, origin, direction)
    assert 0.2 < np.isfinite(expected).mean() < 0.98
    np.testing.assert_allclose(distance, expected, atol=1e-8)
    hit = face >= 0
    np.testing.assert_array_equal(hit, np.isfinite(expected))
    point = origin + distance[:, None].clip(max=100) * direction
    assert on_face(mesh, point[hit], face[hit]).max() < 1e-8


def test_rays_end_at_their_largest_distance(make):
    query = MeshQuery(make.flat([-1, -1], [1, 1]))
    down = np.array([0.0, 0, -1])
    for limit, hit in ((1.9, False), (2.1, True)):
        distance, face = query.cast_ray(np.array([[0.3, 0.2, 2.0]]), down, limit)
        assert (face[0] >= 0) == hit
        assert distance[0] == pytest.approx(2.0 if hit else limit)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_rays_along_an_axis_hit_the_faces_edges_and_corners_of_a_box(make, axis, sign):
    query = MeshQuery(make.box([-1, -1, -1], [1, 1, 1]))
    line = np.array([-1.0, -0.5, 0.0, 0.7, 1.0])
    others = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    origin = np.insert(others, axis, -3.0 * sign, axis=1)
    direction = np.zeros(3)
    direction[axis] = sign
    distance, face = query.cast_ray(origin, direction)
    np.testing.assert_allclose(distance, 2.0)
    assert (face >= 0).all()
    beside = origin + np.insert([0.0, 3.0], axis, 0.0)
    assert (query.cast_ray(beside, direction)[1] == -1).all()
    assert len(query.cast_ray(beside[:0], direction)[0]) == 0


def test_contains_agrees_with_the_formulas_of_solids(make):
    rng = np.random.default_rng(7)
    points = rng.uniform(-0.5, 2.5, (2000, 3))
    x, y, z = points.T
    in_l = (z > 0) & (z < 1) & (x > 0) & (y > 0) & (((x < 2) & (y < 1)) | ((x < 1) & (y < 2)))
    np.testing.assert_array_equal(MeshQuery(make.l_solid()).contains(points), in_l)
    in_box = ((points > 0.2) & (points < [1.0, 2.0, 0.9])).all(axis=1)
    np.testing.assert_array_equal(
        MeshQuery(make.box([0.2] * 3, [1.0, 2.0, 0.9])).contains(points), in_box
    )
    ball = make.sphere(1.0, 2)
    gap = length(points)
    apothem = np.einsum("ij,ij->i", ball.normals, ball.triangles[:, 0]).min()
    sure = (gap < apothem) | (gap > 1.0)
    np.testing.assert_array_equal(MeshQuery(ball).contains(points)[sure], (gap < 1.0)[sure])


def test_contains_on_a_lattice_agrees_with_the_box(make):
    line = np.linspace(-1.75, 1.75, 8)
    points = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)
    inside = (np.abs(points) < 1.0).all(axis=1)
    np.testing.assert_array_equal(MeshQuery(make.box([-1] * 3, [1] * 3)).contains(points), inside)


def test_contains_adds_solids_that_overlap(make):
    query = MeshQuery(join([make.box([0, 0, 0], [2, 2, 2]), make.box([1, 1, 1], [3, 3, 3])]))
    points = np.array([[0.5] * 3, [1.5] * 3, [2.5] * 3, [0.5, 2.5, 0.5], [4.0] * 3])
    np.testing.assert_array_equal(query.contains(points), [True, True, True, False, False])


def test_empty_batches_have_empty_answers(make):
    query = MeshQuery(make.box([0] * 3, [1] * 3))
    none = np.zeros((0, 3))
    distance, nearest, face = query.closest_point(none)
    assert distance.shape == face.shape == (0,)
    assert nearest.shape == (0, 3)
    assert [a.shape for a in query.capsule_clearance(none, UPRIGHT, 0.2)] == [(0,), (0,)]
    assert [a.shape for a in query.sweep_capsule(none, none, UPRIGHT, 0.2)] == [(0,), (0,)]
    assert [a.shape for a in query.cast_ray(none, none)] == [(0,), (0,)]
    assert query.contains(none).shape == (0,)


def test_queries_leave_their_input_alone_and_take_any_layout(make):
    query = MeshQuery(make.soup(20, np.random.default_rng(8)))
    points = np.random.default_rng(9).normal(size=(3, 40)).T
    before = points.copy()
    points.setflags(write=False)
    straight = query.closest_point(np.ascontiguousarray(points))[0]
    np.testing.assert_array_equal(query.closest_point(points)[0], straight)
    query.sweep_capsule(points, points[::-1], UPRIGHT, 0.1)
    query.cast_ray(points, unit(points))
    np.testing.assert_array_equal(points, before)


def test_a_sweep_that_grazes_too_long_is_refused_and_one_out_of_all_sense_too(make):
    """Five of them are more than the looks of one compiled call."""
    plane = MeshQuery(make.grid(np.array([-1.0, 101.0]), np.array([-9.0, 9.0]), lambda x, y: 0 * x))
    start = np.tile([0.0, 0.0, 1.00010000005], (14, 1))  # nearer than one look at all proves
    end = start + np.array([100.0, 0.0, 0.0])
    end[1::2] = start[1::2] + np.array([1.0, 0.0, 0.0])
    free, face = plane.sweep_capsule(start, end, (0.0, 0.0), 1.0)
    np.testing.assert_array_equal(free, np.arange(14) % 2 == 1)
    np.testing.assert_array_equal(face >= 0, ~free)
    for far in (1e13, 1e200, np.inf, np.nan):
        with pytest.raises(ValueError, match="at most 1e\\+12 m"):
            plane.sweep_capsule(start, end + far, (0.0, 0.0), 1.0)


def test_more_rows_than_one_compiled_call_takes_give_the_same_answers(make):
    rng = np.random.default_rng(3)
    query = MeshQuery(make.soup(40, rng))
    points = rng.uniform(-3.0, 3.0, (2500, 3))
    course = rng.normal(size=points.shape)
    course /= np.linalg.norm(course, axis=1)[:, None]

    def answers(rows):
        yield from query.nearest(points[rows], (0.0, 0.5))
        yield from query.cast_ray(points[rows], course[rows])
        yield query.contains(points[rows])
        yield from query.sweep_capsule(points[rows], points[rows] + course[rows], (0.0, 0.5), 0.1)

    pieces = [list(answers(slice(first, first + 700))) for first in range(0, 2500, 700)]
    for whole, *parts in zip(answers(slice(None)), *pieces, strict=True):
        np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_ctrl_c_ends_long_queries(make):
    program = (
        "import numpy as np\n"
        "from rmp3d.geometry import TriangleMesh\n"
        "from rmp3d.geometry.query import MeshQuery\n"
        "corners = np.array([[-1.0, -99.0, 0.0], [901.0, -99.0, 0.0], [0.0, 99.0, 0.0]])\n"
        "mesh = TriangleMesh(corners, np.array([[0, 1, 2]]))\n"
        "start = np.tile([0.0, 0.0, 1.00015], (100_000, 1))\n"
        "query = MeshQuery(mesh)\n"
        "query.sweep_capsule(start[:1], start[:1], (0.0, 0.0), 1.0)\n"
        "print('ready', flush=True)\n"
        "query.sweep_capsule(start, start + [[90.0, 0.0, 0.0]], (0.0, 0.0), 1.0)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    try:
        _, said = process.communicate(timeout=120.0)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in said
