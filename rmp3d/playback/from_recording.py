"""The playback of a recording, for the viewer."""

from typing import Any

from rmp3d.crossings import placed_lines
from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import read_only
from rmp3d.playback.group_details import group_details
from rmp3d.recording.coding import KEY_INTERVAL
from rmp3d.recording.layout import BLOCK_FRAMES
from rmp3d.recording.reader import RecordingReader
from rmp3d.viewer.playback.playback import Event, Playback
from rmp3d.viewer.playback.stored_frames import FrameLoader, StoredFrames

READ_AT_ONCE = 2**26
"""Bytes of positions and orientations: more of them are read when they are looked at."""
KEPT = 2**29
"""Bytes of these that are kept."""
POSES = {"position": 3, "orientation_wxyz": 4}
"""What says where members are, and how many numbers that is."""


def playback(recording: RecordingReader, *, lazily: bool = False) -> Playback:
    """Return all frames of a recording with its scene and characters.

    Args:
        recording: Open; it must stay so where frames are read later.
        lazily: Whether frames of a large recording are read when they are looked at.

    Raises:
        RecordingError: There is no frame yet, or scene or characters have changed.
    """
    if recording.frames == 0:
        raise RecordingError(f"{recording.path}: has no frames ({recording.ending})")
    header, scene = recording.header, recording.load_scene()
    characters = recording.load_characters()
    life = recording.life
    changes = (life != [0, recording.frames]).any()
    frames = _stored(recording) if lazily else {}
    if not frames:
        frames = {name: read_only(getattr(recording, name)()) for name in POSES}
        frames |= {"subgoal": read_only(recording.subgoal()), "force": recording.force()}
    return Playback(
        scene=scene,
        characters=characters,
        character_of=header.character_of,
        group_of=header.group_of,
        group_names=tuple(group.name for group in recording.scenario.groups),
        dt=recording.dt,
        **frames,
        formation=header.formations,
        formation_of=recording.formation_of(),
        events=tuple(
            Event(event.time, event.kind, max(event.group, 0), event.member, event.text)
            for event in recording.events()
        ),
        paths=header.paths,
        details=tuple(
            group_details(recording, scene, group, header.radius_of_group(group, characters))
            for group in range(len(recording.scenario.groups))
        ),
        life=life if changes else None,
        force_names=header.behaviors,
        measuring_lines=placed_lines(recording.scenario.measure, frames["position"][0]),
        clock=recording.clock() if header.moving else None,
        at_rest=tuple(group.at_rest for group in recording.scenario.groups),
        title=f"{recording.scenario.name}, seed {recording.scenario.seed}",
    )


def _stored(recording: RecordingReader) -> dict[str, Any]:
    """Return frames that are read when they are looked at; nothing if there are few."""
    count, behaviors = recording.header.member_count, len(recording.header.behaviors)
    bytes_of_frame = 8 * count * sum(POSES.values())
    if recording.frames * bytes_of_frame <= READ_AT_ONCE:
        return {}
    group = KEY_INTERVAL // BLOCK_FRAMES
    kept = max(2 * group, KEPT // (BLOCK_FRAMES * bytes_of_frame))

    def stored(name: str, *shape: int, most: int = kept) -> StoredFrames:
        whole = recording.frames, *shape
        return StoredFrames(whole, getattr(recording, name), block=BLOCK_FRAMES, kept=most)

    poses = {name: stored(name, count, axes) for name, axes in POSES.items()}
    return {
        **poses,
        "subgoal": stored("subgoal", count, 3, most=group),
        "force": stored("force", behaviors, count, 3, most=group) if behaviors else None,
        "loader": FrameLoader(tuple(poses.values()), group),
    }
