"""Playbacks on the screen, in pictures and in files; reads recordings, never steps one."""

from viewer.camera import Camera
from viewer.errors import ViewerError
from viewer.export import EXPORTERS, Exporter, export_playback
from viewer.layers import Layers
from viewer.offscreen import Offscreen, render
from viewer.pictures import save_picture
from viewer.platforms import screen_problem, use_screen
from viewer.playback import Event, Playback, Pose
from viewer.plots import save_map
from viewer.presets import named_camera
from viewer.window import ViewerWindow, show

__all__ = [
    "EXPORTERS",
    "Camera",
    "Event",
    "Exporter",
    "Layers",
    "Offscreen",
    "Playback",
    "Pose",
    "ViewerError",
    "ViewerWindow",
    "export_playback",
    "named_camera",
    "render",
    "save_map",
    "save_picture",
    "screen_problem",
    "show",
    "use_screen",
]
