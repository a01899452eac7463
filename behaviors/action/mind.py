"""The mental state of members: variables, their timers, and triggers that change them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.action.conditions import Condition, Values, parse_condition
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name


@dataclass(frozen=True)
class MentalVariable:
    """A variable of the mental state, such as hunger or fear.

    Attributes:
        start: Value at the beginning.
        rate: Its mental timer: change by itself [1/s].
        lower: Least value.
        upper: Largest value.
        spread: Members begin at ``start`` plus up to this much, at random.
    """

    start: float = 0.0
    rate: float = 0.0
    lower: float = 0.0
    upper: float = 1.0
    spread: float = 0.0

    def __post_init__(self) -> None:
        if not self.lower <= self.start <= self.upper:
            raise InputError(
                f"`start` {self.start} must be from `lower` {self.lower} to `upper` {self.upper}"
            )
        if self.spread < 0.0:
            raise InputError(f"`spread` must be 0 or more, got {self.spread}")


@dataclass(frozen=True)
class Trigger:
    """A rule of one mental variable: what an event or a state of the world does to it.

    Attributes:
        variable: Name of the mental variable.
        when: A condition, such as ``thief.seen and fear > 0.5``.
        rate: Change while it holds [1/s].
        add: Change at once when it begins to hold, and then every ``every`` seconds.
        set: New value when it begins to hold.
        every: Time between two such changes while it holds [s]; 0: only when it begins to.
    """

    variable: str
    when: str
    rate: float = 0.0
    add: float = 0.0
    set: float | None = None
    every: float = 0.0

    def __post_init__(self) -> None:
        if self.rate == 0.0 and self.add == 0.0 and self.set is None:
            raise InputError("a trigger needs `rate`, `add` or `set`")
        if self.every < 0.0:
            raise InputError(f"`every` must be 0 or more seconds, got {self.every}")


class Mind:
    """The mental variables of n members, which live from step to step.

    In a step of length dt a variable first changes by its own timer and by the triggers that
    hold, is then set by those that have just begun to hold, and is kept in its limits.

    Attributes:
        values: (n,) of each variable; read-only.
    """

    def __init__(
        self,
        variables: Mapping[str, MentalVariable],
        triggers: Collection[Trigger],
        known: Collection[str],
        count: int,
        rng: np.random.Generator,
    ) -> None:
        self._variables = dict(sorted(variables.items()))  # recordings do not keep their order
        self._triggers: list[tuple[Trigger, Condition]] = []
        for row, trigger in enumerate(triggers):
            if trigger.variable not in variables:
                raise InputError(
                    f"`triggers[{row}].variable`: no mental variable `{trigger.variable}`; "
                    f"there is {', '.join(variables) or 'none'} (in `mental`)"
                )
            condition = parse_condition(trigger.when, known, f"`triggers[{row}].when`")
            self._triggers.append((trigger, condition))
        self._held = np.zeros((len(self._triggers), count), np.bool_)
        self._next = np.full((len(self._triggers), count), np.inf)
        self.values: dict[str, Float] = {}
        self._rng = rng
        for name in self._variables:
            self._keep(name, self._at_start(name, count))

    def take_over(self, before: "Mind") -> None:
        """Go on with the values of another one's variables of the same names, and its triggers."""
        for name in before.values.keys() & self.values.keys():
            self._keep(name, before.values[name])
        rows = {trigger: row for row, (trigger, _) in enumerate(before._triggers)}
        for row, (trigger, _) in enumerate(self._triggers):
            if trigger in rows:
                self._held[row] = before._held[rows[trigger]]
                self._next[row] = before._next[rows[trigger]]

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers begin as others began."""
        for name, value in list(self.values.items()):
            self._keep(name, members.of(value, self._at_start(name, len(members))))
        self._held = members.of(self._held.T, False).T
        self._next = members.of(self._next.T, np.inf).T

    def _at_start(self, name: str, count: int) -> Float:
        variable = self._variables[name]
        return variable.start + variable.spread * self._rng.random(count)

    @property
    def conditions(self) -> list[Condition]:
        """Of the triggers."""
        return [condition for _, condition in self._triggers]

    def set(self, variable: str, value: float, members: Index) -> None:
        """Set a variable of some members (rows), within its limits.

        Raises:
            InputError: There is no such variable.
        """
        if variable not in self._variables:
            raise InputError(unknown_name("mental variable", variable, list(self._variables)))
        new = self.values[variable].copy()
        new[members] = value
        self._keep(variable, new)

    def step(self, values: Values, time: float, dt: float) -> None:
        """Change the variables by what holds now.

        Args:
            values: (n,) of all state variables, these included.
            time: Now [s].
            dt: Time since the last step [s].
        """
        new = {name: value + self._variables[name].rate * dt for name, value in self.values.items()}
        for row, (trigger, condition) in enumerate(self._triggers):
            holds = condition.holds(values, self._held.shape[1])
            fires = self._fires(row, trigger, holds, time)
            value = new[trigger.variable] + trigger.rate * dt * holds + trigger.add * fires
            new[trigger.variable] = value if trigger.set is None else np.where(
                fires, trigger.set, value
            )  # fmt: skip
        for name, value in new.items():
            self._keep(name, value)

    def _fires(self, row: int, trigger: Trigger, holds: Bool, time: float) -> Bool:
        begins = holds & ~self._held[row]
        again = holds & (time >= self._next[row] - 1e-9)
        fires = begins | again
        self._held[row] = holds
        self._next[row] = np.where(holds, self._next[row], np.inf)
        if trigger.every > 0.0:
            self._next[row] = np.where(fires, time + trigger.every, self._next[row])
        return fires

    def _keep(self, name: str, value: Float) -> None:
        variable = self._variables[name]
        kept = np.clip(value, variable.lower, variable.upper)
        kept.setflags(write=False)
        self.values[name] = kept
