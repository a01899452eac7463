"""Mesh against mesh, against python-fcl and closed forms."""

from types import SimpleNamespace

import fcl
import numpy as np
import pytest
import trimesh

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.pair_kernels import make_scratch
from rmp3d.geometry.rigid_motion import FREE, advance, between, extent
from rmp3d.geometry.rotations import slerp

SHAPES = ("boxes", "spheres", "plates", "tubes", "soup")
STILL = np.array([1.0, 0, 0, 0])


def mesh_of(shape):
    return TriangleMesh(np.array(shape.vertices), np.array(shape.faces))


def turned(mesh, rng, spread):
    matrix = trimesh.transformations.random_rotation_matrix(rng.random(3))[:3, :3]
    return mesh.transformed(matrix, rng.uniform(-spread, spread, 3))


def scene(kind):
    """Body, obstacles, and how far apart they are placed."""
    rng = np.random.default_rng(SHAPES.index(kind))
    if kind == "boxes":
        parts = [mesh_of(trimesh.creation.box(rng.uniform(0.5, 1.5, 3))) for _ in range(24)]
        return join(parts[:2]), join([turned(p, rng, 3.0) for p in parts]), 4.0
    if kind == "spheres":
        ball = mesh_of(trimesh.creation.icosphere(2, 0.7))
        return ball, join([turned(ball, rng, 3.0) for _ in range(10)]), 4.0
    if kind == "plates":
        plates = [mesh_of(trimesh.creation.box([*rng.uniform(1, 3, 2), 0.01])) for _ in range(20)]
        return plates[0], join([turned(p, rng, 3.0) for p in plates]), 4.0
    if kind == "tubes":
        ring = mesh_of(trimesh.creation.torus(1.0, 0.15, 24, 12))
        return ring, turned(ring, rng, 0.1), 1.5
    triangles = rng.normal(size=(300, 3, 3))
    triangles += rng.uniform(-4, 4, (300, 1, 3))
    soup = TriangleMesh(triangles.reshape(-1, 3), np.arange(900).reshape(-1, 3))
    return TriangleMesh(rng.normal(size=(30, 3)), np.arange(30).reshape(-1, 3)), soup, 5.0


