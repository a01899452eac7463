"""Compiled distances between points, segments and one triangle.

A triangle is a row of nine coordinates. Degenerate triangles (a segment, a point) are allowed.
"""

from rmp3d.geometry.compiled import compiled

# A triangle counts as its edges only if the squared sine of the angle at its first corner is
# below this: its normal would be rounding error, and its width is only 3e-8 of its length.
THIN = 1e-15


@compiled
def point_segment(px, py, pz, ax, ay, az, bx, by, bz):
    """Return squared distance and nearest point of segment a-b to point p."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    size = dx * dx + dy * dy + dz * dz
    share = 0.0
    if size > 0.0:
        share = ((px - ax) * dx + (py - ay) * dy + (pz - az) * dz) / size
        share = min(1.0, max(0.0, share))
    x, y, z = ax + share * dx, ay + share * dy, az + share * dz
    return (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2, x, y, z


@compiled
def point_triangle(px, py, pz, t):
    """Return squared distance and nearest point of triangle t to point p.

    Inside the prism over the triangle it is the foot of the perpendicular, else the nearest
    point of the three edges. A sliver thinner than `THIN` has no inside.
    """
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = nx * nx + ny * ny + nz * nz
    if size > THIN * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
        qx, qy, qz = px - t[0], py - t[1], pz - t[2]
        # Barycentric coordinates of the foot: (q x v).n / n.n and (u x q).n / n.n
        b = ((qy * vz - qz * vy) * nx + (qz * vx - qx * vz) * ny + (qx * vy - qy * vx) * nz) / size
        c = ((uy * qz - uz * qy) * nx + (uz * qx - ux * qz) * ny + (ux * qy - uy * qx) * nz) / size
        if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
            height = (qx * nx + qy * ny + qz * nz) / size
            x, y, z = px - height * nx, py - height * ny, pz - height * nz
            return height * height * size, x, y, z
    best, x, y, z = point_segment(px, py, pz, t[0], t[1], t[2], t[3], t[4], t[5])
    other, i, j, k = point_segment(px, py, pz, t[3], t[4], t[5], t[6], t[7], t[8])
    if other < best:
        best, x, y, z = other, i, j, k
    other, i, j, k = point_segment(px, py, pz, t[6], t[7], t[8], t[0], t[1], t[2])
    if other < best:
        best, x, y, z = other, i, j, k
    return best, x, y, z


@compiled
def segment_segment(ax, ay, az, dx, dy, dz, bx, by, bz, ex, ey, ez):
    """Return shares s, t of the nearest points a + s d and b + t e (Ericson 2005, 5.1.9).

    Nearly parallel segments are nearest at an end point, so all four are tried: solving the
    two-by-two system there would tilt the answer.
    """
    rx, ry, rz = ax - bx, ay - by, az - bz
    dd = dx * dx + dy * dy + dz * dz
    ee = ex * ex + ey * ey + ez * ez
    er = ex * rx + ey * ry + ez * rz
    dr = dx * rx + dy * ry + dz * rz
    if dd <= 1e-18 and ee <= 1e-18:
        return 0.0, 0.0
    if dd <= 1e-18:
        return 0.0, min(1.0, max(0.0, er / ee))
    if ee <= 1e-18:
        return min(1.0, max(0.0, -dr / dd)), 0.0
    de = dx * ex + dy * ey + dz * ez
    determinant = dd * ee - de * de
    if determinant <= 1e-6 * dd * ee:
        best, s, t = 1e300, 0.0, 0.0
        for k in range(4):
            if k < 2:
                s1 = float(k)
                t1 = min(1.0, max(0.0, (de * s1 + er) / ee))
            else:
                t1 = float(k - 2)
                s1 = min(1.0, max(0.0, (de * t1 - dr) / dd))
            x = rx + s1 * dx - t1 * ex
            y = ry + s1 * dy - t1 * ey
            z = rz + s1 * dz - t1 * ez
            size = x * x + y * y + z * z
            if size < best:
                best, s, t = size, s1, t1
        return s, t
    s = min(1.0, max(0.0, (de * er - dr * ee) / determinant))
    t = (de * s + er) / ee
    if t < 0.0:
        t = 0.0
        s = min(1.0, max(0.0, -dr / dd))
    elif t > 1.0:
        t = 1.0
        s = min(1.0, max(0.0, (de - dr) / dd))
    return s, t


@compiled
def upright_triangle(px, py, low, high, t):
    """Return squared distance from the upright segment (px, py, low..high) to triangle t.

    Also the nearest points: height on the segment, and x, y, z on the triangle.
    """
    best, x, y, z = point_triangle(px, py, low, t)
    height = low
    if high <= low:
        return best, height, x, y, z
    other, i, j, k = point_triangle(px, py, high, t)
    if other < best:
        best, height, x, y, z = other, high, i, j, k
    for edge in range(3):
        a = 3 * edge
        b = 3 * ((edge + 1) % 3)
        s, u = segment_segment(
            px, py, low, 0.0, 0.0, high - low,
            t[a], t[a + 1], t[a + 2], t[b] - t[a], t[b + 1] - t[a + 1], t[b + 2] - t[a + 2],
        )  # fmt: skip
        i = t[a] + u * (t[b] - t[a])
        j = t[a + 1] + u * (t[b + 1] - t[a + 1])
        k = t[a + 2] + u * (t[b + 2] - t[a + 2])
        w = low + s * (high - low)
        other = (px - i) ** 2 + (py - j) ** 2 + (w - k) ** 2
        if other < best:
            best, height, x, y, z = other, w, i, j, k
    # Does the segment pierce the triangle? Then plan coordinates are inside and z between.
    area = (t[3] - t[0]) * (t[7] - t[1]) - (t[4] - t[1]) * (t[6] - t[0])
    if area != 0.0:
        b = ((px - t[0]) * (t[7] - t[1]) - (py - t[1]) * (t[6] - t[0])) / area
        c = ((t[3] - t[0]) * (py - t[1]) - (t[4] - t[1]) * (px - t[0])) / area
        if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
            k = t[2] + b * (t[5] - t[2]) + c * (t[8] - t[2])
            if low <= k <= high:
                return 0.0, k, px, py, k
    return best, height, x, y, z


@compiled
def ray_triangle(ox, oy, oz, dx, dy, dz, t):
    """Return distance along the ray and the side (+1 from the front, -1 from behind, 0 miss).

    Moeller and Trumbore (1997), both sides.
    """
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    qx, qy, qz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    determinant = ux * qx + uy * qy + uz * qz
    if determinant == 0.0:
        return 0.0, 0
    sx, sy, sz = ox - t[0], oy - t[1], oz - t[2]
    b = (sx * qx + sy * qy + sz * qz) / determinant
    if b < 0.0 or b > 1.0:
        return 0.0, 0
    rx, ry, rz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    c = (dx * rx + dy * ry + dz * rz) / determinant
    if c < 0.0 or b + c > 1.0:
        return 0.0, 0
    distance = (vx * rx + vy * ry + vz * rz) / determinant
    if distance < 0.0:
        return 0.0, 0
    return distance, 1 if determinant > 0.0 else -1


@compiled
def upright_box_squared(px, py, low, high, box):
    """Return the squared distance from an upright segment to an axis-aligned box."""
    dx = max(0.0, max(box[0] - px, px - box[3]))
    dy = max(0.0, max(box[1] - py, py - box[4]))
    dz = max(0.0, max(box[2] - high, low - box[5]))
    return dx * dx + dy * dy + dz * dz


@compiled
def upright_hull_squared(px, py, low, high, t):
    """Return a cheap lower bound of `upright_triangle`: the distance to the triangle's box."""
    dx = max(0.0, max(min(t[0], min(t[3], t[6])) - px, px - max(t[0], max(t[3], t[6]))))
    dy = max(0.0, max(min(t[1], min(t[4], t[7])) - py, py - max(t[1], max(t[4], t[7]))))
    dz = max(0.0, max(min(t[2], min(t[5], t[8])) - high, low - max(t[2], max(t[5], t[8]))))
    return dx * dx + dy * dy + dz * dz
