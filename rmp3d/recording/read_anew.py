"""Scene and characters of a recording, read anew and compared with those of its run."""

from dataclasses import replace
from pathlib import Path

from rmp3d.errors import RecordingError, prefix_errors_with_file
from rmp3d.geometry.input_files import shown_path
from rmp3d.models import Character
from rmp3d.models.carried import as_carried
from rmp3d.models.vehicle import ROLLED_OVER
from rmp3d.recording.header import Header, fingerprint
from rmp3d.scenes import Scene, load_scene


def scene_of_run(path: Path, header: Header) -> Scene:
    """Return the scene of a run.

    Args:
        path: Of its recording, for errors.
        header: Of its recording.

    Raises:
        InputError: Its files are missing or cannot be read.
        RecordingError: The scene has changed since the run.
    """
    with prefix_errors_with_file(shown_path(path)):
        scene = load_scene(header.scenario.scene, Path("/"), header.held.scene)
    if scene.hash != header.scene_hash:
        raise RecordingError(
            f"{path}: the scene has changed since the run "
            f"(hash {scene.hash[:12]}, recorded {header.scene_hash[:12]})"
        )
    if not header.has_moving_parts_of(scene):
        raise RecordingError(
            f"{shown_path(path)}: damaged recording (its moving parts are not the scene's)"
        )
    return scene


def characters_of_run(path: Path, header: Header) -> tuple[Character, ...]:
    """Return each kind of character of a run; the arguments are those of `scene_of_run`.

    Raises:
        InputError: A character is unknown, or its files are missing.
        RecordingError: A character has changed since the run.
    """
    with prefix_errors_with_file(shown_path(path)):
        characters = [header.held.character(name) for name in header.characters]
    if any(group.behavior["name"] == "carried" for group in header.scenario.groups):
        characters = [as_carried(character) for character in characters]
    found = [_as_recorded(*each) for each in zip(characters, header.character_hashes, strict=True)]
    for character, same in zip(characters, found, strict=True):
        if same is None:
            raise RecordingError(f"{path}: character `{character.name}` has changed since the run")
    return tuple(same for same in found if same is not None)


def is_of_character(recorded: str, character: Character) -> bool:
    """Return whether a recorded fingerprint is that of a character, in this version or before."""
    return _as_recorded(character, recorded) is not None


def _as_recorded(character: Character, recorded: str) -> Character | None:
    """Return a character as a run had it; None if it was another one."""
    if fingerprint(character) == recorded:
        return character
    before = _before_steps(character)
    return before if fingerprint(before) == recorded else None


def _before_steps(character: Character) -> Character:
    """Return a character as it was in versions without `max_step`."""
    return Character(
        character.mesh,
        name=character.name, vehicle=character.vehicle, body=character.body,
        colors=character.colors, parameters=replace(character.parameters, max_step=ROLLED_OVER),
        description=character.description, rig=character.rig,
    )  # fmt: skip
