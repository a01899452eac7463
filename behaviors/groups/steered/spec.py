"""A combination of steering behaviors as data: what a scenario file says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rmp3d.behaviors.combining import COMBININGS, Combining
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, SteeringBehavior
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError

OWN, ALL = "own", "all"

Name = str | dict[str, Any]
Vector = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class SteeringSpec:
    """Which steering behaviors, how they are combined, and whom they are about.

    Attributes:
        behaviors: Each a name, or a table with ``name``, the behavior's own options, ``weight``
            (default 1), ``probability`` (for dithering, default 1) and ``among``: whom it has as
            neighbors, ``own`` group, ``all``, or the name of a group; by default what suits it.
            In order of priority. None at all: stand still.
        combining: Scheme, a name or a table with ``name`` and options.
        target: Where to: a point [m], a region (its middle), or the nearest known of a group.
        target_heading: Direction to look in at the target (for ``docking``).
        quarry: Group that is pursued or watched; the nearest known of it counts.
        threat: Group that is fled from, in the same way.
        leader: Group that is followed.
        ward: Group that is protected.

    A role that is not stated falls back to ``target``, if that is a group.
    """

    behaviors: list[Name]
    combining: Name = "weighted_sum"
    target: str | Vector | None = None
    target_heading: Vector | None = None
    quarry: str | None = None
    threat: str | None = None
    leader: str | None = None
    ward: str | None = None

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Refuse what names nothing or has a wrong option.

        Raises:
            InputError: Names the key.
        """
        self.parts()
        self.scheme()

    def parts(self) -> tuple["WeightedBehavior", ...]:
        """Return the behaviors.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        return tuple(
            _part({"name": table} if isinstance(table, str) else table, f"`behaviors[{row}]`")
            for row, table in enumerate(self.behaviors)
        )

    def scheme(self) -> Combining:
        """Return the combining scheme.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        table = {"name": self.combining} if isinstance(self.combining, str) else self.combining
        scheme: Combining = choose(COMBININGS, table, "`combining`")
        return scheme


@dataclass(frozen=True, eq=False)
class WeightedBehavior:
    """One behavior of a combination; see `Mix`."""

    behavior: SteeringBehavior
    weight: float
    probability: float
    among: str

    @property
    def needs(self) -> tuple[str, ...]:
        """What the behavior cannot do without."""
        return getattr(self.behavior, "needs", ())


def _part(table: Mapping[str, Any], where: str) -> WeightedBehavior:
    options = dict(table)
    weight = _number(options.pop("weight", 1.0), f"{where}: `weight`", np.inf)
    probability = _number(options.pop("probability", 1.0), f"{where}: `probability`", 1.0)
    among = options.pop("among", None)
    if not (among is None or isinstance(among, str)):
        raise InputError(f"{where}: `among` must be `own`, `all` or a group, got {among!r}")
    behavior = choose(STEERING_BEHAVIORS, options, where)
    suits = OWN if getattr(behavior, "mates", False) else ALL
    return WeightedBehavior(behavior, weight, probability, among or suits)


def _number(value: Any, where: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        limit = "" if most == np.inf else f", at most {most:g}"
        raise InputError(f"{where} must be a number of 0 or more{limit}, got {value!r}")
    return float(value)
