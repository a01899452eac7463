"""A few lines that Ctrl-C and a request to end do not cut in two."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

DELAYED = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay the signals that end a program until the lines inside are done.

    For lines that take no time, such as to make a file and to note that it is there. Python runs
    handlers of signals in the main thread only; in another thread nothing has to be delayed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def delay(number: int, _: object) -> None:
        came.append(number)

    usual: dict[int, Any] = {number: signal.getsignal(number) for number in DELAYED}
    # What is ignored, ends the process at once, or was not set from Python stays as it is.
    usual = {number: handler for number, handler in usual.items() if callable(handler)}
    try:
        for number in usual:
            signal.signal(number, delay)
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)
