"""Who is held up in a queue goes by itself for a while."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings.held_up import ALONE, HELD, HeldInQueue
from rmp3d.behaviors.turnover import Turnover

DT = 0.1
LED = np.array([[1.0, 0.0, 0.0]])


def steps(seconds):
    return range(round(seconds / DT) + 1)


def alone_after(held_up, seconds, speed, led=LED, rows=(1,), to_and_fro=np.inf):
    """Return who goes by itself after so long, of three of which one is led, and goes so fast."""
    position = np.zeros((3, 3))
    for k in steps(seconds):
        held_up.alone(3)
        held_up.look(position, np.array(rows, np.intp), led[: len(rows)])
        position[1, 0] += speed * DT * (1.0 if k * DT % (2.0 * to_and_fro) < to_and_fro else -1.0)
    return held_up.alone(3).tolist()


def test_who_is_led_and_does_not_move_goes_by_itself_and_then_queues_again():
    held_up = HeldInQueue(DT)
    assert alone_after(held_up, HELD - 3 * DT, 0.0) == [False] * 3
    assert alone_after(held_up, 3 * DT, 0.0) == [False, True, False]
    assert alone_after(held_up, ALONE - 6 * DT, 0.0, rows=()) == [False, True, False]
    assert alone_after(held_up, 6 * DT, 0.0, rows=()) == [False] * 3


@pytest.mark.parametrize(("speed", "led"), [(0.5, 1.0), (0.0, 0.2)])
def test_who_moves_or_is_to_wait_stays_in_the_queue(speed, led):
    assert alone_after(HeldInQueue(DT), 3.0 * HELD, speed, led * LED) == [False] * 3


def test_who_is_pushed_to_and_fro_is_held_up_too():
    assert alone_after(HeldInQueue(DT), HELD + 3 * DT, 0.5, to_and_fro=0.4) == [False, True, False]


def test_it_is_known_of_those_that_stay_when_others_come_and_leave():
    held_up = HeldInQueue(DT)
    alone_after(held_up, HELD, 0.0)
    held_up.turn_over(Turnover(np.array([1, 2, -1]), 3))
    assert held_up.alone(3).tolist() == [True, False, False]
