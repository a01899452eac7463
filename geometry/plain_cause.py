"""What a parser's exception means for the file that it could not read, in a user's words.

The parsers of other projects raise any exception on arbitrary input, with words about Python.
"""

import json
import re
import struct
import zipfile
import zlib

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable, shortened

LONGEST_CAUSE = 200
"""Most letters of what a parser says about a file."""

# Parsers whose messages are about the file, by the names of their exceptions.
_PLAIN = {
    "XMLSyntaxError": "not well-formed XML: ",
    "ParseError": "not well-formed XML: ",
    "DaeError": "",
    "DecompressionBombError": "a picture in it is too large: ",
}
_NOT_A_NUMBER = re.compile(
    r"could not convert string to float: (.*)|invalid literal for int.*: (.*)"
)


def plain_cause(error: BaseException) -> str:
    """Return why a file could not be read, as a clause of one line without names of Python.

    Args:
        error: What the parser raised.
    """
    text = shortened(printable(" ".join(str(error).split())), LONGEST_CAUSE)
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})"
    for kind in type(error).__mro__:
        if kind.__name__ in _PLAIN:
            bare = re.sub(r"^\w+(Error|Exception): | \(<string>.*", "", text)
            return _PLAIN[kind.__name__] + bare
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str | int):
        return f"`{shortened(printable(str(error.args[0])), 60)}` is missing in it"
    if match := _NOT_A_NUMBER.match(text):
        word = (match[1] or match[2]).removeprefix("b").strip("'\"")
        return f"`{word}` is not a number"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return next(words for kinds, words in _WORDS if isinstance(error, kinds))


_WORDS: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((MemoryError, OverflowError), "it declares more than fits into memory"),
    ((RecursionError,), "it is nested too deeply"),
    ((UnicodeError,), "it has bytes that are no text"),
    ((zipfile.BadZipFile, zlib.error), "it is a damaged archive, or none"),
    ((struct.error, EOFError, StopIteration), "it ends too early"),
    ((LookupError,), "it refers to something that is not in it"),
    ((BaseException,), "its entries do not fit together: one has a wrong kind, size or number"),
)
"""The words for all other exceptions, the first that fits."""
