"""A picture of the studio, without a screen: for pages that explain it."""

from pathlib import Path
from time import monotonic, sleep

from geometry.errors import InputError
from viewer.errors import ViewerError
from viewer.layers import Layers
from viewer.panel.session import Session, Table
from viewer.panel.studio import Studio
from viewer.panel.window import StudioWindow
from viewer.presets import named_camera

PATIENCE = 300.0  # [s] for planning and simulating
PAUSE = 0.005  # [s] between two looks at the session


def save_studio_picture(
    session: Session,
    table: Table,
    path: Path,
    *,
    time: float,
    size: tuple[int, int],
    camera: str = "iso",
    layers: Layers | None = None,
) -> None:
    """Save the window as it is at a moment of the run; at time 0 the draft.

    Args:
        session: Does the work; closed at the end.
        table: Of the scenario.
        path: Of the picture.
        time: Of the run [s].
        size: Width and height of the window [pixels].
        camera: Of `viewer.presets.named_camera`.
        layers: What is drawn; as at first if None.

    Raises:
        InputError: The scenario cannot be planned or run, there is no such camera, or the
            picture cannot be written.
        ViewerError: There is no OpenGL 3.3, or it takes too long.
    """
    window = StudioWindow(session, table, size=size, visible=False)
    studio, until = window.studio, monotonic() + PATIENCE
    window.controls.layers = layers or Layers()
    if time > 0.0:
        studio.run()
    try:
        while not _is_there(studio, time):
            window.listen()
            window.controls.player.seek(time)
            if studio.notice.is_error:
                raise InputError(studio.notice.text)
            if monotonic() > until:
                raise ViewerError(f"{time:g} s are not simulated after {PATIENCE:g} s")
            sleep(PAUSE)
        window.controls.player.seek(time)
        window.controls.player.playing = False
        width, height = window.controls.size
        playback = window.controls.playback
        window.controls.camera = named_camera(camera, playback, time, width / height)
        window.save_picture(path)
    finally:
        window.close()


def _is_there(studio: Studio, time: float) -> bool:
    if time <= 0.0:
        return bool(studio.places)
    return studio.phase == "over" or (studio.is_live and studio.simulated >= time)
