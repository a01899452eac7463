"""A limit of processor time for proofs: close to a scene, they can take as long as they like."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time


class OutOfTimeError(Exception):
    """A proof was asked for more than its limit of time allows; nothing is known."""


_UNTIL: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def work_limit(seconds: float) -> Iterator[None]:
    """Let `check_work` raise when this context has taken ``seconds`` of processor time."""
    token = _UNTIL.set(process_time() + seconds)
    try:
        yield
    finally:
        _UNTIL.reset(token)


def check_work() -> None:
    """Give up if a limit is set and used up.

    Raises:
        OutOfTimeError: It is.
    """
    until = _UNTIL.get()
    if until is not None and process_time() > until:
        raise OutOfTimeError
