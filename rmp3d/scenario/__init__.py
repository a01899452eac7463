"""The scenario: what one run is, from a file or a table, checked, and written again."""

from rmp3d.scenario.scenario import (
    Change,
    Group,
    PlannerSettings,
    Scenario,
    SimulationSettings,
    check_places,
    goal_region,
)

__all__ = [
    "Change",
    "Group",
    "PlannerSettings",
    "Scenario",
    "SimulationSettings",
    "check_places",
    "goal_region",
]
