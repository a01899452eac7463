"""Which parts and members are drawn, and the plane beyond which nothing is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.viewer.texts import tr

AXES = ("x", "y", "z")
KEEPS_ALL = frozen([0.0, 0.0, 0.0, 1.0])
"""Equation (4,) of no plane: one on the side of every point."""


@dataclass(frozen=True)
class ClipPlane:
    """A plane across an axis; what is on one side of it is left out.

    Attributes:
        axis: 0, 1 or 2: x, y or z.
        at: Where it crosses the axis [m].
        keeps: Which side is drawn.
    """

    axis: int
    at: float
    keeps: Literal["below", "above"] = "below"

    @property
    def sign(self) -> float:
        """1 if what is above is drawn, else -1."""
        return 1.0 if self.keeps == "above" else -1.0

    @property
    def text(self) -> str:
        """What is drawn, in words."""
        text = "only {axis} below {at} m" if self.keeps == "below" else "only {axis} above {at} m"
        return tr(text, axis=AXES[self.axis], at=f"{self.at:.2f}")

    def kept(self, points: Float) -> Bool:
        """Return which points (M, 3) [m] are on the side that is drawn."""
        return np.asarray(self.sign * (points[:, self.axis] - self.at) >= 0.0)

    def equation(self, origin: Float) -> Float:
        """Return (a, b, c, d), seen from ``origin``: ``a x + b y + c z + d >= 0`` is drawn."""
        row = np.zeros(4)
        row[self.axis], row[3] = self.sign, self.sign * (origin[self.axis] - self.at)
        return row

    def flipped(self) -> "ClipPlane":
        """Return the plane that draws the other side."""
        return replace(self, keeps="above" if self.keeps == "below" else "below")


@dataclass(frozen=True)
class Visibility:
    """What is drawn of a scene and of the members in it; all of both by default.

    Attributes:
        hidden_parts: Names of parts that are left out.
        hidden_members: Rows of members that are left out.
        clip: The plane beyond which nothing is drawn.
    """

    hidden_parts: frozenset[str] = frozenset()
    hidden_members: frozenset[int] = frozenset()
    clip: ClipPlane | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all is drawn."""
        return self == Visibility()

    def members(self, position: Float) -> Bool:
        """Return which members (N,) at positions (N, 3) [m] are drawn."""
        shown = np.ones(len(position), np.bool_)
        rows = [row for row in self.hidden_members if row < len(shown)]
        shown[rows] = False
        return shown if self.clip is None else shown & self.clip.kept(position)

    def equation(self, origin: Float) -> Float:
        """Return the equation (4,) of the plane, seen from ``origin``; see `ClipPlane`."""
        return KEEPS_ALL if self.clip is None else self.clip.equation(origin)

    def with_parts(self, names: Iterable[str], *, shown: bool) -> "Visibility":
        """Return the same with some parts shown or hidden."""
        hidden = self.hidden_parts - set(names) if shown else self.hidden_parts | set(names)
        return replace(self, hidden_parts=frozenset(hidden))

    def with_members(self, rows: Iterable[int] | Index, *, shown: bool) -> "Visibility":
        """Return the same with some members shown or hidden."""
        given = {int(row) for row in rows}
        hidden = self.hidden_members - given if shown else self.hidden_members | given
        return replace(self, hidden_members=frozenset(hidden))


ALL = Visibility()
