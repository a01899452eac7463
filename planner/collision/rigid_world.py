"""The collision world of a body that may turn: its mesh against the meshes of a problem."""

from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from rmp3d.geometry import Bool, Float, InputError
from rmp3d.geometry.meshpair import MeshPair, checked
from rmp3d.models import Body
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.planner.collision.rigid_queries import RigidWorld
from rmp3d.planner.errors import ConfirmationError
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.problems.rigid_problem import RigidProblem

GRAY = 0.6


class RigidCollisionWorld:
    """Where a rigid body may be, and which of its motions are proved free.

    The body is its mesh itself. A configuration is (7,): position [m] of its reference point and
    unit quaternion, scalar first. In a motion the point goes straight, and the body turns about
    a fixed axis at constant speed.

    Args:
        problem: Body, obstacles, and what the bounds hold; start and goal do not matter.
        backend: "auto", the compiled kernels; or "fcl", python-fcl alone.

    Attributes:
        problem: The problem.
        kernels: The compiled queries, and the degrees of freedom.
        scene: The obstacles as a scene; walls around the bounds are not in it.
        body: The mesh, and the ball around it.
        tolerance: Gap [m] that proofs of the kernels leave.
        flying: True.
        counts: The work done so far (the judge's not included).

    Raises:
        InputError: No backend has that name.
    """

    flying = True

    def __init__(self, problem: RigidProblem, backend: Literal["auto", "fcl"] = "auto") -> None:
        if backend not in ("auto", "fcl"):
            raise InputError(f"no collision backend named `{backend}` (there is auto, fcl)")
        self.problem = problem
        self.kernels = RigidWorld(problem)
        self.body = Body(problem.robot, self.kernels.space.reach * (1.0 + 1e-9), (0.0, 0.0))
        self.tolerance = self.kernels.pair.tolerance
        self.scene = _scene(problem, self.kernels)
        self.backend = backend
        self._queries: _Queries = _Kernels(self.kernels)
        if backend == "fcl":
            self._queries = _Fcl(self.judge)
        self.counts = self._queries.counts

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) touch nothing and are inside no solid."""
        return self._queries.is_free(checked(configurations))

    def clearance(self, configurations: Float, cap: float = np.inf) -> Float:
        """Return the distance (M,) [m] to obstacles and walls, at most ``cap``; 0 in collision."""
        return self._queries.clearance(checked(configurations), cap)

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which motions start[i] -> end[i], (M, 7) each, are proved free.

        The proof is continuous: no resolution of steps. What starts inside a solid is not free.
        """
        start, end = checked(start), checked(end)
        free = self._queries.motions_are_free(start, end)
        free[free] = ~self._queries.inside(start[free])
        return free

    def colliding_part(self, configuration: Float) -> str | None:
        """Return the part that a configuration (7,) collides with, or None.

        "inside NAME" where the body is within a closed part and touches nothing.
        """
        row = checked(configuration)
        parts = [part for part in self.scene.parts if part.role != "decor"]
        for part in parts:
            if MeshPair(self.body.mesh, part.mesh).collide(row)[0]:
                return part.name
        if self.kernels.inside(row)[0]:
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

    @cached_property
    def judge(self) -> RigidJudge:
        """Python-fcl with the same body and surroundings."""
        world = self.kernels
        return RigidJudge(self.problem.robot, world.surroundings, world.solids, world.markers)


class _Queries(Protocol):
    """What both backends answer; all arrays are batches of checked configurations (M, 7)."""

    counts: QueryCounts

    def is_free(self, configurations: Float) -> Bool: ...

    def clearance(self, configurations: Float, cap: float) -> Float: ...

    def motions_are_free(self, start: Float, end: Float) -> Bool: ...

    def inside(self, configurations: Float) -> Bool: ...


class _Kernels:
    """By the compiled kernels: exact, batched."""

    def __init__(self, world: RigidWorld) -> None:
        self._world = world
        self.counts = world.counts

    def is_free(self, configurations: Float) -> Bool:
        return self._world.is_free(configurations)

    def clearance(self, configurations: Float, cap: float) -> Float:
        self.counts.distance += len(configurations)
        clearance = self._world.pair.distance(configurations, cap)
        clearance[self._world.inside(configurations)] = 0.0
        return clearance

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        return self._world.motions_are_free(start, end)

    def inside(self, configurations: Float) -> Bool:
        return self._world.inside(configurations)


class _Fcl:
    """By python-fcl alone, one configuration at a time."""

    def __init__(self, judge: RigidJudge) -> None:
        self._judge = judge
        self.counts = judge.counts

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


def _scene(problem: RigidProblem, world: RigidWorld) -> Scene:
    """Return the obstacles as a scene; where there are none, its bounds as decoration."""
    mesh, name, role = problem.obstacles, "obstacles", "obstacle"
    if mesh is None:
        mesh, name, role = world.surroundings, "bounds", "decor"
    part = Part(name, role, mesh, np.full((len(mesh.faces), 3), GRAY))  # type: ignore[arg-type]
    return Scene(problem.name, (part,), {}, world.space.bounds)
