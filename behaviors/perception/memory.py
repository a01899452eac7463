"""What members know of others: those that they perceive now, and those that they remember."""

from dataclasses import dataclass, fields, replace

import numpy as np

from rmp3d.behaviors.perception.perception import Perception
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# Arrays of the flock that are kept of one that was perceived.
REMEMBERED = ("position", "velocity", "heading", "up")


@dataclass(frozen=True, eq=False)
class Known:
    """Pairs (own, other): what n members know of others, sorted by the first, then the second.

    Attributes:
        i: (P,) member, 0 to n - 1.
        j: (P,) other, row of the flock of all.
        position: (P, 3) where the other was last perceived [m]; now, if it is perceived.
        velocity: (P, 3) its velocity then [m/s].
        heading: (P, 3) its heading then, unit.
        up: (P, 3) its up then, unit.
        age: (P,) time since then [s]; 0 if it is perceived now.
    """

    i: Index
    j: Index
    position: Float
    velocity: Float
    heading: Float
    up: Float
    age: Float

    @property
    def seen(self) -> Bool:
        """(P,) whether the other is perceived now."""
        return self.age == 0.0

    def nearest(
        self, among: Bool, position: Float, kept: Index | None = None, favor: float = 1.0
    ) -> Index:
        """Return for each member the row (n,) of its nearest pair, -1 if it knows nobody.

        Args:
            among: (N,) which others count.
            position: (n, 3) of the members [m].
            kept: (n,) other that each had before (-1 none).
            favor: Factor on the distance to that one; below 1 it is kept unless another is
                clearly nearer.
        """
        found = np.full(len(position), -1, np.intp)
        rows = np.flatnonzero(among[self.j])
        apart = length(self.position[rows] - position[self.i[rows]])
        if kept is not None:
            apart = np.where(kept[self.i[rows]] == self.j[rows], favor * apart, apart)
        order = rows[np.lexsort((self.j[rows], apart, self.i[rows]))]
        member, first = np.unique(self.i[order], return_index=True)
        found[member] = order[first]
        return found


class Memory:
    """The senses of a group's members over time.

    Others are remembered for the perception's ``memory`` at the position and with the velocity
    that they were last perceived with, and forgotten then.
    """

    def __init__(self, perception: Perception, rows: Index) -> None:
        self._perception = perception
        self._rows = rows
        none, rest = np.zeros(0, np.intp), np.zeros((0, 3))
        self._known = Known(none, none, rest, rest, rest, rest, np.zeros(0))
        self._time = -np.inf

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now, ``rows`` of the flock; forget who has left."""
        known = self._known
        i, j = own.rows(known.i), everyone.rows(known.j)
        kept = np.flatnonzero((i >= 0) & (j >= 0))
        pairs = {field.name: getattr(known, field.name)[kept] for field in fields(Known)}
        self._known = Known(**{**pairs, "i": i[kept], "j": j[kept]})
        self._rows = rows

    def look(self, world: WorldState) -> Known:
        """Return what the members know now; a world's time is never before the last one's."""
        i, j = self._perception.perceived(world, self._rows)
        seen = {name: getattr(world.flock, name)[j] for name in REMEMBERED}
        now = Known(i=i, j=j, age=np.zeros(len(i)), **seen)
        if self._perception.memory > 0.0:
            now = self._with_remembered(now, len(world.flock), world.time - self._time)
        self._known, self._time = now, world.time
        return now

    def _with_remembered(self, now: Known, count: int, passed: float) -> Known:
        old = self._known
        age = old.age + passed
        lost = age <= self._perception.memory
        lost &= ~np.isin(old.i * count + old.j, now.i * count + now.j)
        j = np.concatenate([now.j, old.j[lost]])
        order = np.lexsort((j, np.concatenate([now.i, old.i[lost]])))
        aged = replace(old, age=age)
        return Known(
            **{
                field.name: np.concatenate(
                    [getattr(now, field.name), getattr(aged, field.name)[lost]]
                )[order]
                for field in fields(Known)
            }
        )
