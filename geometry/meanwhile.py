"""One piece of work that a thread does while the caller does something else."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Meanwhile(Generic[T]):
    """A call that has begun, in a thread of its own.

    It gains where Python's lock is released: arrays are computed in it while modules are imported
    here. A program that ends does not wait for it.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._results: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as error:  # raised where the result is asked for
            self._error = error

    def result(self) -> T:
        """Wait for the call to end, and return what it returned; Ctrl-C ends the waiting.

        Raises:
            BaseException: What the call raised.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._results[0]
