"""Compiled tests of two triangles: do they overlap, and how far apart are they?

A triangle is a row of nine coordinates. Degenerate triangles (a segment, a point) are allowed.
"""

from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.primitives import THIN, segment_segment

FLAT = 1e-10  # two planes may be one if the squared sine of their angle is below this


@inlined
def _axis_separates(x, y, z, p, q, i, j):
    """Return whether an axis across edge i of one triangle and edge j of another separates them."""
    a, b, c, d = 3 * i, 3 * ((i + 2) % 3), 3 * j, 3 * ((j + 2) % 3)
    edge_p = x * p[a] + y * p[a + 1] + z * p[a + 2]
    corner_p = x * p[b] + y * p[b + 1] + z * p[b + 2]
    edge_q = x * q[c] + y * q[c + 1] + z * q[c + 2]
    corner_q = x * q[d] + y * q[d + 1] + z * q[d + 2]
    return max(edge_p, corner_p) < min(edge_q, corner_q) or max(edge_q, corner_q) < min(
        edge_p, corner_p
    )


@inlined
def _on_one_side(x, y, z, height, q):
    """Return whether all of a triangle is on one side of the plane x y z at a height."""
    a = x * q[0] + y * q[1] + z * q[2] - height
    b = x * q[3] + y * q[4] + z * q[5] - height
    c = x * q[6] + y * q[7] + z * q[8] - height
    return min(a, min(b, c)) > 0.0 or max(a, max(b, c)) < 0.0


@compiled
def triangles_overlap(p, q, work):
    """Return whether two closed triangles have a point in common.

    Two triangles are apart exactly if one of 17 axes separates them: both normals, the nine
    products of an edge of each, and, if they lie in one plane or have no plane, the three normals
    of the edges in each plane (Gottschalk, Lin and Manocha 1996, "OBBTree"). An axis of length zero
    separates nothing.

    Args:
        p: First triangle.
        q: Second triangle.
        work: (2, 9) scratch for the triangles relative to a corner, which loses fewer digits.
    """
    for k in range(9):
        work[0, k] = p[k] - p[k % 3]
        work[1, k] = q[k] - p[k % 3]
    p, q = work[0], work[1]
    ux, uy, uz = p[3], p[4], p[5]
    vx, vy, vz = p[6], p[7], p[8]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _on_one_side(nx, ny, nz, 0.0, q):
        return False
    ux, uy, uz = q[3] - q[0], q[4] - q[1], q[5] - q[2]
    vx, vy, vz = q[6] - q[0], q[7] - q[1], q[8] - q[2]
    mx, my, mz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _on_one_side(mx, my, mz, mx * q[0] + my * q[1] + mz * q[2], p):
        return False
    for i in range(3):
        a, b = 3 * i, 3 * ((i + 1) % 3)
        ex, ey, ez = p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]
        for j in range(3):
            c, d = 3 * j, 3 * ((j + 1) % 3)
            fx, fy, fz = q[d] - q[c], q[d + 1] - q[c + 1], q[d + 2] - q[c + 2]
            if _axis_separates(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx, p, q, i, j):
                return False
    lx, ly, lz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
    cross = lx * lx + ly * ly + lz * lz
    if cross > FLAT * (nx * nx + ny * ny + nz * nz) * (mx * mx + my * my + mz * mz):
        return True
    return not _separated_in_plane(p, q, nx, ny, nz) and not _separated_in_plane(q, p, mx, my, mz)


@compiled
def _separated_in_plane(p, q, nx, ny, nz):
    """Return whether an edge of p, in the plane with the normal n, separates two triangles."""
    for i in range(3):
        a, b, c = 3 * i, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3)
        ex, ey, ez = p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]
        x, y, z = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
        edge = x * p[a] + y * p[a + 1] + z * p[a + 2]
        corner = x * p[c] + y * p[c + 1] + z * p[c + 2]
        low, high = 1e300, -1e300
        for k in range(0, 9, 3):
            along = x * q[k] + y * q[k + 1] + z * q[k + 2]
            low, high = min(low, along), max(high, along)
        if max(edge, corner) < low or high < min(edge, corner):
            return True
    return False


@compiled
def _foot(p, q, best, out, first):
    """Compare ``best`` with the distances from q's corners to the inside of p.

    Returns:
        The smaller squared distance, and whether all of q lies on one side of p's plane: 0 no,
        1 yes, 2 yes and no point of q is nearer than the returned distance.
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
    If the planes across these points separate the triangles, no points are nearer (Larsen,
    Gottschalk, Lin and Manocha 1999, "Fast proximity queries with swept sphere volumes"). Zero if
    they overlap.

    Args:
        p: First triangle.
        q: Second triangle.
        limit: Larger squared distances are returned as ``limit``.
        out: (6,) receives the nearest points on p and on q, if the answer is between 0 and
            ``limit``.
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
