"""The scenario of a run: from Python, a file or a table; checked; and written as a file."""

from rmp3d.scenario.group import Change, Group
from rmp3d.scenario.held import HeldObjects
from rmp3d.scenario.scenario import Scenario
from rmp3d.scenario.settings import Settings
from rmp3d.scenario.tables import (
    ChangeTable,
    GroupTable,
    PlannerOnly,
    PlannerSettings,
    ScenarioTable,
    SimulationSettings,
    check_places,
    goal_region,
)

__all__ = [
    "Change",
    "ChangeTable",
    "Group",
    "GroupTable",
    "HeldObjects",
    "PlannerOnly",
    "PlannerSettings",
    "Scenario",
    "ScenarioTable",
    "Settings",
    "SimulationSettings",
    "check_places",
    "goal_region",
]
