"""What is asked of the optimizer, and what it says of every better path."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.geometry import Float, InputError, frozen
from rmp3d.geometry.choices import Choice
from rmp3d.planner.optimizing.rules import RULES

MOST_ALTERNATIVES = 20
MOST_AGAINST = 3


@dataclass(frozen=True)
class Optimization:
    """How long a path is made cheaper after it was found, and in what sense.

    Attributes:
        seconds: Time [s] from the first path on; 0: no limit in time.
        work: Work from the first path on, in motion queries; 0: no limit of work. With a limit of
            work alone, the same seed gives the same path.
        cost: What is made small: the name of a cost, with its options.
        alternatives: So many paths of different classes are looked for, the cheapest included.
        against: Further costs: paths are looked for of which none is better than another in each of
            them and in ``cost``. Time and work are shared.
        rules: Names of `RULES` that take turns; fewer than all are for measurements.

    Raises:
        InputError: A value is out of range.
    """

    seconds: float = 0.0
    work: int = 0
    cost: Choice = "length"
    alternatives: int = 1
    against: tuple[Choice, ...] = ()
    rules: tuple[str, ...] = RULES

    def __post_init__(self) -> None:
        if not 0.0 <= self.seconds < np.inf:
            raise InputError(f"`optimize` must be seconds, 0 or more, got {self.seconds}")
        if not 0 <= self.work < np.inf:
            raise InputError(f"`optimize_work` must not be negative, got {self.work}")
        if not 1 <= self.alternatives <= MOST_ALTERNATIVES:
            raise InputError(
                f"`alternatives` must be 1 to {MOST_ALTERNATIVES}, got {self.alternatives}"
            )
        if self.against and not self.is_bounded:
            raise InputError(
                "several costs at once need a limit: say `optimize` or `optimize_work`, too"
            )
        if len(self.against) > MOST_AGAINST:
            raise InputError(
                f"`against` may have {MOST_AGAINST} further costs, got {len(self.against)}"
            )
        if not set(self.rules) <= set(RULES) or not self.rules:
            raise InputError(f"`rules` must be some of {', '.join(RULES)}, got {self.rules}")

    @property
    def is_bounded(self) -> bool:
        """Whether a time or a work is stated."""
        return self.seconds > 0.0 or self.work > 0

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to do after the first path."""
        return self.is_bounded or self.alternatives > 1

    def part(self, count: int) -> "Optimization":
        """Return what is asked of one of so many equal parts of time and work."""
        return replace(self, seconds=self.seconds / count, work=-(-self.work // count))


@dataclass(frozen=True)
class Improvement:
    """A better path, proved and confirmed; the first one is the path as it was found.

    Attributes:
        seconds: Since planning began [s].
        work: Since the first path was found, in motion queries.
        length: Of the path [m].
        cost: Of the path, in the unit of the cost.
    """

    seconds: float
    work: int
    length: float
    cost: float


@dataclass(frozen=True, eq=False)
class Alternative:
    """One of several certified paths of different classes.

    Attributes:
        configurations: (K, W), as those of `PlanResult`.
        length: [m].
        cost: In the unit of the cost.
    """

    configurations: Float
    length: float
    cost: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "configurations", frozen(self.configurations))


@dataclass(frozen=True, eq=False)
class TradeOff:
    """A certified path, one of several of which none is better than another in every cost.

    Attributes:
        configurations: (K, W), as those of `PlanResult`.
        length: [m].
        costs: Each by its name, in its unit.
    """

    configurations: Float
    length: float
    costs: dict[str, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "configurations", frozen(self.configurations))


@dataclass(frozen=True, eq=False)
class Improved:
    """What came out of optimizing a path.

    Attributes:
        improvements: The first path, and every better one; none if nothing was asked for.
        alternatives: Paths of different classes, the cheapest first; none if one is enough.
        tradeoffs: Paths of which none is better than another in every cost, by the first cost;
            none if there is one cost only.
        stopped: Whether the user stopped it.
        cost_name: Of the cost; empty if nothing was asked for.
        unit: Of the cost.
    """

    improvements: tuple[Improvement, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    tradeoffs: tuple[TradeOff, ...] = ()
    stopped: bool = False
    cost_name: str = ""
    unit: str = ""


Better = Callable[[Improvement], None] | None
