"""Members that perceive others, and steer without a plan: what such groups have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.places import anywhere
from rmp3d.behaviors.groups.group_behavior import GroupBehavior, GroupRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import Task, default_spacing
from rmp3d.behaviors.perception import PERCEPTIONS, Memory, Perception
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError

if TYPE_CHECKING:
    PerceptionChoice: TypeAlias = str | Mapping[str, Any] | Perception
else:  # what a file can say: fields of this type are read from TOML and shown in forms
    PerceptionChoice = str | dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class PerceivingGroup(GroupBehavior):
    """What groups that steer without a plan have in common.

    Attributes:
        perception: How members perceive others: a name, or a table with ``name`` and options.
        heading: Direction in which all members look at the start; by default each looks in another
            one.
        spacing: Distance between places at the start [m]; 0 takes one that suits body and speed.
    """

    needs_goal: ClassVar[bool] = False

    perception: PerceptionChoice = "zone"
    heading: tuple[float, float, float] | None = None
    spacing: float = 0.0

    def __post_init__(self) -> None:
        self.senses()
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")
        if self.heading is not None and not np.any(self.heading):
            raise InputError("`heading` must not be zero")

    def senses(self) -> Perception:
        """Return the perception.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        perception: Perception = choose(PERCEPTIONS, self.perception, "`perception`")
        return perception


class PerceivingRun(GroupRun):
    """Members that perceive, placed anywhere in their start region."""

    takes_turnover: ClassVar[bool] = True
    takes_orders: ClassVar[bool] = True

    def __init__(self, task: Task, parameters: PerceivingGroup) -> None:
        spacing = parameters.spacing or default_spacing(task.character)
        super().__init__(
            task,
            start=anywhere(task.space, task.start, task.count, spacing, task.rng, task.others),
            heading=_headings(parameters, task),
            steering=(),
        )
        self._task = task
        self._senses = parameters.senses()
        self._memory: Memory | None = None
        self._steering: SteeringOutput | None = None

    def memory(self, rows: Index) -> Memory:
        """Return what the members, which are ``rows`` of the flock, know of others."""
        if self._memory is None:
            self._memory = Memory(self._senses, rows)
        return self._memory

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now, and what they remember of others."""
        super().turn_over(own, everyone, rows)
        if self._memory is not None:
            self._memory.turn_over(own, everyone, rows)

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that `look` found."""
        assert self._steering is not None
        return self._steering


def unguided(flock: Flock, aim: Float) -> Intent:
    """Return the intent of members that go by no plan, which traffic rules leave alone.

    Args:
        flock: The n members.
        aim: (n, 3) what their steering is about [m], NaN for nothing.
    """
    count = len(flock)
    return Intent(
        subgoal=np.where(np.isnan(aim), flock.position, aim),
        subgoal_velocity=np.zeros((count, 3)),
        remaining=np.zeros(count),
        parked=np.ones(count, np.bool_),
        guided=False,
    )


def _headings(parameters: PerceivingGroup, task: Task) -> Float:
    if parameters.heading is not None:
        return np.tile(np.array(parameters.heading, np.float64), (task.count, 1))
    turn = 2.0 * np.pi * task.rng.random(task.count)
    return np.stack([np.cos(turn), np.sin(turn), np.zeros(task.count)], axis=1)
