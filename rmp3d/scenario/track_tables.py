"""Motions of parts that are taken from the recording of another run, read where the scenario is."""

from importlib import import_module
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import absolute_path

READER = "rmp3d.recording.tracks"
"""Reads them. A recording contains its scenario, so it is imported only where it is needed."""


def with_tracks(scene: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the table of a scene in which motions from recordings are key frames.

    A motion with `recording`, and perhaps `group` and `member`, gets `hinge` and `keys` instead, so
    that a run needs that recording no more than once.

    Args:
        scene: As stated.
        folder: Of the scenario.

    Raises:
        InputError: The file is no recording, there is no such member, or `keys` are given, too.
    """
    motions = scene.get("motions")
    if not isinstance(motions, list):
        return scene
    return {**scene, "motions": [_read(row, each, folder) for row, each in enumerate(motions)]}


def _read(row: int, motion: Any, folder: Path) -> Any:
    if not isinstance(motion, dict) or "recording" not in motion:
        return motion
    where = f"`scene.motions[{row}]`: `{motion.get('part')}`"
    file, group, member = (
        motion.get(key, usual) for key, usual in (("recording", ""), ("group", ""), ("member", 0))
    )
    right = isinstance(file, str) and isinstance(group, str)
    if not right or not isinstance(member, int) or isinstance(member, bool):
        raise InputError(
            f"{where}: `recording` and `group` are text, `member` is a whole number; got "
            f"{file!r}, {group!r} and {member!r}"
        )
    stated = [key for key in ("keys", "hinge") if key in motion]
    if stated:
        raise InputError(
            f"{where}: `{stated[0]}` is given beside `recording`, which says it; leave one out"
        )
    try:
        found = import_module(READER).track_of_file(absolute_path(folder, file), group, member)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    rest = {k: v for k, v in motion.items() if k not in ("recording", "group", "member")}
    return {**rest, **found}
