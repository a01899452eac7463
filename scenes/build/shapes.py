"""Closed solids and flat sheets, the bricks of the built-in scenes and characters."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.polygons import triangulate


def loft(rings: ArrayLike) -> TriangleMesh:
    """Return the closed solid through a stack of rings.

    Args:
        rings: (R, K, 3) corners, R >= 2; each ring runs counter-clockwise seen against the
            direction in which the stack grows.
    """
    rings = np.asarray(rings, np.float64)
    layers, sides = rings.shape[:2]
    row = np.arange(layers - 1)[:, None] * sides
    k = np.arange(sides)[None, :]
    a, b = row + k, row + (k + 1) % sides
    walls = [np.stack([a, b, b + sides], -1), np.stack([a, b + sides, a + sides], -1)]
    bottom = triangulate(rings[0])[:, ::-1]
    top = triangulate(rings[-1]) + (layers - 1) * sides
    faces = np.concatenate([*(wall.reshape(-1, 3) for wall in walls), bottom, top])
    return TriangleMesh(rings.reshape(-1, 3), faces)


def outward(mesh: TriangleMesh) -> TriangleMesh:
    """Return a closed solid with all triangles facing out."""
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    volume = np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0
    return mesh if volume > 0.0 else TriangleMesh(mesh.vertices, mesh.faces[:, ::-1])


def box(lower: ArrayLike, upper: ArrayLike) -> TriangleMesh:
    """Return the box between two corners (3,)."""
    (x0, y0, z0), (x1, y1, z1) = np.asarray(lower, float), np.asarray(upper, float)
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)


def prism(outline: ArrayLike, bottom: float, top: float) -> TriangleMesh:
    """Return the upright prism over a counter-clockwise outline (K, 2)."""
    outline = np.asarray(outline, np.float64)
    return loft([np.insert(outline, 2, z, axis=1) for z in (bottom, top)])


def frustum(
    lower: Sequence[float], upper: Sequence[float], bottom: float, top: float
) -> TriangleMesh:
    """Return the solid between two rectangles (x0, y0, x1, y1), one below the other."""
    rings = []
    for (x0, y0, x1, y1), z in ((lower, bottom), (upper, top)):
        rings.append([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)])
    return loft(rings)


def ring(radius: float, z: float, sides: int, center: Sequence[float] = (0.0, 0.0)) -> Float:
    """Return the corners (K, 3) of a level regular polygon, half a step turned."""
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    x, y = center[0] + radius * np.cos(angle), center[1] + radius * np.sin(angle)
    return np.stack([x, y, np.full(sides, z)], axis=1)


def turned(profile: ArrayLike, sides: int, center: Sequence[float] = (0.0, 0.0)) -> TriangleMesh:
    """Return the upright solid of revolution through rows (radius, z), radii above zero."""
    return loft([ring(r, z, sides, center) for r, z in np.asarray(profile, float)])


def rod(start: ArrayLike, end: ArrayLike, radius: float, sides: int = 6) -> TriangleMesh:
    """Return a straight round rod."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    axis = (end - start) / np.linalg.norm(end - start)
    helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.7 else np.array([0.0, 1.0, 0.0])
    left = np.cross(axis, helper)
    left /= np.linalg.norm(left)
    across = np.cross(axis, left)
    circle = ring(radius, 0.0, sides)
    offsets = circle[:, :1] * left + circle[:, 1:2] * across
    return loft([start + offsets, end + offsets])


def blob(
    center: ArrayLike, radii: ArrayLike, rng: np.random.Generator, roughness: float = 0.15
) -> TriangleMesh:
    """Return a rough ellipsoid of 80 triangles: a tree's crown, a bush, a boulder."""
    vertices, faces = _icosahedron()
    midpoints: dict[tuple[int, int], int] = {}
    points = list(vertices)

    def middle(i: int, j: int) -> int:
        key = (min(i, j), max(i, j))
        if key not in midpoints:
            point = points[i] + points[j]
            midpoints[key] = len(points)
            points.append(point / np.linalg.norm(point))
        return midpoints[key]

    fine = []
    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        fine += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    scale = 1.0 + roughness * rng.uniform(-1.0, 1.0, (len(points), 1))
    return TriangleMesh(np.array(points) * scale * np.asarray(radii) + center, np.array(fine))


def _icosahedron() -> tuple[Float, list[tuple[int, int, int]]]:
    low, high = (ring(np.sqrt(0.8), z, 5) for z in (-np.sqrt(0.2), np.sqrt(0.2)))
    high = high @ np.array(_turn_z(np.pi / 5)).T
    vertices = np.concatenate([[[0.0, 0.0, -1.0]], low, high, [[0.0, 0.0, 1.0]]])
    faces = []
    for k in range(5):
        n = (k + 1) % 5
        faces += [
            (0, 1 + n, 1 + k),
            (1 + k, 1 + n, 6 + k),
            (1 + n, 6 + n, 6 + k),
            (6 + k, 6 + n, 11),
        ]
    return vertices, faces


def _turn_z(angle: float) -> list[list[float]]:
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]


def quad(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> TriangleMesh:
    """Return a flat sheet through four corners, counter-clockwise seen from its face."""
    return TriangleMesh(np.array([a, b, c, d], float), np.array([[0, 1, 2], [0, 2, 3]]))


def sheet(x0: float, y0: float, x1: float, y1: float, z: float) -> TriangleMesh:
    """Return a level rectangle that faces up."""
    return quad((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z))


def panel(
    corners: ArrayLike, u: tuple[float, float], v: tuple[float, float], lift: float = 0.012
) -> TriangleMesh:
    """Return a sheet on a quadrilateral, lifted off it: a window, a door, a lamp.

    Args:
        corners: (4, 3) of the quadrilateral, counter-clockwise from outside, the lower two first.
        u: From where to where along the lower side, as shares of it.
        v: From where to where upward, as shares.
        lift: Distance from the quadrilateral [m].
    """
    a, b, c, d = np.asarray(corners, float)
    normal = np.cross(b - a, d - a)
    normal *= lift / np.linalg.norm(normal)

    def at(s: float, t: float) -> Float:
        return (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * d + s * c) + normal

    return quad(at(u[0], v[0]), at(u[1], v[0]), at(u[1], v[1]), at(u[0], v[1]))


def placed(mesh: TriangleMesh, position: ArrayLike, turn: float = 0.0) -> TriangleMesh:
    """Return a mesh turned about the vertical by ``turn`` [degrees], then moved."""
    return mesh.transformed(np.array(_turn_z(np.radians(turn))), np.asarray(position, float))


def floor(xs: ArrayLike, ys: ArrayLike, cells: ArrayLike, height: ArrayLike = 0.0) -> TriangleMesh:
    """Return a walkable floor over cells of a grid; neighboring cells share their vertices.

    Args:
        xs: (I + 1,) grid lines.
        ys: (J + 1,) grid lines.
        cells: (I, J) whether a cell has floor.
        height: Of the grid's corners, (I + 1, J + 1), or one for all.
    """
    xs, ys = np.asarray(xs, float), np.asarray(ys, float)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    z = np.broadcast_to(np.asarray(height, float), x.shape)
    i, j = np.nonzero(np.asarray(cells, bool))
    columns = len(ys)
    a, b = i * columns + j, (i + 1) * columns + j
    faces = np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)])
    return TriangleMesh(np.stack([x, y, z], -1).reshape(-1, 3), faces)
