"""The scenario of a run: from Python, a file or a table; checked; and written as a file.

The names below are imported when they are first used: a problem file needs none of them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        start_region,
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
    "start_region",
]

_HOME = {
    "Change": "group",
    "Group": "group",
    "HeldObjects": "held",
    "Scenario": "scenario",
    "Settings": "settings",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_HOME.get(name, 'tables')}")
    value = getattr(module, name)
    globals()[name] = value
    return value
