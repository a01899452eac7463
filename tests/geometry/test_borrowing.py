"""Borrowed arrays: the same values, and memory that is freed once."""

import sys

import numba
import numpy as np
from numba.core.runtime import _nrt_python, rtsys

from rmp3d.geometry.borrowing import borrowed, held


@numba.njit
def _sums(tables, count):
    room = np.arange(count), (np.ones(count),)
    numbers, (ones,) = borrowed(room)
    table, (column,) = borrowed(tables)
    total = 0.0
    for k in range(count):
        total += numbers[k] * ones[k] * table[k, 1] + column[1:][k]
    held(room)
    return total


def test_borrowed_arrays_hold_what_they_were_made_of_and_are_freed_once():
    table, column = np.arange(200.0).reshape(100, 2), np.arange(101.0)
    expected = float((np.arange(100) * table[:, 1] + column[1:]).sum())
    assert _sums((table, (column,)), 100) == expected
    _nrt_python.memsys_enable_stats()
    references, before = sys.getrefcount(table), rtsys.get_allocation_stats()
    for _ in range(50):
        assert _sums((table, (column,)), 100) == expected
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free
    assert sys.getrefcount(table) == references
