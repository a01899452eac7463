"""The contract of a formation, and what its implementations share."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.own_code import given_array
from rmp3d.geometry.registry import Registry, entry_of

FORMATIONS = Registry("formation")

# Ranks of fewer are no ranks.
LEAST_ABREAST = 5


class Formation(Protocol):
    """A shape for any number of members."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3) [m] as (lag, left, up) from the leader on the path.

        Slots are curvilinear: ``lag`` is an arc length behind the leader, ``left`` and ``up`` are
        measured in the path's frame there, so that a column bends with the path and a line turns
        with it. No two slots are nearer than ``spacing``; the slot first in the list leads.

        Raises:
            InputError: The formation is not for so many.
        """
        ...


if TYPE_CHECKING:
    FormationChoice: TypeAlias = str | Mapping[str, Any] | Formation
    """A formation, its name, or a table with its ``name`` and options."""
else:  # what a file can say: fields of this type are read from TOML and shown in forms
    FormationChoice = str | dict[str, Any]


@runtime_checkable
class Layered(Formation, Protocol):
    """A shape that can be laid out in more ranks, where there is no room for it as it is.

    Attributes:
        abreast: So many side by side at most; 0: as the shape is.
    """

    abreast: int

    def narrower(self, count: int) -> Iterator["Layered"]:
        """Yield the same shape for ``count`` members with fewer and fewer abreast."""
        ...


def formation_of(choice: FormationChoice, where: str = "`formation`") -> Formation:
    """Return the formation that a choice describes.

    Raises:
        InputError: There is none of that name, or an option is wrong; ``where`` names the place.
    """
    formation: Formation = choose(FORMATIONS, choice, where)
    return formation


def slots_of(formation: Formation, count: int, spacing: float) -> Float:
    """Return the slots (count, 3) [m] of a formation; see `Formation.slots`.

    Raises:
        InputError: The formation is not for so many, or its class gives something else.
    """
    return given_array(formation.slots(count, spacing), (count, 3), formation, "slots")


def name_of(choice: FormationChoice) -> str:
    """Return the name of the formation in a choice."""
    if isinstance(choice, str):
        return choice
    if isinstance(choice, Mapping):
        return str(choice["name"])
    entry = entry_of(type(choice))
    return type(choice).__name__.lower() if entry is None else entry.name


def nearest(slots: Float) -> float:
    """Return the distance [m] between the two nearest of slots (n, 3); infinite for fewer."""
    from scipy.spatial import cKDTree  # slow to load

    if len(slots) < 2:
        return np.inf
    distance, _ = cKDTree(slots).query(slots, k=2)
    return float(distance[:, 1].min())


def arranged(points: Float, spacing: float) -> Float:
    """Return points (n, 3) as slots: the foremost first, at lag zero, the nearest two spaced.

    Of points equally far ahead the one nearest to the path comes first, then the left one.
    """
    if len(points) == 0:
        return np.zeros((0, 3))
    slots = points * (spacing / nearest(points) if len(points) > 1 else 1.0)
    slots = slots - [slots[:, 0].min(), 0.0, 0.0]
    lag, left, up = np.round(slots, 9).T
    return slots[np.lexsort((up, -left, np.hypot(left, up), lag))]


def check_abreast(abreast: int) -> None:
    """Refuse a negative number abreast.

    Raises:
        InputError: Says what is allowed.
    """
    if abreast < 0:
        raise InputError(f"`abreast` must be 0 (as the shape is) or more, got {abreast}")


def widths(count: int, abreast: int) -> Iterator[int]:
    """Yield how many abreast ``count`` members are, for more and more ranks.

    Only what is narrower than ``abreast``, but not deeper than wide, nor of less than
    `LEAST_ABREAST`: small groups keep their shape whole.
    """
    for ranks in range(2, count + 1):
        wide = -(-count // ranks)
        if wide < max(ranks, LEAST_ABREAST):
            return
        if wide < abreast:
            yield wide
