"""Standard output and standard error as a process of our own needs them."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO


class StandardOutput(io.TextIOWrapper):
    """Standard output that remembers why it could not be written to.

    Attributes:
        failure: The first error; None if there was none.
    """

    failure: OSError | None = None

    def write(self, text: str) -> int:
        """Write text; see `io.TextIOWrapper`."""
        try:
            return super().write(text)
        except OSError as error:
            self.failure = self.failure or error
            raise

    def flush(self) -> None:
        """Write what is buffered; see `io.TextIOWrapper`."""
        try:
            super().flush()
        except OSError as error:
            self.failure = self.failure or error
            raise


class _Closed(io.RawIOBase):
    """What stands for a standard output that the process was started without (``>&-``)."""

    name = "<stdout>"

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make sure that there are standard streams.

    A file that a program opens takes the lowest free descriptor. Without standard output this is
    the one of standard output, and what is printed would be written into that file.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free one, which is this
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = StandardOutput(_Closed(), encoding="utf-8", write_through=True)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        own = sys.stdout
        sys.stdout = StandardOutput(
            own.buffer,
            encoding=own.encoding,
            errors=own.errors,
            line_buffering=own.line_buffering,
            write_through=own.write_through,
        )


def say_error(text: str) -> None:
    """Print a line on standard error, if that can be written to."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def output_failure() -> OSError | None:
    """Return why standard output cannot be written to; None if all of it is written.

    What could not be written is dropped: Python would complain about it once more at exit.
    """
    failure: OSError | None = None
    try:
        sys.stdout.flush()
    except OSError as error:
        failure = error
    failure = getattr(sys.stdout, "failure", None) or failure
    if failure is not None:
        _drop(sys.stdout)
    return failure


def _drop(stream: TextIO) -> None:
    """Let a stream write into nothing from now on."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
