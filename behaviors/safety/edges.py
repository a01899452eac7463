"""Edges of steps that a body cannot take here: it goes along them.

A step down is no border, and no plane guides along it. Where a body on the lower ground would touch
what is beside it, such as the next step of a flight, the certificate refuses each motion that leads
down, however little. Without the part across the edge the body comes on.
"""

from math import sqrt

from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.surface import CURB
from rmp3d.geometry.walking import REACH, walk_one

# Nearer to an edge than that, a point is on it [m].
ON_EDGE = 1e-6


@compiled
def along_step(body, displacement, ground, walk):
    """Turn a walker's displacement (3,) along the edge of the first step on it.

    Args:
        body: The `BodyRow`.
        displacement: In plan [m]; only its part along the edge is left.
        ground: Arrays of the surface.
        walk: Room for the walk.

    Returns:
        Whether there is a step over an edge of the ground that the walk leaves there.
    """
    x, y, z = body.position
    dx, dy = displacement[0], displacement[1]
    if not body.grounded or body.face < 0:
        return False
    points, faces = walk
    _, _, _, _, _, count = walk_one(*ground, x, y, z, body.face, dx, dy, points, faces)
    for k in range(1, min(count, points.shape[0]) - 1):
        ax, ay, az = points[k]
        over = (points[k + 1, 0] - ax) ** 2 + (points[k + 1, 1] - ay) ** 2
        if over > 4.0 * REACH * REACH or abs(points[k + 1, 2] - az) <= CURB:
            continue
        t = ground[5][faces[k - 1]]  # that of the point at the edge is beyond it already
        for e in range(3):
            a, b = 3 * e, 3 * ((e + 1) % 3)
            ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
            size = sqrt(ex * ex + ey * ey)
            apart = abs(ex * (ay - t[a + 1]) - ey * (ax - t[a]))
            if apart < ON_EDGE * size and ex * dy - ey * dx < 0.0:
                along = (dx * ex + dy * ey) / (size * size)
                displacement[0], displacement[1] = along * ex, along * ey
                return True
    return False
