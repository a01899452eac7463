"""A run that goes on as far as it is watched, and that can be changed meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from msgspec import structs

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.geometry.errors import InputError
from rmp3d.live.reports import Rows, RunNotes, playback_of, stepped
from rmp3d.recording import RecordingWriter
from rmp3d.scenario import ChangeTable, GroupTable, Scenario, ScenarioTable
from rmp3d.scenes import Scene
from rmp3d.simulation import Frame, Simulation, header_of
from rmp3d.simulation.planning import PreparedGroup
from rmp3d.viewer.panel.protocol import Regrouped, Report, Stepped, Working
from rmp3d.viewer.playback.playback import Playback

BLOCK = 15  # frames told at a time
SAVED_AT_A_TIME = 100  # frames, between two reports
NO_LIMIT = 1000.0  # [m/s]: faster than any character

Tell: TypeAlias = Callable[[Report], None]


class LiveRun:
    """A simulation with all its frames.

    Attributes:
        scenario: As it has to be saved to repeat the run: with the changes made while it goes on.
        first: The frame that it begins with.
    """

    def __init__(
        self, stated: ScenarioTable, scenario: Scenario, scene: Scene, plans: list[PreparedGroup]
    ) -> None:
        """Begin.

        Args:
            stated: As a file says it.
            scenario: The same, with the objects that recordings hold.
            scene: Its scene.
            plans: One for each group.
        """
        self.scenario = stated
        self._present = stated  # as if it had always been as it is now
        self._simulation = Simulation.of(scenario, (scene, plans))
        self._header = header_of(self._simulation)
        self._frames: list[Frame] = []
        self._rows = Rows(stated.counts)
        self._look()
        self.first: Playback = self._playback(stated)

    def advance(self, frames: int, tell: Tell, cancelled: Callable[[], bool]) -> None:
        """Simulate until there are so many frames, telling of them; stop early if cancelled."""
        told = len(self._frames)
        while not self._simulation.over and len(self._frames) < frames and not cancelled():
            self._simulation.advance()
            self._look()
            if len(self._frames) - told == BLOCK:
                tell(self._stepped(told))
                told = len(self._frames)
        if told < len(self._frames):
            tell(self._stepped(told))

    def change(self, wanted: ScenarioTable, tell: Tell) -> None:
        """Let what is different in another scenario be so from the next moments on.

        Raises:
            InputError: A group cannot be changed so; the run goes on as it was.
        """
        if self._simulation.over:
            raise InputError("the run is over; press Run to begin anew")
        told = len(self._frames)
        self._set_duration(wanted.simulation.duration)
        try:
            for change in _differences(self._present, wanted):
                self._make(change)
            for change in _switched(self._present, wanted):
                self._make(change)
            self._present = structs.replace(self._present, changes=wanted.changes)
        finally:
            tell(self._stepped(told))

    def intervene(self, change: ChangeTable, tell: Tell) -> None:
        """Let something happen at the next moment: members come, leave, or go to a point.

        Raises:
            InputError: It cannot; the run goes on as it was.
        """
        if self._simulation.over:
            raise InputError("the run is over; press Run to begin anew")
        told = len(self._frames)
        try:
            self._make(change)
        finally:
            if self.scenario.counts == self._rows.counts:
                tell(self._stepped(told))
            else:
                self._rows = Rows(self.scenario.counts)
                tell(Regrouped(self._playback(self.scenario)))

    def save(self, path: str, tell: Tell) -> None:
        """Write all frames so far as a recording.

        Raises:
            RecordingError: It cannot be written.
        """
        header = header_of(self._simulation, self._recorded)
        header = replace(header, plans=self._header.plans)
        with RecordingWriter(path, header) as recording:
            for row, frame in enumerate(self._frames):
                frame.write(recording)
                if row % SAVED_AT_A_TIME == 0:
                    tell(Working("saving", row, len(self._frames)))
            if not self._simulation.over:
                recording.close(finished=False, reason="saved before the run was over")

    @property
    def _recorded(self) -> ScenarioTable:
        """The scenario as recordings have it, with the changes made while it goes on."""
        return structs.replace(
            self._simulation.scenario.table,
            changes=self.scenario.changes,
            simulation=self.scenario.simulation,
        )

    def _make(self, change: ChangeTable) -> None:
        """Make one change in a moment of its own."""
        self._simulation.advance()
        change = structs.replace(change, time=self._simulation.time)
        try:
            self._simulation.add_changes([change])
            self._look()
        except InputError:
            self._look()  # the change is dropped, the moment is not
            raise
        self._raise_if_refused(change)
        changes = sorted([*self.scenario.changes, change], key=lambda each: each.time)
        self.scenario = structs.replace(self.scenario, changes=changes)
        if not change.is_of_scene:
            self._note(change)
        # What is shown follows the change; what is saved begins with the first plan.
        self._notes.header = header_of(self._simulation, self._recorded)

    def _raise_if_refused(self, change: ChangeTable) -> None:
        """Forget a change of which nothing has become, and say why.

        A run from the saved scenario might have room for it, for it knows of it from the start.
        """
        events = self._frames[-1].events
        refused = [event for event in events if event.kind == "refused"]
        if not refused:
            return
        if not any(event.kind in ("came", "left") for event in events):
            group = [each.name for each in self._present.groups].index(change.group)
            kept = tuple(
                event for event in events
                if event not in refused and (event.kind, event.group) != ("change", group)
            )  # fmt: skip
            self._frames[-1] = replace(self._frames[-1], events=kept)
        raise InputError(refused[0].text)

    def _note(self, change: ChangeTable) -> None:
        """Take a change of a group into what is as it is now."""
        (row,) = (r for r, g in enumerate(self._present.groups) if g.name == change.group)
        groups = list(self._present.groups)
        if change.behavior is not None:
            groups[row] = structs.replace(groups[row], behavior=change.behavior)
        if change.afterwards is not None:
            groups[row] = structs.replace(groups[row], afterwards=change.afterwards)
        if change.speed_limit is not None:
            limit = None if change.speed_limit == NO_LIMIT else change.speed_limit
            groups[row] = structs.replace(groups[row], speed_limit=limit)
        self._present = structs.replace(self._present, groups=groups)

    def _set_duration(self, duration: float) -> None:
        settings = self.scenario.simulation
        if duration == settings.duration:
            return
        if np.ceil(duration / settings.dt) < self._simulation.frames:
            raise InputError(
                f"`simulation.duration`: {self._simulation.time:.1f} s are simulated already, "
                f"given {duration:g} s"
            )
        self._simulation.duration = duration
        settings = structs.replace(settings, duration=duration)
        self.scenario = structs.replace(self.scenario, simulation=settings)

    def _look(self) -> None:
        frame = self._simulation.look()
        # Behaviors may go on writing into the arrays that they measure with.
        measures = tuple({k: np.array(v) for k, v in each.items()} for each in frame.measures)
        self._frames.append(replace(frame, measures=measures, flock=None))

    def _stepped(self, first: int) -> Stepped:
        return stepped(self._simulation, self._frames[first:], self._notes, self._rows)

    def _playback(self, scenario: ScenarioTable) -> Playback:
        """Return all frames so far, laid out for the members of a scenario."""
        simulation = self._simulation
        radii = [plan.character.body.radius for plan in simulation.plans]
        header = header_of(simulation, self._recorded)
        self._notes = RunNotes(scenario, header, simulation.scene, radii)
        names, told = tuple(simulation.behaviors), self._stepped(0)
        return playback_of(scenario, simulation.scene, simulation.plans, names, told)


def _differences(before: ScenarioTable, after: ScenarioTable) -> list[ChangeTable]:
    """Return what leads from one scenario to another, as far as a run takes it while it goes on.

    Raises:
        InputError: A group would get another kind of behavior.
    """
    changes = []
    for old, new in zip(before.groups, after.groups, strict=False):
        if old.name != new.name:
            continue
        if old.behavior["name"] != new.behavior["name"]:
            raise InputError(
                f"`{new.name}`: another kind of behavior takes effect in the next run; press Run"
            )
        limit = None if new.speed_limit == old.speed_limit else new.speed_limit or NO_LIMIT
        behavior = None if new.behavior == old.behavior else new.behavior
        then = None if new.afterwards == old.afterwards else new.afterwards or _usual(new)
        if any(each is not None for each in (behavior, limit, then)):
            found = ChangeTable(
                time=0.0, group=new.name, behavior=behavior, speed_limit=limit, afterwards=then
            )
            changes.append(found)
    return changes


def _switched(before: ScenarioTable, after: ScenarioTable) -> list[ChangeTable]:
    """Return which parts appear or go, as changes are added to a scenario, or taken back."""
    old = [each for each in before.changes if each.is_of_scene]
    new = [each for each in after.changes if each.is_of_scene]
    taken_back = [structs.replace(each, there=not each.there) for each in old if each not in new]
    return taken_back[::-1] + [each for each in new if each not in old]


def _usual(group: GroupTable) -> dict[str, Any]:
    """Return the table of what is usual after the behavior of a group."""
    behavior: Any = GROUP_BEHAVIORS[group.behavior["name"]]
    return {"name": getattr(behavior, "usual_activity", "hold")}
