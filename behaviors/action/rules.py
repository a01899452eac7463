"""Rules: if a condition holds, then a goal is set."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rmp3d.behaviors.action.conditions import Condition, Values, parse_condition
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name


@dataclass(frozen=True)
class Rule:
    """If the condition holds, the goal is put into the queue.

    Attributes:
        when: A condition, such as ``thief.seen and fear > 0.5``.
        goal: Name of the goal.
        priority: Of the rule, and of the goal in the queue; higher ones come first.
        timer: How long the goal stays in the queue after the rule last held [s], or ``forever``.
    """

    when: str
    goal: str
    priority: float = 0.0
    timer: float | Literal["forever"] = 0.0

    def __post_init__(self) -> None:
        if not (self.timer == "forever" or 0.0 <= self.timer < np.inf):
            raise InputError(f"`timer` must be 0 or more seconds or `forever`, got {self.timer}")

    @property
    def lasts(self) -> float:
        """The timer as a number [s]."""
        return np.inf if self.timer == "forever" else float(self.timer)


class RuleBase:
    """The rules of a group.

    Raises:
        InputError: A rule names no goal, or its condition is none.
    """

    def __init__(self, rules: Sequence[Rule], goals: Sequence[str], known: Collection[str]) -> None:
        self.rules = list(rules)
        self.conditions: list[Condition] = []
        for row, rule in enumerate(rules):
            if rule.goal not in goals:
                problem = unknown_name("goal", rule.goal, list(goals))
                raise InputError(f"`rules[{row}].goal`: {problem}")
            self.conditions.append(parse_condition(rule.when, known, f"`rules[{row}].when`"))

    def chosen(self, values: Values, count: int) -> Index:
        """Return for each member the rule (n,) of the highest priority that holds, -1 for none.

        Of equals the one that is listed first counts.
        """
        best, found = np.full(count, -np.inf), np.full(count, -1, np.intp)
        for row, (rule, condition) in enumerate(zip(self.rules, self.conditions, strict=True)):
            better = condition.holds(values, count) & ((found < 0) | (rule.priority > best))
            best[better], found[better] = rule.priority, row
        return found
