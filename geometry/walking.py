"""Compiled kernels of the walkable surface: locating, walking, and the range of heights."""

import numpy as np

from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import compiled, inlined, released

STACK = 128
# Beyond a border, the next triangle is searched at this distance [m].
REACH = 1e-3
MAX_CROSSINGS = 100_000
# A mesh that begins below another one by more than this [m] is covered by it.
LOWER = 0.02 + 2.0 * REACH


@compiled
def height_at(t, x, y):
    """Return the height of the plane of triangle t over (x, y)."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return t[2] - (nx * (x - t[0]) + ny * (y - t[1])) / nz


@compiled
def locate_one(boxes, ranges, triangles, order, first_leaf, x, y, z, above, below, stack):
    """Return the height and the face vertically nearest to a point; face -1 if out of reach."""
    best = 1e300
    height = z
    face = -1
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        box = boxes[node]
        if x < box[0] - 1e-9 or x > box[3] + 1e-9 or y < box[1] - 1e-9 or y > box[4] + 1e-9:
            continue
        if box[2] > z + above or box[5] < z - below:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 2
            stack[top + 1] = 2 * node + 1
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            t = triangles[k]
            inside = True
            for e in range(3):
                a = 3 * e
                b = 3 * ((e + 1) % 3)
                ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
                # Nanometers outside still count, so that seams have no cracks.
                slack = 1e-9 * (abs(ex) + abs(ey))
                if ex * (y - t[a + 1]) - ey * (x - t[a]) < -slack:
                    inside = False
                    break
            if not inside:
                continue
            h = height_at(t, x, y)
            if h > z + above or h < z - below:
                continue
            if abs(h - z) < best:
                best = abs(h - z)
                height = h
                face = order[k]
    return height, face


@released
def locate_rows(boxes, ranges, triangles, order, first_leaf, points, above, below, found, face):
    """Fill in `locate_one` for each of ``points`` (M, 3)."""
    room = np.empty(STACK, np.int64)
    stack = borrowed(room)
    boxes, ranges, triangles, order = borrowed((boxes, ranges, triangles, order))
    for i in range(points.shape[0]):
        found[i, 2], face[i] = locate_one(
            boxes, ranges, triangles, order, first_leaf,
            points[i, 0], points[i, 1], points[i, 2], above, below, stack,
        )  # fmt: skip
    held(room)


@compiled
def _onto_upper(
    t, face, upon, upon_edge, face_count, start_x, start_y, dx, dy, done, leave, step_height
):
    """Return the share of a walk at which it first steps from a face onto an upper mesh.

    Also return the face of that mesh, -1 if there is none before the share ``leave``. Of meshes
    that begin at one place it is the highest. One that is lower by more than `LOWER` is below.
    """
    best, upper, highest = leave, -1, 0.0
    tie = REACH / (dx * dx + dy * dy) ** 0.5
    for seam in range(upon[face], upon[face + 1]):
        ax, ay, az = upon_edge[seam, 0], upon_edge[seam, 1], upon_edge[seam, 2]
        ex, ey, ez = upon_edge[seam, 3] - ax, upon_edge[seam, 4] - ay, upon_edge[seam, 5] - az
        rate = ex * dy - ey * dx
        if rate <= 0.0:
            continue
        share = -(ex * (start_y - ay) - ey * (start_x - ax)) / rate
        if share < done - 1e-12 or share > min(leave, best + tie):
            continue
        x, y = start_x + share * dx, start_y + share * dy
        along = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
        if along < -1e-9 or along > 1.0 + 1e-9:
            continue
        rise = az + along * ez - height_at(t, x, y)
        if rise > step_height or rise < -min(step_height, LOWER):
            continue
        if upper >= 0 and share > best - tie and rise <= highest:
            continue
        best, upper, highest = max(share, done), upon[face_count + 1 + seam], rise
    return best, upper


@inlined
def _exit_edge(t, start_x, start_y, dx, dy, done):
    """Return the share of a walk at which it leaves triangle t, and over which edge (-1: none)."""
    leave, through = 1.0, -1
    for e in range(3):
        a = 3 * e
        b = 3 * ((e + 1) % 3)
        ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
        rate = ex * dy - ey * dx
        if rate < 0.0:
            inside = ex * (start_y - t[a + 1]) - ey * (start_x - t[a])
            share = max(done, -inside / rate)
            if share < leave:
                leave = share
                through = e
    return leave, through


@compiled
def _highest(boxes, ranges, triangles, order, first_leaf, x, y, z, slack):
    """Return the highest face over or under a point by at most ``slack``; -1 if there is none.

    What lies lower there, such as a floor below treads, is covered.
    """
    stack = np.empty(STACK, np.int64)
    _, face = locate_one(
        boxes, ranges, triangles, order, first_leaf, x, y, z + slack, 0.0, 2.0 * slack, stack
    )
    return face


@inlined
def _put(points, faces, row, x, y, z, face):
    """Write a crossing point of a walk, and the face that the walk is on behind it."""
    points[row, 0], points[row, 1], points[row, 2] = x, y, z
    faces[row] = face


@compiled
def walk_one(
    boxes, ranges, triangles, order, first_leaf, corners, neighbor, upon, upon_edge, step_height,
    x, y, z, face, dx, dy, points, faces,
):  # fmt: skip
    """Walk by (dx, dy) in plan; return x, y, z, face, arrived, and the number of points.

    Crossing points go to ``points`` and ``faces`` until these are full; the count goes on.
    """
    capacity = points.shape[0]
    if capacity > 0:
        _put(points, faces, 0, x, y, z, face)
    count = 1
    start_x, start_y = x, y
    size = (dx * dx + dy * dy) ** 0.5
    if size == 0.0 or face < 0:
        return x, y, z, face, face >= 0, count
    done, arrived = 0.0, False
    for _ in range(MAX_CROSSINGS):
        t = corners[face]
        leave, through = _exit_edge(t, start_x, start_y, dx, dy, done)
        onto, upper = leave, -1
        if upon[face] < upon[face + 1]:
            onto, upper = _onto_upper(
                t, face, upon, upon_edge, corners.shape[0], start_x, start_y, dx, dy, done, leave,
                step_height,
            )  # fmt: skip
        arrived = upper < 0 and through < 0
        if arrived:
            break
        done = leave if upper < 0 else onto
        x, y = start_x + done * dx, start_y + done * dy
        z = height_at(t, x, y)
        following = neighbor[face, through] if upper < 0 else upper
        over_seam = upper >= 0 or following < 0
        if following < 0:
            following = _highest(
                boxes, ranges, triangles, order, first_leaf, x + dx / size * REACH,
                y + dy / size * REACH, z, step_height + 2.0 * REACH,
            )  # fmt: skip
            if following < 0 or following == face:
                break
            done = min(1.0, done + REACH / size)
        if over_seam:
            if capacity > count:
                _put(points, faces, count, x, y, z, following)
            count += 1
            x, y = start_x + done * dx, start_y + done * dy
            z = height_at(corners[following], x, y)
        face = following
        if capacity > count:
            _put(points, faces, count, x, y, z, face)
        count += 1
    if arrived:
        x, y = start_x + dx, start_y + dy
        z = height_at(corners[face], x, y)
    if capacity > count:
        _put(points, faces, count, x, y, z, face)
    return x, y, z, face, arrived, count + 1


@released
def walk_rows(
    boxes, ranges, triangles, order, first_leaf, corners, neighbor, upon, upon_edge, step_height,
    point, face, displacement, arrived,
):  # fmt: skip
    """Move points (M, 3) and faces (M,) in place by `walk_one`."""
    room = np.empty((0, 3)), np.empty(0, np.int64)
    points, faces = borrowed(room)
    boxes, ranges, triangles, order = borrowed((boxes, ranges, triangles, order))
    corners, neighbor, upon, upon_edge = borrowed((corners, neighbor, upon, upon_edge))
    for i in range(point.shape[0]):
        point[i, 0], point[i, 1], point[i, 2], face[i], arrived[i], _ = walk_one(
            boxes, ranges, triangles, order, first_leaf, corners, neighbor, upon, upon_edge,
            step_height, point[i, 0], point[i, 1], point[i, 2], face[i],
            displacement[i, 0], displacement[i, 1], points, faces,
        )  # fmt: skip
    held(room)


@released
def walk_along_rows(
    boxes, ranges, triangles, order, first_leaf, corners, neighbor, upon, upon_edge, step_height,
    start, first, places, point, on,
):  # fmt: skip
    """Fill in the points (M, K, 3) of walks over ``places`` (M, K, 2), and which are reached."""
    room = np.empty((0, 3)), np.empty(0, np.int64)
    points, faces = borrowed(room)
    boxes, ranges, triangles, order = borrowed((boxes, ranges, triangles, order))
    corners, neighbor, upon, upon_edge = borrowed((corners, neighbor, upon, upon_edge))
    for i in range(places.shape[0]):
        x, y, z, face, arrived = start[0], start[1], start[2], first, first >= 0
        for k in range(places.shape[1]):
            if arrived and k > 0:
                x, y, z, face, arrived, _ = walk_one(
                    boxes, ranges, triangles, order, first_leaf, corners, neighbor, upon,
                    upon_edge, step_height, x, y, z, face, places[i, k, 0] - x,
                    places[i, k, 1] - y, points, faces,
                )  # fmt: skip
            point[i, k, 0], point[i, k, 1], point[i, k, 2], on[i, k] = x, y, z, arrived
    held(room)


@compiled
def _gap_squared(x, y, ax, ay, bx, by):
    """Return the squared distance in plan from a point to a segment."""
    ex, ey = bx - ax, by - ay
    size = ex * ex + ey * ey
    share = 0.0
    if size > 0.0:
        share = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / size))
    return (ax + share * ex - x) ** 2 + (ay + share * ey - y) ** 2


@compiled
def _queued(queue, tail, face):
    """Add a face to a queue if it is new; return the queue's new end, size + 1 if it was full."""
    for k in range(min(tail, queue.shape[0])):
        if queue[k] == face:
            return tail
    if tail < queue.shape[0]:
        queue[tail] = face
        return tail + 1
    return queue.shape[0] + 1


