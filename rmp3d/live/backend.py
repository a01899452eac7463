"""The work that the panel asks for: scenes shown, roadmaps built, runs stepped and saved."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import numpy as np
from msgspec import structs

from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable
from rmp3d.live.live_run import LiveRun
from rmp3d.live.reports import first_look, grown, sendable, statistics_of
from rmp3d.models import load_character
from rmp3d.models.adding import add_character
from rmp3d.models.loading import is_character
from rmp3d.models.rig_file import has_bones
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.roadmap.building import Watch
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario import (
    ChangeTable,
    Scenario,
    ScenarioTable,
    SimulationSettings,
    check_places,
    goal_region,
)
from rmp3d.scenario.loading import from_table, load
from rmp3d.scenario.saving import save_scenario, scenario_table
from rmp3d.scenario.targets import RECORDING_SUFFIX, is_recording
from rmp3d.scenes import Scene
from rmp3d.scenes.memory import cost_of_step
from rmp3d.simulation import path_of
from rmp3d.simulation.planning import Known, PreparedGroup, Progress, free_end, place_of, prepare
from rmp3d.simulation.plans import check_plans, plans_of
from rmp3d.viewer.export.exporter import export_playback, format_of, option_names
from rmp3d.viewer.panel.protocol import (
    AddCharacter,
    Adopted,
    Advance,
    BonesFound,
    Build,
    Built,
    Changed,
    ChangeRun,
    Command,
    Compare,
    Compared,
    Export,
    Intervene,
    Open,
    Opened,
    Place,
    PlaceTried,
    Report,
    Saved,
    SaveRecording,
    SaveScenario,
    Show,
    Shown,
    Started,
    StartRun,
    Table,
    TryPlace,
    Working,
)

SHOW_EVERY = 0.15  # [s] between two pictures of a growing roadmap


class CancelledError(Exception):
    """Nobody wants the result any more."""


class LiveBackend:
    """Carries out commands one at a time, and keeps what the next one can use again.

    Args:
        tell: Called with every report, while the work goes on.
        cancelled: Asked now and then whether to give up.
        known: A scenario of which scene and files need not be read again.
    """

    def __init__(
        self,
        tell: Callable[[Report], None],
        cancelled: Callable[[], bool] = lambda: False,
        known: Scenario | None = None,
    ) -> None:
        self._tell = tell
        self._cancelled = cancelled
        self._scenes: dict[bytes, Scene] = {}
        self._spaces: dict[Hashable, Known] = {}
        self._planned: tuple[str, Scene, list[PreparedGroup]] | None = None
        self._live: LiveRun | None = None
        # The last one, by its table.
        self._stated = None if known is None else (known.table.to_json(), known)

    def handle(self, command: Command) -> None:
        """Carry out one command.

        Raises:
            CancelledError: It was given up.
            Rmp3dError: Why it cannot be done.
        """
        actions: dict[type, Callable[[Any], None]] = {
            Show: self._show,
            Build: self._build,
            StartRun: self._run,
            Advance: self._advance,
            ChangeRun: self._change,
            Intervene: self._intervene,
            TryPlace: self._try_place,
            Open: self._open,
            AddCharacter: self._add_character,
            Compare: self._compare,
            SaveScenario: self._save_scenario,
            SaveRecording: self._save_recording,
            Export: self._export,
        }
        actions[type(command)](command)

    def _show(self, command: Show) -> None:
        scenario = self._scenario(from_table(command.table))
        table, scene = scenario.table, self._scene(scenario)
        self._tell_cost_of_planning(scene)
        check_places(table, scene)
        groups = [prepare(scenario, scene, row, self._spaces) for row in range(len(table.groups))]
        places, problems = _places(table, scene, groups)
        self._tell(Shown(first_look(table, scene, groups, places), places, problems))

    def _build(self, command: Build) -> None:
        _, plans = self._plans(self._scenario(from_table(command.table)))
        self._tell(Built(tuple(path_of(plan) for plan in plans), statistics_of(plans)))

    def _run(self, command: StartRun) -> None:
        stated = from_table(command.table)
        scenario = self._scenario(stated)
        scene, plans = self._plans(scenario)
        self._tell(Built(tuple(path_of(plan) for plan in plans), statistics_of(plans)))
        self._tell(Working("lining up"))
        self._live = LiveRun(stated, scenario, scene, plans)
        self._tell(Started(self._live.first))

    def _advance(self, command: Advance) -> None:
        self._running().advance(command.frames, self._tell, self._cancelled)

    def _change(self, command: ChangeRun) -> None:
        run = self._running()
        try:
            run.change(from_table(command.table), self._tell)
        finally:
            self._tell(Changed(scenario_table(run.scenario)))

    def _intervene(self, command: Intervene) -> None:
        run = self._running()
        change = checked({"time": 0.0, **command.change}, ChangeTable, "`change`")
        try:
            run.intervene(change, self._tell)
        finally:
            self._tell(Changed(scenario_table(run.scenario)))

    def _try_place(self, command: TryPlace) -> None:
        place, problem = None, ""
        try:
            scenario = self._scenario(from_table(command.table))
            scene = self._scene(scenario)
            prepared = prepare(scenario, scene, command.group, self._spaces)
            point = np.array(command.point)
            place = free_end(prepared, scenario.table, point, command.role)
        except InputError as error:
            problem = str(error)
        self._tell(PlaceTried(command.point, place, problem))

    def _open(self, command: Open) -> None:
        target, path = command.target, Path(command.target)
        if path.is_file() and not command.as_scene and has_bones(path):
            self._tell(BonesFound(target))
            return
        if path.is_file() and is_character(path):
            self._adopt(path)
            return
        if path.is_file() and path.suffix not in (".toml", RECORDING_SUFFIX):
            self._tell(Opened(path.name, self._table_of_mesh(path.resolve())))
            return
        if not is_recording(target):
            self._tell(Opened(path.name, scenario_table(load(target))))
            return
        with RecordingReader.open(target) as recording:
            self._tell(Working("reading"))
            shown, scenario = playback(recording), recording.scenario
        shown = replace(shown, details=sendable(shown.details))
        self._tell(Opened(Path(target).name, scenario_table(scenario), shown))

    def _add_character(self, command: AddCharacter) -> None:
        path = Path(command.path)
        folder = path.with_name(f"{path.stem}_character")
        made = sorted(folder.glob("*.toml"))  # when it was opened the last time
        self._adopt(made[0] if made else add_character(path, folder)[0])

    def _adopt(self, path: Path) -> None:
        load_character(path)
        self._tell(Adopted(str(path.resolve())))

    def _compare(self, command: Compare) -> None:
        if not is_recording(command.target):
            raise InputError(f"{command.target} is no recording (.rmp3d) to compare with")
        self._tell(Working("reading"))
        with RecordingReader.open(command.target) as recording:
            shown = playback(recording)
        self._tell(Compared(replace(shown, details=())))

    def _table_of_mesh(self, path: Path) -> Table:
        """Return a scenario in a mesh of the user's own, from near one end of it to the other."""
        table: Table = {"name": printable(path.stem), "scene": {"mesh": str(path)}, "groups": [{}]}
        low, high = self._scene(self._scenario(from_table(table))).bounds
        middle = 0.5 * (low + high)
        for role, share in (("start", 0.2), ("goal", 0.8)):
            along = low[0] + share * (high[0] - low[0])
            table["groups"][0][role] = [round(float(x), 3) for x in (along, middle[1], low[2])]
        return table

    def _save_scenario(self, command: SaveScenario) -> None:
        save_scenario(from_table(command.table), command.path)
        self._tell(Saved(command.path))

    def _save_recording(self, command: SaveRecording) -> None:
        self._running().save(command.path, self._tell)
        self._tell(Saved(command.path))

    def _export(self, command: Export) -> None:
        path = Path(command.path)
        has_camera = "camera" in option_names(format_of(path))

        def progress(done: int, total: int) -> None:
            self._tell(Working("writing", done, total, path.suffix))
            if self._cancelled():
                raise CancelledError

        options = {"camera": command.camera} if has_camera else {}
        export_playback(command.playback, path, progress, options=options)
        self._tell(Saved(command.path))

    def _running(self) -> LiveRun:
        if self._live is None:
            raise InputError("there is no run; press Run first")
        return self._live

    def _scenario(self, table: ScenarioTable) -> Scenario:
        """Return the scenario of a table; the files that it embeds are read once."""
        key = table.to_json()
        if self._stated is None or self._stated[0] != key:
            self._stated = key, Scenario.of(table)
        return self._stated[1]

    def _scene(self, scenario: Scenario) -> Scene:
        key = msgspec.json.encode(scenario.table.scene)
        if key not in self._scenes:
            self._tell(Working("loading the scene"))
            self._scenes = {key: scenario.scene}
            self._spaces.clear()
        return self._scenes[key]

    def _tell_cost_of_planning(self, scene: Scene) -> None:
        """Tell before it begins what it takes in a large scene."""
        if cost := cost_of_step("planning", sum(len(part.mesh.faces) for part in scene.parts)):
            self._tell(Working("planning takes about", about=cost))

    def _plans(self, scenario: Scenario) -> tuple[Scene, list[PreparedGroup]]:
        """Return scene and plans; plans that suit the scenario are not made again."""
        table = scenario.table
        key, scene = _planning_key(table), self._scene(scenario)
        check_plans(scenario, scene)
        if self._planned is not None and self._planned[0] == key:
            return scene, self._planned[2]
        self._tell_cost_of_planning(scene)
        prepared = [prepare(scenario, scene, row, self._spaces) for row in range(len(table.groups))]
        plans: list[PreparedGroup] = []
        for plan in plans_of(prepared, scenario, scene, partial(self._watched, table)):
            roadmap = getattr(plan, "plan", None)
            if roadmap is not None:
                self._tell(grown(len(plans), roadmap.roadmap))
            plans.append(plan)
        self._planned = key, scene, plans
        return scene, plans

    def _watched(self, table: ScenarioTable, row: int) -> tuple[Progress, Watch]:
        """Return what tells of a group while it is planned."""
        name = table.groups[row].name
        shown = -np.inf

        def progress(done: int, total: int) -> None:
            self._tell(Working("roadmap of", done, total, name))
            if self._cancelled():
                raise CancelledError

        def watch(roadmap: Roadmap) -> None:
            nonlocal shown
            if monotonic() - shown > SHOW_EVERY:
                shown = monotonic()
                self._tell(grown(row, roadmap))

        return progress, watch


def _planning_key(scenario: ScenarioTable) -> str:
    """Return what a plan depends on, and nothing else."""
    same = structs.replace(
        scenario,
        name="",
        description="",
        changes=[],
        simulation=SimulationSettings(),
    )
    return same.to_json()


def _places(
    scenario: ScenarioTable, scene: Scene, groups: list[PreparedGroup]
) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """Return starts and goals, and what is wrong with them."""
    places, problems = [], []
    for row, prepared in enumerate(groups):
        group = prepared.group
        regions = {"start": prepared.start}
        goal = goal_region(group, scene, prepared.character.body.radius)
        if goal is not None:
            regions["goal"] = goal
        for role, region in regions.items():
            point = None
            stated = getattr(group, role)
            try:
                point = free_end(prepared, scenario, place_of(stated, region), role)  # type: ignore[arg-type]
            except PlacementError as error:
                problems.append(f"{group.name}: {error}")
            places.append(Place(role, row, region, point))
    return tuple(places), tuple(problems)
