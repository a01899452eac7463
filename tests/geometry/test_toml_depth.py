"""Nesting is bounded before the parser runs; a text within the bound is never refused."""

import string
import tomllib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry.checked_toml import parsed
from rmp3d.geometry.toml_depth import MAX_DEPTH, refuse_deep

DEEP = {
    "a key of many parts": ".".join("a" * 50_000) + " = 1",
    "parts with blanks between": " . ".join("a" * 50_000) + " = 1",
    "parts in quotes": ".".join(['"a.b"'] * 50_000) + " = 1",
    "a table's name": f"[{'.'.join('a' * 50_000)}]",
    "lists": "a = " + "[" * 100_000,
    "tables in braces": "a = " + "{b=" * 100_000,
    "after a text": "a = '''\n'''\nb = " + "[" * 33,
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_refused_with_its_line(kind):
    with pytest.raises(ValueError, match=r"nested in more than 32 levels \(at line [123]\)"):
        parsed(DEEP[kind])


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * MAX_DEPTH) + " = 1",
        "a = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH,
        "# " + "[" * 99,
        f"a = '{'[' * 99}'",
        f'a = "\\"{"{" * 99}"',
        f'a = """\n{"[" * 99}\\"""""',
        f"a = '''\n{'a.' * 99}'''",
        "".join(f"a{i} = [1.5, [2]]\n" for i in range(99)),
    ],
)
def test_brackets_in_texts_and_comments_do_not_count(text):
    assert parsed(text) == tomllib.loads(text)


@pytest.mark.parametrize("opening", ['"', "'", '"""', "'''", '"\\"', "a.", "a ", '"a\\', "[", "#"])
def test_time_grows_with_the_length_alone(opening):
    """A quadratic scan would take minutes here."""
    with suppress(ValueError):
        refuse_deep(opening * 200_000)


@given(st.text(st.sampled_from(string.ascii_letters[:3] + "[]{}.=\"'\\#, \n1"), max_size=60))
def test_whatever_the_parser_takes_is_taken_here(text):
    try:
        expected = tomllib.loads(text)
    except ValueError:
        return
    assert parsed(text) == expected


def test_a_number_with_too_many_digits_is_refused_in_words():
    with pytest.raises(ValueError, match="a number has too many digits"):
        parsed("a = " + "9" * 5000)
