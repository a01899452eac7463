"""What the user does to the members of a run that goes on: they come, leave, and are led."""

from time import monotonic
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.protocol import Intervene, Session
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
        selected: Row of the member that is selected, -1 for none.
    """

    def __init__(self, state: Watched) -> None:
        self._state = state
        self.selected = -1
        self.stop()

    def stop(self) -> None:
        """End what is under way, as the run has ended."""
        self.adding = self.leading = False
        self.pointer: Float | None = None
        self._led = ""  # the group that was sent somewhere last
        self._sent: Float | None = None
        self._send_after = 0.0  # [s]

    def cancel(self) -> bool:
        """End adding and leading; return whether there was any."""
        was = self.adding or self.leading
        self.adding = self.leading = False
        return was

    def tell(self, **change: Any) -> None:
        """Let something happen to the chosen group; see `[[changes]]` of a scenario."""
        if self._state.phase == "running":
            group = self._state.draft.chosen["name"]
            self._state.session.send(Intervene({"group": group, **change}))

    def add(self, point: ArrayLike) -> None:
        """Let a member come at a point (3,) [m]."""
        self.tell(add=_rounded(point))

    @property
    def removable(self) -> int:
        """Number of the selected member in the chosen group, -1 if it is not of that group."""
        playback = self._state.playback
        if self._state.phase != "running" or playback is None:
            return -1
        rows = playback.members(self._state.draft.group).tolist()
        return rows.index(self.selected) if self.selected in rows else -1

    def update(self, playing: bool) -> None:
        """Send the group to where the mouse points, a few times a second."""
        group = str(self._state.draft.chosen["name"])
        if self._led and (not self.leading or self._led != group):
            self._state.session.send(Intervene({"group": self._led, "send": []}))
            self._led, self._sent = "", None
        if not (self.leading and playing) or self.pointer is None:
            return
        moved = np.inf if self._sent is None else float(np.linalg.norm(self.pointer - self._sent))
        if moved > LEAD_STEP and monotonic() >= self._send_after:
            self._led, self._sent, self._send_after = group, self.pointer, monotonic() + LEAD_PAUSE
            self.tell(send=_rounded(self.pointer))


def _rounded(point: ArrayLike) -> list[float]:
    return [round(float(x), POINT_DIGITS) + 0.0 for x in np.asarray(point)]
