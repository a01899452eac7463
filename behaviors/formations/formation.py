"""The contract of a formation."""

from typing import Protocol

from geometry.arrays import Float
from geometry.registry import Registry

FORMATIONS = Registry("formation")


class Formation(Protocol):
    """A shape for any number of members."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3) [m] as (lag, left, up) from the leader on the path.

        Slots are curvilinear: ``lag`` is an arc length behind the leader, ``left`` and ``up`` are
        measured in the path's frame there, so that a column bends with the path and a line turns
        with it. No two slots are nearer than ``spacing``; the slot first in the list leads.
        """
        ...
