"""Ctrl-C, and requests of the system to end: none is lost, and none cuts an import in two.

Python raises `KeyboardInterrupt` in the line that runs at that moment. In a destructor or in the
callback of a weak reference no code can catch it: Python prints "Exception ignored" and goes on. In
the middle of an import, libraries turn it into errors of their own, or leave modules half loaded.
LLVM asks Python for the machine code of kernels that are kept: an error there leaves a function
without code, and the process ends by a signal when it is called. In these cases it is raised again
a little later.
"""

import _thread
import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any, NamedTuple, Self

AGAIN_AFTER = 0.01
"""Time [s] after which the interrupt is raised again."""
LONGEST_IMPORT = 5.0
"""Time [s] after which an import is interrupted, too: it may be a file of the user's own."""
IMPORTING = "<frozen importlib._bootstrap>"
COMPILING = f"{os.sep}llvmlite{os.sep}binding{os.sep}"


class Ending(NamedTuple):
    """What a signal that ends the program means: its word and the exit code."""

    word: str
    code: int


ENDINGS = {
    getattr(signal, name): ending
    for name, ending in {
        "SIGINT": Ending("interrupted", 130),
        "SIGTERM": Ending("terminated", 143),
        "SIGHUP": Ending("terminated", 129),
    }.items()
    if hasattr(signal, name)
}


class CatchingEveryInterrupt:
    """A context in which every request to end becomes a `KeyboardInterrupt` that can be caught.

    Args:
        own_process: Whether the process ends after the context. Then SIGTERM and SIGHUP are
            requests to end, too, and what comes after the context changes nothing any more.

    Attributes:
        came: What the first request means; None if there was none. A library may have turned it
            into an error of its own.
    """

    def __init__(self, *, own_process: bool = False) -> None:
        self.came: Ending | None = None
        self._own_process = own_process
        self._since = 0.0

    def __enter__(self) -> Self:
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._ignored
        if self._own_process:
            for number in ENDINGS:
                # What the parent wants ignored, as `nohup` does, stays ignored.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._own_process:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for number in ENDINGS.keys() - {signal.SIGINT}:
                signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = self._hook

    def _handle(self, number: int, frame: FrameType | None) -> None:
        kind = signal.Signals(number)
        self.came = self.came or ENDINGS[kind]
        self._since = self._since or time.monotonic()
        if _is_whole_only(frame) and time.monotonic() - self._since < LONGEST_IMPORT:
            _again(kind)
            return
        self._since = 0.0
        raise KeyboardInterrupt

    def _ignored(self, ignored: Any) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            _again(signal.SIGINT)
        elif self.came is None:  # else a library, such as a compiler, was cut in two, and says so
            self._hook(ignored)


def _is_whole_only(frame: FrameType | None) -> bool:
    """Whether a frame is in the middle of an import, or LLVM waits for what it returns."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name == IMPORTING or COMPILING in name:
            return True
        frame = frame.f_back
    return False


def _again(number: signal.Signals) -> None:
    """Send the main thread a signal a little later."""

    def send() -> None:
        time.sleep(AGAIN_AFTER)
        if hasattr(signal, "pthread_kill"):  # it also ends what the main thread waits for
            signal.pthread_kill(main, number)
        else:
            _thread.interrupt_main(number)

    main = threading.main_thread().ident or 0
    _thread.start_new_thread(send, ())
