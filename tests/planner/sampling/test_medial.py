import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import make_space


@pytest.fixture
def hall(make):
    return make.scene(
        make.floor((-10, -10), (10, 10)),
        make.box("left", (-12, 2, -1), (12, 4, 5)),
        make.box("right", (-12, -4, -1), (12, -3, 5)),
        bounds=((-10, -10, 0), (10, 10, 4)),
    )


def test_between_two_walls_samples_are_in_their_middle(hall, walker):
    space = make_space("ground", hall, walker)
    points, _ = draw(SAMPLERS["medial"](), space, 100, np.random.default_rng(0))
    np.testing.assert_allclose(points[:, 1], -0.5, atol=0.02)
    assert np.ptp(points[:, 0]) > 15.0


@pytest.mark.parametrize("precision", [0.1, 0.005])
def test_samples_have_two_nearest_obstacle_points(make, flyer, nearest_per_face, precision):
    rng = np.random.default_rng(5)
    boxes = [
        make.box(f"box {k}", low, low + rng.uniform(0.5, 3.0, 3))
        for k, low in enumerate(rng.uniform([-9, -9, -1], [7, 7, 2], (12, 3)))
    ]
    scene = make.scene(*boxes)
    space = make_space("translation", scene, flyer)
    sampler = SAMPLERS["medial"](precision=precision)
    points, _ = draw(sampler, space, 80, np.random.default_rng(0))
    distance, nearest = nearest_per_face(points, scene.flying_obstacles[0])
    for row, point in enumerate(points):
        # The jump is within `precision` of the sample, so both distances are, to twice that.
        as_near = distance[row] <= distance[row].min() + 2.0 * precision
        direction = (nearest[row][as_near] - point) / distance[row][as_near][:, None]
        assert (direction @ direction.T).min() < np.cos(np.radians(40.0))


def test_samples_have_more_room_than_those_of_chance(rooms, walker):
    space = make_space("translation", rooms, walker)
    median = {}
    for name in ("uniform", "medial"):
        points, _ = draw(SAMPLERS[name](), space, 200, np.random.default_rng(0))
        median[name] = np.median(space.world.clearance(points))
    assert median["medial"] > 1.2 * median["uniform"]


def test_beside_a_single_wall_there_is_no_middle(make, flyer):
    wall = make.box("wall", (-12, -1, -3), (12, 1, 6))
    space = make_space("translation", make.scene(wall), flyer)
    found = SAMPLERS["medial"]().attempt(space, 500, 0, np.random.default_rng(0))
    assert found.shape == (0, 3)


@pytest.mark.parametrize(("reach", "precision"), [(1.0, 0.0), (0.0, 0.1), (np.inf, 0.1)])
def test_distances_that_make_no_sense_are_refused(reach, precision):
    with pytest.raises(InputError, match="`precision` must be positive"):
        SAMPLERS["medial"](reach=reach, precision=precision)
