"""What is varied in a study: values that are listed, ranges, and what is drawn at random."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.scenario.overrides import dotted
from rmp3d.studies.table import MAX_RUNS

Scale = Literal["linear", "log"]


class RangeTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename={"first": "from"}):
    """`{ from = 1, to = 9, step = 2 }`, or `{ from = 0.1, to = 10, count = 5, scale = "log" }`.

    Attributes:
        first: The first value.
        to: The last one; with ``step`` none is beyond it.
        step: From value to value.
        count: How many values, instead of ``step``.
        scale: How ``count`` values are spread.
    """

    first: float
    to: float
    step: float | None = None
    count: Annotated[int, msgspec.Meta(ge=2, le=MAX_RUNS)] | None = None
    scale: Scale = "linear"


class DrawnTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{ min = 0.5, max = 2 }`: drawn between the two.

    Attributes:
        min: The least value.
        max: The largest one.
        integer: Whether whole numbers are drawn.
        scale: Whether the value or its logarithm is spread evenly.
    """

    min: float
    max: float
    integer: bool = False
    scale: Scale = "linear"


@dataclass(frozen=True, eq=False)
class ListedAxis:
    """An axis that takes each of some values.

    Attributes:
        key: Of the scenario, with dots.
        values: At least one.
    """

    key: str
    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class DrawnAxis:
    """An axis whose values are drawn.

    Attributes:
        key: Of the scenario, with dots.
        low: The least value.
        high: The largest one.
        integer: Whether its values are whole numbers.
        scale: Whether values or their logarithms are spread evenly.
    """

    key: str
    low: float
    high: float
    integer: bool
    scale: Scale

    def at(self, share: float) -> float | int:
        """Return the value at a share of the way, 0 to 1, from the least to the largest."""
        if self.integer:
            return min(int(self.low) + int(share * (self.high - self.low + 1)), int(self.high))
        if self.scale == "log":
            return float(self.low * (self.high / self.low) ** share)
        return float(self.low + share * (self.high - self.low))


Axis = ListedAxis | DrawnAxis


def axes_of(table: Mapping[str, Any], where: str) -> tuple[Axis, ...]:
    """Return the axes of the table `[axes]`, in its order.

    Args:
        table: Keys may have dots, or be tables in tables.
        where: What an error puts first.

    Raises:
        InputError: It names the axis, what was given, and what would be right.
    """
    named = dotted(table, lambda value: bool({"from", "to", "min", "max"} & set(value)))
    return tuple(_axis(key, value, f"{where}: axis `{key}`") for key, value in named.items())


def shares(count: int, dimensions: int, method: str, seed: int) -> Float:
    """Return points (count, dimensions) of the unit cube, by scrambled Sobol points or at random.

    Both are such that the first points stay the same when more are drawn.
    """
    if method == "random":
        return np.random.default_rng(seed).random((count, dimensions))
    from scipy.stats import qmc

    sobol = qmc.Sobol(dimensions, rng=np.random.default_rng(seed))
    return np.asarray(sobol.random_base2(max(int(np.ceil(np.log2(count))), 0))[:count])


_EXPECTED = (
    "expected a list of values, `{ from = 1, to = 9, step = 2 }`, "
    "`{ from = 0.1, to = 10, count = 5 }` or `{ min = 0, max = 1 }`"
)


def _axis(key: str, value: Any, where: str) -> Axis:
    if isinstance(value, list | tuple):
        if not value:
            raise InputError(f"{where}: {_EXPECTED}, got an empty list")
        return ListedAxis(key, tuple(value))
    if not isinstance(value, Mapping) or not value:
        raise InputError(f"{where}: {_EXPECTED}, got {value!r}")
    if {"min", "max"} & set(value):
        drawn = checked(value, DrawnTable, where)
        _check_order(drawn.min, drawn.max, ("min", "max"), drawn.scale, where)
        whole = drawn.integer or all(isinstance(value[each], int) for each in ("min", "max"))
        return DrawnAxis(key, drawn.min, drawn.max, whole, drawn.scale)
    return ListedAxis(key, _values(checked(value, RangeTable, where), value, where))


def _values(spread: RangeTable, given: Mapping[str, Any], where: str) -> tuple[Any, ...]:
    if (spread.step is None) == (spread.count is None):
        raise InputError(f"{where}: state either `step` or `count`")
    _check_order(spread.first, spread.to, ("from", "to"), spread.scale, where)
    if spread.count is not None:
        space = np.geomspace if spread.scale == "log" else np.linspace
        found = [float(each) for each in space(spread.first, spread.to, spread.count)]
    else:
        assert spread.step is not None
        if spread.step <= 0 or spread.scale == "log":
            wrong = "`step` must be above 0" if spread.step <= 0 else "`log` needs `count`"
            raise InputError(f"{where}: {wrong}")
        number = np.floor((spread.to - spread.first) / spread.step + 1e-9) + 1
        if number > MAX_RUNS:
            raise InputError(f"{where}: {number:.3g} values; at most {MAX_RUNS:,} are allowed")
        found = [spread.first + spread.step * k for k in range(int(number))]
    whole = all(isinstance(given[each], int) for each in ("from", "to"))
    if whole and np.allclose(found, np.round(found), rtol=0, atol=1e-9):
        return tuple(round(each) for each in found)
    return tuple(float(f"{each:.12g}") for each in found)


def _check_order(low: float, high: float, names: tuple[str, str], scale: Scale, where: str) -> None:
    if not low < high:
        raise InputError(f"{where}: `{names[0]}` must be below `{names[1]}`, got {low:g}, {high:g}")
    if scale == "log" and low <= 0:
        raise InputError(f"{where}: with `log`, `{names[0]}` must be above 0, got {low:g}")
