"""The tables of a study file, as typed structures with a default for every key."""

from typing import Annotated, Any, Literal

import msgspec

from rmp3d.scenario.tables import Name, Number

MAX_RUNS = 100_000
Several = Annotated[list[str], msgspec.Meta(min_length=1)]


class SamplesTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The `[samples]` table: how the axes that state `min` and `max` are drawn, all together.

    Attributes:
        count: How many points are drawn.
        method: ``sobol`` fills the space evenly, ``random`` draws independently.
        seed: Of the points.
    """

    count: Annotated[int, msgspec.Meta(ge=1, le=MAX_RUNS)] = 16
    method: Literal["sobol", "random"] = "sobol"
    seed: Number = 0


class StudyTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A study: a scenario, and what is varied in it. Every combination is a run.

    Attributes:
        name: By default the file's stem.
        description: One line for the report.
        scenario: A built-in scenario or a file; or a list of them, which is an axis, too.
        seeds: The first so many seeds, or a list of seeds.
        axes: By the key of the scenario: a list of values, a range, or what is drawn.
        samples: How axes with `min` and `max` are drawn.
        cases: By name, keys of the scenario with their values: an axis whose values differ in
            several keys.
        set: Keys of the scenario with values that hold for all runs.
        verify: Whether each run is verified.
        keep: Which recordings are kept: of all runs, of those that did not end well, or none.
        figures: Names of figures of your own that are measured, too.
    """

    name: Name = ""
    description: str = ""
    scenario: str | Several
    seeds: (
        Annotated[int, msgspec.Meta(ge=1, le=MAX_RUNS)]
        | Annotated[list[Number], msgspec.Meta(min_length=1)]
        | None
    ) = None
    axes: dict[str, Any] = {}
    samples: SamplesTable = SamplesTable()
    cases: dict[str, dict[str, Any]] = {}
    set: dict[str, Any] = {}
    verify: bool = True
    keep: Literal["all", "failures", "none"] = "all"
    figures: list[str] = []
