"""Key frames of the parts of a scene that move, as they did in a playback."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Part
from rmp3d.viewer.export.keyframes import Keys, Tolerances, orientation_keys, position_keys
from rmp3d.viewer.playback.playback import Playback

TURN_SHARE = 0.5
"""Of the tolerance of a place [m], for what the rotation of a part is off at its farthest point."""

Rounding = Callable[[Float], Float]


@dataclass(frozen=True, eq=False)
class PartKeys:
    """Key frames of K parts; a part is turned about its hinge, which is at its node's origin.

    Attributes:
        row: (K,) rows of the parts in the scene.
        parts: The same parts, seen from their hinges.
        moves: Of the hinges (3,) [m].
        turns: Of the rotations (4,), scalar first.
        shown: For each, in which frames (k,) it appears or goes, and whether it is there from then
            on (k,); the first is frame 0. Parts that are always there have no more.
    """

    row: Index
    parts: tuple[Part, ...]
    moves: Keys
    turns: Keys
    shown: tuple[tuple[Index, Bool], ...]


def part_keys(
    playback: Playback,
    tolerances: Tolerances,
    place: Rounding = np.asarray,
    turn: Rounding = np.asarray,
) -> PartKeys:
    """Return the key frames of the moving parts of a playback, at their recorded clocks.

    The hinge and the farthest point of a part are off by half of the tolerance each at most, and
    no part is turned off by more than the tolerance of angles.

    Args:
        playback: Whose scene may have parts that move.
        tolerances: Of the format.
        place: Rounds places (T, 1, 3) [m] to what the file can store.
        turn: Likewise, rotations (T, 1, 4); unit quaternions again.
    """
    rows = playback.scene.moving
    moves, turns, parts, shown = [], [], [], []
    for column, row in enumerate(rows.tolist()):
        part = playback.scene.parts[row]
        assert part.motion is not None
        at, rotation = part.motion.hinge_poses(playback.frame_clocks[:, column])
        there = part.motion.is_there(playback.frame_clocks[:, column])
        frames = np.flatnonzero(np.append(True, there[1:] != there[:-1]))
        shown.append((frames, there[frames]))
        mesh = part.mesh.transformed(translation=-part.motion.hinge)
        parts.append(replace(part, mesh=mesh, motion=None))
        reach = float(length(mesh.triangles.reshape(-1, 3)).max(initial=0.0))
        angle = min(
            tolerances.angle_tolerance, TURN_SHARE * tolerances.tolerance / max(reach, 1e-9)
        )
        moves.append(
            position_keys(
                at[:, None], place(at[:, None]), (1.0 - TURN_SHARE) * tolerances.tolerance
            )
        )
        turns.append(orientation_keys(rotation[:, None], turn(rotation[:, None]), angle))
    return PartKeys(rows, tuple(parts), _joined(moves, 3), _joined(turns, 4), tuple(shown))


def _joined(keys: list[Keys], axes: int) -> Keys:
    """Return the key frames of single motions, one after the other."""
    count = [len(each.frame) for each in keys]
    return Keys(
        np.concatenate([np.empty(0, np.intp), *(each.frame for each in keys)]),
        np.concatenate([np.empty((0, axes)), *(each.value for each in keys)]),
        np.concatenate([[0], np.cumsum(count, dtype=np.intp)]),
    )
