"""One picture of a playback into a file."""

from pathlib import Path

from rmp3d.geometry.errors import InputError
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
    if path.suffix.lower() not in Image.registered_extensions():
        raise InputError(f"{path}: no picture format has the suffix {path.suffix!r}; use .png")
    picture = Image.fromarray(
        render(playback, time, camera, size, layers=layers, selected=selected, clock=clock)
    )
    try:
        picture.save(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
