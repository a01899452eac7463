"""The proof that a body's whole motion until its next stop is free of the scene."""

from math import inf, nan, sqrt

from rmp3d.behaviors.safety.guides import SCENE_MARGIN
from rmp3d.behaviors.safety.rows import Upright
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.passing import keeps_off
from rmp3d.geometry.primitives import upright_box_squared, upright_hull_squared, upright_triangle
from rmp3d.geometry.query import nearest_one
from rmp3d.geometry.surface import CURB
from rmp3d.geometry.walking import REACH, walk_one

MOST_LOOKS = 40
CLEAR = 1.01 * SCENE_MARGIN
"""What keeps off by so much [m] all along needs no look."""


@compiled
def motion_is_free(
    body, displacement, frame, clear, mesh, ground, overhead, probe, search, walk
):  # fmt: skip
    """Prove that the displacement until the stop keeps clear of the scene, and on the surface.

    Args:
        body: The `BodyRow`.
        displacement: x, y, z [m]; in plan for a walker.
        frame: Length in plan [m] of its longest part in one time step; 0 where no step is higher
            than a curb.
        clear: How far from it there is nothing that it must not touch, at least [m].
        mesh: Arrays of what it must not touch.
        ground: Arrays of the surface.
        overhead: Arrays of the ground over the heads of walkers.
        probe: (K, 4) what of a walker must keep clear of that; see `rmp3d.geometry.overhead`.
        search: Room for traversals.
        walk: Room for the walk.
    """
    x, y, z = body.position
    dx, dy, dz = displacement
    total = sqrt(dx * dx + dy * dy + dz * dz)
    if not body.grounded:
        if _keeps_clear(body, total, 0.0, clear):
            return True
        near, row = _near(x, y, z, total, body.shape, mesh, search)
        clearance = near - body.shape.radius
        floor = min(SCENE_MARGIN, 0.999 * clearance)
        if row < 0 or clearance > total + floor:
            return True
        end = (x + dx, y + dy, z + dz)
        return _straight_is_free((x, y, z), end, body.shape, floor, mesh, search.stack)
    points, faces = walk
    count = 0
    arrived = True
    _, _, _, _, arrived, count = walk_one(*ground, x, y, z, body.face, dx, dy, points, faces)
    if not arrived or count > points.shape[0]:
        return False
    climb = 0.0
    for k in range(count - 1):
        climb += abs(points[k + 1, 2] - points[k, 2])
    clears = _keeps_clear(body, total, climb, clear)
    if not clears and not walk_is_free(points, count, total, frame, body.shape, mesh, search):
        return False
    for k in range(probe.shape[0]):
        part = Upright(probe[k, 0], probe[k, 1], probe[k, 2])
        if not _walk_is_free(points, count, total, part, overhead, search):
            return False
    return True


@inlined
def _keeps_clear(body, total, climb, clear):
    """Return whether a way ``total`` long in plan cannot come near to anything.

    All that is asked about it is no farther from the body as it stands than ``total + climb``, or
    half as far again as ``total`` (see `_near`), and its radius.
    """
    far = body.shape.radius + max(1.5 * total, total + climb)
    return far + 4.0 * SCENE_MARGIN <= clear


@compiled
def walk_is_free(points, count, total, frame, shape, mesh, search):
    """Prove that an upright body keeps clear on a walk ``total`` long in plan, and at its steps."""
    if not _walk_is_free(points, count, total, shape, mesh, search):
        return False
    return frame == 0.0 or _steps_are_free(points, count, total, frame, shape, mesh, search)


@compiled
def straight_is_free(start, end, shape, margin, mesh, search):
    """Prove a straight motion of an upright body free, down to ``margin``, or what it has now."""
    x, y, z = start
    dx, dy, dz = end[0] - x, end[1] - y, end[2] - z
    total = sqrt(dx * dx + dy * dy + dz * dz)
    near, row = _near(x, y, z, total, shape, mesh, search)
    floor = min(margin, 0.999 * (near - shape.radius))
    if row < 0 or near - shape.radius > total + floor:
        return True
    return _straight_is_free(start, end, shape, floor, mesh, search.stack)


@compiled
def _near(x, y, z, total, shape, mesh, search):
    """Return the distance from the body's segment to what it could come near, and its row."""
    boxes, ranges, triangles, first_leaf = mesh
    cap = shape.radius + total * 1.5 + 2.0 * SCENE_MARGIN
    return nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, z + shape.low, z + shape.high, cap,
        search.stack, search.limit, search.out,
    )  # fmt: skip


