import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.polyline import total_length
from rmp3d.planner.spaces import make_space

# Beside the middle of the pillar: right before its flat face is a local minimum.
START, END = np.array([[-4.0, 0.45, 1.0]]), np.array([[4.0, 0.45, 1.0]])


@pytest.fixture
def planner():
    return LOCAL_PLANNERS["potential_field"]()


@pytest.mark.parametrize("name", ["ground", "translation"])
def test_it_goes_around_a_pillar_that_stops_the_straight_motion(make, walker, name, planner):
    pillar = make.box("pillar", (-0.3, -0.3, -1), (0.3, 0.3, 5))
    space = make_space(name, make.scene(make.floor((-9, -9), (9, 9)), pillar), walker)
    start, end = (space.place(point[0])[None] for point in (START, END))
    assert LOCAL_PLANNERS["linear"]().connect(space, start, end) == [None]
    (way,) = planner.connect(space, start, end)
    np.testing.assert_array_equal(way[[0, -1]], np.concatenate([start, end]))
    assert total_length(way) < 1.1 * 8.0
    space.world.confirm(way)


def test_it_finds_all_that_the_straight_motion_finds_as_straight(rooms, walker, planner):
    space = make_space("ground", rooms, walker)
    points = space.from_unit_cube(np.random.default_rng(0).random((300, 3)))
    points = points[space.is_free(points)][:200]
    straight = LOCAL_PLANNERS["linear"]().connect(space, points[:100], points[100:])
    found = planner.connect(space, points[:100], points[100:])
    for a, b in zip(straight, found, strict=True):
        if a is not None:
            np.testing.assert_array_equal(a, b)
    assert sum(way is not None for way in found) > sum(way is not None for way in straight)


def test_it_stops_in_a_dead_end(make, flyer, planner):
    walls = [
        make.box("back", (0, -3, -2), (0.2, 3, 5)),
        make.box("left", (-3, 3, -2), (0.2, 3.2, 5)),
        make.box("right", (-3, -3.2, -2), (0.2, -3, 5)),
    ]
    space = make_space("translation", make.scene(*walls), flyer)
    assert planner.connect(space, START, END) == [None]


def test_steps_are_no_longer_than_stated(make, flyer):
    pillar = make.box("pillar", (-0.3, -0.3, -2), (0.3, 0.3, 5))
    space = make_space("translation", make.scene(pillar), flyer)
    few = LOCAL_PLANNERS["potential_field"](step=0.25, steps=3)
    many = LOCAL_PLANNERS["potential_field"](step=0.25, steps=60)
    assert few.connect(space, START, END) == [None]
    (way,) = many.connect(space, START, END)
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    assert (steps[:-1] <= 0.25 + 1e-9).all()  # the last one is straight to the end
    assert len(steps) <= 61


@pytest.mark.parametrize("parameters", [{"step": 0.0}, {"influence": -1.0}, {"strength": np.nan}])
def test_values_that_are_not_positive_are_refused(parameters):
    with pytest.raises(InputError, match="must be positive and finite"):
        LOCAL_PLANNERS["potential_field"](**parameters)


def test_a_negative_number_of_steps_is_refused():
    with pytest.raises(InputError, match="`steps` must not be negative"):
        LOCAL_PLANNERS["potential_field"](steps=-1)
