"""Skinned meshes of fewer triangles, for characters that are seen from afar.

Edges are contracted in the order of their cost until few enough triangles are left. The cost is the
quadric error of Garland and Heckbert (1997, "Surface simplification using quadric error metrics"):
the sum of squared distances from the planes of the triangles that a vertex stands for. Theirs is
weighted by areas, ours by lengths (roots of areas): thin limbs stay. Added to it is what a vertex
has besides its place, as the same authors do for colors (1998): the joint that it follows and the
colors around it. We contract an edge into one of its ends, not into a new point between them, so
that the weights of joints need no mean.

Corners of a thin disc move in its plane at nearly no cost, so that rotors would go first. So a thin
piece of some size keeps a share of its area.
"""

import heapq
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from operator import add, mul

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.models.skeleton import Look, Skin

TRIANGLES = (1000, 200, 100)
"""How many triangles the simpler meshes of a look have, as far as it has clearly more itself."""
CLEARLY_FEWER = 0.7
OTHER_JOINT, OTHER_COLORS = 0.03, 0.015
"""Vertices of other joints or colors are contracted as if they were moved so far, of the height."""
TURNED = 0.1
"""No triangle turns so far that the cosine of the angle is less."""
THIN, LARGE, KEPT = 0.1, 0.05, 0.7
"""A piece is thin if its least extent is a smaller share of the next one, large from this share of
all the area on; if it is both, this share of its area stays."""
DIGITS = 12
"""Decimals of a cost [m^3] that count: the same order on each machine."""


def with_levels(look: Look) -> Look:
    """Return a look with simpler meshes of it, from finer to coarser ones."""
    levels: list[Look] = []
    for count in TRIANGLES:
        finest = levels[-1] if levels else look
        if count < CLEARLY_FEWER * len(finest.mesh.faces):
            levels.append(simplified(finest, count))
    return replace(look, levels=tuple(levels))


def simplified(look: Look, triangles: int) -> Look:
    """Return a look of at most so many triangles, as far as contracting edges can do it.

    It has no pictures: its faces have the colors that they have from afar.

    Args:
        look: Of F triangles.
        triangles: How many there shall be.
    """
    points, place = distinct(np.round(look.mesh.vertices, 5))
    vertex = np.zeros(len(points), np.intp)  # one for each place
    vertex[place[::-1]] = np.arange(len(place))[::-1]
    work = _Contraction(points, place[look.mesh.faces], look, vertex)
    for strict in (True, False):
        work.run(triangles, strict=strict)
    kept = np.array(sorted(work.corners), np.intp)
    used, corners = np.unique([work.corners[face] for face in kept], return_inverse=True)
    own = vertex[used]
    mesh = TriangleMesh(points[used], corners.reshape(-1, 3))
    return Look(mesh, look.colors[kept], Skin(look.skin.joints[own], look.skin.weights[own]))


