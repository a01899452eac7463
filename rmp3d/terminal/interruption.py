"""Ctrl-C that is never lost.

Python raises `KeyboardInterrupt` wherever it happens to be. In a destructor or the callback of a
weak reference nobody can catch it: Python prints "Exception ignored" and goes on with the work.
"""

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Long enough to be out of the place that lost it [s].
AGAIN_AFTER = 0.01


@contextmanager
def catching_every_interrupt() -> Iterator[None]:
    """Raise `KeyboardInterrupt` again, in the main thread, whenever Python has to ignore one."""
    before = sys.unraisablehook

    def hook(ignored: Any) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            threading.Timer(AGAIN_AFTER, _thread.interrupt_main).start()
        else:
            before(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
