"""Where members put their feet: on the ground, and for as long as they stand there, still.

A foot leaves the ground around the middle of its step, given by the phase of the gait. It stands
where the body is, seen from above, half-way between two of its steps; at a rest, beside the others.
Who is carried, as by a lift, stands still on what carries it: places are those it would have alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models.legs import LOWEST, STRETCHED
from rmp3d.models.skeleton import CharacterRig, LegJoints
from rmp3d.viewer.playback.gait import Track

Ground: TypeAlias = Callable[[Float, Float], Float]
INSIDE = 1e-6
"""Phases so near to a rest are after or before it."""
SLOW_DUTY = 0.8
"""Share of a cycle that a foot is on the ground, at rest."""
WALK_DUTY, RUN_DUTY = {2: 0.58, 4: 0.64}, {2: 0.36, 4: 0.24}
"""The same at a walk and at a run, by the number of legs: longer, they would be too short."""
LONGEST = 0.8
"""Of a longer time on the ground [s], only so much is coming down and leaving."""
SAMPLES = 13
"""Moments of a foot on the ground at which it is seen whether the leg reaches it."""
NEARER = 0.985
"""Of the length of a leg, so much is counted on: the trunk only nearly lies along the ground."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of one leg: K times through the air, K + 1 places on the ground.

    Attributes:
        start: (K,) when the foot leaves the ground [s], ascending.
        end: (K,) when it is down again [s].
        place: (K + 1, 3) where it stands before the first step, and after each [m].
        yaw: (K + 1,) its heading there [rad].
    """

    start: Float
    end: Float
    place: Float
    yaw: Float


def footsteps(rig: CharacterRig, track: Track, dt: float, ground: Ground) -> tuple[Steps, ...]:
    """Return the steps of all legs of a walker.

    Args:
        rig: Its legs.
        track: Its way.
        dt: Between frames [s].
        ground: Returns points (M, 3) on the ground above or below others, at times (M,) [s].
    """
    time: Float = np.arange(len(track.phase), dtype=np.float64) * dt
    return tuple(_steps(rig, leg, track, time, ground) for leg in rig.legs)


def _steps(rig: CharacterRig, leg: LegJoints, track: Track, time: Float, ground: Ground) -> Steps:
    last = int(np.floor(track.phase[-1] - leg.swing)) + 1
    middle: Float = leg.swing + np.arange(last, dtype=np.float64)  # phases of the middles of steps
    away = 0.5 * (1.0 - duty(rig, np.interp(_when(middle, track, time), time, track.speed)))
    start, end = middle - away, middle + away
    before = np.searchsorted(track.rests, middle)  # a rest at phase 0 is before all
    start = np.maximum(start, track.rests[before - 1])
    after = np.append(track.rests, np.inf)[before]
    end = np.minimum(end, after)
    # Where the foot stands, by when the body is there.
    stand = _when(middle + 0.5, track, time)
    rests = np.append(track.rest_frame, 0)[before] * (time[1] - time[0])
    stand = np.where(after < middle + 1.0, rests, stand)
    stand = np.concatenate([[0.0], stand])
    place = np.stack([np.interp(stand, time, column) for column in track.position.T], axis=-1)
    yaw = np.interp(stand, time, track.yaw)
    x, y, _ = rig.skeleton.position[leg.foot]
    place[:, 0] += np.cos(yaw) * x - np.sin(yaw) * y
    place[:, 1] += np.sin(yaw) * x + np.cos(yaw) * y
    start, end = (_when(phase, track, time) for phase in (start + INSIDE, end - INSIDE))
    steps = Steps(start, np.maximum(end, start + 1e-3), ground(place, stand), yaw)
    return _in_reach(rig, leg, steps, track, time, ground) if len(rig.legs) > 2 else steps


def _in_reach(
    rig: CharacterRig, leg: LegJoints, steps: Steps, track: Track, time: Float,
    ground: Ground,
) -> Steps:  # fmt: skip
    """Return steps whose feet leave the ground, or come down, where the leg can just reach them.

    The trunk lies along the ground and can be lowered by `LOWEST`; on rough ground, at a run, that
    may not be enough until a foot would leave by its phase.
    """
    hip, knee, foot = (rig.skeleton.position[row] for row in (leg.upper, leg.lower, leg.foot))
    reach = STRETCHED * float(np.linalg.norm(hip - knee) + np.linalg.norm(knee - foot))
    down, up = np.append(time[0], steps.end), np.append(steps.start, time[-1])
    share = np.linspace(0.0, 1.0, SAMPLES)
    when = down[:, None] + share * (up - down)[:, None]  # (K + 1, S)
    at = np.stack([np.interp(when, time, column) for column in track.position.T], axis=-1)
    yaw = np.interp(when, time, track.yaw)
    at[..., 0] += np.cos(yaw) * hip[0] - np.sin(yaw) * hip[1]
    at[..., 1] += np.sin(yaw) * hip[0] + np.cos(yaw) * hip[1]
    at = ground(at.reshape(-1, 3), when.reshape(-1)).reshape(at.shape)
    at[..., 2] += hip[2] - LOWEST * reach
    ankle = steps.place + np.array([0.0, 0.0, foot[2]])
    way = at - ankle[:, None]
    way[..., 2] = np.maximum(way[..., 2], 0.0)  # the body need not be lowered so far
    far = np.linalg.norm(way, axis=-1) > NEARER * reach
    rows, middle = np.arange(len(far)), np.linalg.norm(way, axis=-1).argmin(axis=1)
    before = far & (np.arange(SAMPLES) < middle[:, None])
    after = far & (np.arange(SAMPLES) > middle[:, None])
    first = np.where(before.any(axis=1), SAMPLES - before[:, ::-1].argmax(axis=1), 0)
    last = np.where(after.any(axis=1), after.argmax(axis=1) - 1, SAMPLES - 1)
    first, last = np.minimum(first, middle), np.maximum(last, middle)
    return replace(steps, start=when[rows, last][:-1], end=when[rows, first][1:])


def duty(rig: CharacterRig, speed: Float) -> Float:
    """Return which share of a cycle a foot is on the ground at speeds (M,) [m/s]."""
    walk = rig.clips["walk"].speed
    run = rig.clips["run"].speed if "run" in rig.clips else 3.0 * walk
    usual = WALK_DUTY.get(len(rig.legs), 0.6)
    fast = RUN_DUTY.get(len(rig.legs), 0.36)
    return np.interp(speed, [0.0, walk, run], [SLOW_DUTY, usual, fast])


def _when(phase: Float, track: Track, time: Float) -> Float:
    """Return the times (M,) [s] of phases (M,)."""
    found: Float = np.interp(phase, track.phase, time)
    return found


class Feet:
    """The steps of one leg of many members, for all of them at once."""

    def __init__(self, steps: Sequence[Steps]) -> None:
        """Begin with the steps of n members."""
        sizes = [len(own.start) for own in steps]
        self._first = np.cumsum([0, *sizes])
        self._count = np.array(sizes)
        self._span = max((float(own.start[-1]) for own in steps if len(own.start)), default=0) + 1e4
        rows = np.repeat(np.arange(len(steps)), sizes)
        self._start = np.concatenate([np.zeros(0), *(own.start for own in steps)])
        self._end = np.concatenate([np.zeros(0), *(own.end for own in steps)])
        self._keys = self._start + rows * self._span
        self._place = np.concatenate([np.zeros((0, 3)), *(own.place for own in steps)])
        self._yaw = np.concatenate([np.zeros(0), *(own.yaw for own in steps)])

    def at(self, time: float) -> tuple[Float, Float, Float, Float, Float, Float]:
        """Return of each foot: from where and whither (n, 3) [m], from which yaw to which [rad].

        And the share of its way through the air, -1 on the ground; and that of its time there.
        """
        rows = np.arange(len(self._count))
        begun = np.searchsorted(self._keys, time + rows * self._span, side="right")
        begun = begun - self._first[:-1]  # how many steps were begun
        own = np.maximum(self._first[:-1] + begun - 1, 0)
        place = self._first[:-1] + rows + begun
        none = np.zeros(len(rows))
        if len(self._start) == 0:
            return self._place, self._place, self._yaw, self._yaw, none - 1.0, none + 0.5
        own = np.minimum(own, len(self._start) - 1)
        some = begun > 0
        start, end = self._start[own], self._end[own]
        flying = some & (time < end)
        swing = np.where(flying, (time - start) / (end - start), -1.0)
        following = np.minimum(self._first[:-1] + begun, len(self._start) - 1)
        until = np.where(begun < self._count, self._start[following], np.inf) - time
        since = np.where(some, time - end, np.inf)
        whole = np.minimum(np.where(np.isfinite(since + until), since + until, np.inf), LONGEST)
        stance = np.where(
            since < until, np.minimum(since / whole, 0.5), np.maximum(1.0 - until / whole, 0.5)
        )
        before = np.where(flying, place - 1, place)
        return (
            self._place[before], self._place[place], self._yaw[before], self._yaw[place],
            swing, stance,
        )  # fmt: skip