class _Contraction:
    """A mesh that edges are contracted in; plain numbers, as arrays of three are slow.

    Attributes:
        corners: Of the triangles that are left, places by triangle.
    """

    def __init__(self, points: Float, faces: Index, look: Look, vertex: Index) -> None:
        self._points = [tuple(point) for point in points.tolist()]
        self._size = float(np.ptp(points[:, 2])) or 1.0
        whole = [row for row, face in enumerate(faces.tolist()) if len(set(face)) == 3]
        self.corners = {row: tuple(faces[row].tolist()) for row in whole}
        self._around: list[set[int]] = [set() for _ in points]
        weights = look.skin.weights[vertex]
        self._joint = look.skin.joints[vertex, weights.argmax(axis=1)].tolist()
        self._color = np.unique(look.colors, axis=0, return_inverse=True)[1].reshape(-1).tolist()
        quadric, self._weight = np.zeros((len(points), 10)), [0.0] * len(points)
        for row, face in self.corners.items():
            normal, area = self._plane(face)
            plane = np.append(normal, -np.dot(normal, self._points[face[0]]))
            share = float(np.sqrt(area))
            for place in face:
                self._around[place].add(row)
                quadric[place] += share * np.outer(plane, plane)[np.triu_indices(4)]
                self._weight[place] += share
        self._quadric = [tuple(row) for row in quadric.tolist()]
        piece = _pieces(len(points), faces)
        self._piece = piece.tolist()
        self._area = np.bincount(piece[faces[:, 0]], look.mesh.areas, int(piece.max()) + 1)
        large = np.flatnonzero(self._area >= LARGE * self._area.sum())
        self._least = {
            row: KEPT * float(self._area[row])
            for row in large.tolist()
            if _is_thin(points[piece == row])
        }

    def run(self, triangles: int, *, strict: bool) -> None:
        """Contract edges until so many triangles are left, or none can be contracted.

        Args:
            triangles: How many.
            strict: Whether no triangle may turn over.
        """
        queue = [
            (self._cost(a, b), a, b)
            for face in self.corners.values()
            for k in range(3)
            for a, b in ((face[k], face[k - 1]), (face[k - 1], face[k]))
        ]
        heapq.heapify(queue)
        while queue and len(self.corners) > triangles:
            cost, start, end = heapq.heappop(queue)
            if end not in self._neighbors(start):
                continue  # there is no such edge any more
            if cost < (now := self._cost(start, end)):
                heapq.heappush(queue, (now, start, end))
                continue
            if strict and self._turns_over(start, end):
                continue
            if self._shrinks(start, end):
                continue
            self._contract(start, end)
            for other in self._neighbors(end):
                for a, b in ((end, other), (other, end)):
                    heapq.heappush(queue, (self._cost(a, b), a, b))

    def _neighbors(self, place: int) -> set[int]:
        found = {each for face in self._around[place] for each in self.corners[face]}
        return found - {place}

    def _cost(self, start: int, end: int) -> float:
        """Return the cost of moving a place to another one [m^3]."""
        x, y, z = self._points[end]
        a, b, c, d, e, f, g, h, i, j = map(add, self._quadric[start], self._quadric[end])
        cost = x * (a * x + 2.0 * (b * y + c * z + d)) + y * (e * y + 2.0 * (f * z + g))
        cost += z * (h * z + 2.0 * i) + j
        moved = 0.0
        if self._joint[start] != self._joint[end]:
            moved += OTHER_JOINT**2
        if self._colors(start) - self._colors(end):
            moved += OTHER_COLORS**2
        # The last term prefers short edges among those that cost nothing.
        u, v, w = self._points[start]
        gap = (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2
        cost += self._weight[start] * (moved * self._size**2 + 1e-4 * gap)
        return round(cost, DIGITS)

    def _colors(self, place: int) -> set[int]:
        return {self._color[face] for face in self._around[place]}

    def _turns_over(self, start: int, end: int) -> bool:
        for face in self._around[start] - self._around[end]:
            corners = self.corners[face]
            before, _ = self._plane(corners)
            after, area = self._plane([end if place == start else place for place in corners])
            if area < 1e-12 or sum(map(mul, before, after)) < TURNED:
                return True
        return False

    def _shrinks(self, start: int, end: int) -> bool:
        """Count the area that a thin piece loses; return whether it would keep too little."""
        piece = self._piece[start]
        if piece not in self._least:
            return False
        left = float(self._area[piece])
        for face in self._around[start]:
            corners = self.corners[face]
            left -= self._plane(corners)[1]
            if end not in corners:
                left += self._plane([end if place == start else place for place in corners])[1]
        if left < self._least[piece]:
            return True
        self._area[piece] = left
        return False

    def _contract(self, start: int, end: int) -> None:
        for face in self._around[start] & self._around[end]:
            for place in self.corners.pop(face):
                self._around[place].discard(face)
        there = {frozenset(self.corners[face]): face for face in self._around[end]}
        for face in sorted(self._around[start]):
            moved = tuple(end if place == start else place for place in self.corners[face])
            twin = there.get(frozenset(moved))
            if twin is None or self._piece[end] in self._least:
                self.corners[face] = moved
                self._around[end].add(face)
                there[frozenset(moved)] = face
                continue
            for row in (face, twin):  # two sides of nothing
                for place in self.corners.pop(row, ()):
                    self._around[place].discard(row)
        self._around[start].clear()
        self._quadric[end] = tuple(map(add, self._quadric[start], self._quadric[end]))
        self._weight[end] += self._weight[start]

    def _plane(self, corners: Sequence[int]) -> tuple[tuple[float, float, float], float]:
        """Return the unit normal (3,) and the area [m^2] of a triangle of places."""
        (x, y, z), (a, b, c), (d, e, f) = (self._points[place] for place in corners)
        a, b, c, d, e, f = a - x, b - y, c - z, d - x, e - y, f - z
        normal = b * f - c * e, c * d - a * f, a * e - b * d
        size = sqrt(sum(map(mul, normal, normal)))
        u, v, w = (each / max(size, 1e-30) for each in normal)
        return (u, v, w), 0.5 * size


def _pieces(count: int, faces: Index) -> Index:
    """Return for each of so many places (V,) in which connected piece of faces (F, 3) it is."""
    ends = np.concatenate([faces[:, :2], faces[:, 1:]]).T
    graph = coo_matrix((np.ones(ends.shape[1]), (ends[0], ends[1])), (count, count))
    return np.asarray(connected_components(graph, directed=False)[1], np.intp)


def _is_thin(points: Float) -> bool:
    """Return whether points (K, 3) are nearly in a plane, and not in a line."""
    extent = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(extent[-1] < THIN * extent[-2])
