"""What members with legs do that do not go: they turn, sit or graze."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.models.legs import smooth
from rmp3d.models.skeleton import CharacterRig
from rmp3d.viewer.playback.gait import Track
from rmp3d.viewer.playback.playback import Playback

GRAZES, SITS = 4.0, 2.0
"""After so many seconds at rest, an animal that grazes puts its head down, and others do theirs."""
PUTS_DOWN, GETS_UP = 1.5, 2.5
"""So many seconds a head takes, and a body that sits down; they are up again before they go."""
USUALLY = "graze"
"""What is done at rest by those that have such a clip, where nothing is said."""
TURNS = {"turn_left": 1.0, "turn_right": -1.0}
SLOW_TURN, WHOLE_TURN = 0.25, 1.3
"""Turning [rad/s] from which on the clips of turning are seen, and wholly."""


def number_of(member: Index) -> Float:
    """Return a number from 0 to 1 for members (n,) by which they differ, the same at each run."""
    return np.mod(np.asarray(member, np.float64) * 0.6180339887498949 + 0.13, 1.0)


def turned_on_spot(rig: CharacterRig, speed: Float, turning: Float) -> dict[str, Float]:
    """Return the shares (n,) of the clips of turning, by the name of the clip.

    Args:
        rig: Whose clips.
        speed: (n,) [m/s]; whoever walks does not turn on the spot.
        turning: (n,) to the left [rad/s].
    """
    slow = smooth(1.0 - 1.6 * speed / rig.clips["walk"].speed)
    return {
        name: slow * smooth((way * turning - SLOW_TURN) / (WHOLE_TURN - SLOW_TURN))
        for name, way in TURNS.items()
        if name in rig.clips
    }


def resting_clip(playback: Playback, rig: CharacterRig, member: int) -> str:
    """Return the name of the clip that a member is in when it rests, empty if it has none."""
    said = playback.at_rest or ("",) * len(playback.group_names)
    name = said[int(playback.group_of[member])] or USUALLY
    return name if name in rig.clips else ""


def rested(name: str, track: Track, number: float, time: float, dt: float) -> float:
    """Return how far a member at rest has gone over to a clip, 0 to 1, at a moment [s].

    Args:
        name: Of the clip.
        track: Its gait.
        number: From 0 to 1: each begins at a time of its own.
        time: Now [s].
        dt: Between frames [s].
    """
    return float(rested_at(name, track, number, np.array([time]), dt)[0])


def rested_at(name: str, track: Track, number: float, time: Float, dt: float) -> Float:
    """Return the same (M,) at many moments (M,) [s]."""
    at = np.minimum(np.round(time / dt).astype(np.intp), len(track.phase) - 1)
    moves = np.flatnonzero(np.diff(track.phase))
    # The last frame before a moment that has another phase, and the first one after it.
    before = np.searchsorted(moves, at) - 1
    begin = np.where(before >= 0, moves[before] if len(moves) else 0, 0)
    after = np.append(moves + 1.0, np.inf)[before + 1]
    late, takes = (GRAZES, PUTS_DOWN) if name == USUALLY else (SITS, GETS_UP)
    late *= 0.5 + number
    return smooth(np.minimum(time - begin * dt - late, after * dt - time) / takes)
