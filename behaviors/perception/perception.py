"""The contract of a perception."""

from typing import Protocol

import numpy as np

from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import Registry

PERCEPTIONS = Registry("perception")


class Perception(Protocol):
    """A method to perceive others; a frozen dataclass, whose fields are its options.

    Attributes:
        memory: How long [s] others are remembered, where they were last perceived.
    """

    memory: float

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (own, other) in which one perceives the other now.

        Args:
            world: Everything.
            rows: (n,) members that perceive, as rows of the flock.

        Returns:
            Numbers in ``rows`` (P,) and rows of the flock (P,), sorted by the first, then the
            second.
        """
        ...

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (own, place) in which one has a place (C, 3) [m] in view now.

        Args:
            world: Everything.
            rows: (n,) members that perceive, as rows of the flock.
            places: (C, 3) [m].

        Returns:
            Numbers in ``rows`` (P,) and in ``places`` (P,).
        """
        ...


def places_within(
    world: WorldState, rows: Index, places: Float, reach: float
) -> tuple[Index, Index]:
    """Return the pairs (own, place) of places (C, 3) at most ``reach`` [m] from an eye."""
    from scipy.spatial import cKDTree  # slow to load

    if len(rows) == 0 or len(places) == 0:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    eyes, tree = cKDTree(world.eye[rows]), cKDTree(places)
    found = eyes.sparse_distance_matrix(tree, reach, output_type="ndarray")
    return found["i"], found["j"]
