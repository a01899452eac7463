"""The proof that a body's whole way until its next stop is free of the scene."""

from math import sqrt

from behaviors.safety.guides import SCENE_MARGIN
from geometry.compiled import compiled
from geometry.query import nearest_one
from geometry.walking import walk_one


@compiled
def way_is_free(
    i, position, dx, dy, dz, radius, low, high, grounded, face, scene, ground,
    stack, limit, out, points, faces,
):  # fmt: skip
    """Prove that the displacement until the stop keeps clear of the scene, and on the surface."""
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    total = sqrt(dx * dx + dy * dy + dz * dz)
    boxes, ranges, triangles, first_leaf = scene
    cap = radius + total * 1.5 + 2.0 * SCENE_MARGIN
    near, row = nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, z + low, z + high, cap, stack, limit, out
    )
    clearance = near - radius
    floor = min(SCENE_MARGIN, 0.999 * clearance)
    if not grounded:
        if row < 0 or clearance > total + floor:
            return True
        return _straight_is_free(
            x, y, z, x + dx, y + dy, z + dz, radius, low, high, floor, scene, stack, limit, out
        )
    count = 0
    arrived = True
    _, _, _, _, arrived, count = walk_one(  # type: ignore[call-arg]
        *ground, x, y, z, face[i], dx, dy, points, faces
    )
    if not arrived or count > points.shape[0]:
        return False
    if row < 0:
        # Out of reach in plan; on a slope the way is longer, but no longer than the cap allows.
        length = 0.0
        for k in range(count - 1):
            ax, ay = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
            az = points[k + 1, 2] - points[k, 2]
            length += sqrt(ax * ax + ay * ay + az * az)
        if length + floor < near - radius:
            return True
    for k in range(count - 1):
        if not _straight_is_free(
            points[k, 0], points[k, 1], points[k, 2],
            points[k + 1, 0], points[k + 1, 1], points[k + 1, 2],
            radius, low, high, floor, scene, stack, limit, out,
        ):  # fmt: skip
            return False
    return True


@compiled
def _straight_is_free(ax, ay, az, bx, by, bz, radius, low, high, floor, scene, stack, limit, out):
    """Prove a straight motion free by conservative advancement, down to a clearance ``floor``."""
    boxes, ranges, triangles, first_leaf = scene
    dx, dy, dz = bx - ax, by - ay, bz - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    kept = 0.9 * floor
    done = 0.0
    for _ in range(200):
        share = done / total if total > 0.0 else 0.0
        z = az + share * dz
        cap = radius + (total - done) + 2.0 * floor + 1e-9
        near, row = nearest_one(
            boxes, ranges, triangles, first_leaf, ax + share * dx, ay + share * dy,
            z + low, z + high, cap, stack, limit, out,
        )  # fmt: skip
        clearance = near - radius
        if row >= 0 and clearance <= floor:
            return False
        done += clearance - kept
        if done >= total:
            return True
    return False
