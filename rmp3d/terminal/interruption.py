"""No Ctrl-C is lost.

Python raises `KeyboardInterrupt` in the line that runs at that moment. In a destructor or in the
callback of a weak reference no code can catch it: Python prints "Exception ignored" and goes on.
"""

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Time [s] after which the interrupt is raised again: Python has left the destructor by then.
AGAIN_AFTER = 0.01


@contextmanager
def catching_every_interrupt() -> Iterator[None]:
    """Raise `KeyboardInterrupt` again in the main thread when Python had to ignore one."""
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
