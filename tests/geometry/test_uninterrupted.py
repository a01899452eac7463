import signal
import threading

import pytest

from rmp3d.geometry.uninterrupted import uninterrupted


def test_ctrl_c_waits_for_the_lines_inside():
    done = []

    def lines():
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("inside")
        done.append("after")

    with pytest.raises(KeyboardInterrupt):
        lines()
    assert done == ["inside"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_a_signal_nothing_happens_also_in_another_thread():
    done = []

    def lines():
        with uninterrupted():
            done.append("inside")

    thread = threading.Thread(target=lines)
    thread.start()
    thread.join()
    lines()
    assert done == ["inside", "inside"]
