"""A scene from its description."""

from pathlib import Path

from rmp3d.scenes.description import SceneDescription
from rmp3d.scenes.scene import Scene
from rmp3d.scenes.source import SceneSource


def load_scene(
    description: SceneDescription, folder: Path, held: SceneSource | None = None
) -> Scene:
    """Return the scene of a description; see `Scene.described`.

    Raises:
        InputError: Names the key or the mesh file, what is wrong, and what would be right.
    """
    return Scene.described(description, folder, held)
