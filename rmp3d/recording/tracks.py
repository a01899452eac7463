"""The way of a member of a recorded run, as the motion of a part of another scene."""

from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.rotations import angle_between, matrix_from_quaternion, slerp
from rmp3d.geometry.vectors import length
from rmp3d.recording.reader import RecordingReader
from rmp3d.scenes.description import MAX_KEYS

NEAR = 0.002
"""Between two key frames, each recorded frame is this near [m] to the motion of the part."""
TURNED = np.radians(0.25)
"""And turned no farther from it [rad]."""


def track_of_file(path: str, group: str, member: int) -> dict[str, Any]:
    """Return `hinge` and `keys` of a motion, as a scenario file has them; see `track`.

    Raises:
        InputError: The file is no recording, or there is no such member all the time.
    """
    with RecordingReader.open(Path(path)) as recording:
        return track(recording, group, member)


def track(recording: RecordingReader, group: str, member: int) -> dict[str, Any]:
    """Return `hinge` and `keys` of a part that moves as a member did.

    The part is where its scene has it when the member is where its recording begins. From there
    it goes and turns as the member does. Frames that are within `NEAR` and `TURNED` of the way
    between two others are no key frames.

    Args:
        recording: Of another run.
        group: Name of the member's group; "": the first one.
        member: Number in that group, from 0.

    Raises:
        InputError: There is no such member, or it is not there all the time; says when.
    """
    row, name = _row(recording, group, member)
    if recording.frames < 2:
        raise InputError(f"{recording.path}: has {recording.frames} frames; a motion needs two")
    first, end = recording.life[row].tolist()
    if first > 0 or end < recording.frames:
        raise InputError(
            f"{recording.path}: member {member} of `{name}` is there from {first * recording.dt:g} "
            f"s to {(end - 1) * recording.dt:g} s only; choose one that is there all the time"
        )
    place = recording.position()[:, row]
    turn = recording.orientation_wxyz()[:, row]
    keys = _key_frames(place, turn)
    if len(keys) > MAX_KEYS:
        raise InputError(
            f"{recording.path}: the way of member {member} of `{name}` has {len(keys):,} key "
            f"frames; at most {MAX_KEYS:,} are read: record a shorter run"
        )
    start = matrix_from_quaternion(turn[:1])[0]
    angles = _angles(matrix_from_quaternion(turn[keys]) @ start.T)
    rows = zip(keys.tolist(), place[keys] - place[0], angles, strict=True)
    return {
        "hinge": tuple(place[0].tolist()),
        "keys": [
            {
                "time": k * recording.dt,
                "position": tuple(at.tolist()),
                "rotation": tuple(angle.tolist()),
            }
            for k, at, angle in rows
        ],
    }


def _row(recording: RecordingReader, group: str, member: int) -> tuple[int, str]:
    names = [each.name for each in recording.scenario.groups]
    if group and group not in names:
        raise InputError(f"{recording.path}: {unknown_name('group', group, names)}")
    number = names.index(group) if group else 0
    rows = np.flatnonzero(recording.header.group_of == number)
    if not 0 <= member < len(rows):
        raise InputError(
            f"{recording.path}: `{names[number]}` has no member {member}; it has {len(rows)}, "
            f"numbered from 0"
        )
    return int(rows[member]), names[number]


def _key_frames(place: Float, turn: Float) -> Any:
    """Return the frames (K,) from which all of positions (T, 3) and rotations (T, 4) follow."""
    last = len(place) - 1
    keys, open_spans = {0, last}, [(0, last)]
    while open_spans:
        start, end = open_spans.pop()
        if end - start < 2:
            continue
        share = np.arange(1, end - start) / (end - start)
        straight = place[start] + share[:, None] * (place[end] - place[start])
        count = (len(share), 4)
        even = slerp(np.broadcast_to(turn[start], count), np.broadcast_to(turn[end], count), share)
        off = length(place[start + 1 : end] - straight) / NEAR
        off = np.maximum(off, angle_between(turn[start + 1 : end], even) / TURNED)
        worst = int(off.argmax())
        if off[worst] > 1.0:
            middle = start + 1 + worst
            keys.add(middle)
            open_spans += [(start, middle), (middle, end)]
    return np.array(sorted(keys))


def _angles(rotation: Float) -> Float:
    """Return roll, pitch and yaw (K, 3) [degrees] of rotations (K, 3, 3), about fixed axes."""
    pitch = np.arcsin(np.clip(-rotation[:, 2, 0], -1.0, 1.0))
    roll = np.arctan2(rotation[:, 2, 1], rotation[:, 2, 2])
    yaw = np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])
    return np.degrees(np.column_stack([roll, pitch, yaw]))
