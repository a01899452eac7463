"""A combination of steering behaviors as data: what a scenario file or a program says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
import numpy as np

from rmp3d.behaviors.combining import COMBININGS, Combining
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, SteeringBehavior
from rmp3d.geometry.choices import choose, table_of
from rmp3d.geometry.errors import InputError

OWN, ALL = "own", "all"
MAX_BEHAVIORS = 200

Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class WeightedBehavior:
    """One steering behavior of a combination.

    Attributes:
        behavior: The behavior.
        weight: Factor on what it asks for.
        probability: That a scheme with randomness considers it.
        among: Its neighbors: those of the ``own`` group, ``all``, or the name of a group; empty:
            what suits the behavior.
    """

    behavior: SteeringBehavior
    weight: float = 1.0
    probability: float = 1.0
    among: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """What the behavior cannot do without."""
        return getattr(self.behavior, "needs", ())

    def as_table(self) -> dict[str, Any]:
        """Return the table of the behavior with these three keys, as far as they are stated."""
        own = {"weight": self.weight, "probability": self.probability}
        stated: dict[str, Any] = {key: value for key, value in own.items() if value != 1.0}
        if self.among:
            stated["among"] = self.among
        return {**table_of(STEERING_BEHAVIORS, self.behavior), **stated}


if TYPE_CHECKING:
    BehaviorChoices: TypeAlias = Sequence[
        str
        | Mapping[str, Any]
        | SteeringBehavior
        | tuple[SteeringBehavior, float]
        | WeightedBehavior
    ]
    CombiningChoice: TypeAlias = str | Mapping[str, Any] | Combining
else:  # what a file can say: fields of these types are read from TOML and shown in forms
    BehaviorChoices = Annotated[
        list[str | dict[str, Any]], msgspec.Meta(examples=[["seek", "separation"]])
    ]
    CombiningChoice = str | dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class SteeringSpec:
    """Which steering behaviors, how they are combined, and which other agents they are about.

    Attributes:
        behaviors: Each a name, or a table with ``name``, the behavior's own options, ``weight``
            (default 1), ``probability`` (for dithering, default 1) and ``among``: its
            neighbors, ``own`` group, ``all``, or the name of a group; by default what suits it.
            In order of priority. None at all: stand still. In Python also an object such as
            ``Seek()``, ``(Seek(), 2.0)`` with a weight, or a `WeightedBehavior`.
        combining: Scheme that combines the behaviors: a name, or a table with ``name`` and
            options.
        target: Where to go: a point [m], a region (its middle), or a group (its nearest known
            member).
        target_heading: Direction to look in at the target (for ``docking``).
        quarry: Group that is pursued or watched; its nearest known member counts.
        threat: Group that the members flee; its nearest known member counts.
        leader: Group that is followed.
        ward: Group that is protected.

    A role that is not stated falls back to ``target``, if that is a group.
    """

    behaviors: BehaviorChoices
    combining: CombiningChoice = "weighted_sum"
    target: str | Vector | None = None
    target_heading: Vector | None = None
    quarry: str | None = None
    threat: str | None = None
    leader: str | None = None
    ward: str | None = None

    def __post_init__(self) -> None:
        self.name_weights()
        self.check()

    def name_weights(self) -> None:
        """Turn pairs of a behavior and its weight into a `WeightedBehavior`."""
        named = [
            WeightedBehavior(*each) if isinstance(each, tuple) else each for each in self.behaviors
        ]
        object.__setattr__(self, "behaviors", named)

    def check(self) -> None:
        """Refuse what names nothing or has a wrong option.

        Raises:
            InputError: Names the key.
        """
        if len(self.behaviors) > MAX_BEHAVIORS:
            raise InputError(f"`behaviors`: at most {MAX_BEHAVIORS}, given {len(self.behaviors):,}")
        self.parts()
        self.scheme()

    def parts(self) -> tuple[WeightedBehavior, ...]:
        """Return the behaviors.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        return tuple(
            _weighted(choice, f"`behaviors[{row}]`") for row, choice in enumerate(self.behaviors)
        )

    def scheme(self) -> Combining:
        """Return the combining scheme.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        scheme: Combining = choose(COMBININGS, self.combining, "`combining`")
        return scheme


def _weighted(choice: Any, where: str) -> WeightedBehavior:
    """Return the behavior of a choice, with ``among`` stated."""
    own = {}
    if isinstance(choice, WeightedBehavior):
        own = {key: getattr(choice, key) for key in ("weight", "probability", "among")}
        choice = choice.behavior
    if isinstance(choice, Mapping):
        table = dict(choice)
        own = {key: table.pop(key) for key in ("weight", "probability", "among") if key in table}
        choice = table
    weight = _number(own.get("weight", 1.0), f"{where}: `weight`", np.inf)
    probability = _number(own.get("probability", 1.0), f"{where}: `probability`", 1.0)
    among = own.get("among")
    if not (among is None or isinstance(among, str)):
        raise InputError(f"{where}: `among` must be `own`, `all` or a group, got {among!r}")
    behavior = choose(STEERING_BEHAVIORS, choice, where)
    suits = OWN if getattr(behavior, "mates", False) else ALL
    return WeightedBehavior(behavior, weight, probability, among or suits)


def _number(value: Any, where: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        limit = "" if most == np.inf else f", at most {most:g}"
        raise InputError(f"{where} must be a number of 0 or more{limit}, got {value!r}")
    return float(value)
