import msgspec
import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.checked_toml import checked


class Free(msgspec.Struct):
    any: dict = {}
    rows: list = []
    one: float = 0.0
    count: int = 0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"one": float("nan")}, "f: `one`: must be a finite number, given nan"),
        ({"one": float("-inf")}, "f: `one`: must be a finite number, given -inf"),
        ({"one": 1e308}, r"f: `one`: must be at most 1e\+12 in size, given 1e\+308"),
        ({"one": -2e12}, r"f: `one`: must be at most 1e\+12 in size, given -2e\+12"),
        ({"count": 10**30}, "f: `count`: must be a number of 64 bits, given 1000"),
        ({"count": 1 << 40_000}, "must be a number of 64 bits, given a number of too many digits"),
        ({"any": {"x": [1.0, [1e99]]}}, r"f: `any.x\[1\]\[0\]`: must be at most"),
        ({"rows": [{"y": float("inf")}]}, r"f: `rows\[0\].y`: must be a finite"),
    ],
)
def test_a_number_out_of_sense_is_refused_with_its_place(table, message):
    with pytest.raises(InputError, match=message):
        checked(table, Free, "f")


def test_all_other_numbers_are_taken():
    table = {"one": 1e12, "count": 2**62, "rows": [True, "x", 0, -1e-300, {"z": [1.5]}]}
    assert checked(table, Free, "f").count == 2**62


def test_numbers_of_numpy_are_taken_and_checked_like_others():
    table = {
        "one": np.float32(0.5),
        "count": np.int64(3),
        "rows": np.arange(2),
        "any": {"x": (np.int8(1),)},
    }
    assert checked(table, Free) == Free(any={"x": [1]}, rows=[0, 1], one=0.5, count=3)
    with pytest.raises(InputError, match="f: `one`: must be a finite number, given nan"):
        checked({"one": np.float32("nan")}, Free, "f")
