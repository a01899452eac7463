"""The keywords of a scenario from Python: those of its tables `[planner]` and `[simulation]`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Never, TypedDict

import msgspec

from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.scenario.measuring import MeasuringLine
from rmp3d.scenario.tables import PlannerSettings, SimulationSettings


class Settings(TypedDict, total=False):
    """Settings of planning and simulation; see `PlannerSettings` and `SimulationSettings`.

    Attributes:
        space: The configuration space; ``auto`` chooses by the character.
        planner: A name, or an object such as ``SlidingTrees()``; ``auto`` chooses by the space.
        sampler: A name, or an object such as ``Halton()``.
        local_planner: A name or an object.
        nodes: Number of nodes of each roadmap.
        connected_nodes: Stop when one component has this many nodes.
        seconds: Stop after this time [s].
        until_solved: Stop as soon as start and goal are joined.
        neighbors: Number of nearest nodes that the planner tries to connect to each node.
        radius: The planner tries to connect nodes within this distance [m].
        forest: Whether the roadmap has no cycles.
        lazy: Whether a motion is proved only when a path uses it.
        roadmap: File of a roadmap to begin with.
        backend: The library that tests for collisions.
        dt: Time step [s].
        duration: Longest simulated time [s].
        linger: Simulated time after the last arrival [s].
        record_forces: Whether the force that each steering behavior asks for is recorded, too.
        measure: Lines at which members that pass are counted, as `MeasuringLine` or
            ``{"name": ..., "ends": ...}`` each.
    """

    space: str
    planner: Choice
    sampler: Choice
    local_planner: Choice
    nodes: int
    connected_nodes: int
    seconds: float
    until_solved: bool
    neighbors: int | Literal["star"]
    radius: float
    forest: bool
    lazy: bool
    roadmap: str
    backend: Literal["auto", "fcl"]
    dt: float
    duration: float
    linger: float
    record_forces: bool
    measure: Sequence[MeasuringLine | Mapping[str, Any]]


def names_of(structure: type) -> list[str]:
    """Return the keys of a table."""
    info: Any = msgspec.inspect.type_info(structure)
    return [field.encode_name for field in info.fields]


def split_settings(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return keywords as the tables ``planner`` and ``simulation``, and ``top``: all others.

    Raises:
        InputError: There is no such keyword; names the nearest.
    """
    planner, simulation = names_of(PlannerSettings), names_of(SimulationSettings)
    refuse_unknown_arguments(settings, [*planner, *simulation, "measure"], "setting")
    lines = settings.get("measure")
    return {
        "top": {} if lines is None else {"measure": msgspec.to_builtins(_listed_lines(lines))},
        "planner": {key: value for key, value in settings.items() if key in planner},
        "simulation": {key: value for key, value in settings.items() if key in simulation},
    }


def _listed_lines(lines: Any) -> list[Any]:
    if isinstance(lines, MeasuringLine | Mapping | str) or not isinstance(lines, Iterable):
        raise InputError("`measure`: give a list of lines, each with `name` and `ends`")
    return list(lines)


def refuse_unknown_arguments(
    given: Mapping[str, Never] | Mapping[str, Any], known: list[str], kind: str
) -> None:
    """Refuse keywords that a call does not have.

    Raises:
        InputError: Names the keyword and the nearest one.
    """
    for name in given:
        if name not in known:
            raise InputError(unknown_name(kind, name, known))
