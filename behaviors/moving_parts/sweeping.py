"""The triangles that bound all places of a moving part between two values of its clock."""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Part
from rmp3d.scenes.stops import stops_of

SAGITTA = 3e-4
"""A point on an arc is at most this far [m] from the chord: bodies keep farther away."""
LEAST_AREA = 1e-12
"""Smaller triangles [m^2] bound nothing."""
MANY = 100
"""A part with more faces is swept near members only."""
NEARBY = 1.0
"""This near [m] to where they may come until they stop."""
RECENT = 16
"""Of so many moments last asked for, it is kept where a part was."""
WALL = (-0.1, 2.5)
"""Heights [m] over the border of ground that has moved away between which nobody passes."""


class SweptPart:
    """One moving part, ready to be swept.

    Between two poses so near to each other that arcs are straight, each edge sweeps a tetrahedron,
    and each face what is between itself at both poses and those tetrahedra. A body thicker than the
    step that touches none of these faces is clear of the part all the time.

    Attributes:
        row: Of the part in the scene.
        part: The part.
        motion: How it moves.
        carries: Whether walkers go over it where the scene has it.
        lifts: Whether walkers ride on it; they go over it at its stops then.
        stops: Displacements (3,) [m] at which walkers can go over it, one after the other.
        reach: Largest distance of a point from the hinge [m].
    """

    def __init__(self, row: int, part: Part) -> None:
        assert part.motion is not None
        self.row, self.part, self.motion = row, part, part.motion
        self.carries = part.role == "ground"
        self.lifts = part.carries
        stands = stops_of(self.motion) if self.lifts else ()
        self.stops = [stop.displacement for stop in stands] if self.lifts else [np.zeros(3)]
        vertices, name = distinct(part.mesh.vertices)
        self._vertices, self._faces = vertices, name[part.mesh.faces]
        pairs = np.sort(np.stack([self._faces, np.roll(self._faces, 1, axis=1)], 2), axis=2)
        self._edges, of = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
        self._edges_of = of.reshape(-1, 3)
        self.reach = float(length(vertices[self._faces].reshape(-1, 3) - self.motion.hinge).max())
        # In a step the same few moments are asked for again and again.
        self._recent_stop = lru_cache(RECENT)(self._stop_at)
        self._recent_displacement = lru_cache(RECENT)(self._displacement)

    def at(self, clock: Float) -> Float:
        """Return the triangles (M, F, 3, 3) at values (M,) of the clock [s]."""
        return self._points(clock)[:, self._faces]

    def swept(
        self, start: float, end: float, thickness: float, boxes: tuple[Float, Float] | None = None
    ) -> Float:
        """Return triangles (K, 3, 3) that bound the part between two values of its clock.

        Args:
            start: [s].
            end: [s], not earlier.
            thickness: Of the thinnest body that is to be kept clear [m].
            boxes: Lower and upper corners (N, 3) [m]. Of a part with many faces, those farther
                than `NEARBY` from all of them are only where they are at the start.
        """
        points = self._points(self._steps(start, end, thickness))
        if len(points) == 1:
            return points[0, self._faces]
        faces, edges, still = self._faces, self._edges, np.zeros((0, 3, 3))
        if boxes is not None and len(faces) > MANY:
            corners = points[0, faces]
            near = _near(corners, *boxes, NEARBY + self.motion.travel(start, end, self.reach))
            faces, still = faces[near], corners[~near]
            edges = edges[np.unique(self._edges_of[near])]
        at_poses = np.concatenate([still, points[:, faces].reshape(-1, 3, 3)])
        a, b = points[:-1, edges[:, 0]], points[:-1, edges[:, 1]]
        c, d = points[1:, edges[:, 0]], points[1:, edges[:, 1]]
        sides = np.stack([[a, b, c], [b, d, c], [a, b, d], [a, d, c]])  # (4, 3, S, E, 3)
        sides = np.moveaxis(sides, 1, -2).reshape(-1, 3, 3)
        return np.concatenate([at_poses, _with_area(sides)])

    def stop_at(self, start: float, end: float) -> int:
        """Return the stop at which the part stands all the time between two clocks; -1: none."""
        return self._recent_stop(start, end)

    def displacement(self, clock: float) -> Float:
        """Return how far (3,) the part's hinge is from where the scene has it, at a clock [s]."""
        return self._recent_displacement(clock)

    def _displacement(self, clock: float) -> Float:
        return frozen(self.motion.displacements(np.array([clock]))[0])

    def _stop_at(self, start: float, end: float) -> int:
        for row, displacement in enumerate(self.stops):
            if self.motion.stands_at(displacement, start, end):
                return row
        return -1

    def border(self, max_slope: float) -> tuple[Float, Float]:
        """Return the ends (E, 3) of the edges around the ground that the part is in the scene."""
        mesh = self.deck(max_slope)
        if mesh is None:
            return np.zeros((0, 3)), np.zeros((0, 3))
        corners = distinct(mesh.vertices)[1][mesh.faces]
        start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
        key = np.minimum(start, end) * len(mesh.vertices) + np.maximum(start, end)
        _, row, count = np.unique(key, return_index=True, return_counts=True)
        points = mesh.triangles.reshape(-1, 3)
        after = np.roll(mesh.triangles, -1, axis=1).reshape(-1, 3)
        return points[row[count == 1]], after[row[count == 1]]

    def walls(self, max_slope: float) -> Float:
        """Return upright faces (K, 3, 3) around the ground that the part is in the scene.

        Nobody comes through them onto ground that has moved away.
        """
        a, b = self.border(max_slope)
        if len(a) == 0:
            return np.zeros((0, 3, 3))
        low, high = np.array([0.0, 0.0, WALL[0]]), np.array([0.0, 0.0, WALL[1]])
        faces = [[a + low, b + low, b + high], [a + low, b + high, a + high]]
        return np.moveaxis(np.array(faces), 1, 2).reshape(-1, 3, 3)

    def deck(self, max_slope: float) -> TriangleMesh | None:
        """Return the faces that can be walked on, where the scene has them; None if none can."""
        flat = self.part.mesh.normals[:, 2] >= np.cos(max_slope) - 1e-9
        return self.part.mesh.select(flat) if self.carries and flat.any() else None

    def _steps(self, start: float, end: float, thickness: float) -> Float:
        """Return values (S + 1,) of the clock [s] between which the part moves straight."""
        found = [np.array([start])]
        instants = self.motion.instants(start, end)
        for first, last in pairwise(instants.tolist()):
            way = self.motion.travel(first, last, self.reach)
            if way == 0.0:
                continue
            turn = self.motion.travel(first, last, self.reach + 1.0) - way
            widest = np.sqrt(8.0 * SAGITTA / max(self.reach, 1e-9))
            count = int(np.ceil(max(way / (0.5 * thickness), turn / widest, 1.0)))
            found.append(first + (last - first) * np.arange(1, count + 1) / count)
        return np.concatenate(found)

    def _points(self, clock: Float) -> Float:
        """Return the distinct vertices (M, V, 3) at values (M,) of the clock [s]."""
        rotation, translation = self.motion.poses(clock)
        moved: Float = self._vertices @ np.swapaxes(rotation, 1, 2) + translation[:, None]
        return moved


def _near(corners: Float, lower: Float, upper: Float, distance: float) -> Bool:
    """Return which triangles (F, 3, 3) may be so near [m] to boxes, by their own boxes."""
    low, high = corners.min(axis=1) - distance, corners.max(axis=1) + distance
    found = np.zeros(len(corners), np.bool_)
    for least, most in zip(lower, upper, strict=True):
        found |= ((low < most) & (high > least)).all(axis=1)
    return found


def _with_area(triangles: Float) -> Float:
    a, b, c = np.moveaxis(triangles, 1, 0)
    found: Float = triangles[0.5 * length(np.cross(b - a, c - a)) > LEAST_AREA]
    return found
