"""Safety under hostile wishes: whatever is asked, nobody touches anybody or anything."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.safety.moving import MovingBodies
from rmp3d.behaviors.safety.pairs import SKIN, pairs_that_meet
from rmp3d.behaviors.safety.stopping import braking_distance, reach_of_speed, speed_of_reach
from rmp3d.behaviors.vehicles import attainable, hug
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes.build.shapes import box

DT = 1.0 / 30.0


def floor(half=10.0, cells=5):
    line = np.linspace(-half, half, cells + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    rows = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return TriangleMesh(np.stack([x, y, 0 * x], -1).reshape(-1, 3), faces)


def crowd(position, grounded, face=None, radius=0.3, seed=0):
    rng = np.random.default_rng(seed)
    count = len(position)
    bodies = Bodies.alike(
        count, grounded=grounded, radius=radius * rng.uniform(0.7, 1.0, count),
        capsule_axis=[0.3, 1.4] if grounded else [0.0, 0.0],
        max_speed=rng.uniform(1, 3, count), max_turn_rate=9.0,
    )  # fmt: skip
    return Flock.at_rest(bodies, position, face=-1 if face is None else face)


def swept_pair_gap(start, end, radius):
    """Smallest gap of all pairs of spheres that move straight; closed form, no neighbor list."""
    i, j = np.triu_indices(len(start), 1)
    offset, motion = start[j] - start[i], (end - start)[j] - (end - start)[i]
    size = np.maximum((motion**2).sum(1), 1e-300)
    share = np.clip(-(offset * motion).sum(1) / size, 0, 1)
    return (np.linalg.norm(offset + share[:, None] * motion, axis=1) - radius[i] - radius[j]).min()


def test_stopping_maps_match_a_simulation_and_each_other():
    for speed in np.linspace(0.0, 5.0, 57):
        loss, position, v = 0.13, 0.0, speed
        while v > loss:
            v -= loss
            position += v * DT
        assert braking_distance(speed, loss, DT) == pytest.approx(position, abs=1e-12)
        reach = reach_of_speed(speed, loss, DT)
        assert speed_of_reach(reach, loss, DT) == pytest.approx(speed, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_flyers_under_hostile_wishes_never_touch(seed):
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(4) * 1.1] * 3), -1).reshape(-1, 3) - 1.6
    scene = MeshQuery(join([box([3.0, -1, -1], [3.2, 1, 1]), box([-4, -4, 2.6], [4, 4, 2.7])]))
    flock = crowd(grid, grounded=False, seed=seed)
    safety = SafetyConstraint(None, scene, None, np.array([[-5.0] * 3, [5.0] * 3]), DT)
    pull = np.zeros(3)
    for step in range(300):
        pull = rng.normal(size=3) if step % 40 == 0 else pull
        wish = 3.0 * (np.tanh(pull - flock.position) + 0.5 * rng.normal(size=flock.position.shape))
        velocity = safety.velocity(flock, wish, wish)
        change = np.linalg.norm(velocity - flock.velocity, axis=1)
        assert (change <= flock.bodies.max_acceleration * DT * (1 + 1e-9)).all()
        assert (np.linalg.norm(velocity, axis=1) <= flock.bodies.max_speed * (1 + 1e-9)).all()
        moved = flock.position + velocity * DT
        assert swept_pair_gap(flock.position, moved, flock.bodies.radius) > 0.0
        for share in (0.25, 0.5, 0.75, 1.0):
            between = flock.position + share * (moved - flock.position)
            distance = scene.closest_point(between)[0]
            assert (distance - flock.bodies.radius > 0.0).all()
        flock = flock.moved(position=moved, velocity=velocity)
    assert safety.report.smallest_gap > -1e-9  # rounding; the skin is 1e-6
    assert np.linalg.norm(flock.velocity, axis=1).max() < 3.0


@pytest.mark.parametrize(("brake", "side"), [(4.0, 0.8), (2.0, 4.0), (40.0, 6.0)])
def test_unlike_forces_are_kept_to_under_hostile_wishes_and_nobody_touches(brake, side):
    rng = np.random.default_rng(4)
    grid = np.stack(np.meshgrid(*[np.arange(3) * 1.1] * 3), -1).reshape(-1, 3) - 1.1
    flock = crowd(grid, grounded=False)
    flock = flock.with_bodies(max_brake=brake, max_side_acceleration=side)
    scene = MeshQuery(box([2.0, -2, -2], [2.2, 2, 2]))
    safety = SafetyConstraint(None, scene, None, np.array([[-3.0] * 3, [3.0] * 3]), DT)
    pull = np.zeros(3)
    for step in range(150):
        pull = rng.normal(size=3) * 3 if step % 30 == 0 else pull
        wish = 3.0 * (np.tanh(pull - flock.position) + 0.5 * rng.normal(size=flock.position.shape))
        velocity = safety.velocity(flock, wish, wish)
        change = (velocity - flock.velocity) / DT
        speed = np.linalg.norm(flock.velocity, axis=1, keepdims=True)
        moving = speed[:, 0] > 1e-6
        course = np.where(moving[:, None], flock.velocity / np.maximum(speed, 1e-12), 0.0)
        along = (change * course).sum(axis=1)
        across = np.linalg.norm(change - along[:, None] * course, axis=1)
        use = np.hypot(along / np.where(along < 0.0, brake, 4.0), across / side)
        assert (use[moving] <= 1.0 + 1e-9).all()
        assert (across[~moving] <= 4.0 + 1e-9).all()
        moved = flock.position + velocity * DT
        assert swept_pair_gap(flock.position, moved, flock.bodies.radius) > 0.0
        assert (scene.closest_point(moved)[0] - flock.bodies.radius > 0.0).all()
        flock = flock.moved(position=moved, velocity=velocity)
    assert safety.report.smallest_gap > -1e-9
    assert safety.report.held_back > 0


def test_a_turn_radius_is_kept_to_under_hostile_wishes_and_nobody_touches():
    rng = np.random.default_rng(5)
    grid = np.stack(np.meshgrid(*[np.arange(4) * 1.5] * 2, [0.0]), -1).reshape(-1, 3) - [2, 2, 0]
    surface = WalkableSurface(floor(6.0))
    position, face = surface.locate(grid)
    flock = crowd(position, grounded=True, face=face)
    flock = flock.with_bodies(turn_radius=0.8)
    walls = MeshQuery(join([box([3, -4, 0], [3.2, 4, 3]), box([-3.2, -4, 0], [-3, 4, 3])]))
    safety = SafetyConstraint(walls, None, surface, np.array([[-4.0] * 3, [4.0] * 3]), DT)
    way = 0.0
    pull = np.zeros(3)
    for step in range(200):
        pull = rng.normal(size=3) * 3 if step % 30 == 0 else pull
        wish = 2.0 * (np.tanh(pull - flock.position) + 0.5 * rng.normal(size=flock.position.shape))
        wish[:, 2] = 0.0
        if step % 3:  # and, in between, what the vehicle can do
            wish = attainable(flock, wish, DT)
        velocity = safety.velocity(flock, wish, wish)
        before = np.where(flock.velocity.any(axis=1)[:, None], flock.velocity, flock.heading)
        angle = np.arctan2(
            np.linalg.norm(np.cross(before, velocity), axis=1), (before * velocity).sum(axis=1)
        )
        speed = np.linalg.norm(flock.velocity, axis=1)
        assert (angle <= speed * DT / 0.8 + 2e-9).all()
        start = flock.position
        flock = hug(flock, velocity, surface, DT)
        way += np.linalg.norm(flock.position - start, axis=1).sum()
        assert swept_pair_gap(start, flock.position, flock.bodies.radius) > 0.0
    assert way > 16.0
    assert safety.report.smallest_gap > -1e-9


def test_vehicles_that_reverse_keep_to_their_turn_radius_both_ways_and_touch_nothing():
    rng = np.random.default_rng(8)
    grid = np.stack(np.meshgrid(*[np.arange(3) * 1.6] * 2, [0.0]), -1).reshape(-1, 3) - [2, 2, 0]
    surface = WalkableSurface(floor(6.0))
    position, face = surface.locate(grid)
    flock = crowd(position, grounded=True, face=face)
    flock = flock.with_bodies(turn_radius=0.8, max_reverse_speed=0.7)
    walls = MeshQuery(join([box([3, -4, 0], [3.2, 4, 3]), box([-3.2, -4, 0], [-3, 4, 3])]))
    safety = SafetyConstraint(walls, None, surface, np.array([[-4.0] * 3, [4.0] * 3]), DT)
    driven = np.zeros(2)
    for step in range(240):
        if step % 40 == 0:
            pull, backward = rng.normal(size=3) * 3, rng.random(9) < 0.5
        wish = 2.0 * (np.tanh(pull - flock.position) + 0.5 * rng.normal(size=(9, 3)))
        wish[:, 2] = 0.0
        proposal = wish if step % 3 == 0 else attainable(flock, wish, DT, backward)
        velocity = safety.velocity(flock, proposal, wish)
        before, start = flock, flock.position
        flock = hug(flock, velocity, surface, DT)
        speed = np.linalg.norm(velocity, axis=1)
        along = (velocity * flock.heading).sum(axis=1)
        np.testing.assert_allclose(np.abs(along), speed, atol=1e-9)
        turn = np.arccos(np.clip((flock.heading * before.heading).sum(axis=1), -1.0, 1.0))
        way = np.linalg.norm(before.velocity, axis=1) * DT
        assert (turn <= way / 0.8 + 1e-7).all()
        driven += np.array([along.clip(0.0).sum(), -along.clip(None, 0.0).sum()]) * DT
        assert swept_pair_gap(start, flock.position, flock.bodies.radius) > 0.0
        assert (walls.closest_point(flock.position + 0.5 * flock.up)[0] > flock.bodies.radius).all()
    assert (driven > 2.0).all(), "ahead and backward"
    assert safety.report.smallest_gap > -1e-9


@pytest.mark.parametrize("seed", range(3))
def test_walkers_under_hostile_wishes_never_touch_walls_or_leave_the_floor(seed):
    rng = np.random.default_rng(seed)
    surface = WalkableSurface(floor(6.0))
    walls = MeshQuery(join([box([2, -6, 0], [2.2, -0.5, 3]), box([2, 0.5, 0], [2.2, 6, 3])]))
    position = np.stack(np.meshgrid(np.arange(5) - 4.0, np.arange(5) - 2.0, [0.0]), -1).reshape(
        -1, 3
    )
    position, face = surface.locate(position)
    flock = crowd(position, grounded=True, face=face, seed=seed)
    safety = SafetyConstraint(walls, None, surface, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    furthest = 0.0
    for step in range(400):
        goal = np.array([8.0 if step < 250 else -8.0, 0.0, 0.0])
        wish = 2.0 * (np.tanh(goal - flock.position) + 0.7 * rng.normal(size=flock.position.shape))
        velocity = safety.velocity(flock, wish, wish)
        moved, face, arrived = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        assert arrived.all()
        assert swept_pair_gap(flock.position, moved, flock.bodies.radius) > 0.0
        clearance = np.concatenate([
            walls.capsule_clearance(flock.position[[k]], flock.bodies.capsule_axis[k],
            flock.bodies.radius[k])[0]
            for k in range(len(flock))
        ])  # fmt: skip
        assert (clearance > 0.0).all()
        furthest = max(furthest, moved[:, 0].max())
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    assert furthest > 4.0, "somebody came through the door"
    assert safety.report.smallest_gap > -1e-9  # rounding; the skin is 1e-6


@pytest.mark.parametrize("slope", [0.0, 0.6])
def test_walkers_of_unlike_heights_never_touch_on_the_level_or_on_a_slope(slope):
    """Short bodies, whose segments need not overlap in height though the bodies are beside."""
    rng = np.random.default_rng(1)
    sheet = floor(8.0)
    tilted = TriangleMesh(
        sheet.vertices + np.outer(sheet.vertices[:, 0], [0, 0, slope]), sheet.faces
    )
    surface = WalkableSurface(tilted)
    position = np.stack(np.meshgrid(np.arange(4) * 1.4, np.arange(4) * 1.4, [0.0]), -1)
    position, face = surface.locate(position.reshape(-1, 3), 9.0, 9.0)
    flock = crowd(position, grounded=True, face=face, radius=0.5)
    tall = np.arange(len(flock)) % 2 == 0
    flock = flock.with_bodies(
        radius=0.5,
        capsule_axis=np.where(tall[:, None], [0.6, 0.66], [0.5, 0.54]),
    )
    safety = SafetyConstraint(None, None, surface, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    i, j = np.triu_indices(len(flock), 1)
    for _ in range(150):
        wish = 2.0 * (np.tanh(-flock.position) + 0.7 * rng.normal(size=flock.position.shape))
        velocity = safety.velocity(flock, wish, wish)
        moved, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        offset = moved[j] - moved[i]
        below = offset[:, 2] + flock.bodies.capsule_axis[j, 0] - flock.bodies.capsule_axis[i, 1]
        above = offset[:, 2] + flock.bodies.capsule_axis[j, 1] - flock.bodies.capsule_axis[i, 0]
        offset[:, 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
        assert np.linalg.norm(offset, axis=1).min() > 1.0
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    assert np.linalg.norm(flock.position, axis=1).mean() < 3.0


def test_braking_never_fails_before_a_wall():
    wall = MeshQuery(box([2.0, -5, -5], [2.1, 5, 5]))
    flock = crowd(np.zeros((1, 3)), grounded=False)
    safety = SafetyConstraint(None, wall, None, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    for _ in range(200):
        velocity = safety.velocity(flock, np.array([[3.0, 0, 0]]), np.array([[3.0, 0, 0]]))
        flock = flock.moved(position=flock.position + velocity * DT, velocity=velocity)
    gap = 2.0 - flock.position[0, 0] - flock.bodies.radius[0]
    assert 0.0 < gap < 0.02
    assert abs(flock.velocity[0, 0]) < 0.05


def test_rows_may_be_permuted():
    rng = np.random.default_rng(4)
    position = rng.uniform(-3, 3, (12, 3)) * [1, 1, 0.3]
    position = position[np.argsort(position[:, 0])]
    flock = crowd(position, grounded=False, radius=0.2)
    wish = rng.normal(size=(12, 3))
    safety = SafetyConstraint(None, None, None, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    order = rng.permutation(12)
    straight = safety.velocity(flock, wish, wish)[order]
    permuted = safety.velocity(flock.select(order), wish[order], wish[order])
    np.testing.assert_allclose(permuted, straight, atol=1e-9)


@pytest.mark.parametrize("gap", [3e-4, 2e-3, 0.05])
def test_nobody_is_slowed_down_by_a_wall_along_the_way(gap):
    wall = MeshQuery(box([-50, 0, -5], [50, 1, 5]))
    flock = crowd(np.zeros((1, 3)), grounded=False)
    flock = flock.moved(position=np.array([[0.0, -flock.bodies.radius[0] - gap, 0.0]]))
    safety = SafetyConstraint(None, wall, None, np.array([[-60.0] * 3, [60.0] * 3]), DT)
    wish = np.array([[flock.bodies.max_speed[0], 0.0, 0.0]])
    for _ in range(60):
        velocity = safety.velocity(flock, wish, wish)
        flock = flock.moved(position=flock.position + velocity * DT, velocity=velocity)
    assert flock.velocity[0] == pytest.approx(wish[0], abs=1e-3)
    assert 0.0 < -flock.position[0, 1] - flock.bodies.radius[0] < gap + 2e-3


def dense_crowd(count=620):
    """Walkers and a few flyers close together, in no order of place, on the move."""
    rng = np.random.default_rng(8)
    surface = WalkableSurface(floor(20.0))
    place = np.stack(np.meshgrid(np.arange(25), np.arange(25), [0.0]), -1).reshape(-1, 3) * 0.7
    place = rng.permutation(place)[:count] - [8.0, 8.0, 0.0]
    walls = MeshQuery(join([box([-3, -1, 0], [-2, 1, 2]), box([2, -4, 0], [2.3, 4, 2])]))
    flock = crowd(place, grounded=True, face=surface.locate(place)[1])
    safety = SafetyConstraint(walls, None, surface, None, DT)
    wish = rng.normal(0, 1.0, place.shape) * [1.0, 1.0, 0.0]
    for _ in range(3):
        flock = hug(flock, safety.velocity(flock, wish, wish), surface, DT)
    return flock, wish, safety


def test_the_order_of_places_changes_no_bit(monkeypatch):
    flock, wish, safety = dense_crowd()
    assert flock.nearby.order(flock.position) is not None
    found = safety.velocity(flock, wish, 1.1 * wish)
    monkeypatch.setattr(type(flock.nearby), "order", lambda self, position: None)
    np.testing.assert_array_equal(found, safety.velocity(flock, wish, 1.1 * wish))


def test_pairs_are_left_out_only_if_they_are_out_of_reach():
    flock, wish, safety = dense_crowd()
    flock = flock.with_bodies(grounded=np.arange(len(flock)) % 3 > 0)
    position = flock.position + np.random.default_rng(1).normal(0, 1.0, flock.position.shape)
    bodies = MovingBodies(safety.dt).rows(flock, wish, wish)
    bodies = bodies._replace(position=position)
    i, j = np.triu_indices(len(flock), 1)
    low, high = flock.bodies.heights.T.copy()
    pairs = pairs_that_meet(np.stack([i, j], 1), bodies, low, high, bodies.sight)
    apart = flock.bodies.radius[i] + flock.bodies.radius[j] + 2 * SKIN
    over = (position[j] - position[i])[:, 2]
    lift = np.maximum(np.maximum(over + low[j] - high[i], -over - high[j] + low[i]), 0.0)
    flat = flock.bodies.grounded[i] & flock.bodies.grounded[j]
    far = np.hypot(*(position[j] - position[i])[:, :2].T)
    meets = ~(flat & (lift >= apart))
    meets &= np.hypot(far, np.where(flat, 0.0, lift)) <= apart + bodies.sight[i] + bodies.sight[j]
    np.testing.assert_array_equal(pairs, np.stack([i, j], 1)[meets])
    assert 200 < meets.sum() < 2000
