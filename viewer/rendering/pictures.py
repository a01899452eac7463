"""One picture of a playback into a file."""

from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import whole_file
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import named_camera
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.rendering.offscreen import render


def save_picture(
    playback: Playback,
    path: Path,
    time: float = 0.0,
    camera: Camera | str = "iso",
    size: tuple[int, int] = (1280, 720),
    *,
    ghosts: Playback | None = None,
    layers: Layers | None = None,
    selected: int = -1,
    clock: bool = False,
) -> None:
    """Write one moment as a picture; the suffix of ``path`` says the format.

    Args:
        playback: What to draw.
        path: Where to, such as ``out.png`` or ``out.jpg``.
        time: When [s], taken into the playback.
        camera: Where from, or the name of one (see `rmp3d.viewer.cameras.presets.named_camera`).
        size: Width and height [pixels].
        ghosts: Another playback, whose members are drawn see-through.
        layers: What is drawn; the usual ones if None.
        selected: Row of the member to highlight, -1 for none.
        clock: Whether the time is written into it.

    Raises:
        ViewerError: There is no OpenGL 3.3 here.
        InputError: No such camera or format, or the file cannot be written.
    """
    from PIL import Image

    if isinstance(camera, str):
        camera = named_camera(camera, playback, time, size[0] / size[1])
    _format_of(path)  # what can be refused is, before any work
    picture = Image.fromarray(
        render(
            playback,
            time,
            camera,
            size,
            ghosts=ghosts,
            layers=layers,
            selected=selected,
            clock=clock,
        )
    )
    write_picture(picture, path)


def write_picture(picture: Any, path: Path) -> None:
    """Write a picture of Pillow; the suffix of ``path`` says the format.

    Raises:
        InputError: No such format, or the file cannot be written.
    """
    kind = _format_of(path)
    with whole_file(path) as file:
        picture.save(file, format=kind)


def _format_of(path: Path) -> str:
    from PIL import Image

    kind = Image.registered_extensions().get(path.suffix.lower())
    if kind is None:
        raise InputError(f"{path}: no picture format has the suffix {path.suffix!r}; use .png")
    return kind
