"""Walks proved by one compiled loop, against the proof in arrays."""

import numpy as np
import pytest
from numba import typeof

from rmp3d.geometry import Bool, Float
from rmp3d.geometry.parallel import using_threads
from rmp3d.planner.spaces import free_walks, make_space


@pytest.fixture
def hall(make, walker):
    """Columns, a deck to duck under, a block to be inside of, and steps."""
    columns = [
        make.box(f"column {x} {y}", (x, y, 0), (x + 0.4, y + 0.4, 2.5))
        for x in range(-8, 8, 3)
        for y in range(-8, 8, 4)
    ]
    scene = make.scene(
        make.floor((-9, -9), (9, 9)),
        make.floor((-3, -1), (1, 3), 1.2, "deck"),
        make.floor((3, 3), (6, 8), 0.15, "step"),
        make.box("block", (5, -6, -0.5), (8, -2, 3)),
        *columns,
    )
    return make_space("ground", scene, walker, max_step=0.2)


def pairs(space, count=700) -> tuple[Float, Float]:
    rng = np.random.default_rng(2)
    start = space.from_unit_cube(rng.random((count, 3)))
    end = space.from_unit_cube(rng.random((count, 3)))
    near = space.move(start, rng.normal(0, 1.5, start.shape))[0]
    end[::2] = near[::2]
    end[7], start[9], end[11] = [99.0, 0, 0], np.nan, start[11]
    return start, end


def by_arrays(space, start, end) -> tuple[Bool, int]:
    before = space.world.counts.collision
    free = np.array([way is not None for way in space.connect(start, end)])
    return free, space.world.counts.collision - before


@pytest.mark.parametrize("corners", [2, free_walks.CORNERS])
def test_answers_and_counts_are_those_of_the_proof_in_arrays(hall, corners, monkeypatch):
    monkeypatch.setattr(free_walks, "CORNERS", corners)
    start, end = pairs(hall)
    expected, count = by_arrays(hall, start, end)
    assert 0.1 < expected.mean() < 0.9
    for threads in (1, 3):
        before = hall.world.counts.collision
        with using_threads(threads):
            np.testing.assert_array_equal(hall.connects(start, end), expected)
        assert hall.world.counts.collision - before == count
    assert hall.connects(start[:0], end[:0]).shape == (0,)


def test_parts_that_come_and_go_are_asked_about(hall):
    assert hall.world.swept is not None
    hall.world._shown_world = hall.world  # as if one were there
    assert hall.world.swept is None


@pytest.mark.parametrize("threads", [1, 2])
def test_walks_that_are_asked_about_later_have_the_same_answers_and_counts(hall, threads):
    start, end = pairs(hall)
    before = hall.world.counts.collision
    now = hall.connects(start, end)
    tested = hall.world.counts.collision - before
    with using_threads(threads):
        later = hall.connects_later(start, end)
        assert hall.world.counts.collision == before + tested  # who asks counts
        np.testing.assert_array_equal(later(), now)
    assert hall.world.counts.collision == before + 2 * tested


def test_points_that_may_not_be_written_compile_nothing_again(hall, monkeypatch):
    """What the compiled loop is called with is of one type, so it is compiled once."""
    prove, types = free_walks._prove, set()

    def noted(*arguments):
        types.add(tuple(map(typeof, arguments)))
        return prove(*arguments)

    monkeypatch.setattr(free_walks, "_prove", noted)
    start, end = pairs(hall, 60)
    body = hall.world.swept
    free_walks.free_walks(hall.surface, body, hall.bounds, start, end)
    start.flags.writeable = end.flags.writeable = False
    free_walks.free_walks(hall.surface, body, hall.bounds, start, end)
    free_walks.free_walks(hall.surface, body, hall.bounds, np.asfortranarray(start), end)
    assert len(types) == 1
