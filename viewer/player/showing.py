"""Opening a window on one playback, or on two that are compared."""

from pathlib import Path

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.comparing import ComparingWindow
from rmp3d.viewer.player.window import ViewerWindow


def show(
    playback: Playback,
    *,
    compared: Playback | None = None,
    size: tuple[int, int] = (1280, 720),
    time: float = 0.0,
    camera: Camera | None = None,
    fullscreen: bool = False,
    layers: Layers | None = None,
    selected: int = -1,
    file: Path | None = None,
) -> None:
    """Open a window, play, and return when the user closes it.

    Args:
        playback: What to play.
        compared: Another one, shown as ghosts or side by side with it.
        size: Width and height [pixels].
        time: Where to start [s].
        camera: Where from; all of the scene if None.
        fullscreen: Whether to cover the screen.
        layers: What is drawn; the usual ones if None.
        selected: Row of a member, -1 for none.
        file: Of what is played; views are kept beside it.

    Raises:
        ViewerError: There is no screen or no OpenGL 3.3; says what to do instead.
    """
    if compared is None:
        window = ViewerWindow(
            playback, size=size, time=time, camera=camera, fullscreen=fullscreen, file=file
        )
    else:
        window = ComparingWindow(
            playback,
            compared,
            size=size,
            time=time,
            camera=camera,
            fullscreen=fullscreen,
            file=file,
        )
    window.controls.layers = layers or Layers()
    window.controls.selected = selected
    window.controls.clock.toggle()
    window.run()
