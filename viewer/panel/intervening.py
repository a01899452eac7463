"""What the user does to the members of a run that goes on: they come, leave, and are led."""

from time import monotonic
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.protocol import Intervene
from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.playback.playback import Playback

POINT_DIGITS = 3  # of points on the ground [m]
LEAD_STEP = 0.25  # [m] that the pointer has moved until a led group is sent on
LEAD_PAUSE = 0.2  # [s] between two times


class Watched(Protocol):
    """What is watched; see `PanelState`."""

    session: Session
    draft: Draft
    playback: Playback | None

    @property
    def phase(self) -> str:
        """How far the scenario has come: ``running`` while there is a run."""
        ...


class Intervening:
    """Lets members of the chosen group come and leave, and follow the mouse.

    Attributes:
        adding: Whether each click on the ground lets a member come there.
        leading: Whether the group goes where the mouse points on the ground.
        pointer: (3,) where it points [m], None for nowhere.
        selected: Rows of the members that are selected.
    """

    def __init__(self, state: Watched) -> None:
        self._state = state
        self.selected: tuple[int, ...] = ()
        self.stop()

    def stop(self) -> None:
        """End what is under way, as the run has ended."""
        self.adding = self.leading = False
        self.pointer: Float | None = None
        self._led: tuple[str, ...] = ()  # the groups that were sent somewhere last
        self._sent: Float | None = None
        self._send_after = 0.0  # [s]

    def cancel(self) -> bool:
        """End adding and leading; return whether there was any."""
        was = self.adding or self.leading
        self.adding = self.leading = False
        return was

    def tell(self, group: str = "", **change: Any) -> None:
        """Let something happen to a group, by default the chosen one; see `[[changes]]`."""
        if self._state.phase == "running":
            group = group or self._state.draft.chosen["name"]
            self._state.session.send(Intervene({"group": group, **change}))

    def add(self, point: ArrayLike) -> None:
        """Let a member come at a point (3,) [m]."""
        self.tell(add=_rounded(point))

    @property
    def removable(self) -> dict[str, list[int]]:
        """Numbers of the selected members in their groups, by the names of these."""
        playback, found = self._state.playback, dict[str, list[int]]()
        if self._state.phase == "running" and playback is not None:
            for group, name in enumerate(playback.group_names):
                numbers = np.flatnonzero(np.isin(playback.members(group), self.selected))
                if len(numbers):
                    found[name] = numbers.tolist()
        return found

    def remove(self) -> None:
        """Let the selected members leave."""
        for group, numbers in self.removable.items():
            self.tell(group, remove=numbers)

    def update(self, playing: bool) -> None:
        """Send the groups of the selected, or the chosen one, to where the mouse points.

        That is done a few times a second.
        """
        groups = tuple(self.removable) or (str(self._state.draft.chosen["name"]),)
        if self._led and (not self.leading or self._led != groups):
            for group in self._led:
                self._state.session.send(Intervene({"group": group, "send": []}))
            self._led, self._sent = (), None
        if not (self.leading and playing) or self.pointer is None:
            return
        moved = np.inf if self._sent is None else float(np.linalg.norm(self.pointer - self._sent))
        if moved > LEAD_STEP and monotonic() >= self._send_after:
            self._led, self._sent, self._send_after = groups, self.pointer, monotonic() + LEAD_PAUSE
            for group in groups:
                self.tell(group, send=_rounded(self.pointer))


def _rounded(point: ArrayLike) -> list[float]:
    return [round(float(x), POINT_DIGITS) + 0.0 for x in np.asarray(point)]
