"""The contract of a perception."""

from typing import Protocol

from behaviors.world import World
from geometry.arrays import Index
from geometry.registry import Registry

PERCEPTIONS = Registry("perception")


class Perception(Protocol):
    """A way to perceive others; a frozen dataclass, whose fields are its options.

    Attributes:
        memory: How long [s] others are remembered, where they were last perceived.
    """

    memory: float

    def perceived(self, world: World, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (own, other) in which one perceives the other now.

        Args:
            world: Everything.
            rows: (n,) who perceives, rows of the flock.

        Returns:
            Numbers in ``rows`` (P,) and rows of the flock (P,), sorted by the first, then the
            second.
        """
        ...
