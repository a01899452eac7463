"""Measuring lines: where a scenario wants to know how many members pass, and how fast."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError

SHORTEST = 0.01  # [m]
MAX_LINES = 1000
Point = Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]


class MeasuringLine(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A `[[measure]]` table: a line on the ground, or a gate in the air, that members pass.

    Attributes:
        name: In tables: ``flow.NAME``.
        ends: Two points ``[x, y]`` [m], for all heights; or ``[x, y, z]``, for one level only.
            *Forward* is to the right of whoever looks from the first to the second.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    ends: tuple[Point, Point]

    @property
    def plan(self) -> Float:
        """(2, 2) the ends in plan [m]."""
        return np.array([end[:2] for end in self.ends])

    @property
    def heights(self) -> Float | None:
        """(2,) heights of the ends [m]; None where all heights count."""
        return np.array([end[2] for end in self.ends]) if len(self.ends[0]) == 3 else None

    @property
    def width(self) -> float:
        """Length in plan [m]."""
        return float(np.linalg.norm(self.plan[1] - self.plan[0]))


def check_lines(lines: Sequence[MeasuringLine], where: str) -> None:
    """Refuse lines with the same name, without a length, or with one height only.

    Raises:
        InputError: Names the key.
    """
    names: dict[str, int] = {}
    for row, line in enumerate(lines):
        here = f"{where}: `measure[{row}]"
        if line.name in names:
            raise InputError(
                f"{here}.name`: `{line.name}` is the name of `measure[{names[line.name]}]`, too; "
                "give another one"
            )
        names[line.name] = row
        if len(line.ends[0]) != len(line.ends[1]):
            raise InputError(
                f"{here}.ends`: both points are [x, y], or both are [x, y, z]; given "
                f"{line.ends[0]} and {line.ends[1]}"
            )
        if line.width < SHORTEST:
            raise InputError(
                f"{here}.ends`: the points are {line.width:g} m apart in plan; a line is at least "
                f"{SHORTEST:g} m long"
            )
