"""Members keep clear of ground over their heads and at their knees, whatever they wish."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.terrain.ground import arrival, free_links, ground_of
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes.build.shapes import floor

DT = 1.0 / 30.0
RADIUS, SPINE = 0.28, (0.28, 1.47)
LINE = np.linspace(-6.0, 6.0, 13)


def sheet(corners):
    return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))


def deck(height, half=2.0):
    return sheet([[-1, -half, height], [1, -half, height], [1, half, height], [-1, half, height]])


def yard(part):
    return WalkableSurface(join([floor(LINE, LINE, np.ones((12, 12), bool)), part]))


def walkers(surface, position):
    position, face = surface.locate(position, 0.01, 0.01)
    bodies = Bodies.alike(
        len(position), grounded=True, radius=RADIUS, capsule_axis=SPINE, max_turn_rate=9.0
    )
    return Flock.at_rest(bodies, position, face=face)


def walked(surface, flock, wish, steps, check=None):
    """Let members wish, ``wish(step, flock)``, under the constraint; return how it ends."""
    safety = SafetyConstraint(None, None, surface, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    for step in range(steps):
        wanted = wish(step, flock)
        velocity = safety.velocity(flock, wanted, wanted)
        position, face, arrived = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        assert arrived.all()
        flock = flock.moved(position=position, velocity=velocity, face=face)
        if check is not None:
            check(flock)
    return flock


@pytest.mark.parametrize("height", [0.3, 1.0, 1.7])
def test_hostile_wishes_never_bring_a_walker_under_a_low_deck(height):
    rng = np.random.default_rng(0)
    surface, part = yard(deck(height)), MeshQuery(deck(height))
    start = np.array([[-3.0, y, 0.0] for y in (-1.5, -0.5, 0.5, 1.5)])

    def wish(step, flock):
        goal = np.array([4.0 if step < 120 else -4.0, 0.0, 0.0])
        return 2.0 * np.tanh(goal - flock.position) + 0.5 * rng.normal(size=flock.position.shape)

    def check(flock):
        # The floor is level: all of a body but its lowest 3 cm must be clear of the deck.
        gap, _ = part.capsule_clearance(flock.position, (SPINE[0] + 0.03, SPINE[1]), RADIUS)
        assert gap.min() > 0.0
        assert flock.position[:, 2].max() < 0.01

    end = walked(surface, walkers(surface, start), wish, 240, check)
    assert end.position[:, 0].max() < -0.8


def test_a_high_deck_is_walked_under_and_over():
    surface = yard(deck(3.0))
    start = np.array([[-3.0, 0.0, 0.0], [-0.9, 1.0, 3.0]])
    east = np.array([[1.5, 0.0, 0.0]])
    end = walked(surface, walkers(surface, start), lambda *_: np.repeat(east, 2, axis=0), 30)
    assert end.position[0, 0] > -1.8
    assert end.position[1, 0] > 0.3
    end = walked(surface, end, lambda *_: np.repeat(east, 2, axis=0), 90)
    assert end.position[0, 0] > 2.5  # past the deck;
    assert 0.9 < end.position[1, 0] < 1.0  # the other has stopped at its edge


def test_a_ramp_of_one_sheet_is_climbed_at_full_speed_and_bars_the_way_at_its_low_end():
    ramp = sheet([[-4, -1, 0], [4, -1, 4], [4, 1, 4], [-4, 1, 0]])
    surface = yard(ramp)
    climber, beside = np.array([-5.0, 0.0, 0.0]), np.array([-1.5, -3.0, 0.0])

    def wish(step, flock):
        return np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])

    end = walked(surface, walkers(surface, np.stack([climber, beside])), wish, 105)
    assert end.position[0, 2] > 2.0  # up the ramp
    assert end.velocity[0, 0] == pytest.approx(2.0, abs=1e-6)
    assert end.position[1, 1] < -1.0  # the ramp is 1.25 m high there
    assert end.position[1, 2] == 0.0


def test_ways_of_the_grid_keep_off_where_the_ground_above_is_low():
    low, high = (yard(deck(height, half=6.0)) for height in (1.2, 2.5))
    times = []
    for surface in (low, high):
        ground = ground_of(surface, 0.5)
        free = free_links(surface, 0.5, None, RADIUS, *SPINE)
        seed = np.full(len(ground.point), np.inf)
        west = int(np.argmin(np.linalg.norm(ground.point - [-4.0, 0.0, 0.0], axis=1)))
        east = int(np.argmin(np.linalg.norm(ground.point - [4.0, 0.0, 0.0], axis=1)))
        seed[west] = 0.0
        times.append(arrival(ground, free, 1.0, seed)[0][east])
    assert np.isinf(times[0])
    assert times[1] == pytest.approx(8.0, abs=0.6)


def test_ways_over_a_bridge_of_one_sheet_are_free():
    profile = [(-5, 0.0), (-2, 2.0), (2, 2.0), (5, 0.0)]
    corners = np.array([[x, y, z] for x, z in profile for y in (-1, 1)], float)
    faces = [row for a in (0, 2, 4) for row in ([a, a + 2, a + 3], [a, a + 3, a + 1])]
    surface = yard(TriangleMesh(corners, np.array(faces)))
    ground = ground_of(surface, 0.5)
    free = free_links(surface, 0.5, None, RADIUS, *SPINE)
    on_bridge = (ground.point[:, 2] > 0.3) & (np.abs(ground.point[:, 1]) < 0.6)
    inner = on_bridge[ground.origin] & on_bridge[ground.link]
    assert inner.sum() > 50
    assert free[inner].all()


def test_the_border_of_a_level_below_stops_nobody():
    """A slab modeled as a box has a sheet in it that faces up, and ends in the middle."""
    inner = sheet([[-6, -6, -0.2], [0, -6, -0.2], [0, 6, -0.2], [-6, 6, -0.2]])
    surface = yard(inner)
    assert len(np.unique(surface.component)) == 2
    east = np.array([[1.5, 0.0, 0.0]])
    start = np.array([[-2.0, 0.3, 0.0]])
    end = walked(surface, walkers(surface, start), lambda *_: east, 90)
    assert end.position[0, 0] > 2.0
    assert end.velocity[0, 0] == pytest.approx(1.5, abs=1e-6)
