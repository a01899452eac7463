"""The scenario of each run of a study, checked before the first one runs, and named by content."""

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.printable import printable, shortened
from rmp3d.models import Character
from rmp3d.recording.header import fingerprint
from rmp3d.scenario import Scenario
from rmp3d.scenario.loading import from_objects, load
from rmp3d.scenario.overrides import assign, dotted
from rmp3d.scenario.saving import scenario_table
from rmp3d.scenario.tables import MAX_SEED, check_places
from rmp3d.scenes import Scene
from rmp3d.studies.design import CASE, SCENARIO, SEED, Design, Point
from rmp3d.studies.own_figures import digest_of_extensions

Progress = Callable[[int, int], None] | None
LONGEST_KEY = 80
"""Most letters of a key in a message."""
SHOWN = 60
"""Most letters of an axis' value in a message."""
MOST_BYTES = 2**32


@dataclass(frozen=True, eq=False)
class PlannedRun:
    """A run of a study.

    Attributes:
        name: SHA-256 of all that the run depends on, its first 16 digits.
        point: Values by axis.
        scenario: What is run.
    """

    name: str
    point: Point
    scenario: Scenario


class Runs:
    """Makes the runs of a study; scenes and characters are read once each.

    Args:
        design: What is varied.
    """

    def __init__(self, design: Design) -> None:
        self._design = design
        self._scenes: dict[bytes, Scene] = {}
        self._characters: dict[str, str] = {}
        self._extensions = digest_of_extensions()
        self._known: dict[bytes, PlannedRun] = {}
        self._without_seed: dict[bytes, Scenario] = {}
        self._files: dict[str, str] = {}

    def of(self, points: Sequence[Point], progress: Progress = None) -> list[PlannedRun]:
        """Return the runs of some points; every value of every axis is checked.

        Args:
            points: The points.
            progress: Called with checks done and checks in all.

        Raises:
            InputError: It names the axis, the value, and what the scenario says to it.
        """
        total = len(points) + sum(len(axis.values) for axis in self._design.listed)
        steps = itertools.count(1)

        def tell() -> None:
            if progress is not None:
                progress(next(steps), total)

        self._check_axes(tell)
        found = []
        for point in points:
            found.append(self._run_of(point))
            tell()
        return found

    def _check_axes(self, tell: Callable[[], None]) -> None:
        """Refuse a value that not even its axis alone, with the first values else, allows."""
        first = {axis.key: axis.values[0] for axis in self._design.listed}
        first |= {axis.key: axis.at(0.0) for axis in self._design.drawn}
        self._run_of(first)
        for axis in self._design.listed:
            tell()
            for value in axis.values[1:]:
                self._run_of({**first, axis.key: value}, axis.key)
                tell()

    def _run_of(self, point: Point, axis: str | None = None) -> PlannedRun:
        """Return the run of a point; a point that comes again is checked once."""
        try:
            key = msgspec.json.encode(point, order="sorted")
        except TypeError:  # objects of a program
            return self._checked(point, axis)
        if key not in self._known:
            self._known[key] = self._checked(point, axis)
        return replace(self._known[key], point=point)

    def _checked(self, point: Point, axis: str | None) -> PlannedRun:
        named = point if axis is None else {axis: point[axis]}
        keys = {key: shortened(printable(key), LONGEST_KEY) for key in named}
        words = ", ".join(f"`{keys[key]}` = {_shown(value)}" for key, value in named.items())
        try:
            scenario = self._with_another_seed(point) or self._scenario_of(point)
            digest = self._digest_of(scenario)
        except InputError as error:
            run = f"axis {words}" if len(named) == 1 else f"the run {words}" if words else ""
            raise InputError(
                f"{self._design.where}: {run}: {error}" if run else f"{self._design.where}: {error}"
            ) from None
        return PlannedRun(digest[:16], point, scenario)

    def _with_another_seed(self, point: Point) -> Scenario | None:
        """Return a checked scenario with the seed of a point, None if all is to be checked.

        Nothing else in a scenario depends on its seed.
        """
        seed = point.get(SEED)
        if type(seed) is not int or not 0 <= seed <= MAX_SEED:
            return None
        try:
            rest = {name: value for name, value in point.items() if name != SEED}
            key = msgspec.json.encode(rest, order="sorted")
        except TypeError:  # objects of a program
            return None
        known = self._without_seed.get(key)
        if known is None:
            self._without_seed[key] = found = self._scenario_of(point)
            return found
        table = msgspec.structs.replace(known.table, seed=seed)
        scenario = Scenario.held_by(table, known.held)
        scenario.__dict__["scene"] = known.scene
        return scenario

    def _scenario_of(self, point: Point) -> Scenario:
        design = self._design
        values = dotted(design.table.set, _is_choice)
        values |= dotted(design.table.cases.get(point.get(CASE, ""), {}), _is_choice)
        values |= {key: value for key, value in point.items() if key not in (SCENARIO, CASE)}
        given = design.given
        if given is not None:
            table = scenario_table(given.table)
            assign(table, values)
            own = from_objects(table, given.held, "scenario")
            scenario = Scenario.held_by(own, given.held)
        else:
            name = str(point.get(SCENARIO, design.scenarios[0]))
            scenario = Scenario.of(load(name, values=values, values_folder=design.folder))
        self._share_scene(scenario)
        check_places(scenario.table, scenario.scene)
        return scenario

    def _share_scene(self, scenario: Scenario) -> None:
        key = msgspec.json.encode(scenario.table.scene, order="sorted")
        key += str(id(scenario.held.scene)).encode() if scenario.held.scene is not None else b""
        if key not in self._scenes:
            self._scenes[key] = scenario.scene
        scenario.__dict__["scene"] = self._scenes[key]

    def _digest_of(self, scenario: Scenario) -> str:
        """Return the digest of scenario, scene, characters, roadmap, program and own files."""
        table = scenario.table
        parts = [program_digest(), table.to_json(), scenario.scene.hash]
        parts += [self._extensions, *sorted(self._design.table.figures)]
        parts += [self._character(scenario, name) for name in table.kinds]
        parts += [repr(each) for each in scenario.held.choices.values()]
        if table.planner.roadmap:
            parts.append(self._file(table.planner.roadmap))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _file(self, name: str) -> str:
        if name not in self._files:
            content = read_input(Path(name), MOST_BYTES)
            self._files[name] = hashlib.sha256(content).hexdigest()
        return self._files[name]

    def _character(self, scenario: Scenario, name: str) -> str:
        held = scenario.held.characters.get(name)
        if isinstance(held, Character):
            return fingerprint(held)
        if name not in self._characters:
            self._characters[name] = fingerprint(scenario.held.character(name))
        return self._characters[name]


@cache
def program_digest() -> str:
    """Return a digest of this program's own source: other code may give other results."""
    digest = hashlib.sha256()
    home = Path(__file__).parents[1]
    for folder in sorted(path for path in home.iterdir() if path.is_dir()):
        for path in sorted(folder.resolve().rglob("*.py")):
            digest.update(f"{folder.name}/{path.name}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_choice(value: Any) -> bool:
    """Whether a table is one thing with its options, such as a behavior."""
    return "name" in value


def _shown(value: object) -> str:
    return shortened(printable(str(value)), SHOWN)
