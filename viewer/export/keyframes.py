"""Few frames that tell of all others: key frames of motions, to a stated tolerance."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import angle_between, slerp
from rmp3d.geometry.vectors import length, unit
from rmp3d.viewer.export.exporter import Progress

POSITION_TOLERANCE = 0.01
"""[m] that a member may be off between key frames."""
ANGLE_TOLERANCE = float(np.radians(1.0))
"""[rad] that a member may be turned off between key frames."""

LEAST_POSITION, LEAST_ANGLE = 0.001, float(np.radians(0.1))
BLOCK_FRAMES = 512  # a motion is first cut into pieces of so many frames
BLOCK_ROWS = 400_000  # poses looked at in one go: bounds the memory

Error = Callable[[Float, Float, Float, Float], Float]


@dataclass(frozen=True)
class Tolerances:
    """Options of formats with key frames.

    Attributes:
        tolerance: How far [m] a member may be off at any recorded frame.
        angle_tolerance: How far [rad] it may be turned off.

    Raises:
        InputError: One is too small or not finite.
    """

    tolerance: float = POSITION_TOLERANCE
    angle_tolerance: float = ANGLE_TOLERANCE

    def __post_init__(self) -> None:
        if not LEAST_POSITION <= self.tolerance < np.inf:
            raise InputError(
                f"`tolerance` must be at least {LEAST_POSITION:g} m, got {self.tolerance:g}"
            )
        if not LEAST_ANGLE <= self.angle_tolerance < np.inf:
            raise InputError(
                f"`angle_tolerance` must be at least {np.degrees(LEAST_ANGLE):g} degrees, "
                f"got {np.degrees(self.angle_tolerance):g}"
            )


@dataclass(frozen=True, eq=False)
class Keys:
    """Key frames of N motions, one after the other.

    Attributes:
        frame: (K,) frame of each key, increasing within a motion.
        value: (K, D) what is stored there.
        start: (N + 1,) motion i has the rows from ``start[i]`` up to ``start[i + 1]``.
    """

    frame: Index
    value: Float
    start: Index

    @property
    def motion(self) -> Index:
        """(K,) motion of each key."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def of(self, motion: int) -> tuple[Index, Float]:
        """Return frames (k,) and values (k, D) of one motion."""
        rows = slice(self.start[motion], self.start[motion + 1])
        return self.frame[rows], self.value[rows]


def position_keys(
    position: Float,
    stored: Float | None = None,
    tolerance: float = POSITION_TOLERANCE,
    progress: Progress | None = None,
) -> Keys:
    """Return keys between which positions are taken as linear in time.

    Args:
        position: (T, N, 3) [m], of every frame.
        stored: (T, N, 3) [m], the same rounded to what the file can store; keys are taken from it,
            and its rounding counts as error. None if nothing is rounded.
        tolerance: Largest distance [m] from ``position`` at any frame.
        progress: Called with (motions done, N), or None.

    Raises:
        InputError: The rounding alone exceeds the tolerance.
    """
    kept = position if stored is None else stored
    return _keys(position, kept, _distance, tolerance, progress)


def orientation_keys(
    orientation_wxyz: Float,
    stored: Float | None = None,
    tolerance: float = ANGLE_TOLERANCE,
    progress: Progress | None = None,
) -> Keys:
    """Return keys between which orientations are interpolated on the short arc.

    The tolerance holds for slerp, as glTF has it, and for a straight line between quaternions that
    is scaled to unit length, as Blender and the replay page have it.

    Args:
        orientation_wxyz: (T, N, 4) unit quaternions, of every frame.
        stored: As for `position_keys`, unit quaternions.
        tolerance: Largest angle [rad] from ``orientation_wxyz`` at any frame.
        progress: Called with (motions done, N), or None.

    Returns:
        Keys whose signs are such that neighbors of one motion have a scalar product >= 0.

    Raises:
        InputError: The rounding alone exceeds the tolerance.
    """
    kept = orientation_wxyz if stored is None else stored
    return _near_signs(_keys(orientation_wxyz, kept, _turn, tolerance, progress))


def turned_keys(turned: Float, tolerance: float = ANGLE_TOLERANCE) -> Keys:
    """Return keys between which all joints of members are interpolated on the short arc.

    Args:
        turned: (T, n, J, 4) unit quaternions.
        tolerance: Largest angle [rad] by which a joint may be off.

    Returns:
        n motions; a value is (4 J,), and the signs of each joint's are such that neighbors have a
        scalar product >= 0.
    """
    frames, members, joints, _ = turned.shape

    def worst(start: Float, end: Float, share: Float, value: Float) -> Float:
        off = _turn(
            start.reshape(-1, 4), end.reshape(-1, 4), np.repeat(share, joints), value.reshape(-1, 4)
        )
        return off.reshape(-1, joints).max(axis=1)

    found = [
        _keys(own := turned[:, [row]].reshape(frames, 1, -1), own, worst, tolerance, None)
        for row in range(members)
    ]
    value = [_smooth_signs(each.value.reshape(-1, joints, 4)) for each in found]
    count = [len(each.frame) for each in found]
    return Keys(
        np.concatenate([np.empty(0, np.intp), *(each.frame for each in found)]),
        np.concatenate([np.empty((0, 4 * joints)), *value]),
        np.concatenate([[0], np.cumsum(count, dtype=np.intp)]),
    )


