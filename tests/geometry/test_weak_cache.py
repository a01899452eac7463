"""Results kept with what they are about: computed once, and let go with it."""

import gc
from weakref import ref

from rmp3d.geometry.weak_cache import weak_cache


class Thing:
    """Something that results are about."""


def test_a_result_is_computed_once_for_each_thing_and_arguments():
    asked = []

    @weak_cache
    def result(thing, number):
        asked.append(number)
        return [number]

    one, other = Thing(), Thing()
    assert result(one, 1) is result(one, 1)
    assert result(one, 2) == [2]
    assert result(other, 1) == [1]
    assert asked == [1, 2, 1]


def test_nothing_is_kept_alive():
    @weak_cache
    def result(thing, number):
        return number

    thing = Thing()
    result(thing, 1)
    gone = ref(thing)
    del thing
    gc.collect()
    assert gone() is None
