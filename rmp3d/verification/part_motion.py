"""Where a moving part is at a value of its clock, computed anew from the key frames.

The simulation has code of its own for this. Here rotations are rotation vectors of SciPy's.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.recording import RecordedEvent
from rmp3d.recording.layout import EVENT, fixed
from rmp3d.scenes.motion import PartMotion
from rmp3d.scenes.presence import ASKED, PartPresence
from rmp3d.verification.bodies import RigidMesh

REST = 2e-6
"""A part nearer than this [m] to where the scene has it, at every point, is there."""
CHANGE_SLACK = 1e-6
"""Rounding of the time [s] at which a part appears or goes."""


class PartTrack:
    """A part on its key frames.

    Args:
        mesh: The part, where the scene has it.
        motion: Its key frames.

    Attributes:
        body: The part, its hinge in the origin.
    """

    def __init__(self, mesh: TriangleMesh, motion: PartMotion) -> None:
        self._motion = motion
        self.body = RigidMesh(mesh.transformed(translation=-motion.hinge))
        corners = self.body.mesh.triangles.reshape(-1, 3)
        self._reach = float(np.sqrt((corners * corners).sum(axis=1).max()))
        turns = Rotation.from_quat(np.roll(motion.quaternion_wxyz, -1, axis=1))
        self._turns = turns
        self._steps = (turns[1:] * turns[:-1].inv()).as_rotvec()  # (K - 1, 3), world axes

    def pose(self, clock: float) -> tuple[Float, Float]:
        """Return rotation (3, 3) and position (3,) [m] of `body` at a value of the clock [s]."""
        time, keys = self._folded(clock), self._motion.time
        row = max(0, min(int(np.count_nonzero(keys <= time)) - 1, len(keys) - 2))
        share = float((time - keys[row]) / (keys[row + 1] - keys[row]))
        turn = Rotation.from_rotvec(share * self._steps[row]) * self._turns[row]
        start, end = self._motion.position[row : row + 2]
        place = (1.0 - share) * start + share * end + self._motion.hinge
        return np.ascontiguousarray(turn.as_matrix()), place

    def travel(self, start: float, end: float) -> float:
        """Return the length [m] of the longest way of a point between two values of the clock."""
        if end <= start:
            return 0.0
        keys, repeat, last = self._motion.time, self._motion.repeat, self._motion.time[-1]
        moved = np.linalg.norm(np.diff(self._motion.position, axis=0), axis=1)
        speed = (moved + self._reach * np.linalg.norm(self._steps, axis=1)) / np.diff(keys)
        if repeat in ("no", "stay"):
            overlap = np.minimum(keys[1:], end) - np.maximum(keys[:-1], start)
            return float((speed * np.maximum(overlap, 0.0)).sum())
        if repeat == "back_and_forth":
            keys = np.concatenate([keys, 2.0 * last - keys[-2::-1]])
            speed, last = np.concatenate([speed, speed[::-1]]), 2.0 * last
        found = 0.0
        for turn in range(int(start // last), int(end // last) + 1):
            overlap = np.minimum(keys[1:] + turn * last, end) - np.maximum(
                keys[:-1] + turn * last, start
            )
            found += float((speed * np.maximum(overlap, 0.0)).sum())
        return found

    def shown(self, clock: Float) -> Bool:
        """Return whether it is there (T,) in frames with values (T,) of its clock."""
        motion = self._motion
        if not isinstance(motion, PartPresence):
            return np.ones(len(clock), np.bool_)
        even = np.round(clock).astype(np.int64) % 2 == 0
        found: Bool = even if motion.there else ~even
        return found

    def rests(self, start: float, end: float) -> bool:
        """Return whether it is where the scene has it, all the time between two clocks."""
        if isinstance(self._motion, PartPresence):
            return bool(self.shown(np.array([start, end])).all())
        rotation, place = self.pose(start)
        away = np.linalg.norm(rotation - np.eye(3)) * self._reach
        away += np.linalg.norm(place - self._motion.hinge)
        return bool(away + self.travel(start, end) <= REST)

    def _folded(self, clock: float) -> float:
        last = float(self._motion.time[-1])
        if self._motion.repeat == "cycle":
            return clock - last * (clock // last)
        if self._motion.repeat == "back_and_forth":
            inside = clock - 2.0 * last * (clock // (2.0 * last))
            return inside if inside <= last else 2.0 * last - inside
        return min(max(clock, 0.0), last)


def asks_of(events: Iterable[RecordedEvent], name: str) -> list[tuple[float, bool]]:
    """Return what a part was asked in a run: times [s], and whether to be there from then on."""
    told = fixed(name, EVENT["text"].itemsize).decode()
    asked = [each for each in events if each.text == told and each.kind in ASKED]
    return [(each.time, each.kind == ASKED[0]) for each in asked]


def said_last(
    motion: PartPresence, asks: Sequence[tuple[float, bool]], time: Float
) -> tuple[Bool, Float]:
    """Return whether a part is to be there at times (T,) [s], and since when [s] that is said."""
    stated = [(float(t), motion.there == bool(row % 2)) for row, t in enumerate(motion.changes)]
    said = sorted([(-np.inf, motion.there), *stated, *asks], key=lambda each: each[0])
    since, to_be_there = (np.array(each) for each in zip(*said, strict=True))
    news = np.concatenate([[True], np.diff(to_be_there.astype(int)) != 0])
    since, to_be_there = since[news], to_be_there[news]
    row = np.searchsorted(since, time + CHANGE_SLACK, side="right") - 1
    return to_be_there[row], since[row]


def wrong_changes(
    motion: PartPresence, asks: Sequence[tuple[float, bool]], clock: Float, first: int, dt: float
) -> Bool:
    """Return in which steps (T - 1,) a part appears or goes that must not.

    Its clock counts the changes, one in a step at most. Each must lead to what was said last: by
    the times of the scene, or by what the part was asked in the run. It may be late, as the part
    waits for members.

    Args:
        motion: When it appears or goes.
        asks: What it was asked: times [s], and whether to be there from then on.
        clock: (T,) of the part in frames.
        first: Number of the first frame.
        dt: Time between frames [s].
    """
    steps = np.diff(clock)
    wanted, _ = said_last(motion, asks, np.asarray((first + np.arange(1, len(clock))) * dt, float))
    is_there = (np.round(clock[1:]) % 2 == 0) == motion.there
    found: Bool = ~np.isin(steps, (0.0, 1.0)) | ((steps != 0.0) & (is_there != wanted))
    return found
