"""Which members are seen in a rectangle of the picture."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.playback.playback import Playback, Pose

Pixel = tuple[float, float]


def members_in(
    playback: Playback, pose: Pose, camera: Camera, size: tuple[int, int], a: Pixel, b: Pixel
) -> Index:
    """Return the rows of the members whose middle is seen in a rectangle, behind walls or not.

    Args:
        playback: Whose members.
        pose: Where they are; who is not there is not seen.
        camera: From where.
        size: Of the picture [pixels].
        a: One corner [pixels].
        b: The opposite one.
    """
    if playback.member_count == 0:
        return np.zeros(0, np.intp)
    middle: Float = pose.position.copy()
    middle[:, 2] += playback.capsule_axis.mean(axis=1)
    pixel, depth = camera.project(middle, size)
    low, high = np.minimum(a, b), np.maximum(a, b)
    inside = (depth > 0.0) & ((pixel >= low) & (pixel <= high)).all(axis=1)
    return np.flatnonzero(inside & pose.there)
