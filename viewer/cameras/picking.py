"""Which member a line of sight meets."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length


def pick_member(
    origin: Float, direction: Float, position: Float, capsule_axis: Float, radius: Float
) -> int:
    """Return the row of the nearest member whose capsule a ray meets, -1 for none.

    The ray meets a capsule if the closest points of ray and axis are nearer than the radius.
    For a ray ``o + t d`` and a vertical capsule_axis ``p + s z`` they solve two linear equations,
    with s
    cut to the axis and t, taken after that, to what is in front of the eye.

    Args:
        origin: (3,) [m].
        direction: (3,) unit.
        position: (N, 3) [m] where members are.
        capsule_axis: (N, 2) heights of the ends of their capsules [m].
        radius: (N,) [m].
    """
    if len(position) == 0:
        return -1
    offset = position - origin
    along = offset @ direction  # (N,)
    vertical = direction[2]
    flatness = 1.0 - vertical**2  # zero for a vertical ray, which is as near to all of a axis
    free = (vertical * along - offset[:, 2]) / flatness if flatness > 1e-12 else 0.0 * along
    height = np.clip(free, capsule_axis[:, 0], capsule_axis[:, 1])
    point = offset + height[:, None] * [0.0, 0.0, 1.0]
    reach = point @ direction
    gap = length(point - np.maximum(reach, 0.0)[:, None] * direction)
    hit = (gap <= radius) & (reach > 0.0)
    return int(np.argmin(np.where(hit, reach, np.inf))) if hit.any() else -1
