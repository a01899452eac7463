"""The built-in scenes whose scenario is about going somewhere."""

from rmp3d.scenario import ScenarioTable
from rmp3d.scenario.loading import load
from rmp3d.scenes import builtin_scenes


def journeys() -> tuple[str, ...]:
    """Return the names of the built-in scenes whose scenario gives a group a goal.

    Without those where things are carried, one by one: that is nothing for large groups.
    """
    return tuple(name for name in builtin_scenes() if _goes(load(name)))


def _goes(scenario: ScenarioTable) -> bool:
    goals = any(group.goal is not None for group in scenario.groups)
    return goals and scenario.groups[0].behavior["name"] != "carried"
