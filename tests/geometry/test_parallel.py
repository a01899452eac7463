"""Blocks of rows: in order, each row once, and the same bytes with any number of threads."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.parallel import (
    LEAST,
    VARIABLE,
    in_blocks,
    meanwhile,
    stopped,
    threads,
    using_threads,
)
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes.build.shapes import box


@pytest.mark.parametrize("count", [0, 1, 7, 8, 1000])
@pytest.mark.parametrize("wanted", [1, 3])
def test_every_row_is_in_one_block_and_answers_are_in_order(count, wanted):
    with using_threads(wanted):
        blocks = in_blocks(lambda rows: list(range(rows.start, rows.stop)), count, least=4)
    assert [row for block in blocks for row in block] == list(range(count))


def test_several_threads_take_part_and_a_block_in_a_block_waits_for_nobody():
    both = threading.Barrier(2, timeout=300.0)

    def meet(rows):
        both.wait()
        return in_blocks(lambda inner: inner.stop - inner.start, 64, least=1)

    with using_threads(2):
        assert in_blocks(meet, 2, least=1) == [[64], [64]]


def test_errors_of_a_block_come_to_the_caller():
    def fail(rows):
        raise KeyError(rows.start)

    with using_threads(2), pytest.raises(KeyError):
        in_blocks(fail, 100, least=10)


def test_blocks_that_run_hear_that_another_has_failed():
    heard, both = threading.Event(), threading.Barrier(2, timeout=300.0)

    def fail_or_listen(rows):
        both.wait()  # what has not begun never does
        if rows.start == 0:
            raise KeyError(rows.start)
        while not stopped():
            time.sleep(0.001)
        heard.set()

    with using_threads(2), pytest.raises(KeyError):
        in_blocks(fail_or_listen, 20, least=10)
    assert heard.wait(300.0)
    assert not stopped()  # this thread was not told


@pytest.mark.parametrize("given", ["0", "two", "-1", "1e3", "9999", "٣"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, given):
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(InputError, match="RMP3D_THREADS: must be a whole number from 1 to 1024"):
        threads()


def test_the_environment_says_how_many_threads_there_are(monkeypatch):
    monkeypatch.setenv(VARIABLE, " 3 ")
    assert threads() == 3


def test_sweeps_and_distances_are_the_same_with_any_number_of_threads():
    rng = np.random.default_rng(0)
    query = MeshQuery(box([0, 0, 0], [4, 4, 4]))
    start, end = rng.uniform(-3, 8, (2, 2000, 3))
    found = []
    for wanted in (1, 3):
        with using_threads(wanted):
            swept = query.sweep_capsule(start, end, (0.0, 1.0), 0.3)
            found.append([*swept, *query.closest_point(start), query.contains(start)])
    for one, other in zip(*found, strict=True):
        assert one.tobytes() == other.tobytes()
    assert 0 < found[0][0].sum() < 2000


def test_ctrl_c_while_threads_begin_leaves_no_thread_that_is_waited_for():
    # `concurrent.futures` forgets a thread whose beginning is interrupted
    program = (
        "import signal, threading\n"
        "from rmp3d.geometry.parallel import in_blocks, using_threads\n"
        "begin, main = threading.Thread.start, threading.main_thread()\n"
        "def begin_interrupted(thread):\n"
        "    begin(thread)\n"
        "    if threading.current_thread() is main:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "threading.Thread.start = begin_interrupted\n"
        "with using_threads(2):\n"
        "    in_blocks(lambda rows: None, 1000)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300.0
    )
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize("rows", [2, 2 * LEAST])
@pytest.mark.parametrize("wanted", [1, 2])
def test_what_is_begun_has_its_answer_or_its_error_with_any_number_of_threads(wanted, rows):
    def fail():
        raise KeyError(rows)

    with using_threads(wanted):
        answer, error = meanwhile(lambda: [rows], rows), meanwhile(fail, rows)
        assert answer() == [rows]
        with pytest.raises(KeyError):
            error()


def test_another_thread_computes_meanwhile_and_the_caller_where_that_one_is_busy():
    begun, go_on = threading.Event(), threading.Event()

    def slow():
        begun.set()
        assert go_on.wait(300.0)
        return threading.get_ident(), stopped()

    with using_threads(2):
        first = meanwhile(slow, 2 * LEAST)
        assert begun.wait(300.0)  # while this thread goes on
        second = meanwhile(threading.get_ident, 2 * LEAST)
        assert second() == threading.get_ident()
        assert len(in_blocks(lambda rows: rows, 8, least=1)) == 8  # it waits for nobody
        go_on.set()
        thread, is_stopped = first()
    assert thread != threading.get_ident()
    assert not is_stopped
