"""What members that choose are given to choose from, and by which rules."""

from dataclasses import dataclass, field

from rmp3d.behaviors.action.map import MapOptions
from rmp3d.behaviors.action.mind import MentalVariable, Trigger
from rmp3d.behaviors.action.rules import Rule
from rmp3d.behaviors.action.switches import Switch
from rmp3d.behaviors.groups.steered.goal import Goal, blaming
from rmp3d.behaviors.groups.steered.perceiving import PerceivingGroup
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name

MAX_CHOICES = 200
"""Goals, mental variables, triggers, rules and switches at most. All goals together have at most
three times as many stops: places to stand are looked for at each."""


@dataclass(frozen=True, kw_only=True)
class ActingOptions(PerceivingGroup):
    """Goals, rules and mental variables of members that choose; see `Acting`.

    Attributes:
        goals: By name: ``go_to``, where to go by the roadmap, or ``behaviors`` and the other keys
            of the behavior ``steering``; and ``until``, a condition under which it is reached.
        idle: Goal that is pursued when there is none in the queue; empty: stand still.
        mental: Mental variables by name: ``start``, ``rate`` [1/s], ``lower``, ``upper``,
            ``spread``.
        triggers: Changes of mental variables: ``variable``, ``when``, and ``rate`` [1/s],
            ``add`` or ``set``; ``every`` [s].
        rules: Which goals are wanted under which conditions: ``when``, ``goal``, ``priority``,
            ``timer`` [s] or ``forever``.
        switches: Parts of the scene that appear or go when a condition begins to hold for a member:
            ``when``, ``part``, ``there``.
        map: Keeps a map of what each has seen: ``cell`` [m], ``every`` [s].
        nodes: Of the roadmap over which members go to places and rules measure distances; it
            grows up to four times as large to join the places.
    """

    goals: dict[str, Goal]
    idle: str = ""
    mental: dict[str, MentalVariable] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    map: MapOptions | None = None
    nodes: int = 400

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.nodes <= 20_000:
            raise InputError(f"`nodes` must be from 1 to 20000, got {self.nodes}")
        for kind in ("goals", "mental", "triggers", "rules", "switches"):
            if len(getattr(self, kind)) > MAX_CHOICES:
                raise InputError(
                    f"`{kind}`: at most {MAX_CHOICES}, given {len(getattr(self, kind)):,}"
                )
        ways = [goal.go_to for goal in self.goals.values() if goal.go_to is not None]
        stops = sum(len(way) if isinstance(way, list | tuple) else 1 for way in ways)
        if stops > 3 * MAX_CHOICES:  # a point may be three numbers
            raise InputError(f"`go_to` of all goals: too many stops ({stops:,})")
        for kind, names in (("goals", self.goals), ("mental", self.mental)):
            for name in names:
                if not name.isidentifier():
                    raise InputError(f"`{kind}.{name}`: must be one word of letters, digits and _")
        for name, goal in self.goals.items():
            with blaming(name):
                goal.check()
        if self.idle and self.idle not in self.goals:
            raise InputError(f"`idle`: {unknown_name('goal', self.idle, list(self.goals))}")
