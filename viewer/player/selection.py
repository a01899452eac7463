"""Which members are selected: by a click, a rectangle, their group."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

import numpy as np

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.picking import pick_member
from rmp3d.viewer.cameras.rectangle import Pixel, members_in
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.comparison import same_members
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.player.tools import Tools
from rmp3d.viewer.texts import tr


class Selectable(Protocol):
    """What members are selected in; see `Controls`."""

    clock: PlaybackClock
    size: tuple[int, int]
    tools: Tools
    changed: bool

    @property
    def playback(self) -> Playback:
        """What is shown."""
        ...

    @property
    def camera(self) -> Camera:
        """From where."""
        ...

    def notify(self, message: str) -> None:
        """Put a short notice on the screen."""
        ...


class Selection:
    """The selected members.

    Attributes:
        first: Row of the one that cameras follow, -1 for none.
        others: Rows of those that are selected with it.
        second: What is seen beside it with the same members, if anything.
        in_second: Whether the mouse points into that.
    """

    def __init__(self, seen: Selectable) -> None:
        self._seen = seen
        self.first = -1
        self.others: frozenset[int] = frozenset()
        self.second: Playback | None = None
        self.in_second = False

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of all selected members, ascending."""
        return tuple(sorted(self.others | {self.first})) if self.first >= 0 else ()

    def choose(self, rows: Iterable[int], first: int = -1) -> None:
        """Select these, and nobody else."""
        wanted = set(rows)
        self.first = first if first in wanted else min(wanted, default=-1)
        self.others = frozenset(wanted - {self.first})
        if self.others:
            self._seen.notify(tr("{count} members are selected", count=len(wanted)))
        self._seen.changed = True

    def key(self, name: str, *, shift: bool) -> bool:
        """Take Shift+a (everybody) and Shift+g (their groups); return whether it was one."""
        if not shift or name not in ("a", "g"):
            return False
        there = np.flatnonzero(self._pose(self._seen.playback).there).tolist()
        group_of = self._seen.playback.group_of
        groups = {int(group_of[row]) for row in self.rows}
        if name == "g" and not groups:
            self._seen.notify(tr("nobody is selected"))
        else:
            self.choose([r for r in there if name == "a" or group_of[r] in groups], self.first)
        return True

    def click(self, pixel: Pixel, *, several: bool) -> None:
        """Select the member seen at a pixel, or one more if ``several``, or one fewer."""
        member = self.member_at(pixel)
        if not several:
            self.choose([member] if member >= 0 else [])
        elif member >= 0:
            self.choose(set(self.rows) ^ {member}, member)

    def drag(self, a: Pixel, b: Pixel) -> None:
        """Select the members seen in a rectangle."""
        seen, playback = self._seen, self._pointed()
        rows = members_in(playback, self._pose(playback), seen.camera, seen.size, a, b)
        self.choose(self._here(rows.tolist()))

    def member_at(self, pixel: Pixel) -> int:
        """Return the row of the member seen at a pixel, walls or not; -1 if there is none."""
        seen, playback = self._seen, self._pointed()
        pose = self._pose(playback)
        rows = np.flatnonzero(pose.there)
        origin, direction = seen.camera.ray(pixel, seen.size)
        axes, radii = playback.capsule_axis[rows], playback.radius[rows]
        found = pick_member(origin, direction, pose.position[rows], axes, radii)
        return next(iter(self._here([int(rows[found])] if found >= 0 else [])), -1)

    def _pointed(self) -> Playback:
        """Return what the mouse points into."""
        second = self.second if self.in_second else None
        return self._seen.playback if second is None else second

    def _here(self, rows: list[int]) -> list[int]:
        """Return the same members as those that the mouse points at."""
        if self._pointed() is self._seen.playback:
            return rows
        same = {b: a for a, b in same_members(self._seen.playback, self._pointed()).tolist()}
        return [same[row] for row in rows if row in same]

    def _pose(self, playback: Playback) -> Pose:
        """Return where members are, and who of them is drawn."""
        pose = playback.pose(self._seen.clock.time)
        shown = self._seen.tools.visible.members(pose.position)
        return replace(pose, there=pose.there & shown)
