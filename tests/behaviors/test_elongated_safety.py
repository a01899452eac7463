"""Vehicles longer than wide under hostile wishes: their rows never touch anybody or anything."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.vehicles import attainable, hug
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import box
from rmp3d.verification.bodies import RigidMesh, gap

DT = 1.0 / 30.0


def ground(slope=0.0, half=14.0, height=0.0):
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0.0]])
    corners[:, 2] = slope * corners[:, 0] + height
    return WalkableSurface(TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]])))


def capsules_at(flock, other, share):
    """Centers (N, K, 3), radii (N, K) and segments (N, K, 2) between two states, K padded."""
    position = flock.position + share * (other.position - flock.position)
    heading = flock.heading + share * (other.heading - flock.heading)
    heading = heading[:, :2] / np.linalg.norm(heading[:, :2], axis=1, keepdims=True)
    bodies = flock.bodies
    row = np.array(bodies.row)
    row[~bodies.elongated] = 0.0
    row[~bodies.elongated, :, 1] = bodies.radius[~bodies.elongated, None]
    row[~bodies.elongated, :, 2:] = bodies.capsule_axis[~bodies.elongated, None]
    center = np.repeat(position[:, None], row.shape[1], axis=1)
    center[..., :2] += row[..., :1] * heading[:, None]
    return center, row[..., 1], row[..., 2:]


def pair_gap(center, radius, segment):
    """Smallest gap of the capsules of any two bodies, by brute force."""
    i, j = np.triu_indices(len(center), 1)
    offset = center[j][:, None] - center[i][:, :, None]  # (P, K, K, 3)
    below = offset[..., 2] + segment[j][:, None, :, 0] - segment[i][:, :, None, 1]
    above = offset[..., 2] + segment[j][:, None, :, 1] - segment[i][:, :, None, 0]
    offset[..., 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
    gap = np.linalg.norm(offset, axis=-1) - radius[i][:, :, None] - radius[j][:, None]
    return gap.min()


def wall_gap(walls, center, radius, segment):
    gaps = [
        walls.capsule_clearance(center[n], segment[n, 0], radius[n, 0])[0].min()
        if len(np.unique(segment[n], axis=0)) == 1
        else min(
            walls.capsule_clearance(center[n, [k]], segment[n, k], radius[n, k])[0][0]
            for k in range(len(radius[n]))
        )
        for n in range(len(center))
    ]
    return min(gaps)


@pytest.mark.parametrize(("seed", "slope"), [(0, 0.0), (2, 0.2), (0, 0.34)])
def test_motorbikes_cars_and_walkers_under_hostile_wishes_never_touch(seed, slope):
    rng = np.random.default_rng(seed)
    kinds = [load_character(name) for name in ("motorbike", "car", "pedestrian", "sheep")]
    place = np.stack(np.meshgrid(np.arange(4) * 3.4 - 5.1, np.arange(3) * 3.4 - 3.4), -1)
    place = np.column_stack([place.reshape(-1, 2), np.zeros(12)])
    surface = ground(slope)
    position, face = surface.locate(place, 9.0, 9.0)
    flock = Flock.at_rest(Bodies.of([kinds[k % 4] for k in range(12)]), position)
    angle = rng.uniform(-np.pi, np.pi, 12)
    heading = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    flock = flock.moved(face=face, heading=heading)
    walls = MeshQuery(join([
        box([7.5, -9, -4], [8, -1.2, 6]), box([7.5, 1.2, -4], [8, 9, 6]),
        box([-0.1, 5.6, -4], [0.1, 9, 6]),
    ]))  # fmt: skip
    safety = SafetyConstraint(walls, None, surface, np.array([[-11.0] * 3, [11.0] * 3]), DT)
    backward = np.zeros(12, np.bool_)
    way, turned, touched = 0.0, 0.0, np.inf
    for step in range(150):
        if step % 25 == 0:
            pull, backward = rng.normal(size=3) * 6, rng.random(12) < 0.4
        wish = 5.0 * (np.tanh(pull - flock.position) + 0.5 * rng.normal(size=(12, 3)))
        wish[:, 2] = 0.0
        proposal = wish if step % 3 == 0 else attainable(flock, wish, DT, backward)
        velocity = safety.velocity(flock, proposal, wish)
        before, flock = flock, hug(flock, velocity, surface, DT)
        way += np.linalg.norm(flock.position - before.position, axis=1).sum()
        turned += np.arccos(np.clip((flock.heading * before.heading).sum(axis=1), -1, 1)).sum()
        at = capsules_at(before, flock, (0.0, 0.3, 0.7)[step % 3])
        touched = min(touched, pair_gap(*at), wall_gap(walls, *at))
        assert touched > 0.0
    assert way > 20.0
    assert turned > 4.0
    assert touched < 0.05, "they came near one another"
    assert safety.report.smallest_gap > -1e-9


def driven(name, width, seconds=10.0):
    """How far a vehicle gets that drives at a gate of a width in a wall across its way."""
    character = load_character(name)
    surface = ground()
    position, face = surface.locate(np.array([[-4.0, 0.0, 0.0]]), 1.0, 1.0)
    flock = Flock.at_rest(Bodies.of([character]), position).moved(face=face)
    walls = MeshQuery(join([
        box([0, -9, 0], [0.2, -0.5 * width, 3]), box([0, 0.5 * width, 0], [0.2, 9, 3]),
    ]))  # fmt: skip
    safety = SafetyConstraint(walls, None, surface, np.array([[-13.0] * 3, [13.0] * 3]), DT)
    for _ in range(int(seconds / DT)):
        target = np.array([[flock.position[0, 0] + 3.0, 0.0, 0.0]])
        wish = 1.5 * (target - flock.position) / np.linalg.norm(target - flock.position)
        velocity = safety.velocity(flock, attainable(flock, wish, DT), wish)
        flock = hug(flock, velocity, surface, DT)
        if flock.position[0, 0] > 3.0:
            break
    return flock.position[0, 0]


@pytest.mark.parametrize(("name", "mesh_width"), [("motorbike", 0.59), ("car", 1.44)])
def test_a_vehicle_passes_a_gate_little_wider_than_it_and_stops_at_a_narrower_one(name, mesh_width):
    width = 2.0 * load_character(name).body.half_width
    assert width < mesh_width + 0.1
    assert driven(name, width + 0.03) > 3.0
    assert driven(name, width - 0.01) < 0.0


def turned_in(seconds, slope, with_deck):
    """Angles [rad] that a car turns by at full lock, up a ramp that may have a deck below."""
    decks = [ground(slope).mesh, ground(0.0, 6.0, height=-3.5).mesh]
    surface = WalkableSurface(join(decks[: 1 + with_deck]))
    position, face = surface.locate(np.array([[-4.0, 0.0, -4.0 * slope]]), 0.1, 0.1)
    flock = Flock.at_rest(Bodies.of([load_character("car")]), position).moved(face=face)
    safety = SafetyConstraint(None, None, surface, None, DT)
    for _ in range(int(seconds / DT)):
        ahead, left = flock.heading[:, :2], flock.heading[:, [1, 0]] * [-1.0, 1.0]
        wish = 3.0 * np.column_stack([ahead + left, [0.0]])
        velocity = safety.velocity(flock, attainable(flock, wish, DT), wish)
        flock = hug(flock, velocity, surface, DT)
    return float(np.arctan2(flock.heading[0, 1], flock.heading[0, 0]))


@pytest.mark.parametrize("with_deck", [False, True])
def test_a_car_turns_on_a_steep_ramp_as_on_level_ground_even_with_a_deck_below(with_deck):
    level = turned_in(2.0, 0.0, with_deck)
    assert 0.5 < level < 1.5
    assert turned_in(2.0, 0.34, with_deck) == pytest.approx(level, rel=0.05)


def test_a_walker_that_pushes_at_a_motorbike_on_a_ramp_touches_no_mesh():
    """The motorbike leans back on the ramp: its tail is beyond the capsule of one that does not."""
    kinds = [load_character("motorbike"), load_character("pedestrian")]
    surface = ground(0.2)
    position, face = surface.locate(np.array([[0.0, 0.0, 0.0], [-4.0, 0.0, 0.0]]), 9.0, 9.0)
    flock = Flock.at_rest(Bodies.of(kinds), position).moved(face=face)
    safety = SafetyConstraint(None, None, surface, None, DT)
    bodies = [RigidMesh(kind.body.mesh) for kind in kinds]
    nearest, pitch = np.inf, 0.0
    for step in range(240):
        wish = np.array([[1.0 if step < 60 else 0.0, 0.0, 0.0], [1.5, 0.0, 0.0]])
        velocity = safety.velocity(flock, attainable(flock, wish, DT), wish)
        flock = hug(flock, velocity, surface, DT)
        axes = frame(flock.heading, flock.up)
        placed = [bodies[n].placed(axes[n], flock.position[n]) for n in range(2)]
        nearest = min(nearest, gap(*placed)[0])
        pitch = max(pitch, np.degrees(np.arcsin(flock.heading[0, 2])))
    assert pitch == pytest.approx(11.3, abs=0.2)
    assert 0.0 < nearest < 0.2
