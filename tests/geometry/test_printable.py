import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry.printable import file_stem, printable, shortened


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


@given(st.text())
def test_a_file_stem_is_one_name_in_the_folder_it_is_meant_for(name):
    path = Path("folder") / f"{file_stem(name, 'scenario')}.toml"
    assert path.parent == Path("folder")
    assert path.name not in (".toml", "..toml")
    assert not set(path.name) & set('/\\:*?"<>|\0')


@pytest.mark.parametrize(
    ("name", "stem"),
    [("parking", "parking"), ("group 1", "group 1"), ("../../x", "_.._x"), ("..", "scenario"),
     ("C:\\x", "C_x"), ("", "scenario"), ("Größe", "Größe")],
)  # fmt: skip
def test_usual_names_stay_and_others_lead_nowhere_else(name, stem):
    assert file_stem(name, "scenario") == stem
