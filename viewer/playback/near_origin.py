"""A playback moved near the origin: graphics cards and glTF have single precision.

A single-precision number has 24 bits: 447,500 m from the origin, as in geo-referenced scenes, they
tell apart places 3 cm from each other, and pictures are shredded. So what is drawn or written in
single precision is first moved, in double precision, by a round number of meters. Everything else
keeps the scene's coordinates.
"""

import copy
from dataclasses import replace
from functools import partial

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.scenes import Region, Scene
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.stored_frames import Frames, MovedFrames, StoredFrames

NEAR = 1000.0
"""Scenes whose bounds have their middle this near [m] to the origin are not moved: 0.06 mm show."""
ROUND = 100.0
"""Scenes are moved by multiples [m], so that lines of a grid stay where they were."""


def drawing_origin(scene: Scene) -> Float:
    """Return the point (3,) [m] that becomes the origin of pictures of a scene."""
    middle = scene.bounds.mean(axis=0)
    if np.abs(middle).max() <= NEAR:
        return frozen(np.zeros(3))
    return frozen(np.round(middle / ROUND) * ROUND)


def near_origin(playback: Playback, origin: Float, scene: Scene | None = None) -> Playback:
    """Return the playback seen from an origin (3,) [m]; itself if that is zero.

    Args:
        playback: In the scene's coordinates.
        origin: Of `drawing_origin`.
        scene: Its scene, moved before; moved here if None.
    """
    if not origin.any():
        return playback
    moved = copy.copy(playback)  # neither copied nor checked again, for runs that go on
    changed = {
        "scene": scene or _moved_scene(playback.scene, origin),
        "position": _moved_frames(playback.position, origin),
        "subgoal": None if playback.subgoal is None else _moved_frames(playback.subgoal, origin),
        "paths": tuple(frozen(path - origin) for path in playback.paths),
        "details": tuple(_moved_details(details, origin) for details in playback.details),
    }
    for name, value in changed.items():
        object.__setattr__(moved, name, value)
    return moved


def _moved_frames(frames: Frames, origin: Float) -> Frames:
    if isinstance(frames, StoredFrames):
        return MovedFrames(frames, origin)
    moved: Float = frozen(np.asarray(frames) - origin)
    return moved


def moved_region(region: Region, origin: Float) -> Region:
    """Return a region seen from an origin (3,) [m]."""
    return replace(region, bounds=frozen(region.bounds - origin))


def _moved_scene(scene: Scene, origin: Float) -> Scene:
    parts = tuple(
        replace(
            part,
            mesh=part.mesh.transformed(translation=-origin),
            motion=part.motion and part.motion.shifted(-origin),
        )
        for part in scene.parts
    )
    regions = {name: moved_region(region, origin) for name, region in scene.regions.items()}
    return replace(scene, parts=parts, regions=regions, bounds=scene.bounds - origin, source=None)


def _moved_details(details: GroupDetails, origin: Float) -> GroupDetails:
    corridor = details.corridor
    return replace(
        details,
        nodes=details.nodes - origin,
        start=details.start and moved_region(details.start, origin),
        goal=details.goal and moved_region(details.goal, origin),
        corridor=corridor and replace(corridor, position=corridor.position - origin),
        rejected=partial(_moved_samples, details, origin),
    )


def _moved_samples(details: GroupDetails, origin: Float) -> Float:
    return details.rejected() - origin
