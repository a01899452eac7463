"""Compiled questions about two triangles: do they overlap, and how far apart are they?

A triangle is a row of nine coordinates. Degenerate triangles (a segment, a point) are allowed.
"""

from geometry.compiled import compiled
from geometry.primitives import THIN, segment_segment


@compiled
def _apart(x, y, z, p, q):
    """Return whether the projections of two triangles on an axis do not meet."""
    a = x * p[0] + y * p[1] + z * p[2]
    b = x * p[3] + y * p[4] + z * p[5]
    c = x * p[6] + y * p[7] + z * p[8]
    d = x * q[0] + y * q[1] + z * q[2]
    e = x * q[3] + y * q[4] + z * q[5]
    f = x * q[6] + y * q[7] + z * q[8]
    return max(a, max(b, c)) < min(d, min(e, f)) or max(d, max(e, f)) < min(a, min(b, c))


@compiled
def triangles_overlap(p, q, work):
    """Return whether two closed triangles have a point in common.

    Two convex bodies are apart exactly if one of these 17 axes parts them: both normals, the
    nine products of an edge of each, and in either plane the three normals of the edges
    (Gottschalk, Lin and Manocha 1996, "OBBTree"). An axis of no length parts nothing.

    Args:
        p: First triangle.
        q: Second triangle.
        work: (2, 9) scratch; the triangles relative to a corner, which keeps digits.
    """
    for k in range(9):
        work[0, k] = p[k] - p[k % 3]
        work[1, k] = q[k] - p[k % 3]
    p, q = work[0], work[1]
    ux, uy, uz = p[3], p[4], p[5]
    vx, vy, vz = p[6], p[7], p[8]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _apart(nx, ny, nz, p, q):
        return False
    ux, uy, uz = q[3] - q[0], q[4] - q[1], q[5] - q[2]
    vx, vy, vz = q[6] - q[0], q[7] - q[1], q[8] - q[2]
    mx, my, mz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _apart(mx, my, mz, p, q):
        return False
    for i in range(3):
        a, b = 3 * i, 3 * ((i + 1) % 3)
        ex, ey, ez = p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]
        for j in range(5):
            if j < 3:
                c, d = 3 * j, 3 * ((j + 1) % 3)
                fx, fy, fz = q[d] - q[c], q[d + 1] - q[c + 1], q[d + 2] - q[c + 2]
            elif j == 3:
                fx, fy, fz = nx, ny, nz
            else:
                ex, ey, ez = q[b] - q[a], q[b + 1] - q[a + 1], q[b + 2] - q[a + 2]
                fx, fy, fz = mx, my, mz
            if _apart(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx, p, q):
                return False
    return True


@compiled
def _foot(p, q, best, out, first):
    """Compare ``best`` with the distances from q's corners to the inside of p.

    Returns:
        The smaller squared distance, and whether all of q lies on one side of p's plane: 0 no,
        1 yes, 2 yes and nothing of q can be nearer than the distance returned.
    """
    ux, uy, uz = p[3] - p[0], p[4] - p[1], p[5] - p[2]
    vx, vy, vz = p[6] - p[0], p[7] - p[1], p[8] - p[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = nx * nx + ny * ny + nz * nz
    if size <= THIN * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
        return best, 0
    above, below, nearest = 0, 0, 1e300
    for k in range(3):
        height = (q[3 * k] - p[0]) * nx + (q[3 * k + 1] - p[1]) * ny + (q[3 * k + 2] - p[2]) * nz
        if height > 0.0:
            above += 1
        elif height < 0.0:
            below += 1
        nearest = min(nearest, height * height)
    side = 1 if above == 3 or below == 3 else 0
    if nearest >= best * size:
        return best, 2 * side
    for k in range(3):
        x, y, z = q[3 * k] - p[0], q[3 * k + 1] - p[1], q[3 * k + 2] - p[2]
        height = x * nx + y * ny + z * nz
        if height * height >= best * size:
            continue
        b = (y * vz - z * vy) * nx + (z * vx - x * vz) * ny + (x * vy - y * vx) * nz
        c = (uy * z - uz * y) * nx + (uz * x - ux * z) * ny + (ux * y - uy * x) * nz
        if b >= 0.0 and c >= 0.0 and b + c <= size:
            best = height * height / size
            if side == 1 and height * height <= nearest:
                side = 2
            height /= size
            for axis in range(3):
                out[3 - first + axis] = q[3 * k + axis]
            out[first] = q[3 * k] - height * nx
            out[first + 1] = q[3 * k + 1] - height * ny
            out[first + 2] = q[3 * k + 2] - height * nz
    return best, side


@compiled
def triangle_gap(p, q, limit, out, work):
    """Return the squared distance of two triangles if below ``limit`` > 0, else ``limit``.

    The nearest points are on an edge of each, or a corner of one over the inside of the other.
    Where the planes across them at those points part the triangles, none can be nearer (Larsen,
    Gottschalk, Lin and Manocha 1999, "Fast proximity queries with swept sphere volumes"). Zero if
    they overlap.

    Args:
        p: First triangle.
        q: Second triangle.
        limit: Squared distance beyond which nobody cares.
        out: (6,) receives the nearest points, on p and on q, where the answer is in between.
        work: (2, 9) scratch.
    """
    best, side_q = _foot(p, q, limit, out, 0)
    if side_q == 2:
        return best
    best, side_p = _foot(q, p, best, out, 3)
    if side_p == 2:
        return best
    for i in range(3):
        a, b = 3 * i, 3 * ((i + 1) % 3)
        dx, dy, dz = p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]
        for j in range(3):
            c, d = 3 * j, 3 * ((j + 1) % 3)
            ex, ey, ez = q[d] - q[c], q[d + 1] - q[c + 1], q[d + 2] - q[c + 2]
            s, t = segment_segment(
                p[a], p[a + 1], p[a + 2], dx, dy, dz, q[c], q[c + 1], q[c + 2], ex, ey, ez
            )
            x, y, z = p[a] + s * dx, p[a + 1] + s * dy, p[a + 2] + s * dz
            u, v, w = q[c] + t * ex, q[c + 1] + t * ey, q[c + 2] + t * ez
            gap = (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2
            if gap < best:
                best = gap
                out[0], out[1], out[2], out[3], out[4], out[5] = x, y, z, u, v, w
                g, h = 3 * ((i + 2) % 3), 3 * ((j + 2) % 3)
                u, v, w = u - x, v - y, w - z
                one = (p[g] - x) * u + (p[g + 1] - y) * v + (p[g + 2] - z) * w
                two = (q[h] - x) * u + (q[h + 1] - y) * v + (q[h + 2] - z) * w
                if gap > 0.0 and one <= 0.0 and two >= gap:
                    return gap
    if side_p == 0 and side_q == 0 and triangles_overlap(p, q, work):
        return 0.0
    return best
