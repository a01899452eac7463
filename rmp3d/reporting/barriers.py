"""Which moving part of a scene is across the way of a member: a gate, a raised bridge, a train."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.playback.playback import Playback

REACH = 2.5
"""How far ahead [m] a part is looked for."""
STEP = 0.3
"""A part whose top is not higher than this above the feet [m] can be walked on."""


def barrier(seen: Playback, member: int, ahead: Float, time: float) -> tuple[str, float] | None:
    """Return the name of the nearest part that is across the way, and how far ahead it is [m].

    Args:
        seen: A run.
        member: Row of the member.
        ahead: (3,) where it wants to go, a unit vector.
        time: When [s].
    """
    moving = seen.scene.moving.tolist()
    if not moving:
        return None
    frame = seen.frame_at(time)[0]
    low, high = _ends(seen, member, frame)
    found: list[tuple[float, str]] = []
    for row, clock in zip(moving, seen.clocks(time).tolist(), strict=True):
        part = seen.scene.parts[row]
        if part.motion is None or not part.motion.is_there(np.array([clock]))[0]:
            continue
        turn, move = part.motion.poses(np.array([clock]))
        corners = part.mesh.vertices @ turn[0].T + move[0]
        box = np.array([corners.min(axis=0), corners.max(axis=0)])
        if box[1, 2] <= low + STEP or box[0, 2] >= high:
            continue
        radius = float(seen.radius[member])
        box[0, :2] -= radius
        box[1, :2] += radius
        far = _entry(box[:, :2], seen.position[frame, member, :2], ahead[:2])
        if 0.0 < far <= REACH:
            found.append((far, part.name))
    if not found:
        return None
    far, name = min(found)
    return name, far


def _ends(seen: Playback, member: int, frame: int) -> tuple[float, float]:
    """Return the heights of a member's feet and head [m]."""
    axis = seen.capsule_axis[member]
    place, radius = float(seen.position[frame, member, 2]), float(seen.radius[member])
    return place + float(axis.min()) - radius, place + float(axis.max()) + radius


def _entry(box: Float, start: Float, direction: Float) -> float:
    """Return after how much of a ray (2,) it enters a box (2, 2); infinite: it passes by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (box - start) / direction
    near, far = np.nanmin(ends, axis=0).max(), np.nanmax(ends, axis=0).min()
    return float(near) if near <= far else np.inf
