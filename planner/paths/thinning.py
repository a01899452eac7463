"""Thinning: a path without the points that its straight motions pass anyway."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.errors import ConfirmationError
from rmp3d.planner.spaces import Space

ON_A_MOTION = 1e-9  # distance of a point that lies on a motion, times the body's radius


def thinned(space: Space, path: Float) -> Float:
    """Return a confirmed path (K, W) less the points that lie on the motion past them.

    The path as it was if that is not proved and confirmed.
    """
    rows = [0]
    near = ON_A_MOTION * space.world.body.radius
    for row in range(2, len(path)):
        between = path[rows[-1] + 1 : row]
        whole = space.distance(path[rows[-1], None], path[row, None])
        share = space.distance(path[rows[-1], None], between) / max(float(whole[0]), near)
        count = len(between)
        start, end = np.tile(path[rows[-1]], (count, 1)), np.tile(path[row], (count, 1))
        if (space.distance(space.interpolated(start, end, share), between) > near).any():
            rows.append(row - 1)
    thin = path[[*rows, len(path) - 1]] if len(path) > 1 else path
    if any(motion is None for motion in space.connect(thin[:-1], thin[1:])):
        return path
    try:
        space.world.confirm(thin)
    except ConfirmationError:
        return path
    return thin