@compiled
def _walk_is_free(points, count, total, shape, mesh, search):
    """Prove that an upright body keeps clear on a walk, ``total`` long in plan."""
    if _walk_keeps_off(points, count, shape, mesh, search.stack):
        return True
    near, row = _near(points[0, 0], points[0, 1], points[0, 2], total, shape, mesh, search)
    floor = min(SCENE_MARGIN, 0.999 * (near - shape.radius))
    if row < 0:
        # Out of reach in plan; on a slope the walk is longer, but no longer than the cap allows.
        length = 0.0
        for k in range(count - 1):
            ax, ay = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
            az = points[k + 1, 2] - points[k, 2]
            length += sqrt(ax * ax + ay * ay + az * az)
        if length + floor < near - shape.radius:
            return True
    for k in range(count - 1):
        if not _straight_is_free(
            (points[k, 0], points[k, 1], points[k, 2]),
            (points[k + 1, 0], points[k + 1, 1], points[k + 1, 2]),
            shape, floor, mesh, search.stack,
        ):  # fmt: skip
            return False
    return True


@inlined
def _motion_keeps_off(start, end, shape, mesh, stack):
    """Return whether an upright body is proved to be farther than `CLEAR` off, all along."""
    boxes, ranges, triangles, first_leaf = mesh
    return keeps_off(
        boxes, ranges, triangles, first_leaf, start, end, shape.low, shape.high,
        shape.radius + CLEAR, stack,
    )  # fmt: skip


@compiled
def _walk_keeps_off(points, count, shape, mesh, stack):
    """Return whether an upright body is proved to be farther than `CLEAR` off on a walk."""
    for k in range(count - 1):
        start = (points[k, 0], points[k, 1], points[k, 2])
        end = (points[k + 1, 0], points[k + 1, 1], points[k + 1, 2])
        if not _motion_keeps_off(start, end, shape, mesh, stack):
            return False
    return True


@compiled
def _steps_are_free(points, count, total, frame, shape, mesh, search):
    """Prove that a body keeps clear around steps at all heights that it has between two frames.

    The feet rise at the edge of a step, but a recording tells only where they are in frames, and
    goes straight between: near a step, the body is lower or higher there. So it is swept at all
    heights that the ground has within one frame's travel.
    """
    floor = nan
    end = points[count - 1]
    for k in range(count - 1):
        a, b = points[k], points[k + 1]
        aside = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
        if aside > 4.0 * REACH * REACH or abs(b[2] - a[2]) <= CURB:
            continue
        step = sqrt((a[0] - points[0, 0]) ** 2 + (a[1] - points[0, 1]) ** 2)
        first, last = max(0.0, step - frame), min(total, step + frame)
        low, high = min(a[2], b[2]), max(a[2], b[2])
        done = 0.0
        for m in range(count - 1):
            c, d = points[m], points[m + 1]
            size = sqrt((d[0] - c[0]) ** 2 + (d[1] - c[1]) ** 2)
            begin, stop = max(first, done), min(last, done + size)
            if size > 0.0 and begin <= stop:
                for share in ((begin - done) / size, (stop - done) / size):
                    height = c[2] + share * (d[2] - c[2])
                    low, high = min(low, height), max(high, height)
            done += size
        x, y = (end[0] - points[0, 0]) / total, (end[1] - points[0, 1]) / total
        stretched = Upright(shape.radius, shape.low, shape.high + high - low)
        from_ = (points[0, 0] + first * x, points[0, 1] + first * y, low)
        to = (points[0, 0] + last * x, points[0, 1] + last * y, low)
        if _motion_keeps_off(from_, to, stretched, mesh, search.stack):
            continue
        if floor != floor:  # not known yet
            near, _ = _near(points[0, 0], points[0, 1], points[0, 2], total, shape, mesh, search)
            floor = min(SCENE_MARGIN, 0.999 * (near - shape.radius))
        if not _straight_is_free(from_, to, stretched, floor, mesh, search.stack):
            return False
    return True


@compiled
def _straight_is_free(start, end, shape, floor, mesh, stack):
    """Prove a straight motion free, down to a clearance ``floor``, by looks and strides.

    A look finds how far the body may go on until it could be nearer than 0.9 ``floor`` to any
    triangle; from there it looks again.
    """
    ax, ay, az = start
    dx, dy, dz = end[0] - ax, end[1] - ay, end[2] - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    if total == 0.0:
        return True
    dx, dy, dz = dx / total, dy / total, dz / total
    done = 0.0
    for _ in range(MOST_LOOKS):
        clearance, stride = _look(
            mesh, (ax + done * dx, ay + done * dy, az + done * dz), (dx, dy, dz), shape,
            0.9 * floor, total - done, stack,
        )  # fmt: skip
        if clearance <= floor:
            return False
        done += stride
        if done >= total:
            return True
    return False


@compiled
def _look(mesh, at, course, shape, kept, rest, stack):
    """Return the clearance of an upright body, and how far it may move on a unit course.

    With n the unit vector from the body's nearest point to a triangle's, the plane across n at
    the triangle's has the whole triangle behind it. At a clearance c, moving on by s brings the
    body nearer to that plane by s n.d, so it may go (c - kept) / n.d, and any distance if it moves
    along the triangle or away from it. What is farther off than ``rest`` is not looked at; the
    clearance is infinite where nothing else is there.
    """
    boxes, ranges, triangles, first_leaf = mesh
    x, y, z = at
    dx, dy, dz = course
    radius, low, high = shape.radius, z + shape.low, z + shape.high
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
