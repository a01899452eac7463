"""When members step: the phase of their gait, from where a recording has them.

The phase of a gait grows by one with each cycle of all legs. It is a function of the recorded way
alone, so that any moment can be shown at once, and twice the same. A walker that stops ends its
step with both feet beside each other (a *rest*, at a whole or half phase); it steps again when it
goes, turns, or is pushed out of place.
"""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled
from rmp3d.models.skeleton import CharacterRig

AROUND = 0.25
"""Half of the time [s] over which speeds are averaged: steps begin before the body goes."""
BEYOND = 2.0
"""For how long [s] a way is taken to go on after its last frame."""
GO, STOP = 0.10, 0.06
"""Speeds [m/s] above which a walker steps, and below which it comes to rest."""
OUT_OF_PLACE, TWISTED = 0.06, 0.25
"""How far [m], [rad] a walker at rest may be moved or turned until it steps."""
TURNING = 0.06
"""Turning makes steps like walking as fast as points so far [m] outside of the feet go."""
SLOWEST = 0.45
"""Steps a second at the slowest walk, of those of a usual one."""


@dataclass(frozen=True, eq=False)
class Track:
    """The way of one member, T frames and what is taken to follow them.

    Attributes:
        position: (T, 3) [m].
        yaw: (T,) heading [rad], without jumps.
        speed: (T,) averaged [m/s].
        turning: (T,) to the left, averaged [rad/s].
        phase: (T,) of its gait, in cycles.
        rests: (R,) phases at which it stood.
        rest_frame: (R,) frames in which it came to stand.
    """

    position: Float
    yaw: Float
    speed: Float
    turning: Float
    phase: Float
    rests: Float
    rest_frame: Float


def pace(rig: CharacterRig, speed: Float) -> Float:
    """Return how many cycles a second (M,) its legs make at speeds (M,) [m/s].

    Between the clips it goes evenly; beyond the fastest one the stride stays.
    """
    moving = sorted((c for c in rig.clips.values() if c.stride > 0.0), key=lambda c: c.speed)
    speeds, paces = [0.0], [SLOWEST / moving[0].duration]
    for clip in moving:
        speeds.append(clip.speed)
        paces.append(1.0 / clip.duration)
    found = np.interp(speed, speeds, paces)
    return np.where(speed > speeds[-1], speed / moving[-1].stride, found)


def averaged(values: Float, dt: float) -> Float:
    """Return the means (M,) of values (M,) over `AROUND` before and after."""
    reach = max(1, round(AROUND / dt))
    padded = np.concatenate([np.full(reach, values[0]), values, np.full(reach, values[-1])])
    total = np.concatenate([[0.0], np.cumsum(padded)])
    return (total[2 * reach + 1 :] - total[: -2 * reach - 1]) / (2 * reach + 1)


def walked(rig: CharacterRig, position: Float, yaw: Float, dt: float) -> Track:
    """Return the track of a walker from its places (T, 3) [m] and headings (T,) [rad]."""
    position, yaw = _continued(position, np.unwrap(yaw), dt)
    step = np.diff(position[:, :2], axis=0)
    speed = averaged(np.append(np.hypot(step[:, 0], step[:, 1]), 0.0) / dt, dt)
    turning = np.append(np.diff(yaw), 0.0) / dt
    feet = rig.skeleton.position[[leg.foot for leg in rig.legs]]
    lever = float(np.hypot(feet[:, 0], feet[:, 1]).max()) + TURNING
    effort = speed + lever * averaged(np.abs(turning), dt)
    reach = max(1, round(AROUND / dt))
    busiest = maximum_filter1d(effort, 2 * reach + 1, mode="nearest")
    phase, rests, frames = _phases(position, yaw, effort, pace(rig, busiest) * dt)
    return Track(position, yaw, speed, averaged(turning, dt), phase, rests, frames)


def moved(rig: CharacterRig, position: Float, yaw: Float, heading: Float, dt: float) -> Track:
    """Return the track of one that rolls, swims or flies.

    The phase of wheels goes with the way, backward too; that of fins with the speed, and slowly at
    rest; that of wings and rotors with the time.

    Args:
        rig: Its first clip that is named so: ``roll``, ``swim``, else in time.
        position: (T, 3) [m].
        yaw: (T,) [rad].
        heading: (T, 3) unit.
        dt: Between frames [s].
    """
    step = np.diff(position, axis=0, append=position[-1:])
    speed = averaged(np.linalg.norm(step, axis=1) / dt, dt)
    clip = main_clip(rig)
    if clip is None:
        advance = 0.0 * speed
    elif clip == "roll":
        advance = np.einsum("ti,ti->t", step, heading) / rig.clips[clip].stride
    elif clip == "swim":
        own = rig.clips[clip]
        advance = dt * np.maximum(speed / own.stride, 0.3 / own.duration)
    else:
        advance = np.full(len(speed), dt / rig.clips[clip].duration)
    phase = np.concatenate([[0.0], np.cumsum(advance[:-1])])
    nothing = np.zeros(0)
    return Track(position, np.unwrap(yaw), speed, 0.0 * speed, phase, nothing, nothing)


def main_clip(rig: CharacterRig) -> str | None:
    """Return the name of the clip of one without legs, None if it has none."""
    return next((name for name in ("roll", "swim", "fly", "hover", "walk") if name in rig.clips),
                None)  # fmt: skip


def _continued(position: Float, yaw: Float, dt: float) -> tuple[Float, Float]:
    """Return a way that goes on as it does at its end, for `BEYOND`."""
    count = int(np.ceil(BEYOND / dt))
    before = min(len(position) - 1, max(1, round(0.1 / dt)))
    more = np.arange(1, count + 1)[:, None]
    step = (position[-1] - position[-1 - before]) / before if before else np.zeros(3)
    return (
        np.concatenate([position, position[-1] + more * step]),
        np.concatenate([yaw, np.full(count, yaw[-1])]),
    )


@compiled
def _phases(position, yaw, effort, advance):
    """Return the phases (T,), and the phases and frames of rests."""
    count = len(yaw)
    phase = np.zeros(count)
    rests = np.zeros(count // 2 + 2)
    frames = np.zeros(count // 2 + 2)
    found, resting, left = 1, True, 0.0
    for t in range(1, count):
        at = phase[t - 1]
        if resting:
            k = int(frames[found - 1])
            gone = np.hypot(position[t, 0] - position[k, 0], position[t, 1] - position[k, 1])
            if effort[t] > GO or gone > OUT_OF_PLACE or abs(yaw[t] - yaw[k]) > TWISTED:
                resting, left = False, at
        if not resting:
            after = at + advance[t]
            half = np.ceil(2.0 * at + 1e-9) / 2.0
            if effort[t] < STOP and after >= half and half >= left + 1.0 - 1e-6:
                after = half
                resting = True
                rests[found], frames[found] = half, t
                found += 1
            at = after
        phase[t] = at
    return phase, rests[:found].copy(), frames[:found].copy()
