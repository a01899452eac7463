"""From where members are seen: lines of sight against the scene."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import scene_query
from rmp3d.viewer.playback.playback import Playback, Pose

TURNS = np.radians([0.0, -35.0, 35.0, -75.0, 75.0, 180.0])
RAISES = np.radians([0.0, 14.0, 27.0])
TURN_COST, RAISE_COST = 0.12, 0.30  # of share seen, per radian: one view is kept if it will do
MOST_RAYS = 200  # members looked for in a crowd


class ClearView:
    """Chooses the side from which the scene hides few members; built once per playback."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._query = scene_query(playback.scene)

    def share_seen(self, camera: Camera, pose: Pose, cut: float = np.inf) -> float:
        """Return the share of members whose middle and top the camera sees past the scene.

        What is above the height ``cut`` [m] is not drawn and hides nothing.
        """
        playback = self._playback
        rows = np.unique(np.linspace(0, playback.member_count - 1, MOST_RAYS).astype(np.intp))
        heights = playback.capsule_axis[rows] + [[0.0, 0.5]] * playback.radius[rows, None]
        points = np.repeat(pose.position[rows], 2, axis=0)
        points[0::2, 2] += heights.mean(axis=1)
        points[1::2, 2] += heights[:, 1]
        sight = camera.eye - points
        reach = np.linalg.norm(sight, axis=1)
        free, _ = self._query.cast_ray(points, sight / reach[:, None])
        above = points[:, 2] + free * sight[:, 2] / reach >= cut
        return float(np.mean((free >= reach) | above))

    def best(
        self, camera: Camera, pose: Pose, bounds: Float, aspect: float, cut: float = np.inf
    ) -> Camera:
        """Return the camera, turned and raised no more than seeing the members is worth.

        Args:
            camera: The one that is wanted; kept if it sees them.
            pose: Where members are.
            bounds: (2, 3) box that is to fill the picture.
            aspect: Width of the picture over its height.
            cut: As in `share_seen`.
        """
        tries = []
        for turn in TURNS:
            for lift in RAISES:
                elevation = min(camera.elevation + lift, np.pi / 2)
                turned = replace(camera, azimuth=camera.azimuth + turn, elevation=elevation)
                fitted = turned.fit(bounds, aspect, margin=1.3)
                cost = TURN_COST * abs(turn) + RAISE_COST * (elevation - camera.elevation)
                tries.append((self.share_seen(fitted, pose, cut) - cost, fitted))
        return max(tries, key=lambda each: each[0])[1]
