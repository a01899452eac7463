"""A picture of the window with the panel, made without a screen: for pages that explain it."""

from pathlib import Path
from time import monotonic, sleep

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.errors import ViewerError
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.panel.events import LIVELY_FRAMES
from rmp3d.viewer.panel.opening import Opening
from rmp3d.viewer.panel.protocol import Table
from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.panel.window import PanelWindow
from rmp3d.viewer.rendering.pictures import write_picture
from rmp3d.viewer.settings import WindowSettings

PATIENCE = 300.0  # [s] for planning and simulating
PAUSE = 0.005  # [s] between two looks at the session


def save_panel_picture(
    session: Session,
    table: Table,
    path: Path,
    *,
    opening: Opening,
    size: tuple[int, int],
    layers: Layers | None = None,
    settings: WindowSettings | None = None,
) -> None:
    """Save the window as it is at a moment of the run, or the draft.

    Args:
        session: Does the work; closed at the end.
        table: Of the scenario.
        path: Of the picture.
        opening: The moment, the camera and the selected member.
        size: Width and height of the window [pixels].
        layers: What is drawn; as at first if None.
        settings: Language and theme; the first ones if None.

    Raises:
        InputError: The scenario cannot be planned or run, there is no such member, or the
            picture cannot be written.
        ViewerError: There is no OpenGL 3.3, or it takes too long.
    """
    window = PanelWindow(session, table, size=size, visible=False, settings=settings)
    state, until = window.state, monotonic() + PATIENCE
    window.controls.layers = layers or Layers()
    try:
        window.begin(opening)
        while window.opening is not None:
            window.listen()
            if monotonic() > until:
                raise ViewerError(f"{opening.time:g} s are not simulated after {PATIENCE:g} s")
            sleep(PAUSE)
        if state.notice.is_error:
            raise InputError(state.notice.text)
        window.controls.clock.playing = False
        _save(window, path)
    finally:
        window.close()


def _save(window: PanelWindow, path: Path) -> None:
    """Save the whole window, with the panel.

    Raises:
        InputError: It cannot be written.
    """
    from PIL import Image

    from rmp3d.viewer.gpu.targets import read_pixels

    for _ in range(LIVELY_FRAMES):  # until the widgets have settled
        window.controls.changed = True
        window.frame(0.0)
    window.settle()
    width, height = window.window.get_framebuffer_size()
    write_picture(Image.fromarray(read_pixels(0, (int(width), int(height)))), path)
