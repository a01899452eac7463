"""A parser's exception becomes a clause without a word of Python."""

import json
import re
import struct
import zipfile

import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.plain_cause import plain_cause


def raised(call, *arguments):
    try:
        call(*arguments)
    except Exception as error:
        return error
    raise AssertionError("it raised nothing")


CASES = [
    (raised(lambda: {}["x"]), "`x` is missing in it"),
    (raised(lambda: [][3]), "refers to something that is not in it"),
    (raised(float, "1.x"), "`1.x` is not a number"),
    (raised(int, b"q"), "`q` is not a number"),
    (raised(json.loads, '{"a": \n]'), r"not valid JSON: Expecting value \(line 2, column 1\)"),
    (raised(struct.unpack, "<I", b""), "it ends too early"),
    (raised(b"\xff".decode), "bytes that are no text"),
    (raised(lambda: None.x), "do not fit together"),
    (raised(lambda: "a" + 1), "do not fit together"),
    (MemoryError(), "more than fits into memory"),
    (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
    (zipfile.BadZipFile("File is not a zip file"), "damaged archive"),
    (InputError("line 3: no"), "^line 3: no$"),
    (KeyError("y\n" * 999), "is missing in it"),
    (FileNotFoundError(2, "No such file"), "No such file"),
]


@pytest.mark.parametrize(("error", "words"), CASES)
def test_the_cause_is_said_in_plain_words(error, words):
    said = plain_cause(error)
    assert re.search(words, said)
    assert len(said) < 250
    assert said.isprintable()
    assert not re.search(r"Error|NoneType|object|attribute|'\w+'", said)
