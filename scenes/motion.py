"""How a part of a scene moves: key frames of displacement and rotation, and what follows them.

A moving part has a *clock* [s]. It runs with the time of the run, but stands still while the part
waits for members that are in its way; so a part always moves along its key frames, and only there.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.rotations import angle_between, matrix_from_quaternion, slerp
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.vectors import length

Repeat: TypeAlias = Literal["no", "stay", "cycle", "back_and_forth"]
LASTING = ("no", "stay")
"""After which a part stays where it is at the end."""

AT_REST = 1e-6
"""A pose this near to the one in the scene [m, rad] is that one."""
SAMPLES = 32
"""Poses between two key frames at which a turning part is looked at, to see how far it comes."""


@dataclass(frozen=True, eq=False)
class PartMotion:
    """The key frames of a part.

    At a pose with rotation R, displacement p and the hinge h, a point x of the part as it is in the
    scene is at ``R (x - h) + h + p``. Between key frames p is linear, and R turns about one axis at
    a constant speed.

    Attributes:
        role: What the part is: ``obstacle``, ``ground`` (carries walkers where the scene has it),
            or ``decor``.
        time: (K,) [s], from 0, increasing.
        position: (K, 3) displacements p [m].
        quaternion_wxyz: (K, 4) rotations R.
        hinge: (3,) [m].
        repeat: What follows the last key frame: nothing may (``no``), it stays there (``stay``), it
            starts again (``cycle``), or it goes back and forth.
        phase: The clock when a run begins [s].
        carries: Whether walkers ride on it; see `rmp3d.scenes.stops`.
        together: Parts of the same name wait together; "" alone.
    """

    role: Literal["obstacle", "ground", "decor"]
    time: Float
    position: Float
    quaternion_wxyz: Float
    hinge: Float
    repeat: Repeat = "no"
    phase: float = 0.0
    carries: bool = False
    together: str = ""

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for name in ("time", "position", "quaternion_wxyz", "hinge"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def fingerprint(self) -> bytes:
        """The same bytes for the same motion."""
        numbers = np.concatenate(
            [self.time, self.position.ravel(), self.quaternion_wxyz.ravel(), self.hinge]
        )
        text = f"{self.role}\0{self.repeat}\0{self.phase!r}\0{len(self.time)}\0"
        if self.carries or self.together:
            text += f"{self.carries}\0{self.together}\0"
        return text.encode() + numbers.astype("<f8").tobytes()

    @property
    def stands(self) -> bool:
        """Whether it never leaves the place where the scene has it."""
        return False

    @property
    def end(self) -> float:
        """Time of the last key frame [s]."""
        return float(self.time[-1])

    @property
    def period(self) -> float:
        """After how long [s] everything repeats; infinite if nothing does."""
        return {"cycle": 1.0, "back_and_forth": 2.0}.get(self.repeat, np.inf) * self.end

    def untold(self, time: Float) -> Float:
        """Return the clock (M,) at times (M,) of a run [s], if nothing hinders the part."""
        return self.phase + np.asarray(time, float)

    def is_there(self, clock: Float) -> Bool:
        """Return whether the part is there (M,) at values of the clock: what moves always is."""
        return np.ones(np.shape(clock), np.bool_)

    def shifted(self, offset: Float) -> "PartMotion":
        """Return the motion of the part moved by an offset (3,) [m]."""
        return replace(self, hinge=self.hinge + offset)

    def key_time(self, clock: Float) -> Float:
        """Return the times among the key frames of values (M,) of the clock [s]."""
        clock = np.asarray(clock, float)
        if self.repeat == "cycle":
            return np.mod(clock, self.end)
        if self.repeat == "back_and_forth":
            return self.end - np.abs(np.mod(clock, 2.0 * self.end) - self.end)
        return np.clip(clock, 0.0, self.end)

    def poses(self, clock: Float) -> tuple[Float, Float]:
        """Return rotations (M, 3, 3) and translations (M, 3) at values (M,) of the clock [s].

        A point x of the part as it is in the scene is then at ``rotation @ x + translation``.
        """
        at, turn = self.hinge_poses(clock)
        rotation = matrix_from_quaternion(turn)
        return rotation, at - rotation @ self.hinge

    def hinge_poses(self, clock: Float) -> tuple[Float, Float]:
        """Return where the hinge is (M, 3) [m], and rotations (M, 4), at values (M,) of the clock.

        Between key frames the first is linear in time, and the second turns at a constant speed.
        """
        row, share = self._between(clock)
        turn = slerp(self.quaternion_wxyz[row], self.quaternion_wxyz[row + 1], share)
        return self.displacements(clock) + self.hinge, turn

    def displacements(self, clock: Float) -> Float:
        """Return the hinge (M, 3) less where the scene has it [m], at clocks (M,) [s]."""
        row, share = self._between(clock)
        start, end = self.position[row], self.position[row + 1]
        found: Float = start + share[:, None] * (end - start)
        return found

    def _between(self, clock: Float) -> tuple[Index, Float]:
        """Return the key frames (M,) before values of the clock, and shares (M,) of the way on."""
        time = self.key_time(clock)
        row = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, len(self.time) - 2)
        return row, (time - self.time[row]) / (self.time[row + 1] - self.time[row])

    def instants(self, start: float, end: float) -> Float:
        """Return the values of the clock from one to another at which it passes a key frame [s]."""
        return np.array([start, *self._passed(start, end), end])

    def travel(self, start: float, end: float, reach: float) -> float:
        """Return how far [m] a point moves at most, ``reach`` [m] from the hinge, between clocks.

        That is the length of its way, so it bounds the distance from any pose in between, too.
        """
        at = self.instants(start, end)
        middle = self.key_time(0.5 * (at[:-1] + at[1:]))
        row = np.clip(np.searchsorted(self.time, middle, side="right") - 1, 0, len(self.time) - 2)
        share = np.diff(at) / (self.time[row + 1] - self.time[row])
        moved, turn = self._strides
        return float((share * (moved[row] + reach * turn[row])).sum())

    def speeds(self, reach: float) -> Float:
        """Return how fast (K - 1,) [m/s] a point moves at most between key frames; see `travel`."""
        moved, turn = self._strides
        return (moved + reach * turn) / np.diff(self.time)

    def reached(self, box: Float) -> Float:
        """Return corners (2, 3) [m] around all places of a box (2, 3) [m] on its way.

        Between two poses that are sampled no point is farther from the nearer one than half the
        way between them, so that what is returned contains the box at every clock.
        """
        corners = np.stack(np.meshgrid(*box.T, indexing="ij"), axis=-1).reshape(-1, 3)
        reach = float(length(corners - self.hinge).max())
        turn = self._strides[1]
        low, high = box[0], box[1]
        for row, (start, end) in enumerate(pairwise(self.time.tolist())):
            count = SAMPLES if turn[row] > 0.0 else 1
            at = np.linspace(start, end, count + 1)
            rotation, translation = replace(self, repeat="no").poses(at)
            points = corners @ np.swapaxes(rotation, 1, 2) + translation[:, None]
            bulge = 0.5 * reach * turn[row] / count
            low = np.minimum(low, points.min(axis=(0, 1)) - bulge)
            high = np.maximum(high, points.max(axis=(0, 1)) + bulge)
        return np.stack([low, high])

    def rests(self, start: float, end: float) -> bool:
        """Return whether the part is where the scene has it all the time between two clocks."""
        return self.stands_at(np.zeros(3), start, end)

    def stands_at(self, displacement: Float, start: float, end: float) -> bool:
        """Return whether the part is displaced by so much (3,) [m] all the time between clocks."""
        at = self.instants(start, end)
        rotation, translation = self.poses(np.concatenate([at, 0.5 * (at[:-1] + at[1:])]))
        near = np.abs(rotation - np.eye(3)).max() <= AT_REST
        return bool(near and np.abs(translation - displacement).max() <= AT_REST)

    @cached_property
    def _strides(self) -> tuple[Float, Float]:
        """How far (K - 1,) the hinge moves [m], and the part turns [rad], between key frames."""
        turn = angle_between(self.quaternion_wxyz[:-1], self.quaternion_wxyz[1:])
        return length(np.diff(self.position, axis=0)), turn

    @cached_property
    def _key_times(self) -> Float:
        """Clocks (K',) [s] of the key frames in one period, ascending; of all, if none repeats."""
        if self.repeat != "back_and_forth":
            return self.time
        return np.concatenate([self.time, 2.0 * self.end - self.time[::-1]])

    def _passed(self, start: float, end: float) -> list[float]:
        """Return the clocks strictly between two at which the part is at a key frame, ascending."""
        own, period = self._key_times, self.period
        turns = [0]
        if np.isfinite(period):
            turns = list(range(int(np.floor(start / period)), int(np.floor(end / period)) + 1))
        found = []
        for turn in turns:
            shift = turn * period if turn else 0.0
            # One more on each side, as what is shifted is rounded.
            first = max(int(np.searchsorted(own, start - shift)) - 1, 0)
            last = int(np.searchsorted(own, end - shift, side="right")) + 1
            found.append(own[first:last] + shift)
        return [t for t in np.unique(np.concatenate(found)).tolist() if start < t < end]
