"""What is new in a run that goes on, for a page that knows its first frames."""

import copy
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import frozen
from rmp3d.viewer.export.keyframes import BLOCK_FRAMES
from rmp3d.viewer.playback.playback import Playback

SETTLED = 5.0
"""So long before the end of what is known nothing changes any more [s]: heights on stairs, and
those who rise from a seat before they go, depend on what comes soon after."""


def first_news(known: int, dt: float) -> int:
    """Return the first frame that is sent to a page that knows ``known`` frames.

    All motions have a key there, so that nothing changes before it; and pages that know about as
    much get the same.
    """
    return max(0, known - 1 - int(np.ceil(SETTLED / dt))) // BLOCK_FRAMES * BLOCK_FRAMES


def last_frames(playback: Playback, first: int) -> Playback:
    """Return the frames from ``first`` on, drawn as they are in the whole."""
    if first == 0:
        return playback
    cut = copy.copy(playback)  # neither copied nor checked again
    changed: dict[str, Any] = {
        name: getattr(playback, name)[first:]
        for name in ("position", "orientation_wxyz", "formation_of")
    }
    changed |= {"clock": frozen(playback.frame_clocks[first:]), "subgoal": None, "force": None}
    for name, value in changed.items():
        object.__setattr__(cut, name, value)
    vars(cut)["drawn"] = playback.drawn_from(first)
    return cut
