"""Action selection: members choose by rules which steering they follow, each on its own."""

from dataclasses import dataclass

from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS
from rmp3d.behaviors.groups.steered.acting_options import ActingOptions
from rmp3d.behaviors.groups.steered.acting_run import ActingRun
from rmp3d.behaviors.groups.task import Task


@GROUP_BEHAVIORS.register("acting")
@dataclass(frozen=True, kw_only=True)
class Acting(ActingOptions):
    """Choose goals by rules over what is perceived and felt, and steer for them.

    In every step each member perceives; its mental variables change by their timers and
    triggers; of the rules that hold, the one of the highest priority puts its goal into the
    member's queue; the queue's first goal decides how it steers (thesis, chapter 2, "a generic
    model": state variables, rule base, memory). Goals, rules and the rest can be changed while it
    runs.
    """

    def begin(self, task: Task) -> ActingRun:
        """Place the members, and read the rules."""
        return ActingRun(task, self)
