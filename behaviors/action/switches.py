"""Switches: if a condition begins to hold for a member, a part of the scene appears or goes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.action.conditions import Condition, Values, parse_condition
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool
from rmp3d.scenes import Part
from rmp3d.scenes.presence import changeable


@dataclass(frozen=True)
class Switch:
    """When the condition begins to hold for a member, the part appears or goes.

    Attributes:
        when: Condition.
        part: Name of the part, or a pattern; one that `[[scene.presence]]` names.
        there: Whether the part is there from then on.
    """

    when: str
    part: str
    there: bool = True


class Switches:
    """The switches of a group at work.

    Args:
        switches: The switches.
        known: Names of the state variables there are.
        parts: Of the scene.
        count: Members n.

    Attributes:
        conditions: Of the switches.

    Raises:
        InputError: A condition is none, or a part cannot appear or go.
    """

    def __init__(
        self, switches: Sequence[Switch], known: Collection[str], parts: Sequence[Part], count: int
    ) -> None:
        where = [f"`switches[{row}]" for row in range(len(switches))]
        self.conditions: list[Condition] = [
            parse_condition(each.when, known, f"{here}.when`")
            for here, each in zip(where, switches, strict=True)
        ]
        self._names = [
            changeable(parts, each.part, f"{here}.part`")
            for here, each in zip(where, switches, strict=True)
        ]
        self._switches = tuple(switches)
        self._held: Bool = np.zeros((len(switches), count), np.bool_)

    def take_over(self, before: "Switches") -> None:
        """Go on where another one's switches that are the same are."""
        rows = {switch: row for row, switch in enumerate(before._switches)}
        for row, switch in enumerate(self._switches):
            if switch in rows:
                self._held[row] = before._held[rows[switch]]

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        self._held = members.of(self._held.T, False).T

    def step(self, values: Values) -> list[tuple[int, str, bool]]:
        """Return what is switched now: the member that does it, a part, and whether it is there.

        Args:
            values: (n,) of all state variables.
        """
        found = []
        for row, condition in enumerate(self.conditions):
            holds = condition.holds(values, self._held.shape[1])
            begins = np.flatnonzero(holds & ~self._held[row])
            self._held[row] = holds
            if len(begins):
                there = self._switches[row].there
                found += [(int(begins[0]), name, there) for name in self._names[row]]
        return found