def _smooth_signs(turned: Float) -> Float:
    """Return quaternions (K, J, 4) as (K, 4 J), each with the sign that is near the one before."""
    dot = np.einsum("kjq,kjq->kj", turned[1:], turned[:-1])
    odd = np.cumsum(np.vstack([np.zeros((1, turned.shape[1])), dot < 0.0]), axis=0) % 2 == 1
    return np.where(odd[..., None], -turned, turned).reshape(len(turned), -1)


def _keys(
    value: Float, stored: Float, error: Error, tolerance: float, progress: Progress | None
) -> Keys:
    frames, motions, axes = value.shape
    per_block = max(BLOCK_ROWS // frames, 1)
    found = []
    for first in range(0, motions, per_block):
        block = slice(first, first + per_block)
        rows = _Rows(
            np.swapaxes(value[:, block], 0, 1).reshape(-1, axes),
            np.swapaxes(stored[:, block], 0, 1).reshape(-1, axes),
            error,
            tolerance,
        )
        found.append(first * frames + rows.keys(frames))
        if progress:
            progress(min(first + per_block, motions), motions)
    row = np.concatenate(found) if found else np.empty(0, np.intp)
    motion, frame = np.divmod(row, frames)
    count = np.bincount(motion, minlength=motions)
    return Keys(frame, stored[frame, motion], np.concatenate([[0], np.cumsum(count)]))


class _Rows:
    """Motions of equal length, one after the other; a span is a pair of rows of one motion."""

    def __init__(self, value: Float, stored: Float, error: Error, tolerance: float) -> None:
        self._value, self._stored = value, stored
        self._error, self._tolerance = error, tolerance
        at_key = error(stored, stored, np.zeros(len(stored)), value)
        if at_key.max(initial=0.0) > tolerance:
            raise InputError(
                f"the format cannot store poses to {tolerance:.3g} (its rounding is off by "
                f"{at_key.max():.3g}); is the scene far from its origin?"
            )

    def keys(self, frames: int) -> Index:
        """Return the rows that are keys, in order.

        A span with a frame beyond the tolerance is cut at its worst frame (Ramer 1972, Douglas
        and Peucker 1973, here with the error at equal times).
        """
        ends = np.unique(np.append(np.arange(0, frames, BLOCK_FRAMES), frames - 1))
        first = np.arange(0, len(self._value), frames)[:, None]
        start, end = ((first + part).reshape(-1) for part in (ends[:-1], ends[1:]))
        keys = [(first + ends).reshape(-1)]
        while len(start):
            worst, at = self._worst(start, end)
            wide = worst > self._tolerance
            start, middle, end = start[wide], at[wide], end[wide]
            keys.append(middle)
            start, end = np.concatenate([start, middle]), np.concatenate([middle, end])
        return np.sort(np.concatenate(keys))

    def _worst(self, start: Index, end: Index) -> tuple[Float, Index]:
        """Return the largest error (S,) inside each span, and the row where it is."""
        inner = end - start - 1
        worst, at = np.zeros(len(start)), start.copy()
        some = np.flatnonzero(inner)
        if len(some) == 0:
            return worst, at
        size = inner[some]
        offset = np.cumsum(size) - size
        span = some.repeat(size)
        row = np.arange(len(span)) - offset.repeat(size) + start[span] + 1
        share = (row - start[span]) / (end - start)[span]
        off = self._error(
            self._stored[start[span]], self._stored[end[span]], share, self._value[row]
        )
        worst[some] = np.maximum.reduceat(off, offset)
        hit = np.flatnonzero(off == worst[span])
        _, first = np.unique(span[hit], return_index=True)
        at[some] = row[hit[first]]
        return worst, at


def _distance(start: Float, end: Float, share: Float, value: Float) -> Float:
    return length(start + share[:, None] * (end - start) - value)


def _turn(start: Float, end: Float, share: Float, value: Float) -> Float:
    """Return the larger of two errors: by slerp, and by components (as Blender interpolates)."""
    near = np.where(np.einsum("ij,ij->i", start, end)[:, None] < 0.0, -end, end)
    straight = unit(start + share[:, None] * (near - start))
    return np.maximum(
        angle_between(slerp(start, end, share), value), angle_between(straight, value)
    )


def _near_signs(keys: Keys) -> Keys:
    dot = np.einsum("ij,ij->i", keys.value[1:], keys.value[:-1])
    flips = np.zeros(len(keys.frame), bool)
    flips[1:] = dot < 0.0
    flips[keys.start[:-1]] = False  # a motion's first key keeps its sign
    odd = np.cumsum(flips)
    odd -= np.repeat(odd[keys.start[:-1]], np.diff(keys.start))
    return Keys(keys.frame, np.where(odd[:, None] % 2 == 1, -keys.value, keys.value), keys.start)
