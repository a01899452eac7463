"""Open the viewer on a recording, or on a scene; or take a picture without a screen."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.verbs.options import add_output_options, add_set_option, picture_size, say

if TYPE_CHECKING:
    from viewer import Playback


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "target", metavar="TARGET", help="a recording, a built-in scene, a scenario, or a mesh"
    )
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="a picture, no window")
    parser.add_argument("--time", type=float, default=0.0, metavar="T", help="start here [s]")
    parser.add_argument("--camera", default="iso", help="iso (default), top, group, follow:ROW")
    parser.add_argument("--size", default="1280x720", metavar="WxH", help="pixels")
    parser.add_argument("--fullscreen", action="store_true")
    add_set_option(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show it."""
    from viewer import named_camera, save_picture, show

    size = picture_size(options.size)
    playback = playback_of(options.target, options.overrides)
    if options.screenshot is not None:
        save_picture(playback, options.screenshot, options.time, options.camera, size)
        say(options, f"picture: {options.screenshot}")
        return 0
    camera = named_camera(options.camera, playback, options.time, size[0] / size[1])
    show(playback, size=size, time=options.time, camera=camera, fullscreen=options.fullscreen)
    return 0


def playback_of(target: str, overrides: list[str]) -> "Playback":
    """Return what there is to see: a recording's frames, or a scene without members."""
    from rmp3d.targets import is_recording, scene_of

    if is_recording(target):
        from rmp3d.recording import Recording
        from rmp3d.recording.playback import playback

        with Recording.open(target) as recording:
            return playback(recording)
    import numpy as np

    from viewer import Playback

    scene = scene_of(target, overrides)
    return Playback(
        scene=scene,
        characters=(),
        character_of=np.empty(0, np.intp),
        group_of=np.empty(0, np.intp),
        group_names=(),
        dt=1.0,
        position=np.empty((1, 0, 3)),
        orientation_wxyz=np.empty((1, 0, 4)),
        formation_of=np.empty((1, 0), np.intp),
        title=scene.name,
    )