@compiled
def height_range_one(
    corners, beyond, upon, upon_edge, extent, x, y, z, face, radius, east, north, queue
):
    """Return bounds of the surface's height within ``radius`` in plan, by spreading from a face.

    Heights are over a plane that has none at (x, y) and rises by ``east`` per meter along x, by
    ``north`` along y.
    ``queue`` (Q,) limits the number of triangles. When it is full, the bounds come from the
    steepest slope and the lowest and highest point of the whole surface.
    """
    low, high = z, z
    queue[0] = face
    head, tail = 0, 1
    while head < tail:
        f = queue[head]
        head += 1
        t = corners[f]
        ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
        vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        slope = ((nx + east * nz) ** 2 + (ny + north * nz) ** 2) ** 0.5 / nz
        plane = t[2] - (nx * (x - t[0]) + ny * (y - t[1])) / nz
        a = t[2] - east * (t[0] - x) - north * (t[1] - y)
        b = t[5] - east * (t[3] - x) - north * (t[4] - y)
        c = t[8] - east * (t[6] - x) - north * (t[7] - y)
        low = min(low, max(min(a, min(b, c)), plane - slope * radius))
        high = max(high, min(max(a, max(b, c)), plane + slope * radius))
        for e in range(3):
            i, j = 3 * e, 3 * ((e + 1) % 3)
            if _gap_squared(x, y, t[i], t[i + 1], t[j], t[j + 1]) > radius * radius:
                continue
            for row in range(beyond[3 * f + e], beyond[3 * f + e + 1]):
                tail = _queued(queue, tail, beyond[row])
        for seam in range(upon[f], upon[f + 1]):
            edge = upon_edge[seam]
            if _gap_squared(x, y, edge[0], edge[1], edge[3], edge[4]) <= radius * radius:
                tail = _queued(queue, tail, upon[corners.shape[0] + 1 + seam])
        if tail > queue.shape[0]:
            leans = (east * east + north * north) ** 0.5 * radius
            rise = extent[0] * radius + extent[3]
            lowest, highest = max(extent[1], z - rise), min(extent[2], z + rise)
            return min(low, lowest - leans), max(high, highest + leans)
    return low, high


@released
def height_rows(corners, beyond, upon, upon_edge, extent, point, face, radius, tilt, found):
    """Fill in `height_range_one` (M, 2) for each of ``point`` (M, 3)."""
    room = np.empty(64, np.int64)
    queue = borrowed(room)
    corners, beyond, upon = borrowed((corners, beyond, upon))
    upon_edge, extent = borrowed((upon_edge, extent))
    for i in range(point.shape[0]):
        found[i, 0], found[i, 1] = height_range_one(
            corners, beyond, upon, upon_edge, extent, point[i, 0], point[i, 1], point[i, 2],
            face[i], radius[i], tilt[i, 0], tilt[i, 1], queue,
        )  # fmt: skip
    held(room)
