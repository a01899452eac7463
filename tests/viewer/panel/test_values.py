import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.viewer.panel.forms import FormField
from rmp3d.viewer.panel.values import (
    hint_of,
    lines_of,
    number_of,
    number_text,
    text_of,
    value_of,
)

VALUES = st.recursive(
    st.booleans() | st.integers(-(2**40), 2**40) | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.lists(VALUES, max_size=3))
def test_a_line_of_text_means_what_it_was_made_of(value):
    assert value_of(text_of(value)) == value
    assert value_of(lines_of(value)) == value


@given(st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=3))
def test_so_do_several_lines_of_a_table(value):
    assert value_of(lines_of(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("", None), ("  ", None), ("star", "star"), ("3", 3), ("[1, 2.5]", [1, 2.5]), ("[1,", "[1,")],
)
def test_what_is_typed(text, value):
    assert value_of(text) == value


def test_what_is_empty_has_a_hint_of_what_can_be_typed():
    assert hint_of(None) == hint_of({}) == "none"
    example = hint_of([]).removeprefix("none, or ")
    assert hint_of(()) == hint_of([])
    assert value_of(example) == ["a", "b"]
    assert hint_of(["line"]) == hint_of("") == hint_of(0) == hint_of(False) == ""


def test_texts_and_nothing_are_shown_plain():
    assert text_of("line") == "line"
    assert text_of(None) == ""
    assert text_of({"name": "zone", "radius": 2.0}) == '{ name = "zone", radius = 2.0 }'


MEMBERS = FormField("members", "int", 1, low=1, high=10_000)
LIMIT = FormField("speed_limit", "number", None, low=0.0, optional=True, unit="m/s")


def test_numbers_are_read_with_and_without_their_unit():
    assert number_of(MEMBERS, " 7 ") == 7
    assert number_of(LIMIT, "1.5 m/s") == number_of(LIMIT, "1,5") == 1.5
    assert number_of(LIMIT, number_text(0.123456, "m/s")) == 0.123456
    assert (number_text(None), number_text(3)) == ("", "3")
    assert number_text(12_345_678) == "12345678", "a seed has all its digits"


def test_an_optional_number_can_be_left_out_again():
    assert number_of(LIMIT, " ") is None
    assert number_of(LIMIT, " m/s") is None


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        (MEMBERS, "20000", "Members: '20000' is not a whole number from 1 to 10000"),
        (MEMBERS, "0", "from 1 to 10000"),
        (MEMBERS, "abc", "'abc' is not a whole number"),
        (MEMBERS, "1.5", "whole number"),
        (MEMBERS, "", "whole number"),
        (LIMIT, "-1", "of at least 0, or nothing"),
        (LIMIT, "nan", "a number"),
        (LIMIT, "inf", "a number"),
    ],
)
def test_what_is_no_number_or_not_allowed_is_said_and_not_changed_into_one(field, text, said):
    with pytest.raises(ValueError, match=r"nothing was changed$") as error:
        number_of(field, text)
    assert said in str(error.value)
