"""The point nearest to a wish in an intersection of half-spaces n.w <= h, few at a time.

Incremental and exact while the intersection is not empty: a violated half-space puts the answer
on its plane, where the half-spaces before it are looked at again, one dimension lower (Seidel
1991; van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance", use the same
recursion for another objective).
"""

from math import sqrt

from rmp3d.geometry.compiled import compiled

SLACK = 1e-13


@compiled
def project_on_halfplanes(wish, normal, bound, count, out):
    """Write to ``out`` (3,) the nearest point of the plane z = 0; normals are horizontal."""
    x, y = wish[0], wish[1]
    for k in range(count):
        if normal[k, 0] * x + normal[k, 1] * y <= bound[k] + SLACK:
            continue
        # Onto line k: the foot of the wish, shifted along it into the half-planes before k.
        beyond = normal[k, 0] * wish[0] + normal[k, 1] * wish[1] - bound[k]
        fx, fy = wish[0] - beyond * normal[k, 0], wish[1] - beyond * normal[k, 1]
        tx, ty = -normal[k, 1], normal[k, 0]
        low, high = -1e30, 1e30
        for j in range(k):
            slope = normal[j, 0] * tx + normal[j, 1] * ty
            slack = bound[j] - normal[j, 0] * fx - normal[j, 1] * fy
            if slope > 1e-12:
                high = min(high, slack / slope)
            elif slope < -1e-12:
                low = max(low, slack / slope)
        shift = 0.5 * (low + high) if low > high else min(high, max(low, 0.0))
        x, y = fx + shift * tx, fy + shift * ty
    out[0], out[1], out[2] = x, y, 0.0


@compiled
def project_on_halfspaces(wish, normal, bound, count, out):
    """Write to ``out`` (3,) the point of the intersection that is nearest to ``wish`` (3,)."""
    x, y, z = wish[0], wish[1], wish[2]
    for k in range(count):
        if normal[k, 0] * x + normal[k, 1] * y + normal[k, 2] * z <= bound[k] + SLACK:
            continue
        x, y, z = _on_plane(wish, normal, bound, k)
    out[0], out[1], out[2] = x, y, z


@compiled
def _on_plane(wish, normal, bound, k):
    kx, ky, kz = normal[k, 0], normal[k, 1], normal[k, 2]
    beyond_k = kx * wish[0] + ky * wish[1] + kz * wish[2] - bound[k]
    x, y, z = wish[0] - beyond_k * kx, wish[1] - beyond_k * ky, wish[2] - beyond_k * kz
    for j in range(k):
        jx, jy, jz = normal[j, 0], normal[j, 1], normal[j, 2]
        if jx * x + jy * y + jz * z <= bound[j] + SLACK:
            continue
        tx, ty, tz = ky * jz - kz * jy, kz * jx - kx * jz, kx * jy - ky * jx
        size = tx * tx + ty * ty + tz * tz
        if size < 1e-14:
            continue
        cosine = kx * jx + ky * jy + kz * jz
        beyond_j = jx * wish[0] + jy * wish[1] + jz * wish[2] - bound[j]
        a = (beyond_k - cosine * beyond_j) / size
        b = (beyond_j - cosine * beyond_k) / size
        fx = wish[0] - a * kx - b * jx
        fy = wish[1] - a * ky - b * jy
        fz = wish[2] - a * kz - b * jz
        size = 1.0 / sqrt(size)
        tx, ty, tz = tx * size, ty * size, tz * size
        low, high = -1e30, 1e30
        for i in range(j):
            slope = normal[i, 0] * tx + normal[i, 1] * ty + normal[i, 2] * tz
            slack = bound[i] - normal[i, 0] * fx - normal[i, 1] * fy - normal[i, 2] * fz
            if slope > 1e-12:
                high = min(high, slack / slope)
            elif slope < -1e-12:
                low = max(low, slack / slope)
        shift = 0.5 * (low + high) if low > high else min(high, max(low, 0.0))
        x, y, z = fx + shift * tx, fy + shift * ty, fz + shift * tz
    return x, y, z
