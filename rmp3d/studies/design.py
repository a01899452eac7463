"""Which runs a study has: every combination of its axes' values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import absolute_path
from rmp3d.geometry.registry import unknown_name
from rmp3d.scenario import Scenario
from rmp3d.studies.axes import Axis, DrawnAxis, ListedAxis, axes_of, shares
from rmp3d.studies.own_figures import FIGURES
from rmp3d.studies.table import MAX_RUNS, StudyTable

SCENARIO, CASE, SEED = "scenario", "case", "seed"
Point: TypeAlias = dict[str, Any]
"""Values by axis; those of `scenario` and `case` are names."""


@dataclass(frozen=True, eq=False)
class Design:
    """What a study varies, and how.

    Attributes:
        table: The study's table.
        axes: Those of `[axes]`, and the seeds.
        where: What errors call the study.
        given: A scenario of a Python program, instead of those that the table names.
        folder: Where relative paths among its values start; None: at the working folder.
    """

    table: StudyTable
    axes: tuple[Axis, ...]
    where: str
    given: Scenario | None = None
    folder: Path | None = None

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names or files of the scenarios."""
        stated = self.table.scenario
        return (stated,) if isinstance(stated, str) else tuple(stated)

    @property
    def listed(self) -> tuple[ListedAxis, ...]:
        """The axes that take each of some values; the seeds last."""
        found = [axis for axis in self.axes if isinstance(axis, ListedAxis)]
        if len(self.scenarios) > 1:
            found.insert(0, ListedAxis(SCENARIO, self.scenarios))
        if self.table.cases:
            found.insert(0, ListedAxis(CASE, tuple(self.table.cases)))
        return tuple(sorted(found, key=lambda axis: axis.key == SEED))

    @property
    def drawn(self) -> tuple[DrawnAxis, ...]:
        """The axes whose values are drawn, together."""
        return tuple(axis for axis in self.axes if isinstance(axis, DrawnAxis))

    @property
    def keys(self) -> tuple[str, ...]:
        """The axes' names, in the order of the table's columns."""
        listed = [axis.key for axis in self.listed]
        seed = [SEED] if SEED in listed else []
        return (*(key for key in listed if key != SEED), *(a.key for a in self.drawn), *seed)

    def points(self) -> list[Point]:
        """Return all runs, the last axis changing fastest.

        Raises:
            InputError: They are too many.
        """
        listed, drawn, samples = self.listed, self.drawn, self.table.samples
        count = samples.count if drawn else 1
        runs = prod((len(axis.values) for axis in listed), start=count)
        if runs > MAX_RUNS:
            raise InputError(f"{self.where}: {runs:,} runs; at most {MAX_RUNS:,} are allowed")
        rows = shares(count, len(drawn), samples.method, samples.seed) if drawn else [()]
        drawn_points = [
            {axis.key: axis.at(float(share)) for axis, share in zip(drawn, row, strict=True)}
            for row in rows
        ]
        seeds = [axis for axis in listed if axis.key == SEED]
        others = [axis for axis in listed if axis.key != SEED]
        found = []
        for values in product(*(axis.values for axis in others)):
            for point in drawn_points:
                for seed in product(*(axis.values for axis in seeds)):
                    found.append(
                        dict(zip((axis.key for axis in others), values, strict=True))
                        | point
                        | dict(zip((axis.key for axis in seeds), seed, strict=True))
                    )
        return found


def read_study(path: Path) -> Design:
    """Return the study of a file; relative paths in it start at its folder.

    Raises:
        InputError: It names file and key, the given value, and what is allowed.
    """
    table = read_toml(path)
    scenario = table.get("scenario")
    if isinstance(scenario, str):
        table["scenario"] = _placed(scenario, path.parent)
    elif isinstance(scenario, list):
        table["scenario"] = [
            _placed(each, path.parent) if isinstance(each, str) else each for each in scenario
        ]
    design = design_of({"name": path.stem, **table}, str(path))
    return replace(design, folder=path.resolve().parent)


def design_of(table: Mapping[str, Any], where: str, given: Scenario | None = None) -> Design:
    """Return the study of a table.

    Args:
        table: As in a file.
        where: What errors call it.
        given: A scenario of a Python program.

    Raises:
        InputError: Names the key, what was given, and what is allowed.
    """
    own = checked(table, StudyTable, where)
    for figure in own.figures:
        if figure not in FIGURES:
            raise InputError(f"{where}: `figures`: {unknown_name('figure', figure, FIGURES)}")
    axes = axes_of(own.axes, where)
    if own.seeds is not None:
        if any(axis.key == SEED for axis in axes):
            raise InputError(f"{where}: `seeds` and the axis `seed` are the same; leave one out")
        seeds = range(own.seeds) if isinstance(own.seeds, int) else own.seeds
        axes = (*axes, ListedAxis(SEED, tuple(seeds)))
    keys = [axis.key for axis in axes]
    for key in keys:
        if key in (SCENARIO, CASE):
            raise InputError(f"{where}: axis `{key}`: state it as `{key}` of the study itself")
        if keys.count(key) > 1:
            raise InputError(f"{where}: axis `{key}` is stated twice")
    return Design(own, axes, where, given)


def changed(design: Design, **values: Any) -> Design:
    """Return a design with other values of its table's keys.

    Raises:
        InputError: A value is wrong.
    """
    table = msgspec.to_builtins(design.table)
    table = {key: value for key, value in (table | values).items() if value is not None}
    return replace(design_of(table, design.where, design.given), folder=design.folder)


def check_figure(figure: str, known: list[str]) -> None:
    """Refuse a figure that the runs do not have.

    Raises:
        InputError: It names the nearest.
    """
    if figure not in known:
        raise InputError(unknown_name("figure", figure, known))


def _placed(scenario: str, folder: Path) -> str:
    return absolute_path(folder, scenario) if scenario.endswith(".toml") else scenario
