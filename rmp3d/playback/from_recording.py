"""The playback of a recording, for the viewer."""

from rmp3d.crossings import placed_lines
from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import read_only
from rmp3d.playback.group_details import group_details
from rmp3d.recording.reader import RecordingReader
from rmp3d.viewer.playback.playback import Event, Playback


def playback(recording: RecordingReader) -> Playback:
    """Return all frames of a recording with its scene and characters.

    Raises:
        RecordingError: There is no frame yet, or scene or characters have changed.
    """
    if recording.frames == 0:
        raise RecordingError(f"{recording.path}: has no frames ({recording.ending})")
    header, scene = recording.header, recording.load_scene()
    characters = recording.load_characters()
    life = recording.life
    changes = (life != [0, recording.frames]).any()
    position = read_only(recording.position())
    return Playback(
        scene=scene,
        characters=characters,
        character_of=header.character_of,
        group_of=header.group_of,
        group_names=tuple(group.name for group in recording.scenario.groups),
        dt=recording.dt,
        position=position,
        orientation_wxyz=read_only(recording.orientation_wxyz()),
        subgoal=read_only(recording.subgoal()),
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
        force=recording.force(),
        measuring_lines=placed_lines(recording.scenario.measure, position[0]),
        clock=recording.clock() if header.moving else None,
        at_rest=tuple(group.at_rest for group in recording.scenario.groups),
        title=f"{recording.scenario.name}, seed {recording.scenario.seed}",
    )
