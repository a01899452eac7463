"""The scenario: what one run is, from a file or a table, checked, and written again."""

from rmp3d.scenario.tables import (
    ChangeTable,
    GroupTable,
    PlannerSettings,
    ScenarioTable,
    SimulationSettings,
    check_places,
    goal_region,
)

__all__ = [
    "ChangeTable",
    "GroupTable",
    "PlannerSettings",
    "ScenarioTable",
    "SimulationSettings",
    "check_places",
    "goal_region",
]
