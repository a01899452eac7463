"""The state of all characters: one frozen structure of arrays, beside their bodies."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.proximity.kept_pairs import KeptPairs, PairsAround, PairsInOrder
from rmp3d.geometry.arrays import Float, Index, frozen, read_only
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.rotations import WORLD_UP, frame, quaternion_from_matrix
from rmp3d.geometry.row_vectors import orientations
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.vectors import LARGER, MANY, SHORT
from rmp3d.models import Character


@dataclass(frozen=True, kw_only=True, eq=False)
class Flock:
    """N characters; row i of every array is character i. Read-only: a step returns a new one.

    Attributes:
        position: (N, 3) reference points [m], world.
        velocity: (N, 3) [m/s], world.
        acceleration: (N, 3) in the step that led here [m/s^2], world; in plan for walkers.
        heading: (N, 3) unit, body x.
        up: (N, 3) unit, body z.
        spin: (N, 3) angular velocity where the orientation is steered [rad/s]; zero elsewhere.
        face: (N,) triangle of the walkable surface a walker stands on; -1 for flyers.
        bodies: What does not change: sizes, masses, limits.
        nearby: Finds which of the characters are near to one another; passed on from step to step.
        rows: (N,) in the flock of which this is a `part`; None: it is the whole flock.
    """

    arrays: ClassVar[tuple[str, ...]] = (
        "position", "velocity", "acceleration", "heading", "up", "spin", "face"
    )  # fmt: skip

    position: Float
    velocity: Float
    acceleration: Float
    heading: Float
    up: Float
    spin: Float
    face: Index
    bodies: Bodies
    nearby: KeptPairs = field(default_factory=KeptPairs, repr=False)
    rows: Index | None = field(default=None, repr=False)

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for name in self.arrays:
            kind: Any = np.intp if name == "face" else np.float64
            object.__setattr__(self, name, frozen(getattr(self, name), kind))
        count = len(self.position)
        for name in (*self.arrays, "bodies"):
            if len(getattr(self, name)) != count:
                raise ValueError(f"`{name}` must have {count} rows, as `position` has")

    def __len__(self) -> int:
        return len(self.position)

    @property
    def numbers(self) -> Index:
        """(N,) rows in the whole flock."""
        return np.arange(len(self)) if self.rows is None else self.rows

    @cached_property
    def orientation_wxyz(self) -> Float:
        """(N, 4) unit quaternions of the body frames."""
        if len(self) < MANY:
            return read_only(quaternion_from_matrix(frame(self.heading, self.up)))
        return read_only(_orientations(self.heading, self.up))

    def turned_from(self, before: "Flock", rows: Index) -> None:
        """Take over the orientations of all others than ``rows`` (n,) from the flock before."""
        known = before.__dict__.get("orientation_wxyz")
        if known is not None and len(self) >= MANY:
            found = known.copy()
            found[rows] = _orientations(*(
                each.take(rows, axis=0) for each in (self.heading, self.up)
            ))  # fmt: skip
            object.__setattr__(self, "orientation_wxyz", read_only(found))

    def moved(self, **changes: Any) -> "Flock":
        """Return the flock with some arrays replaced."""
        return replace(self, **changes)

    def with_bodies(self, **changes: ArrayLike) -> "Flock":
        """Return the flock with some arrays of its bodies replaced."""
        return replace(self, bodies=self.bodies.changed(**changes))

    def select(self, rows: Index) -> "Flock":
        """Return the flock of some of the rows."""
        if rows.dtype != np.bool_ and np.array_equal(rows, np.arange(len(self))):
            return self
        part = object.__new__(Flock)
        for name in self.arrays:  # these are checked and of the right kind already
            value = getattr(self, name)
            value = value[rows] if rows.dtype == np.bool_ else value.take(rows, axis=0)
            value.setflags(write=False)
            object.__setattr__(part, name, value)
        object.__setattr__(part, "bodies", self.bodies.select(rows))
        object.__setattr__(part, "nearby", KeptPairs())
        return part

    def in_order(self, order: Index, bodies: Bodies) -> "Flock":
        """Return the flock by the rows of `KeptPairs.order`, given its bodies in that order."""
        return self._with_rows(order, bodies, PairsInOrder(self.nearby, order))

    def part(self, rows: Index) -> "Flock":
        """Return some rows (n,), in ascending order, that know of the pairs among them."""
        part = self._with_rows(rows, self.bodies.select(rows), self.nearby.part(rows))
        object.__setattr__(part, "rows", read_only(self.numbers[rows]))
        return part

    def some(self, rows: Index) -> "Flock":
        """Return some rows (n,) that have all others around them still, to move one by one."""
        around = PairsAround(self.nearby, self.position, self.bodies.half_width, rows)
        return self._with_rows(rows, self.bodies.select(rows), around)

    def _with_rows(self, rows: Index, bodies: Bodies, nearby: KeptPairs) -> "Flock":
        part = object.__new__(Flock)
        for name in self.arrays:
            object.__setattr__(part, name, read_only(getattr(self, name).take(rows, axis=0)))
        object.__setattr__(part, "bodies", bodies)
        object.__setattr__(part, "nearby", nearby)
        return part

    @classmethod
    def at_rest(
        cls,
        bodies: Bodies | Sequence[Character],
        position: ArrayLike,
        heading: ArrayLike = (1.0, 0.0, 0.0),
        face: ArrayLike = -1,
    ) -> "Flock":
        """Return characters that stand (or hover) at rest, upright.

        Args:
            bodies: Of the characters; or the characters, one for each row.
            position: (N, 3) reference points [m].
            heading: (N, 3) directions to look in, flattened, or one for all.
            face: (N,) surface triangle of each walker, -1 for flyers.
        """
        if not isinstance(bodies, Bodies):
            bodies = Bodies.of(bodies)
        count = len(bodies)
        heading = np.array(np.broadcast_to(np.asarray(heading, float), (count, 3)))
        heading[:, 2] = 0.0
        heading[np.linalg.norm(heading, axis=1) < 1e-9] = [1.0, 0.0, 0.0]
        heading /= np.linalg.norm(heading, axis=1, keepdims=True)
        return cls(
            position=np.asarray(position, float).reshape(-1, 3),
            velocity=np.zeros((count, 3)),
            acceleration=np.zeros((count, 3)),
            heading=heading,
            up=np.broadcast_to(WORLD_UP, (count, 3)),
            spin=np.zeros((count, 3)),
            face=np.broadcast_to(np.asarray(face, np.intp), (count,)),
            bodies=bodies,
        )


def _orientations(heading: Float, up: Float) -> Float:
    found = np.empty((len(heading), 4))

    def some(rows: slice) -> None:
        orientations(heading[rows], up[rows], SHORT, LARGER, found[rows])

    in_blocks(some, len(found))
    return found
