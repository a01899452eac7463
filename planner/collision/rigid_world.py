"""The collision world of a body that may turn: its mesh against the meshes of a problem."""

from functools import cached_property
from typing import Literal

import numpy as np

from rmp3d.geometry import Bool, Float, InputError, TriangleMesh
from rmp3d.geometry.mesh import join
from rmp3d.geometry.meshpair import MeshPair, checked
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rigid_motion import FREE
from rmp3d.geometry.rotations import rotate
from rmp3d.models import Body
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.pieces import closed_pieces, markers
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.planner.errors import ConfirmationError
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.problems.rigid_problem import RigidProblem

GRAY = 0.6
BOX_FACES = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)  # of the corners numbered 4 x + 2 y + z; two faces per axis


class RigidCollisionWorld:
    """Where a rigid body may be, and which of its motions are proved free.

    The body is its mesh itself. A configuration is (7,): position [m] of its reference point and
    unit quaternion, scalar first. In a motion the point goes straight, and the body turns about
    a fixed axis at constant speed.

    Args:
        problem: Body, obstacles, and what the bounds hold; start and goal matter only for the
            degrees of freedom that are locked.
        backend: "auto", the compiled kernels; or "fcl", python-fcl alone.
        counts: Where to count queries; by default in new counts.

    Attributes:
        problem: The problem.
        backend: The name of the backend.
        reach: Largest distance [m] of a point of the body from its reference point.
        surroundings: Obstacles, and walls around the bounds if the bounds hold the whole body.
        pair: Body against surroundings, for compiled code.
        solids: What a body must not be inside of, or None.
        markers: (C, 3) [m] a point of each connected piece of the body, about its reference.
        tolerance: Gap [m] that proofs of the kernels leave.
        flying: True.
        counts: The work done so far (the judge's not included).

    Raises:
        InputError: No backend has that name.
    """

    flying = True

    def __init__(
        self,
        problem: RigidProblem,
        backend: Literal["auto", "fcl"] = "auto",
        counts: QueryCounts | None = None,
    ) -> None:
        if backend not in ("auto", "fcl"):
            raise InputError(f"no collision backend named `{backend}` (there is auto, fcl)")
        self.problem = problem
        self.backend = backend
        self.reach = float(np.linalg.norm(problem.robot.triangles.reshape(-1, 3), axis=1).max())
        meshes = [] if problem.obstacles is None else [problem.obstacles]
        if problem.contain_body:
            meshes.append(_walls(problem, self.reach, 0.0))
        if not meshes:
            # Out of reach: so that there is always a mesh to ask.
            meshes.append(_walls(problem, self.reach, 2.0 * self.reach))
        self.surroundings = join(meshes)
        self.pair = MeshPair(problem.robot, self.surroundings)
        self.tolerance = self.pair.tolerance
        self.solids = closed_pieces(problem.obstacles) if problem.solids else None
        self._query = None if self.solids is None else MeshQuery(self.solids)
        self.markers = markers(problem.robot)
        self.counts = QueryCounts() if counts is None else counts
        self._fcl: _Fcl | None = None
        if backend == "fcl":
            self._fcl = _Fcl(self.judge)
            self.counts = self.judge.counts

    @cached_property
    def body(self) -> Body:
        """The mesh, and the ball around it."""
        return Body(self.problem.robot, self.reach * (1.0 + 1e-9), (0.0, 0.0))

    @cached_property
    def scene(self) -> Scene:
        """The obstacles as a scene, without the walls; without obstacles, its bounds as decor."""
        mesh, name, role = self.problem.obstacles, "obstacles", "obstacle"
        if mesh is None:
            mesh, name, role = self.surroundings, "bounds", "decor"
        color = np.full((len(mesh.faces), 3), GRAY)
        bounds = self.problem.bounds.copy()
        if not self.problem.has_height:
            bounds[:, 2] = self.problem.start[2]
        part = Part(name, role, mesh, color)  # type: ignore[arg-type]
        return Scene(self.problem.name, (part,), {}, bounds)

    @cached_property
    def judge(self) -> RigidJudge:
        """Python-fcl with the same body and surroundings."""
        return RigidJudge(self.problem.robot, self.surroundings, self.solids, self.markers)

    @property
    def judge_counts(self) -> QueryCounts:
        """The judge's work so far; none if it is the backend, too, or was not needed yet."""
        asked = "judge" in vars(self) and self._fcl is None
        return self.judge.counts.copy() if asked else QueryCounts()

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) touch nothing and are inside no solid."""
        rows = checked(configurations)
        if self._fcl is not None:
            return self._fcl.is_free(rows)
        self.counts.collision += len(rows)
        free: Bool = ~self.pair.collide(rows)
        free[free] = ~self.inside(rows[free])
        return free

    def clearance(self, configurations: Float, cap: float = np.inf) -> Float:
        """Return the distance (M,) [m] to obstacles and walls, at most ``cap``; 0 in collision."""
        rows = checked(configurations)
        if self._fcl is not None:
            return self._fcl.clearance(rows, cap)
        self.counts.distance += len(rows)
        clearance = self.pair.distance(rows, cap)
        clearance[self.inside(rows)] = 0.0
        return clearance

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which motions start[i] -> end[i], (M, 7) each, are proved free.

        The proof is continuous: no resolution of steps. What starts inside a solid is not free.
        """
        start, end = checked(start), checked(end)
        free = self.touch_nothing(start, end)
        inside = self.inside if self._fcl is None else self._fcl.inside
        free[free] = ~inside(start[free])
        return free

    def touch_nothing(self, start: Float, end: Float) -> Bool:
        """Return the same where every start is known to be inside no solid, which costs less."""
        if self._fcl is not None:
            return self._fcl.motions_are_free(start, end)
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

    def colliding_part(self, configuration: Float) -> str | None:
        """Return the part that a configuration (7,) collides with, or None.

        "inside NAME" where the body is within a closed part and touches nothing.
        """
        row = checked(configuration)
        parts = [part for part in self.scene.parts if part.role != "decor"]
        for part in parts:
            if MeshPair(self.body.mesh, part.mesh).collide(row)[0]:
                return part.name
        if self.inside(row)[0]:
            return f"inside {parts[0].name}" if len(parts) == 1 else "inside a closed part"
        return None

    def confirm(self, points: Float) -> None:
        """Let python-fcl judge every configuration and motion of an answer, points (K, 7).

        Raises:
            ConfirmationError: It finds a contact; the kernels and it disagree.
        """
        index = self.judge.first_refused(checked(points))
        if index >= 0:
            raise ConfirmationError(
                f"python-fcl does not confirm the motion from configuration {index} of the path, "
                f"{np.round(points[index], 4).tolist()}; please report this problem",
                index,
            )


