"""Whose forces are recorded."""

from collections.abc import Sequence
from typing import Any

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.groups.steered.spec import SteeringSpec
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.scenario import Scenario


def steering_names(scenario: Scenario, runs: Sequence[GroupRun]) -> tuple[str, ...]:
    """Return the names of all steering behaviors in a run; none if forces are not recorded.

    Those that groups change to are among them, as far as the scenario knows of the changes.
    """
    if not scenario.table.simulation.record_forces:
        return ()
    tables: list[dict[str, Any] | None] = [group.behavior for group in scenario.table.groups]
    tables += [change.behavior for change in scenario.table.changes]
    known = [
        scenario.held.choose(GROUP_BEHAVIORS, table, "`behavior`") for table in tables if table
    ]
    mixes = [each for one in known for each in (one, *getattr(one, "goals", {}).values())]
    used = [part.behavior for mix in mixes if isinstance(mix, SteeringSpec) for part in mix.parts()]
    used += [behavior for run in runs for _, behavior in run.steering]
    names = (
        name
        for each in used
        for name in STEERING_BEHAVIORS
        if STEERING_BEHAVIORS[name] is type(each)
    )
    return tuple(dict.fromkeys(names))
