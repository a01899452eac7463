"""A call in a thread of its own: its result, its error."""

import threading

import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.meanwhile import Meanwhile


def test_the_call_goes_on_while_the_caller_does_something_else():
    told = threading.Event()
    begun = Meanwhile(lambda: told.wait(60.0))
    told.set()  # reached before the call has ended, or the result would be False
    assert begun.result() is True
    assert begun.result() is True, "asked twice"


def test_an_error_of_the_call_is_raised_where_its_result_is_asked_for():
    def fail():
        raise InputError("`mesh`: no such file")

    begun = Meanwhile(fail)
    with pytest.raises(InputError, match="no such file"):
        begun.result()
