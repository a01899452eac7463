"""One moment of a run, as it is recorded and shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.short_repr import short_repr
from rmp3d.recording import RecordedEvent, RecordingWriter


@dataclass(frozen=True, eq=False)
class Frame:
    """Where N members of G groups are at one moment, what they want, and what happened.

    Attributes:
        time: [s].
        position: (N, 3) [m].
        orientation_wxyz: (N, 4) unit quaternions.
        subgoal: (N, 3) [m].
        formation: Name of each group's formation, empty for none.
        events: Since the moment before.
        measures: What each group's behavior measures now, by name; empty where it is not asked.
        figures: What each group tells at its end; none before.
        force: (B, N, 3) [N] what `Simulation.behaviors` asked for in the step to this moment;
            None if they are not recorded.
        flock: The whole state of the members: velocities, headings, bodies.
        member: (N,) row of each member in a recording; by default its own. Where members come and
            leave, a moment has those that are there.
        clock: (K,) clocks of the scene's moving parts [s]; None if there are none.
        counts: (G,) rows that each group has there; none: nobody comes or leaves.
    """

    time: float
    position: Float
    orientation_wxyz: Float
    subgoal: Float
    formation: tuple[str, ...]
    events: tuple[RecordedEvent, ...]
    measures: tuple[Mapping[str, ArrayLike], ...] = ()
    figures: tuple[Mapping[str, Any], ...] = ()
    force: Float | None = None
    flock: Flock | None = None
    member: Index | None = None
    counts: tuple[int, ...] = ()
    clock: Float | None = None

    __repr__ = short_repr

    @property
    def velocity(self) -> Float:
        """(N, 3) [m/s]."""
        return self._state.velocity

    @property
    def heading(self) -> Float:
        """(N, 3) unit vectors along the bodies' x axes, world frame."""
        return self._state.heading

    @property
    def _state(self) -> Flock:
        if self.flock is None:
            raise ValueError("this frame was kept without the state of its members")
        return self.flock

    def rows_in(self, counts: Sequence[int]) -> Index | None:
        """Return the rows (N,) of the members where groups have so many; None: all, in order."""
        if self.member is None or not self.counts:
            return self.member
        return np.array([self.row_in(row, counts) for row in self.member.tolist()], np.intp)

    def row_in(self, member: int, counts: Sequence[int]) -> int:
        """Return the row of a member, given by its row here, where groups have so many members."""
        if member < 0 or self.counts in ((), tuple(counts)):
            return member
        here, there = np.cumsum([0, *self.counts]), np.cumsum([0, *counts])
        group = int(np.searchsorted(here, member, side="right")) - 1
        return int(there[group] + member - here[group])

    def write(self, recording: RecordingWriter) -> None:
        """Add it to a recording."""
        counts = recording.header.scenario.counts
        for event in self.events:
            member = self.row_in(event.member, counts)
            recording.add_event(event.time, event.kind, event.group, member, event.text)
        recording.append(
            position=self.position,
            orientation_wxyz=self.orientation_wxyz,
            subgoal=self.subgoal,
            formation_of=[recording.formation_row(name) for name in self.formation],
            force=self.force,
            member=self.rows_in(counts),
            clock=self.clock,
        )
        for group, measures in enumerate(self.measures):
            if measures:
                shapes = recording.header.series[group]
                whole = {name: _with_room(each, shapes[name]) for name, each in measures.items()}
                recording.add_measures(self.time, group, whole)
        for group, figures in enumerate(self.figures):
            recording.put_figures(group, figures)


def _with_room(measure: ArrayLike, shape: tuple[int, ...]) -> ArrayLike:
    """Return a measure, with rows of zeros for members for whom there was no room then."""
    given = np.asarray(measure)
    if given.shape == shape or given.ndim == 0:
        return measure
    whole = np.zeros(shape, given.dtype)
    whole[: len(given)] = given
    return whole


def formation_rows(names: Sequence[str], formations: Sequence[str]) -> list[int]:
    """Return the row of each name in the formations, -1 for an empty one."""
    return [formations.index(name) if name else -1 for name in names]
