"""What stands before a camera at a moment: the scene, with its moving parts where they are then."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene
from rmp3d.scenes.motion import PartMotion
from rmp3d.viewer.playback.playback import Playback


class SceneNow:
    """The fixed parts of a scene as one mesh, and each of its moving parts."""

    def __init__(self, scene: Scene) -> None:
        fixed = [part.mesh for part in scene.parts if part.motion is None]
        self._fixed = MeshQuery(join(fixed)) if fixed else None
        self._moving: list[tuple[MeshQuery, PartMotion]] = [
            (MeshQuery(part.mesh), part.motion)
            for part in (scene.parts[row] for row in scene.moving.tolist())
            if part.motion is not None
        ]

    def reach(self, starts: Float, directions: Float, clocks: Float) -> Float:
        """Return how far (R,) [m] one sees from starts (R, 3) in directions (R, 3); inf: nothing.

        Args:
            starts: [m].
            directions: Unit vectors.
            clocks: (K,) of the moving parts [s].
        """
        found = np.full(len(starts), np.inf)
        if self._fixed is not None:
            found = self._fixed.cast_ray(starts, directions)[0]
        for query, turn, move in self._there(clocks):
            own = query.cast_ray((starts - move) @ turn, directions @ turn)[0]
            found = np.minimum(found, own)
        return found

    def gap(self, points: Float, clocks: Float, most: float) -> Float:
        """Return the distances (P,) [m] from points (P, 3) to the nearest surface, up to ``most``.

        Args:
            points: [m].
            clocks: (K,) of the moving parts [s].
            most: What is farther off than this [m] may be said to be even farther.
        """
        found = np.full(len(points), np.inf)
        if self._fixed is not None:
            found = self._fixed.closest_point(points, most)[0]
        for query, turn, move in self._there(clocks):
            found = np.minimum(found, query.closest_point((points - move) @ turn, most)[0])
        return found

    def _there(self, clocks: Float) -> list[tuple[MeshQuery, Float, Float]]:
        """Return the moving parts that are there, how they are turned and where they are."""
        found = []
        for k, (query, motion) in enumerate(self._moving):
            if motion.is_there(clocks[k]):
                turn, move = motion.poses(clocks[k : k + 1])
                found.append((query, turn[0], move[0]))
        return found


@weak_cache
def _standing(scene: Scene) -> SceneNow:
    return SceneNow(scene)


def standing_in(playback: Playback) -> SceneNow:
    """Return what stands in a playback's scene, made once for each scene."""
    return _standing(playback.scene)
