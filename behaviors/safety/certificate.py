"""The proof that a body's whole way until its next stop is free of the scene."""

from math import inf, sqrt

from rmp3d.behaviors.safety.guides import SCENE_MARGIN
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.primitives import upright_box_squared, upright_hull_squared, upright_triangle
from rmp3d.geometry.query import nearest_one
from rmp3d.geometry.walking import walk_one

MOST_LOOKS = 40


@compiled
def way_is_free(
    i, position, dx, dy, dz, radius, low, high, grounded, face, scene, overhead, probe, ground,
    stack, limit, out, points, faces,
):  # fmt: skip
    """Prove that the displacement until the stop keeps clear of the scene, and on the surface.

    The probes (K, 3) of a walker are what must keep clear of the ground ``overhead``; see
    `rmp3d.geometry.overhead`.
    """
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    total = sqrt(dx * dx + dy * dy + dz * dz)
    if not grounded:
        near, row = _near(x, y, z, total, radius, low, high, scene, stack, limit, out)
        clearance = near - radius
        floor = min(SCENE_MARGIN, 0.999 * clearance)
        if row < 0 or clearance > total + floor:
            return True
        return _straight_is_free(
            x, y, z, x + dx, y + dy, z + dz, radius, low, high, floor, scene, stack
        )
    count = 0
    arrived = True
    _, _, _, _, arrived, count = walk_one(  # type: ignore[call-arg]
        *ground, x, y, z, face[i], dx, dy, points, faces
    )
    if not arrived or count > points.shape[0]:
        return False
    if not _walk_is_free(
        points, count, total, radius, low, high, scene, stack, limit, out
    ):  # fmt: skip
        return False
    for k in range(probe.shape[0]):
        if not _walk_is_free(
            points, count, total, probe[k, 0], probe[k, 1], probe[k, 2], overhead, stack, limit,
            out,
        ):  # fmt: skip
            return False
    return True


@compiled
def _near(x, y, z, total, radius, low, high, scene, stack, limit, out):
    """Return the distance from the body's segment to what it could come near, and its row."""
    boxes, ranges, triangles, first_leaf = scene
    cap = radius + total * 1.5 + 2.0 * SCENE_MARGIN
    return nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, z + low, z + high, cap, stack, limit, out
    )


@compiled
def _walk_is_free(points, count, total, radius, low, high, scene, stack, limit, out):
    """Prove that an upright body keeps clear on a walk, ``total`` long in plan."""
    near, row = _near(
        points[0, 0], points[0, 1], points[0, 2], total, radius, low, high, scene, stack, limit, out
    )
    floor = min(SCENE_MARGIN, 0.999 * (near - radius))
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
            radius, low, high, floor, scene, stack,
        ):  # fmt: skip
            return False
    return True


@compiled
def _straight_is_free(ax, ay, az, bx, by, bz, radius, low, high, floor, scene, stack):
    """Prove a straight motion free, down to a clearance ``floor``, by looks and strides.

    A look finds how far the body may go on until it could be nearer than 0.9 ``floor`` to any
    triangle; from there it looks again.
    """
    dx, dy, dz = bx - ax, by - ay, bz - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    if total == 0.0:
        return True
    dx, dy, dz = dx / total, dy / total, dz / total
    done = 0.0
    for _ in range(MOST_LOOKS):
        z = az + done * dz
        clearance, stride = _look(
            scene, ax + done * dx, ay + done * dy, z + low, z + high, radius, 0.9 * floor,
            dx, dy, dz, total - done, stack,
        )  # fmt: skip
        if clearance <= floor:
            return False
        done += stride
        if done >= total:
            return True
    return False


@compiled
def _look(scene, x, y, low, high, radius, kept, dx, dy, dz, rest, stack):
    """Return the clearance of an upright body, and how far it may move along a unit direction.

    With n the unit vector from the body's nearest point to a triangle's, the plane across n at
    the triangle's has the whole triangle behind it. At a clearance c, moving on by s brings the
    body nearer to that plane by s n.d, so it may go (c - kept) / n.d, and any way if it moves
    along the triangle or away from it. What is farther off than ``rest`` is not looked at; the
    clearance is infinite where nothing else is there.
    """
    boxes, ranges, triangles, first_leaf = scene
    cap = radius + kept + rest
    capped = cap * cap
    clearance, stride = inf, inf
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if upright_box_squared(x, y, low, high, boxes[node]) > capped:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            if upright_hull_squared(x, y, low, high, triangles[k]) > capped:
                continue
            squared, height, px, py, pz = upright_triangle(x, y, low, high, triangles[k])
            if squared > capped:
                continue
            distance = sqrt(squared)
            clearance = min(clearance, distance - radius)
            closing = (px - x) * dx + (py - y) * dy + (pz - height) * dz
            if closing > 0.0:
                stride = min(stride, (distance - radius - kept) * distance / closing)
    return clearance, stride
