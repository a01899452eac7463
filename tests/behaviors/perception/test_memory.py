"""What is remembered, for how long, and who is nearest of what is known."""

import numpy as np
import pytest

from rmp3d.behaviors.perception import Known, Memory, Zone
from rmp3d.behaviors.world_state import WorldState


def at(make, time, x, speed=0.0):
    """One who stays at the origin, and one at ``x``."""
    velocity = [[0, 0, 0], [speed, 0, 0]]
    flock = make.flock([[0, 0, 0], [x, 0, 0]], velocity)
    return WorldState(flock, np.arange(2), ("a", "b"), time=time)


def test_one_that_is_lost_is_remembered_where_it_was_last_seen_until_the_time_is_over(make):
    memory = Memory(Zone(5.0, memory=1.0), np.array([0]))
    known = memory.look(at(make, 0.0, 4.0, 2.0))
    assert known.seen.tolist() == [True]
    for time, age in ((0.25, 0.25), (0.5, 0.5), (1.0, 1.0)):
        known = memory.look(at(make, time, 9.0))
        np.testing.assert_array_equal(known.position, [[4, 0, 0]])
        np.testing.assert_array_equal(known.velocity, [[2, 0, 0]])
        assert known.age.tolist() == [age]
        assert not known.seen.any()
    assert len(memory.look(at(make, 1.25, 9.0)).i) == 0
    known = memory.look(at(make, 1.5, 3.0))
    assert known.age.tolist() == [0.0]
    assert known.position[0, 0] == 3.0


def test_without_memory_the_lost_are_forgotten_at_once(make):
    memory = Memory(Zone(5.0), np.array([0]))
    memory.look(at(make, 0.0, 4.0))
    assert len(memory.look(at(make, 0.1, 9.0)).i) == 0


@pytest.mark.parametrize("seed", range(4))
def test_memory_agrees_with_a_dictionary_kept_by_hand(make, seed):
    rng = np.random.default_rng(seed)
    rows, seconds = np.array([0, 2, 5, 6]), 0.7
    memory, notes = Memory(Zone(2.0, seconds), rows), {}
    for step in range(30):
        time = 0.25 * step
        flock = make.flock(rng.uniform(-2, 2, (8, 3)), rng.normal(size=(8, 3)))
        known = memory.look(WorldState(flock, np.zeros(8, np.intp), ("a",), time=time))
        for own, row in enumerate(rows):
            for other in range(8):
                gap = np.linalg.norm(flock.position[row] - flock.position[other])
                if other != row and gap <= 2.0:
                    notes[own, other] = (time, flock.position[other], flock.velocity[other])
        notes = {pair: note for pair, note in notes.items() if time - note[0] <= seconds + 1e-9}
        assert list(zip(known.i, known.j, strict=True)) == sorted(notes)
        for k, pair in enumerate(sorted(notes)):
            seen, position, velocity = notes[pair]
            assert known.age[k] == pytest.approx(time - seen)
            np.testing.assert_array_equal(known.position[k], position)
            np.testing.assert_array_equal(known.velocity[k], velocity)


def known_of(pairs, position):
    i, j = np.array(pairs).T
    rest = np.zeros((len(i), 3))
    return Known(i, j, np.asarray(position, float), rest, rest, rest, np.zeros(len(i)))


def test_the_nearest_is_the_nearest_of_those_that_count():
    place = [[3, 0, 0], [2, 0, 0], [1, 0, 0], [9, 0, 0]]
    known = known_of([(0, 3), (0, 4), (0, 5), (2, 4)], place)
    everyone = np.ones(6, bool)
    assert known.nearest(everyone, np.zeros((3, 3))).tolist() == [2, -1, 3]
    everyone[5] = False
    assert known.nearest(everyone, np.zeros((3, 3))).tolist() == [1, -1, 3]


def test_one_that_was_chosen_is_kept_unless_another_is_clearly_nearer():
    everyone = np.ones(2, bool)
    kept = np.array([0])
    for gap, expected in ((1.7, 0), (1.5, 1)):
        known = known_of([(0, 0), (0, 1)], [[2, 0, 0], [gap, 0, 0]])
        assert known.nearest(everyone, np.zeros((1, 3)), kept, 0.8).tolist() == [expected]
