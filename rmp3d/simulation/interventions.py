"""What a program does to a run that goes on: to its groups, members, and the parts of its scene."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.groups import GroupRun
from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short
from rmp3d.scenario import Change, ChangeTable
from rmp3d.simulation.changing import Changes


class Interventions(ABC):
    """Lets something become different in a run; see `Simulation`.

    Attributes:
        time: Of the present state [s].
        over: Whether the run is over; then nothing can become different.
    """

    time: float
    over: bool
    _changes: Changes

    @abstractmethod
    def run_of(self, group: str) -> GroupRun:
        """Return the behavior at work of a group; raise `InputError` if there is none."""

    def change(
        self,
        group: str,
        *,
        behavior: Choice | None = None,
        afterwards: Choice | None = None,
        speed_limit: float | None = None,
        time: float | None = None,
    ) -> None:
        """Let something become different for a group from the next moment on, or later.

        Args:
            group: Its name.
            behavior: Its behavior from then on, of the same class; None: as before.
            afterwards: What its members do after all have arrived; None: as before.
            speed_limit: Fastest that its members go from then on [m/s]; None: as before.
            time: When [s]; by default at the next moment.

        Raises:
            InputError: There is no such group, or the behavior is none.
        """
        if behavior is None and afterwards is None and speed_limit is None:
            raise InputError("`change`: say `behavior`, `afterwards` or `speed_limit`")
        when = self._when(time)
        self._change(
            Change(
                time=when, group=group, behavior=behavior, afterwards=afterwards,
                speed_limit=speed_limit,
            )
        )  # fmt: skip

    def _change(self, change: Change) -> None:
        if change.part is None:
            self.run_of(change.group)
        if self.over:
            raise InputError("the run is over; nothing becomes different any more")
        self._changes.state(change)

    def add_member(
        self,
        group: str,
        at: str | Sequence[float],
        count: int = 1,
        time: float | None = None,
    ) -> None:
        """Let members join a group at the next moment that is looked at, or later.

        They come with the kinds of the group's characters in turn, at rest, where they hinder
        nobody. Where nobody can stand then, nobody comes, and an event ``refused`` says why.

        Args:
            group: Its name.
            at: A region of the scene, or a point (3,) [m]: they come as near to it as they can.
            count: How many.
            time: When [s]; by default at the next moment.

        Raises:
            InputError: There is no such group or region, its behavior does not take newcomers, or
                the recording has no room for them.
        """
        place = at if isinstance(at, str) else _point(at, "at")
        self._change(Change(time=self._when(time), group=group, add=place, count=count))

    def remove_member(
        self,
        group: str,
        members: str | int | Sequence[int],
        time: float | None = None,
    ) -> None:
        """Let members of a group leave at the next moment that is looked at, or later.

        Where one has not come yet, or has left, nobody leaves, and an event ``refused`` says so.

        Args:
            group: Its name.
            members: The number of one, counted from 0 in the order of coming, or several; or a
                region of the scene, which all leave who are in it.
            time: When [s]; by default at the next moment.

        Raises:
            InputError: There is no such group or region, there are never so many members, or the
                group's behavior lets nobody go.
        """
        self._change(Change(time=self._when(time), group=group, remove=members))

    def send(self, group: str, to: Sequence[float] | None, time: float | None = None) -> None:
        """Let the members of a group go to a point (3,) [m], or (None) on with what they did.

        Raises:
            InputError: There is no such group, its behavior leads its members where they go, or
                it is no point.
        """
        point = () if to is None else _point(to, "to")
        self._change(Change(time=self._when(time), group=group, send=point))

    def switch_part(self, part: str, *, there: bool, time: float | None = None) -> None:
        """Let a part of the scene appear or go at the next moment that is looked at, or later.

        It does not appear in a member: it waits until all are out of the place.

        Args:
            part: Its name, or a pattern; one that a `PresenceDescription` names.
            there: Whether it is there from then on.
            time: When [s]; by default at the next moment.

        Raises:
            InputError: There is no such part, or it is always there.
        """
        self._change(Change(time=self._when(time), part=part, there=there))

    def _when(self, time: float | None) -> float:
        return self.time if time is None else time

    def add_changes(self, changes: Sequence[ChangeTable]) -> None:
        """Let something become different at the next moment that is looked at, or later.

        Raises:
            InputError: Members cannot come to a group, or leave it, and shall.
        """
        self._changes.add(changes)


def _point(given: Sequence[float], argument: str) -> tuple[float, ...]:
    """Return three finite numbers; raise `InputError` if it is something else."""
    try:
        point = np.array(given, np.float64)
    except (TypeError, ValueError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise InputError(f"`{argument}`: a point is (x, y, z) [m], got {in_short(given)}")
    return tuple(point.tolist())
