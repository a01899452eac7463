"""The ground that carries a body never touches its probes; other ground does."""

import fcl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.overhead import MARGIN, cleared, overhead, overhead_query, probes
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import CURB, WalkableSurface, steepest

seeds = st.integers(0, 2**32 - 1)
BODIES = ((0.28, 0.28, 1.47), (0.52, 0.52, 0.56), (1.5, 1.5, 1.5), (0.1, 0.1, 0.1))


def terrain(rng, slope, size=3.0, count=9, curb=0.0):
    """A random folded surface, no triangle steeper than ``slope``, perhaps with a curb."""
    ticks = np.linspace(-size, size, count)
    x, y = np.meshgrid(ticks + 0, ticks, indexing="ij")
    x[1:-1] += rng.uniform(-0.3, 0.3, (count - 2, count)) * size / count
    height = rng.uniform(-1.0, 1.0, x.shape)
    corner = np.arange(count * count).reshape(count, count)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    points = np.column_stack([x.ravel(), y.ravel(), height.ravel()])
    points[:, 2] *= slope / steepest(TriangleMesh(points, faces))
    if not curb:
        return TriangleMesh(points, faces)
    # One half of the cells stands a curb higher than the other, with no riser between.
    corners = points[faces]
    high = corners[:, :, 0].mean(axis=1) > 0.0
    corners[high, :, 2] += curb
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def standing(mesh, rng, count, reach):
    """Points of the surface whose surroundings, up to ``reach`` away in plan, it covers."""
    face = rng.integers(0, len(mesh.faces), 20 * count)
    weight = rng.dirichlet(np.full(3, 0.3), len(face))  # often close to an edge or a corner
    feet = np.einsum("ij,ijk->ik", weight, mesh.triangles[face])
    inside = (np.abs(feet[:, :2]) < mesh.bounds[1, :2].min() - reach).all(axis=1)
    return feet[inside][:count]


@settings(max_examples=50, deadline=None)
@given(seeds, st.floats(0.0, 1.2), st.sampled_from(BODIES), st.sampled_from([0.0, CURB]))
def test_what_one_stands_on_keeps_off_the_probes(seed, slope, body, curb):
    rng = np.random.default_rng(seed)
    mesh = terrain(rng, slope, curb=curb)
    feet = standing(mesh, rng, 40, body[0])
    query = MeshQuery(mesh)
    for radius, low, high in probes(*body, max(slope, steepest(mesh)), CURB + 2e-3):
        assert low <= high
        clearance, _ = query.capsule_clearance(feet, (low, high), radius)
        assert clearance.min(initial=1.0) >= MARGIN * max(1.0, body[0]) - 1e-9


@settings(max_examples=50, deadline=None)
@given(seeds, st.floats(0.0, 1.2), st.sampled_from(BODIES), st.sampled_from([0.0, CURB]))
def test_no_hill_fold_or_curb_is_overhead(seed, slope, body, curb):
    radius, _, high = body
    mesh = terrain(np.random.default_rng(seed), slope, curb=curb)
    assert len(overhead(WalkableSurface(mesh), radius, high + radius)) == 0


@settings(max_examples=50, deadline=None)
@given(seeds, st.floats(0.0, 2.0), st.sampled_from(BODIES))
def test_probes_lie_within_the_body(seed, slope, body):
    radius, low, high = body
    for width, bottom, top in probes(*body, slope, CURB + 2e-3):
        rng = np.random.default_rng(seed)
        ball = rng.normal(size=(50, 3))
        ball *= width / np.linalg.norm(ball, axis=1)[:, None]
        ball[:, 2] += rng.choice([bottom, top], 50)
        nearest = np.clip(ball[:, 2], low, high)
        off = np.hypot(np.hypot(ball[:, 0], ball[:, 1]), ball[:, 2] - nearest)
        assert off.max() <= radius + 1e-9


def deck(height, size=4.0, hole=1.0):
    """A floor, and a sheet of half its width at a height over it."""
    floor = [[-size, -size, 0], [size, -size, 0], [size, size, 0], [-size, size, 0]]
    sheet = [
        [-hole, -hole, height],
        [hole, -hole, height],
        [hole, hole, height],
        [-hole, hole, height],
    ]
    faces = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    return TriangleMesh(np.array(floor + sheet, float), faces)


@pytest.mark.parametrize("height", [0.05, 0.3, 1.0, 1.7])
def test_a_sheet_lower_than_the_head_is_overhead_and_touched(height):
    mesh, (radius, low, high) = deck(height), BODIES[0]
    assert overhead(WalkableSurface(mesh), radius, high + radius).tolist() == [2, 3]
    query = overhead_query(WalkableSurface(mesh), radius, high + radius)
    feet = np.array([[0.0, 0.0, 0.0], [0.9, 0.3, 0.0]])
    touched = np.zeros(2, bool)
    for width, bottom, top in probes(radius, low, high, steepest(mesh), CURB + 2e-3):
        touched |= query.capsule_clearance(feet, (bottom, top), width)[0] < 0.0
    assert touched.all()


def test_a_sheet_above_the_head_is_not():
    assert len(overhead(WalkableSurface(deck(1.76)), 0.28, 1.75)) == 0
    assert overhead_query(WalkableSurface(deck(1.76)), 0.28, 1.75) is None


@settings(max_examples=50, deadline=None)
@given(seeds, st.floats(0.0, 1.0))
def test_marked_is_whatever_touches_a_probe_by_fcl(seed, slope):
    """Random triangles above a terrain: who touches the probe of a standing body is marked."""
    rng = np.random.default_rng(seed)
    ground = terrain(rng, slope, count=5)
    corners = rng.uniform(-2.5, 2.5, (6, 1, 3)) + rng.normal(0.0, 0.5, (6, 3, 3))
    corners[..., 2] = rng.uniform(0.0, 2.5, (6, 1)) + 0.2 * slope * corners[..., 0]
    turned = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] < 0.0
    corners[turned] = corners[turned, ::-1]
    points = np.concatenate([ground.vertices, corners.reshape(-1, 3)])
    sheets = len(ground.vertices) + np.arange(18).reshape(-1, 3)
    mesh = TriangleMesh(points, np.concatenate([ground.faces, sheets]))
    body = BODIES[rng.integers(3)]
    marked = overhead(WalkableSurface(mesh), body[0], body[2] + body[0])
    for point in standing(ground, rng, 10, 0.0):
        for width, bottom, top in probes(*body, steepest(mesh), CURB + 2e-3):
            shape = fcl.Capsule(width + 1e-6, top - bottom)
            place = point + np.array([0.0, 0.0, 0.5 * (bottom + top)])
            capsule = fcl.CollisionObject(shape, fcl.Transform(place))
            for row, corner in enumerate(corners):
                model = fcl.BVHModel()
                model.beginModel(3, 1)
                model.addSubModel(corner, np.array([[0, 1, 2]]))
                model.endModel()
                if fcl.collide(
                    capsule,
                    fcl.CollisionObject(model),
                    fcl.CollisionRequest(),
                    fcl.CollisionResult(),
                ):
                    assert len(ground.faces) + row in marked


def test_curbs_count_what_a_walk_may_go_over():
    assert cleared(WalkableSurface(deck(1.0))) > CURB
