"""The world of one problem: body, obstacles, walls around the bounds, solids, and their queries."""

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh
from rmp3d.geometry.graphs import components
from rmp3d.geometry.mesh import join
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rigid_motion import FREE
from rmp3d.geometry.rotations import rotate
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.rigid_space import RigidSpace
from rmp3d.scenes.problems.rigid_problem import RigidProblem

BOX_FACES = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)  # of the corners numbered 4 x + 2 y + z; two faces per axis


class RigidWorld:
    """Compiled collision queries of a problem.

    Attributes:
        problem: The problem.
        space: Its configurations.
        surroundings: Obstacles, and the walls that hold the body in where the bounds are its.
        pair: Body against surroundings.
        solids: What a body must not be inside of, or None.
        markers: (C, 3) [m] a point of each connected piece of the body, about its reference.
        counts: The work done so far.
    """

    def __init__(self, problem: RigidProblem) -> None:
        self.problem = problem
        reach = float(np.linalg.norm(problem.robot.triangles.reshape(-1, 3), axis=1).max())
        self.space = RigidSpace(problem.space, problem.bounds, problem.start, reach)
        meshes = [] if problem.obstacles is None else [problem.obstacles]
        if problem.contain_body:
            meshes.append(_walls(self.space, problem.bounds, 0.0))
        if not meshes:
            # Out of reach: so that there is always a mesh to ask.
            meshes.append(_walls(self.space, problem.bounds, 2.0 * reach))
        self.surroundings = join(meshes)
        self.pair = MeshPair(problem.robot, self.surroundings)
        self.solids = closed_pieces(problem.obstacles) if problem.solids else None
        self._query = None if self.solids is None else MeshQuery(self.solids)
        self.markers = _markers(problem.robot)
        self.counts = QueryCounts()

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) touch nothing and are inside nothing."""
        self.counts.collision += len(configurations)
        free: Bool = ~self.pair.collide(configurations)
        free[free] = ~self.inside(configurations[free])
        return free

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which motions start[i] -> end[i], (M, 7) each, are proved free."""
        verdict, queries = self.pair.certify(start, end)
        self.counts.collision += queries
        free: Bool = verdict == FREE
        return free

    def inside(self, configurations: Float) -> Bool:
        """Return where (M,) a piece of the body lies inside a solid, if it touches none."""
        found = np.zeros(len(configurations), dtype=np.bool_)
        if self._query is None or len(configurations) == 0:
            return found
        for marker in self.markers:
            points = rotate(configurations[:, 3:], marker) + configurations[:, :3]
            found |= self._query.contains(points)
        return found


def pieces(mesh: TriangleMesh) -> Index:
    """Return the connected piece (F,) of each face; vertices in one place count as one."""
    unique, merged = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = merged.reshape(-1)[mesh.faces]
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]]])
    label = components(len(unique), ends)[faces[:, 0]]
    numbers: Index = np.unique(label, return_inverse=True)[1].reshape(-1)
    return numbers


def closed_pieces(mesh: TriangleMesh | None) -> TriangleMesh | None:
    """Return the watertight pieces of a mesh as one mesh, or None.

    First those whose faces share vertices: bodies that stand side by side share places only, and
    as one piece they would not be closed. Then, of the rest, those whose faces share places.
    """
    if mesh is None:
        return None
    number = np.arange(len(mesh.vertices), dtype=np.float64)
    # With a place of its own for each vertex, no three on a line, places join what vertices join.
    apart = TriangleMesh(np.column_stack([number, number**2, 0.0 * number]), mesh.faces)
    closed = _closed_faces(mesh, np.arange(len(mesh.faces)), pieces(apart))
    rest = np.setdiff1d(np.arange(len(mesh.faces)), closed)
    if len(rest):
        closed = np.concatenate([closed, _closed_faces(mesh, rest, pieces(mesh.select(rest)))])
    return mesh.select(np.sort(closed)) if len(closed) else None


def _closed_faces(mesh: TriangleMesh, faces: Index, piece: Index) -> Index:
    """Return those of some faces (F,) whose piece (F,) is watertight."""
    order = np.argsort(piece, kind="stable")
    groups = np.split(faces[order], np.flatnonzero(np.diff(piece[order])) + 1)
    closed = [rows for rows in groups if len(rows) >= 4 and _compact(mesh, rows).is_watertight]
    return np.concatenate([np.zeros(0, np.intp), *closed])


def _compact(mesh: TriangleMesh, rows: Index) -> TriangleMesh:
    """Return some faces of a mesh with only the vertices that they use."""
    used, numbers = np.unique(mesh.faces[rows], return_inverse=True)
    return TriangleMesh(mesh.vertices[used], numbers.reshape(-1, 3))


def _markers(robot: TriangleMesh) -> Float:
    """Return a point (C, 3) of each connected piece."""
    _, first = np.unique(pieces(robot), return_index=True)
    points: Float = robot.triangles[first, 0]
    return points


def _walls(space: RigidSpace, bounds: Float, beyond: float) -> TriangleMesh:
    """Return the faces of the box across the free axes, ``beyond`` [m] outside the bounds."""
    low, high = bounds[0] - beyond, bounds[1] + beyond
    flat = space.kind.startswith("planar")
    if flat:
        low = np.append(low[:2], space.origin[2] - 2.0 * space.reach)
        high = np.append(high[:2], space.origin[2] + 2.0 * space.reach)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = BOX_FACES[:4] if flat else BOX_FACES
    return TriangleMesh(
        low + corners * (high - low), np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])
    )
