"""The motions of a scene from its description, and what is wrong with them."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Float, read_only
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import angle_between, quaternion_from_matrix
from rmp3d.geometry.vectors import length
from rmp3d.scenes.description import MotionDescription, SceneDescription
from rmp3d.scenes.motion import AT_REST, LASTING, PartMotion
from rmp3d.scenes.part import Part
from rmp3d.scenes.part_overlap import check_begins
from rmp3d.scenes.patterns import Patterns
from rmp3d.scenes.placing import turn_matrix
from rmp3d.scenes.stops import check_carries

MAX_FRAMES = 2_000_000
"""Key frames of all parts that move, those of a pattern counted for each part that it fits."""
FASTEST = 150.0
"""A part whose points move faster than this [m/s] is taken to jump."""
WIDEST = 179.0
"""From one key frame to the next a part turns by less than this [degrees]; else the way round is
not known."""


def stated_motions(description: SceneDescription) -> list[MotionDescription]:
    """Return the motions of a description."""
    return [] if isinstance(description.motions, msgspec.UnsetType) else description.motions


def moved_parts(
    parts: Sequence[Part], description: SceneDescription
) -> tuple[tuple[Part, ...], list[str]]:
    """Return the parts with the motions of a description, and notes on where they begin.

    An obstacle that moves becomes decor: it is in no place for ever.

    Raises:
        InputError: Names the key, the part and the time, and what is wrong.
    """
    found, motions, frames = list(parts), stated_motions(description), 0
    names = [part.name for part in found]
    patterns = Patterns([motion.part for motion in motions], names, "`scene.motions`")
    for row, motion in enumerate(motions):
        where = f"`scene.motions[{row}]`"
        rows = patterns.rows(row, where)
        frames += len(rows) * len(motion.keys)
        if frames > MAX_FRAMES:
            raise InputError(
                f"{where}: with the {len(rows):,} parts that `{motion.part}` fits there are "
                f"{frames:,} key frames of parts, but at most {MAX_FRAMES:,} are allowed"
            )
        for k in rows:
            if found[k].motion is not None:
                raise InputError(
                    f"{where}: `{found[k].name}` has a motion already; give each part one"
                )
            made = _motion(motion, found[k], f"{where}: `{found[k].name}`")
            found[k] = found[k].moving(made)
    return tuple(found), check_begins(found)


@lru_cache(maxsize=1)
def _quaternions(angles: tuple[tuple[float, ...], ...]) -> Float:
    """Return the turns (K, 4) of roll, pitch and yaw [degrees]; once for all parts of a motion."""
    return read_only(quaternion_from_matrix(np.array([turn_matrix(each) for each in angles])))


def _motion(motion: MotionDescription, part: Part, where: str) -> PartMotion:
    """Return the motion of a part.

    Raises:
        InputError: Names the part and the time.
    """
    time = np.array([key.time for key in motion.keys], float)
    _check_times(time, where)
    place = np.array([key.position for key in motion.keys], float)
    angles = np.array([key.rotation for key in motion.keys], float)
    hinge = part.mesh.bounds.mean(axis=0) if motion.hinge is None else np.array(motion.hinge, float)
    if not (np.isfinite(place).all() and np.isfinite(angles).all() and np.isfinite(hinge).all()):
        raise InputError(f"{where}: positions, rotations and `hinge` must be finite numbers")
    turn = _quaternions(tuple(tuple(key.rotation) for key in motion.keys))
    made = PartMotion(
        part.role, time, place, turn, hinge, motion.repeat, float(motion.phase),
        motion.carries, motion.together,
    )  # fmt: skip
    _check_steps(made, part, where)
    if motion.carries:
        check_carries(made, where)
    if motion.repeat == "cycle":
        gap = float(length(place[-1] - place[0]))
        angle = float(angle_between(turn[-1], turn[0]))
        if gap > AT_REST or angle > AT_REST:
            raise InputError(
                f"{where}: jumps at {time[-1]:g} s, from where its key frames end to where they "
                f"begin again ({gap:.3g} m, {np.degrees(angle):.3g} degrees); let the last key "
                "frame be as the first, or say `repeat = 'back_and_forth'`"
            )
    elif motion.repeat in LASTING and motion.phase > time[-1]:
        raise InputError(
            f"{where}: `phase` is {motion.phase:g} s, but its key frames end at {time[-1]:g} s"
        )
    return made


def _check_times(time: Float, where: str) -> None:
    """Refuse key frames that are too few, or not in order.

    Raises:
        InputError: Names the time.
    """
    if len(time) < 2:
        raise InputError(f"{where}: a motion needs at least two key frames, got {len(time)}")
    if not np.isfinite(time).all() or time[0] != 0.0:
        raise InputError(f"{where}: the first key frame must be at time 0, got {time[0]:g} s")
    back = np.flatnonzero(np.diff(time) <= 0.0)
    if len(back):
        k = int(back[0])
        raise InputError(
            f"{where}: the key frame at {time[k + 1]:g} s follows one at {time[k]:g} s; "
            "times must increase"
        )


def _check_steps(motion: PartMotion, part: Part, where: str) -> None:
    """Refuse a part that jumps, or turns so far that the way round is not known.

    Raises:
        InputError: Names the time.
    """
    reach = float(length(part.mesh.vertices[part.mesh.faces].reshape(-1, 3) - motion.hinge).max())
    turn = np.degrees(angle_between(motion.quaternion_wxyz[:-1], motion.quaternion_wxyz[1:]))
    speed = motion.speeds(reach)
    for k in np.flatnonzero((turn > WIDEST) | (speed > FASTEST)).tolist():
        start, end = motion.time[k], motion.time[k + 1]
        if turn[k] > WIDEST:
            raise InputError(
                f"{where}: turns by {turn[k]:.4g} degrees from {start:g} s to {end:g} s, so the "
                "way round is not known; put a key frame between"
            )
        raise InputError(
            f"{where}: jumps from {start:g} s to {end:g} s, at {speed[k]:.3g} m/s; at most "
            f"{FASTEST:g} m/s is a motion"
        )


def check_lasting(parts: Sequence[Part], duration: float) -> None:
    """Refuse a motion whose key frames end before a run of so long [s] does.

    Raises:
        InputError: Names the part and the time.
    """
    for part in parts:
        motion = part.motion
        if motion is not None and motion.repeat == "no" and motion.end - motion.phase < duration:
            raise InputError(
                f"`scene.motions`: `{part.name}` runs out of its key frames at "
                f"{motion.end - motion.phase:g} s, but the run may last {duration:g} s; add a key "
                "frame, or say `repeat`: 'stay', 'cycle' or 'back_and_forth'"
            )
