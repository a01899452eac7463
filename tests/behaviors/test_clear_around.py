"""What is known of the space around a body saves work, and changes nothing."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.safety.clearing import SCENE, KnownAround, nothing_known
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes.build.shapes import box, floor

DT = 1.0 / 30.0
BOUNDS = np.array([[-9.0] * 3, [9.0] * 3])
LINE = np.linspace(-9.0, 9.0, 19)
DECK = TriangleMesh(
    np.array([[-1.0, -2.0, 1.2], [1.0, -2.0, 1.2], [1.0, 2.0, 1.2], [-1.0, 2.0, 1.2]]),
    np.array([[0, 1, 2], [0, 2, 3]]),
)
UP = np.array([0.0, 0.0, 1.0])
WALLS = join([box([4.0, -3.0, 0.0], [4.3, 3.0, 2.5]), box([-6.0, 2.0, 0.0], [-5.0, 2.6, 2.5])])


def moved_by(safety, flock, wanted, surface):
    velocity = safety.velocity(flock, wanted, wanted)
    if surface is None:
        return velocity, flock.moved(position=flock.position + DT * velocity, velocity=velocity)
    position, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
    return velocity, flock.moved(position=position, velocity=velocity, face=face)


@pytest.mark.parametrize("grounded", [True, False])
def test_velocities_are_those_of_a_filter_that_knows_nothing_yet(grounded):
    rng = np.random.default_rng(0)
    surface = WalkableSurface(join([floor(LINE, LINE, np.ones((18, 18), bool)), DECK]))
    walls = MeshQuery(WALLS)
    start = rng.uniform([-8.0, -8.0, 0.0], [8.0, 8.0, 0.0], (60, 3))
    start = start[walls.closest_point(start + UP)[0] > 0.5]
    start = start[np.abs(start[:, 0]) > 1.5]  # nobody begins under the deck
    place, face = surface.locate(start, 0.01, 0.01)
    shape = {"capsule_axis": (0.28, 1.47)} if grounded else {"capsule_axis": (0.0, 0.0)}
    bodies = Bodies.alike(len(start), grounded=grounded, radius=0.28, max_turn_rate=9.0, **shape)
    place = place if grounded else place + UP
    flock = Flock.at_rest(bodies, place, face=face if grounded else -1)

    def new():
        ground = surface if grounded else None
        return SafetyConstraint(walls, None if grounded else walls, ground, BOUNDS, DT)

    kept, course = new(), rng.uniform(-1.5, 1.5, (len(start), 3))
    for step in range(90):
        if step % 30 == 0:
            course = rng.uniform(-1.5, 1.5, (len(start), 3)) * [1.0, 1.0, 0.0 if grounded else 0.1]
        fresh, _ = moved_by(new(), flock, course, surface if grounded else None)
        velocity, flock = moved_by(kept, flock, course, surface if grounded else None)
        assert np.array_equal(velocity, fresh)
    assert kept.report.held_back > 0


def test_what_is_known_of_a_body_stays_with_its_number_in_any_order():
    known = KnownAround()
    known.of(np.array([2, 0, 1]))[:, 0] = 20.0, 0.5, 10.0
    some = known.of(np.array([1, 2]))  # the third rests
    assert some[:, 0].tolist() == [10.0, 20.0]
    some[0, 0] = 11.0
    every = known.of(np.array([0, 1, 2, 3]))  # and one has come
    assert every[:, 0].tolist() == [0.5, 11.0, 20.0, 0.0]
    assert every[3, SCENE] == nothing_known(1)[0, SCENE]