class _Fcl:
    """By python-fcl alone, one configuration at a time."""

    def __init__(self, judge: RigidJudge) -> None:
        self._judge = judge

    def is_free(self, configurations: Float) -> Bool:
        judge = self._judge
        free = [not (judge.collides(row) or judge.is_inside(row)) for row in configurations]
        return np.array(free, dtype=np.bool_)

    def clearance(self, configurations: Float, cap: float) -> Float:
        rows = [
            0.0 if self._judge.is_inside(row) else self._judge.distance(row)
            for row in configurations
        ]
        return np.minimum(np.array(rows, dtype=np.float64), cap)

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        pairs = zip(start, end, strict=True)
        return np.array([self._judge.motion_is_free(*pair) for pair in pairs], dtype=np.bool_)

    def inside(self, configurations: Float) -> Bool:
        return np.array([self._judge.is_inside(row) for row in configurations], dtype=np.bool_)


def _walls(problem: RigidProblem, reach: float, beyond: float) -> TriangleMesh:
    """Return the faces of the box across the free axes, ``beyond`` [m] outside the bounds."""
    low, high = problem.bounds[0] - beyond, problem.bounds[1] + beyond
    flat = not problem.has_height
    if flat:
        low = np.append(low[:2], problem.start[2] - 2.0 * reach)
        high = np.append(high[:2], problem.start[2] + 2.0 * reach)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = BOX_FACES[:4] if flat else BOX_FACES
    return TriangleMesh(
        low + corners * (high - low), np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])
    )
