"""The surface on which a function of space is zero, as a closed triangle mesh."""

from itertools import product

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.polygons import triangulate

CORNERS = np.array(list(product((0, 1), repeat=3)))
EDGES = [(a, b) for a in range(8) for b in range(a) if abs(CORNERS[a] - CORNERS[b]).sum() == 1]


def zero_surface(value: Float, lower: Float, cell: float) -> TriangleMesh:
    """Return the surface around where samples of a function are negative, facing outward.

    Naive surface nets (Gibson 1998, "Constrained elastic surface nets"): each cell that the
    surface passes has one vertex, the mean of the crossings of its edges, and each edge of the
    grid that the surface crosses has one quadrilateral between the four cells around it.

    Args:
        value: (X, Y, Z) samples, positive on the whole border of the grid.
        lower: (3,) place of the first sample [m].
        cell: Distance between samples [m].
    """
    value = _unambiguous(np.where(value == 0.0, 1e-9, value))
    size = np.array(value.shape) - 1
    corner = np.stack([_shifted(value, offset, size) for offset in CORNERS], axis=-1)
    total, count = np.zeros((*size, 3)), np.zeros(tuple(size))
    for a, b in EDGES:
        crossed = (corner[..., a] < 0.0) != (corner[..., b] < 0.0)
        share = corner[..., a] / np.where(crossed, corner[..., a] - corner[..., b], 1.0)
        point = CORNERS[a] + share[..., None] * (CORNERS[b] - CORNERS[a])
        total += np.where(crossed[..., None], point, 0.0)
        count += crossed
    passed = count > 0
    row = np.full(passed.shape, -1)
    row[passed] = np.arange(passed.sum())
    vertices = lower + cell * (np.argwhere(passed) + total[passed] / count[passed][:, None])
    quads = np.concatenate([_quads(value, row, axis) for axis in range(3)])
    return TriangleMesh(vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def _unambiguous(value: Float) -> Float:
    """Return samples of which no square of the grid has equal signs at opposite corners only.

    There four quadrilaterals would meet in an edge; the lesser positive one is made negative.
    """
    value = value.copy()
    changed = True
    while changed:
        changed = False
        for axis in range(3):
            v = np.moveaxis(value, axis, 0)
            a, b, c, d = v[:, :-1, :-1], v[:, 1:, :-1], v[:, 1:, 1:], v[:, :-1, 1:]
            for one, two, off, far in ((a, c, b, d), (b, d, a, c)):
                crossed = (one < 0.0) & (two < 0.0) & (off > 0.0) & (far > 0.0)
                changed |= bool(crossed.any())
                off[crossed & (off <= far)] = -1e-3
                far[crossed & (off > 0.0)] = -1e-3
    return value


def _shifted(value: Float, offset: Index, size: Index) -> Float:
    x, y, z = offset
    return value[x : x + size[0], y : y + size[1], z : z + size[2]]


def _quads(value: Float, row: Index, axis: int) -> Index:
    """Return the quadrilaterals (Q, 4) across the grid edges along one axis."""
    value = np.moveaxis(value, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))
    row = np.moveaxis(row, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))
    here, there = value[:-1, 1:-1, 1:-1] < 0.0, value[1:, 1:-1, 1:-1] < 0.0
    around = np.stack([row[:, :-1, :-1], row[:, 1:, :-1], row[:, 1:, 1:], row[:, :-1, 1:]], -1)
    outward, inward = here & ~there, there & ~here
    return np.concatenate([around[outward], around[inward][:, ::-1]])


def without_flat_vertices(mesh: TriangleMesh, most: int = 9) -> TriangleMesh:
    """Return the same closed surface with fewer triangles where it is plane.

    A vertex whose triangles all lie in one plane is taken out, and the hole filled again, as long
    as it has at most ``most`` neighbors and no edge would be doubled.
    """
    faces = {row: tuple(face) for row, face in enumerate(mesh.faces.tolist())}
    around: list[set[int]] = [set() for _ in mesh.vertices]
    for row, face in faces.items():
        for corner in face:
            around[corner].add(row)
    for vertex in _plane_vertices(mesh, around):
        rows = sorted(around[vertex])
        ring = _ring(vertex, [faces[row] for row in rows])
        if len(ring) > most:
            continue
        filling = np.array(ring)[triangulate(mesh.vertices[ring])].tolist()
        border = {frozenset(pair) for pair in zip(ring, ring[1:] + ring[:1], strict=True)}
        inner = {frozenset(pair) for a, b, c in filling for pair in ((a, b), (b, c), (c, a))}
        known = {frozenset((a, b)) for a in ring for row in around[a] for b in faces[row]}
        if known & (inner - border):
            continue
        for row in rows:
            for other in faces.pop(row):
                around[other].discard(row)
        for row, face in zip(rows, filling, strict=False):
            faces[row] = tuple(face)
            for other in face:
                around[other].add(row)
    used, index = np.unique(np.array([faces[row] for row in sorted(faces)]), return_inverse=True)
    return TriangleMesh(mesh.vertices[used], index.reshape(-1, 3))


def _plane_vertices(mesh: TriangleMesh, around: list[set[int]]) -> list[int]:
    """Return the vertices whose triangles, ``around`` each, all lie in one plane."""
    found = []
    for vertex, rows in enumerate(around):
        normals = mesh.normals[sorted(rows)]
        if (normals @ normals[0] > 1.0 - 1e-9).all():
            found.append(vertex)
    return found


def _ring(vertex: int, faces: list[tuple[int, ...]]) -> list[int]:
    """Return the neighbors of a vertex in the order of its triangles."""
    following = {}
    for face in faces:
        at = face.index(vertex)
        following[face[(at + 1) % 3]] = face[(at + 2) % 3]
    ring = [next(iter(following))]
    while len(ring) < len(following):
        ring.append(following[ring[-1]])
    return ring
