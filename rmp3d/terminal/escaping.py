"""Text from files never commands the terminal: what is printed goes through a stream that escapes.

Names of parts, groups and files may hold anything. Every verb prints to these streams, so no verb
needs to think of it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

LONGEST_LINE = 2000
"""Most letters of an error."""


class EscapingStream:
    r"""A text stream in which characters that are not to be printed are shown, as ``\x1b``.

    Characters that the stream cannot encode are shown in the same way.

    Args:
        stream: What is written to.
    """

    def __init__(self, stream: TextIO) -> None:
        self.raw = stream

    def write(self, text: str) -> int:
        """Write a text, escaped but for ends of lines."""
        self.raw.write(self._escaped(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write texts, escaped."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)

    def _escaped(self, text: str) -> str:
        if not text.replace("\n", "").isprintable():
            from rmp3d.geometry.printable import printable  # brings NumPy; seldom needed

            text = printable(text, keep="\n")
        encoding = self.raw.encoding or "utf-8"
        return text.encode(encoding, "backslashreplace").decode(encoding)


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape all that is printed inside this context."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if stream is None or isinstance(stream, EscapingStream) else EscapingStream(stream)
        for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def one_line(text: str) -> str:
    """Return a message on one line, of at most `LONGEST_LINE` letters."""
    if len(text) <= LONGEST_LINE and text.isprintable():
        return text
    from rmp3d.geometry.printable import printable, shortened

    return shortened(printable(text), LONGEST_LINE)
