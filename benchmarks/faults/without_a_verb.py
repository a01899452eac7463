"""What is read without a verb of its own: scenes, frames of a recording, kept results, settings."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

LOAD = "load"  # only read the scene
LOOK = "look"  # look at all frames of a recording, as the window does
REREAD = "reread"  # read a mesh, its tree and its links, kept from an earlier time
SETTINGS = "settings"  # read what the window remembers
KEPT = "kept"
"""Folder of what is kept, in the working folder."""


def load(mesh: str) -> int:
    """Read a scene and say what is wrong with it, as every verb does; none of them is so quick."""
    from rmp3d import cli
    from rmp3d.scenes import SceneDescription, load_scene

    try:
        load_scene(SceneDescription(mesh=mesh), Path.cwd())
    except Exception as error:
        return cli._explain(error, "inspect")
    return 0


def look(recording: str) -> int:
    """Look at every frame of a recording as the window of `view` does, which decodes them then."""
    from rmp3d import cli
    from rmp3d.playback import from_recording
    from rmp3d.recording import RecordingReader

    from_recording.READ_AT_ONCE = 0  # as if it were large
    try:
        with RecordingReader.open(Path(recording)) as opened:
            seen = from_recording.playback(opened, lazily=True)
            for frame in range(opened.frames):
                at = seen.loader.ready(frame) if seen.loader is not None else frame
                for rows in (seen.position, seen.orientation_wxyz, seen.subgoal):
                    if not np.isfinite(rows[at]).all():
                        raise AssertionError("numbers that are none are looked at")
            if seen.loader is not None:
                seen.loader.close()
    except Exception as error:
        return cli._explain(error, "view")
    return 0


def reread(mesh: str) -> int:
    """Read a mesh with what is kept of it; fail if that is another than without anything kept."""
    from rmp3d.geometry import disk_cache

    os.environ[disk_cache.SWITCH] = KEPT
    with_kept = _computed(mesh)
    os.environ[disk_cache.SWITCH] = "off"
    for one, other in zip(with_kept, _computed(mesh), strict=True):
        np.testing.assert_array_equal(one, other)
    return 0


def _computed(mesh: str) -> list[Any]:
    """Return the arrays of a mesh, its tree and its links, as if it were large."""
    from rmp3d.geometry import surface_links, tree
    from rmp3d.geometry.mesh import TriangleMesh
    from rmp3d.scenes import SceneDescription, load_scene

    tree.KEPT_FROM = surface_links.KEPT_FROM = 0  # type: ignore[attr-defined]
    scene = load_scene(SceneDescription(mesh=mesh), Path.cwd())
    ground = scene.walkable
    assert ground is not None
    anew = TriangleMesh(ground.vertices, ground.faces)  # its tree is not remembered
    built, links = tree.build_tree(anew), surface_links.surface_links(anew, 0.2)
    return [ground.vertices, ground.faces, built.order, built.boxes, *links]


def settings(name: str) -> int:
    """Read what the window remembers, remember one file more, and read it again."""
    from rmp3d.viewer.settings import MOST_RECENT, SWITCH, THEMES, read_settings
    from rmp3d.viewer.texts import LANGUAGES

    os.environ[SWITCH] = "."
    found = read_settings()
    assert found.path == Path.cwd() / name
    assert found.language in LANGUAGES
    assert found.theme in THEMES
    assert all(Path(each).is_absolute() and each.isprintable() for each in found.recent)
    assert len(found.recent) <= MOST_RECENT
    found.remember("one more.toml")
    again = read_settings()
    assert again == found
    assert again.recent[0] == str(Path.cwd() / "one more.toml")
    return 0


WITHOUT_A_VERB: dict[str, Callable[[str], int]] = {
    LOAD: load,
    LOOK: look,
    REREAD: reread,
    SETTINGS: settings,
}
"""What stands in place of a verb in the command line of a fork."""
