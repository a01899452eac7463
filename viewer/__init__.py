"""Playbacks on the screen, in pictures and in files; reads recordings, never steps one."""

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import named_camera
from rmp3d.viewer.errors import ViewerError
from rmp3d.viewer.export import EXPORTERS, Exporter, export_playback
from rmp3d.viewer.gpu.platforms import screen_problem, use_screen
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.playback.playback import Event, Playback, Pose
from rmp3d.viewer.player.showing import show
from rmp3d.viewer.player.window import ViewerWindow
from rmp3d.viewer.plots.maps import save_map
from rmp3d.viewer.rendering.offscreen import Offscreen, render
from rmp3d.viewer.rendering.pictures import save_picture

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
