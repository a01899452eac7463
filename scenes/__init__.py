"""Scene files and mesh readers, which make a `Scene`; the built-in scenes."""

from scenes.builtin import (
    builtin_folder,
    builtin_scenarios,
    builtin_scenes,
    builtin_summary,
)
from scenes.description import GroundDescription, RegionDescription, SceneDescription
from scenes.loading import load_scene
from scenes.meshes import read_meshes
from scenes.region import Region
from scenes.scene import Part, Role, Scene

__all__ = [
    "GroundDescription",
    "Part",
    "Region",
    "RegionDescription",
    "Role",
    "Scene",
    "SceneDescription",
    "builtin_folder",
    "builtin_scenarios",
    "builtin_scenes",
    "builtin_summary",
    "load_scene",
    "read_meshes",
]
