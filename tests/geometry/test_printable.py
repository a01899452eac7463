import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry.printable import printable, shortened


@given(st.text())
def test_no_character_is_left_that_moves_the_cursor_or_turns_the_text(text):
    shown = printable(text)
    assert not {unicodedata.category(letter) for letter in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    )
    shown.encode()


@pytest.mark.parametrize("text", ["", "Größe 3 m²", "木 tree", "a b-c_d.e"])
def test_text_of_any_language_stays_as_it_is(text):
    assert printable(text) == text


def test_escapes_are_shown_and_chosen_characters_stay():
    assert printable("a\x1b[31m\x00\n\t\x9b", keep="\n") == "a\\x1b[31m\\x00\n\\t\\x9b"


@given(st.text(), st.integers(20, 60))
def test_a_shortened_text_has_at_most_its_length_and_keeps_both_ends(text, longest):
    short = shortened(text, longest)
    assert len(short) <= longest
    assert short == text or (text.startswith(short[:5]) and text.endswith(short[-3:]))
