"""Every change that a scenario states for a time of the run was made, as it says, and told."""

from collections.abc import Iterator

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordingReader
from rmp3d.recording.layout import EVENT, fixed
from rmp3d.scenario import ChangeTable
from rmp3d.scenes import Region, Scene
from rmp3d.scenes.presence import ASKED, changeable
from rmp3d.verification.moments import Asked, Moments
from rmp3d.verification.report import Finding

SOON = 2
"""A change is made at most so many frames after its time."""
BORDER = 1e-5
"""Who is so near [m] to the border of a region may be inside or outside, because of rounding."""
AROUND = 23.0
"""Who comes at a point stands no further from it than so many times the body's radius ..."""
BESIDE = 1.5
"""... and so far [m] more: 400 places around it, a body and 10 cm apart, are looked at."""


class MadeChangesCheck:
    """Checks what the scenario's `[[changes]]` say against members and events.

    - A change is told, at its time. If it could not be made, an event `refused` tells of it.
    - Parts are asked to appear, or to go.
    - The members that `remove` names leave, or all those in its region; no others do.
    - So many come as `add` says, in its region, or around its point.

    Args:
        recording: Open.
        scene: Of the run.
        radii: (G,) of each group's widest body [m].
    """

    def __init__(self, recording: RecordingReader, scene: Scene, radii: list[float]) -> None:
        self._recording, self._scene, self._radii = recording, scene, radii
        self._dt = recording.dt
        self._moments = Moments(recording.events(), SOON * self._dt)
        self._names = [group.name for group in recording.scenario.groups]
        end = (recording.frames - 1) * self._dt
        # A run that is cut off may not have told of its last frames.
        known = end if recording.finished else end - SOON * self._dt
        self._due = [each for each in recording.scenario.changes if each.time <= known]
        # Those whose events may be told at one moment.
        self._beside = Asked(self._due, 2 * SOON * self._dt)
        self._read: tuple[tuple[int, int], tuple[Float, Bool]] | None = None

    def findings(self) -> Iterator[Finding]:
        """Yield the changes that were not made as the scenario says."""
        for change in self._due:
            if change.part is not None:
                yield from self._of_part(change)
            if change.is_of_scene or change.group not in self._names:
                continue
            group = self._names.index(change.group)
            told = self._moments.at(change.time).kinds
            if ("refused", group) in told:
                continue
            if ("change", group) not in told:
                yield self._finding(change, f"no event tells of the change of `{change.group}`")
            if change.remove is not None:
                yield from self._of_leaving(change, group)
            if change.add is not None:
                yield from self._of_coming(change, group)

    def _of_part(self, change: ChangeTable) -> Iterator[Finding]:
        """Yield the parts that were not asked."""
        assert change.part is not None
        kind = ASKED[not change.there]
        try:
            names = changeable(self._scene.parts, change.part, "`part`")
        except InputError:  # no such part: there is no run of this scenario
            names = [change.part]
        size = EVENT["text"].itemsize
        for name in names:
            told = fixed(name, size).decode()
            if (kind, told) not in self._moments.at(change.time).asked:
                yield self._finding(change, f"`{name}` was not asked to {kind}")

    def _of_leaving(self, change: ChangeTable, group: int) -> Iterator[Finding]:
        """Yield the members that should leave and do not, or leave and should not."""
        own = np.flatnonzero(self._recording.header.group_of == group)
        left = self._moments.at(change.time).left[group]
        if isinstance(change.remove, str):
            must, may = self._inside(change, own)
            may |= left & set(np.flatnonzero(self._recording.life[:, 1] == 0).tolist())
        else:
            assert change.remove is not None
            numbers = [change.remove] if isinstance(change.remove, int) else change.remove
            must = {int(own[number]) for number in numbers if number < len(own)}
            may = must
        for member in sorted(must - left):
            text = f"member {member} of `{change.group}` should leave, and stays"
            yield self._finding(change, text, member)
        others = sorted(left - may)
        if others and self._others_leave(change):
            return
        for member in others:
            text = f"member {member} of `{change.group}` leaves, and `remove` names another"
            yield self._finding(change, text, member)

    def _of_coming(self, change: ChangeTable, group: int) -> Iterator[Finding]:
        """Yield that another number comes than should, and who comes elsewhere."""
        alike = [each for each in self._beside.near(change.group, change.time) if each.add]
        if len(alike) > 1 and alike[0] is not change:  # looked at together with the first
            return
        came = self._moments.at(change.time).came[group]
        count = sum(each.count for each in alike)
        if self._recording.scenario.groups[group].behavior["name"] != "crowd" and (
            len(came) != count
        ):
            text = f"{len(came)} come to `{change.group}`, and `add` says {count}"
            yield self._finding(change, text)
        if len(alike) > 1 or len(came) != count:  # who came by which change is not known
            return
        assert change.add is not None
        region = (
            self._scene.region(change.add).widened(BORDER)
            if isinstance(change.add, str)
            else Region.sphere(
                "", np.array(change.add, float), AROUND * self._radii[group] + BESIDE
            )
        )
        for member in came:
            first, end = self._recording.life[member].tolist()
            if first >= self._recording.frames or end == 0:  # it left at once: nobody knows where
                continue
            place = self._places(first, first + 1)[0][:, member]
            if not region.contains(place)[0]:
                where = f"`{change.add}`" if isinstance(change.add, str) else "there"
                away = float(length(place[0] - region.center)) if region.kind == "sphere" else None
                far = "" if away is None else f", {away:.3g} m away"
                text = f"member {member} comes elsewhere than {where}, as `add` says{far}"
                yield self._finding(change, text, member)

    def _inside(self, change: ChangeTable, own: Index) -> tuple[set[int], set[int]]:
        """Return the members that are well inside the region of a change, and that may be."""
        region = self._scene.region(str(change.remove))
        frame = min(int(np.ceil(change.time / self._dt - 1e-6)), self._recording.frames - 1)
        first = max(frame - 2, 0)
        places, presence = self._places(first, frame + 1)
        place, there = places[:, own], presence[:, own]
        # Who leaves is recorded for the last time in the frame before, a step away.
        steps = length(np.diff(place, axis=0)) * (there[1:] & there[:-1])
        step = 2.0 * float(steps.max(initial=0.0)) + BORDER
        well, nearly = (
            region.widened(by).contains(place.reshape(-1, 3)).reshape(there.shape)
            for by in (-BORDER, step)
        )
        must, may = (well & there)[-2:].all(axis=0), (nearly & there).any(axis=0)
        return set(own[must].tolist()), set(own[may].tolist())

    def _places(self, first: int, stop: int) -> tuple[Float, Bool]:
        """Return where all members are in some frames, and whether they are there; read once."""
        if self._read is None or self._read[0] != (first, stop):
            read = self._recording.position(first, stop), self._recording.presence(first, stop)
            self._read = (first, stop), read
        return self._read[1]

    def _others_leave(self, change: ChangeTable) -> bool:
        """Return whether another change takes members out of the same group at the same time."""
        beside = self._beside.near(change.group, change.time)
        removing = (each for each in beside if each.remove is not None and each is not change)
        return self._moments.at(change.time).by_trip or next(removing, None) is not None

    @staticmethod
    def _finding(change: ChangeTable, text: str, member: int = -1) -> Finding:
        members = (member,) if member >= 0 else ()
        return Finding("claim", change.time, change.time, members, text=text)