def poses(count, spread, rng):
    quaternion = rng.normal(size=(count, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    return np.hstack([rng.uniform(-spread, spread, (count, 3)), quaternion])


def near_contact(pair, rows, rng):
    """Bisect towards the boundary of contact, then leave it by gaps of any size."""
    free, hit = rows[~pair.collide(rows)], rows[pair.collide(rows)]
    count = min(len(free), len(hit))
    free, hit = free[:count], hit[:count]
    for _ in range(40):
        middle = np.hstack([0.5 * (free[:, :3] + hit[:, :3]), free[:, 3:]])
        hit_now = np.hstack([hit[:, :3], free[:, 3:]])
        touching = pair.collide(middle)
        hit[touching, :3] = middle[touching, :3]
        free[~touching] = middle[~touching]
        free[:, 3:] = hit_now[:, 3:]
    away = free[:, :3] - hit[:, :3]
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-300)
    gap = 10.0 ** rng.uniform(-8, -1, (count, 1)) * rng.choice([-1.0, 1.0], (count, 1))
    return np.hstack([free[:, :3] + gap * away, free[:, 3:]])


class Fcl:
    def __init__(self, body, obstacles):
        self.body, self.obstacles = self._object(body), self._object(obstacles)

    @staticmethod
    def _object(mesh):
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        return fcl.CollisionObject(model)

    def collide(self, rows):
        return np.array([self._one(row) for row in rows])

    def _one(self, row):
        self.body.setTransform(fcl.Transform(row[3:].copy(), row[:3].copy()))
        result = fcl.CollisionResult()
        return fcl.collide(self.body, self.obstacles, fcl.CollisionRequest(), result) > 0

    def distance(self, row):
        if self._one(row):
            return 0.0
        return fcl.distance(self.body, self.obstacles, fcl.DistanceRequest(), fcl.DistanceResult())


@pytest.fixture(scope="module", params=SHAPES)
def setting(request):
    body, obstacles, spread = scene(request.param)
    pairs = [MeshPair(body, obstacles, oriented) for oriented in (False, True)]
    return SimpleNamespace(pairs=pairs, judge=Fcl(body, obstacles), spread=spread)


def check_verdicts(setting, count, seed):
    rng = np.random.default_rng(seed)
    rows = poses(count, setting.spread, rng)
    near = near_contact(setting.pairs[1], rows, rng)
    rows = np.concatenate([rows[: max(100, count - len(near))], near])
    expected = setting.judge.collide(rows)
    for pair in setting.pairs:
        wrong = np.flatnonzero(pair.collide(rows) != expected)
        # Both round: gaps below 1e-9 of the scene may be seen either way.
        gap = np.array([setting.judge.distance(row) for row in rows[wrong]])
        assert (gap < 1e-8).all()
        assert len(wrong) < 1e-3 * len(rows)
    return len(rows)


def test_verdicts_agree_with_fcl(setting):
    check_verdicts(setting, 400, seed=0)


@pytest.mark.slow
def test_verdicts_agree_with_fcl_on_20000_configurations_each(setting):
    assert sum(check_verdicts(setting, 4_000, seed) for seed in range(1, 6)) >= 20_000


def test_distances_agree_with_fcl(setting):
    rows = poses(60, setting.spread, np.random.default_rng(7))
    expected = np.array([setting.judge.distance(row) for row in rows])
    for pair in setting.pairs:
        np.testing.assert_allclose(pair.distance(rows), expected, atol=1e-9)
        np.testing.assert_allclose(pair.distance(rows, 0.2), np.minimum(expected, 0.2), atol=1e-9)


def test_margin_is_the_distance_where_nothing_turns(setting):
    rows = poses(100, setting.spread, np.random.default_rng(8))
    distance = setting.pairs[0].distance(rows)
    for pair in setting.pairs:
        assert pair.keeps_clear(rows, 0.999 * distance)[distance > 0].all()
        assert not pair.keeps_clear(rows, 1.001 * distance + 1e-12).any()


def test_certified_motions_are_free_at_every_step(setting):
    rng = np.random.default_rng(9)
    start, end = poses(80, setting.spread, rng), poses(80, setting.spread, rng)
    end[:, :3] = start[:, :3] + 0.3 * (end[:, :3] - start[:, :3])
    for pair in setting.pairs:
        verdict, queries = pair.certify(start, end)
        assert queries == len(start)
        assert (pair.work > 0).all()
        share = np.linspace(0.0, 1.0, 400)
        for a, b, outcome in zip(start, end, verdict, strict=True):
            way = np.tile(a, (400, 1))
            way[:, :3] += share[:, None] * (b - a)[:3]
            way[:, 3:] = slerp(np.tile(a[3:], (400, 1)), np.tile(b[3:], (400, 1)), share)
            hit = pair.collide(way).any()
            assert outcome != 0 or not hit
            assert outcome != 1 or hit or outcome == pair.certify(b[None], a[None])[0][0]


def test_contacts_have_the_gaps_of_their_points(setting):
    pair = setting.pairs[1]
    rows = poses(200, setting.spread, np.random.default_rng(10))
    distance = pair.distance(rows)
    reach = 0.3 * pair.reach
    for row, nearest in zip(rows, distance, strict=True):
        if not 0.0 < nearest < reach:
            continue
        points, normals, gaps = pair.contacts(row, reach)
        assert 1 <= len(points) <= 24
        np.testing.assert_allclose(gaps.min(), nearest, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
        assert (gaps < reach).all()


def test_the_nearest_contact_of_a_cube_over_a_floor_points_up():
    floor = mesh_of(trimesh.creation.box([10, 10, 1]))
    cube = mesh_of(trimesh.creation.box([1, 1, 1]))
    pair = MeshPair(cube, floor)
    points, normals, gaps = pair.contacts(np.array([0.1, 0.2, 1.05, 1.0, 0, 0, 0]), 0.2)
    # Parts of the cube are nearest to the floor's other triangle at a slant.
    below = gaps < 0.05 + 1e-9
    assert below.sum() >= 3
    np.testing.assert_allclose(normals[below], np.tile([0, 0, 1.0], (below.sum(), 1)), atol=1e-9)
    np.testing.assert_allclose(gaps.min(), 0.05)
    np.testing.assert_allclose(points[below, 2], 0.55)


def test_a_brick_that_turns_in_a_slot_is_free_up_to_the_angle_where_its_corner_touches():
    walls = join(
        [
            mesh_of(trimesh.creation.box([10, 1, 1])).transformed(None, np.array([0, side, 0.0]))
            for side in (-1.3, 1.3)
        ]
    )
    pair = MeshPair(mesh_of(trimesh.creation.box([1.5, 1, 1])), walls)
    start = np.array([[0.0, 0, 0, 1, 0, 0, 0]])
    corner = np.hypot(0.75, 0.5)
    touching = np.arcsin(0.8 / corner) - np.arctan2(0.5, 0.75)
    for share in (0.98, 1.02):
        half = 0.5 * share * touching
        end = np.array([[0.0, 0, 0, np.cos(half), 0, 0, np.sin(half)]])
        assert pair.motions_are_free(start, end)[0] == (share < 1.0)


def test_triangles_without_area_collide_as_what_they_are():
    needle = TriangleMesh(np.array([[0.0, 0, -1], [0, 0, 1], [0, 0, 1]]), np.array([[0, 1, 2]]))
    plate = TriangleMesh(np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    pair = MeshPair(needle, plate)
    rows = np.array([[0.0, 0, 0, 1, 0, 0, 0], [5.0, 0, 0, 1, 0, 0, 0], [0, 0, 1.5, 1, 0, 0, 0]])
    assert pair.collide(rows).tolist() == [True, False, False]
    np.testing.assert_allclose(pair.distance(rows)[2], 0.5)


def test_boxes_are_oriented_where_that_makes_them_smaller():
    for kind, expected in (("boxes", False), ("tubes", True)):
        body, obstacles, _ = scene(kind)
        if kind == "boxes":
            obstacles = body
        assert MeshPair(body, obstacles).oriented == expected


@pytest.mark.parametrize("row", [[np.nan, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0]])
def test_bad_configurations_are_refused(row):
    body, obstacles, _ = scene("boxes")
    with pytest.raises(ValueError, match="unit quaternion"):
        MeshPair(body, obstacles, True).collide(np.array([row], dtype=float))


def test_no_configurations_give_no_answers():
    body, obstacles, _ = scene("boxes")
    pair = MeshPair(body, obstacles, True)
    none = np.zeros((0, 7))
    assert pair.collide(none).shape == pair.distance(none).shape == (0,)
    assert pair.motions_are_free(none, none).shape == (0,)


def advanced(pair, start, end):
    """Share proved, configuration reached, and pairs of boxes looked at."""
    reached, counts = np.empty(7), np.zeros(4, np.int64)
    share = advance(
        pair.trees, start, end, pair.tolerance, pair.resolution, reached, make_scratch(), counts
    )
    assert counts[0] == 1
    return share, reached, counts[2]


def on_the_way(start, end, shares):
    place = start[:3] + shares[:, None] * (end - start)[:3]
    count = len(shares)
    turn = slerp(np.tile(start[3:], (count, 1)), np.tile(end[3:], (count, 1)), shares)
    return np.hstack([place, turn])


def motions(kind, count, scale, rng):
    """Motions from free configurations, half of which nearly touch."""
    body, obstacles, spread = scene(kind)
    pair = MeshPair(body, obstacles, oriented=bool(rng.integers(2)))
    rows = poses(6 * count, spread, rng)
    rows = np.concatenate([near_contact(pair, rows, rng)[:count], rows])
    rows = rows[~pair.collide(rows)][: 2 * count]
    ends = rows + scale * pair.reach * rng.normal(size=rows.shape)
    ends[:, 3:] = rows[:, 3:] + scale * rng.normal(size=(len(rows), 4))
    ends[:, 3:] /= np.linalg.norm(ends[:, 3:], axis=1, keepdims=True)
    return pair, Fcl(body, obstacles), rows, ends


def check_proofs(kind, count, scale, steps, seed):
    pair, judge, starts, ends = motions(kind, count, scale, np.random.default_rng(seed))
    verdicts = pair.certify(starts, ends)[0]
    for start, end, verdict in zip(starts, ends, verdicts, strict=True):
        share, reached, _ = advanced(pair, start, end)
        assert 0.0 <= share <= 1.0
        assert (share == 1.0) == (verdict == FREE)
        if share > 0.0:
            way = on_the_way(start, end, np.linspace(0.0, share, steps))
            assert not judge.collide(way).any()
            np.testing.assert_allclose(reached[:3], way[-1, :3], atol=1e-9)
            np.testing.assert_allclose(abs(reached[3:] @ way[-1, 3:]), 1.0)
        if share < 1.0:
            # What stopped the proof is near: contact, or a gap too small to tell.
            _, half, _ = extent(start, end)
            length = np.linalg.norm((end - start)[:3]) + 2.0 * half * pair.reach
            later = min(1.0, share + 2.0 * pair.resolution / length)
            near = on_the_way(start, end, np.linspace(share, later, 20))
            assert pair.distance(near).min() <= pair.tolerance + pair.resolution


@pytest.mark.parametrize("scale", [1e-3, 0.05, 0.5])
@pytest.mark.parametrize("kind", SHAPES)
def test_what_is_proved_is_free_and_what_stops_a_proof_is_near(kind, scale):
    check_proofs(kind, 3, scale, 60, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHAPES)
def test_what_is_proved_is_free_at_fine_steps(kind):
    for seed, scale in enumerate((1e-4, 1e-2, 0.1, 1.0)):
        check_proofs(kind, 8, scale, 4_000, seed)


def test_a_motion_along_a_wall_a_hair_away_is_proved_at_one_glance():
    wall = mesh_of(trimesh.creation.box([20, 1, 20]))
    pair = MeshPair(mesh_of(trimesh.creation.box([1, 1, 1])), wall)
    start, end = np.append([-5, 1.0001, -4], STILL), np.append([5, 1.0001, 4], STILL)
    share, reached, looks = advanced(pair, start, end)
    assert share == 1.0
    assert looks < 20
    np.testing.assert_array_equal(reached, end)


@pytest.mark.parametrize("oriented", [False, True])
def test_a_motion_at_a_wall_is_proved_up_to_the_wall(oriented):
    wall = mesh_of(trimesh.creation.box([20, 1, 20]))
    pair = MeshPair(mesh_of(trimesh.creation.box([1, 1, 1])), wall, oriented)
    start, end = np.append([0, 4.0, 0], STILL), np.append([0, 0.0, 0], STILL)
    share, _, _ = advanced(pair, start, end)
    assert 0.75 - 2.0 * pair.resolution / 4.0 < share < 0.75


def test_the_earliest_obstacle_ends_the_proof():
    plates = [
        mesh_of(trimesh.creation.box([0.1, 8, 8])).transformed(None, np.array([x, 0.0, 0.0]))
        for x in (9.0, 3.0, 6.0)
    ]
    pair = MeshPair(mesh_of(trimesh.creation.box([1, 1, 1])), join(plates))
    share, reached, _ = advanced(pair, np.append([0, 0, 0.0], STILL), np.append([12, 0, 0], STILL))
    np.testing.assert_allclose(12.0 * share, 2.45, atol=2.0 * pair.resolution)
    np.testing.assert_allclose(reached[0], 12.0 * share)


def test_a_motion_that_starts_in_contact_proves_nothing():
    wall = mesh_of(trimesh.creation.box([20, 1, 20]))
    pair = MeshPair(mesh_of(trimesh.creation.box([1, 1, 1])), wall)
    start = np.append([0, 0.9, 0], STILL)
    share, reached, _ = advanced(pair, start, np.append([0, 9.0, 0], STILL))
    assert share == 0.0
    np.testing.assert_array_equal(reached, start)


def test_configurations_between_follow_slerp():
    rng = np.random.default_rng(3)
    for start, end in zip(poses(20, 2.0, rng), poses(20, 2.0, rng), strict=True):
        _, half, sign = extent(start, end)
        here = np.empty(7)
        between(start, end, half, sign, 0.3, here)
        expected = on_the_way(start, end, np.array([0.3]))[0]
        np.testing.assert_allclose(here[:3], expected[:3])
        np.testing.assert_allclose(abs(here[3:] @ expected[3:]), 1.0)
