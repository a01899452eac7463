"""Scene files and mesh readers, which make a `Scene`; the built-in scenes."""

from rmp3d.scenes.builtin import (
    builtin_folder,
    builtin_scenarios,
    builtin_scenes,
    builtin_summary,
)
from rmp3d.scenes.description import (
    GroundDescription,
    KeyFrame,
    MotionDescription,
    PlacedMesh,
    PresenceDescription,
    RegionDescription,
    SceneDescription,
)
from rmp3d.scenes.loading import load_scene
from rmp3d.scenes.meshes import read_meshes
from rmp3d.scenes.part import Part, Role
from rmp3d.scenes.region import Box, Region, Sphere
from rmp3d.scenes.scene import Scene
from rmp3d.scenes.source import SceneSource

__all__ = [
    "Box",
    "GroundDescription",
    "KeyFrame",
    "MotionDescription",
    "Part",
    "PlacedMesh",
    "PresenceDescription",
    "Region",
    "RegionDescription",
    "Role",
    "Scene",
    "SceneDescription",
    "SceneSource",
    "Sphere",
    "builtin_folder",
    "builtin_scenarios",
    "builtin_scenes",
    "builtin_summary",
    "load_scene",
    "read_meshes",
]
