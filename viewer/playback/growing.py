"""A playback that grows while a run goes on."""

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.playback import Event, Playback

FRAME_ARRAYS = ("position", "orientation_wxyz", "subgoal", "formation_of", "force", "clock")
SMALLEST_ROOM = 256  # frames


class GrowingPlayback:
    """Frames are added at the end; what was shown before stays as it is.

    Attributes:
        playback: All frames so far; another object after each `append`.
    """

    def __init__(self, first: Playback) -> None:
        """Begin with the frames of a playback whose subgoals are recorded."""
        self.playback = first
        self._count = first.frame_count
        arrays = {name: getattr(first, name) for name in FRAME_ARRAYS}
        self._room = {name: np.array(a) for name, a in arrays.items() if a is not None}

    def append(
        self,
        *,
        position: Float,
        orientation_wxyz: Float,
        subgoal: Float,
        formation_of: Index,
        formation: tuple[str, ...],
        events: tuple[Event, ...],
        force: NDArray[np.float32] | None = None,
        details: tuple[GroupDetails, ...] | None = None,
        life: Index | None = None,
        clock: Float | None = None,
    ) -> None:
        """Add K frames, arrays as in `Playback`; without ``details`` those that there are stay."""
        rows: dict[str, Any] = {
            "position": position,
            "orientation_wxyz": orientation_wxyz,
            "subgoal": subgoal,
            "formation_of": formation_of,
            "force": force,
            "clock": clock,
        }
        end = self._count + len(position)
        for name, array in self._room.items():
            if len(array) < end:
                self._room[name] = array = _larger(array, end)
            array[self._count : end] = rows[name]
        self._count = end
        # Neither copied nor checked again: that would cost more with each frame.
        grown = copy.copy(self.playback)
        vars(grown).pop("drawn", None)  # known of the frames until then
        changed: dict[str, Any] = {name: _view(array, end) for name, array in self._room.items()}
        changed |= {"formation": formation, "events": (*self.playback.events, *events)}
        changed["life"] = life
        if details is not None:
            changed["details"] = details
        for name, value in changed.items():
            object.__setattr__(grown, name, value)
        self.playback = grown


def _larger(array: NDArray[Any], end: int) -> NDArray[Any]:
    grown = np.empty((max(2 * len(array), end, SMALLEST_ROOM), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def _view(array: NDArray[Any], end: int) -> NDArray[Any]:
    view = array[:end]
    view.setflags(write=False)
    return view
