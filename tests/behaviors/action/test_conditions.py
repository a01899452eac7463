"""Conditions mean what Python's own expressions mean, and nothing else can be written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.behaviors.action.conditions import parse_condition
from rmp3d.geometry.errors import InputError

KNOWN = ("fear", "hunger", "wolf.seen", "wolf.distance", "time")


def parsed(text):
    return parse_condition(text, KNOWN, "`rules[0].when`")


VALUES = {
    "fear": np.array([0.0, 0.5, 1.0]),
    "hunger": np.array([1.0, 0.2, 0.7]),
    "wolf.seen": np.array([0.0, 1.0, 1.0]),
    "wolf.distance": np.array([np.inf, 8.0, 3.0]),
    "time": np.full(3, 2.5),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wolf.seen", [0, 1, 1]),
        ("not wolf.seen", [1, 0, 0]),
        ("wolf.seen and wolf.distance < 5", [0, 0, 1]),
        ("fear > 0.4 or hunger == 1", [1, 1, 1]),
        ("0 < fear <= 0.5", [0, 1, 0]),
        ("fear + hunger >= 2 * (fear - 0.25)", [1, 1, 1]),
        ("wolf.seen and not (fear == 1 or hunger > 0.9)", [0, 1, 0]),
        ("1 / fear > 1.5", [1, 1, 0]),
        ("wolf.distance - wolf.distance", [0, 0, 0]),
        ("-fear < -0.6", [0, 0, 1]),
        ("time > 2 and true", [1, 1, 1]),
        ("false", [0, 0, 0]),
    ],
)
def test_a_condition_holds_for_each_member(text, expected):
    np.testing.assert_array_equal(parsed(text).holds(VALUES, 3), np.array(expected, bool))


def test_a_condition_names_the_variables_it_asks_for():
    assert parsed("fear > 0.2 and wolf.seen").names == {"fear", "wolf.seen"}


NUMBERS = st.floats(-4, 4).map(lambda x: round(x, 2))
TERMS = st.recursive(
    st.one_of(NUMBERS.map(str), st.sampled_from(["fear", "hunger", "time"])),
    lambda inner: st.builds(
        "({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner
    ),
    max_leaves=5,
)  # fmt: skip
CLAUSES = st.recursive(
    st.builds("({} {} {})".format, TERMS, st.sampled_from(["<", "<=", ">", "==", "!="]), TERMS),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
        st.builds("(not {})".format, inner),
    ),
    max_leaves=4,
)


@given(text=CLAUSES, values=st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_conditions_agree_with_pythons_own_evaluation(text, values):
    names = dict(zip(("fear", "hunger", "time"), values, strict=True))
    arrays = {name: np.array([value]) for name, value in names.items()}
    if len(text) <= 500:
        assert bool(parsed(text).holds(arrays, 1)[0]) is bool(eval(text, {}, names))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fear >", "is not a condition"),
        ("", "is not a condition"),
        ("fear = 1", "is not a condition"),
        ("fera > 1", "did you mean `fear`"),
        ("wolf.sen", "did you mean `wolf.seen`"),
        ("__import__('os').system('true')", "cannot be in a condition"),
        ("(lambda: 1)()", "cannot be in a condition"),
        ("'text'", "cannot be in a condition"),
        ("fear[0] > 1", "cannot be in a condition"),
        ("(fear + 1).real > 0", "cannot be in a condition"),
        ("fear ** 9", "cannot be in a condition"),
        ("fear in (1, 2)", "of the comparisons there are"),
        ("fear > 1 " * 100, "longer than 500 characters"),
        ("(" * 400 + "fear" + ")" * 90, "is not a condition"),
        ("fear\0", "is not a condition"),
    ],
)
def test_what_is_not_a_condition_is_refused_by_key(text, said):
    with pytest.raises(InputError, match=r"`rules\[0\].when`") as found:
        parsed(text)
    assert said in str(found.value)
