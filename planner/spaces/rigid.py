"""Rigid: a body that moves and turns, in all six degrees of freedom or in some of them."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from rmp3d.geometry import Bool, Float, TriangleMesh, frozen
from rmp3d.geometry.rotations import rotate, rotation_vector, turned, uniform_rotations
from rmp3d.geometry.vectors import length, unit
from rmp3d.models import Body
from rmp3d.planner.collision.rigid_world import RigidCollisionWorld
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces.bounds import check_bounds, in_bounds, out_of_bounds
from rmp3d.planner.spaces.rigid_metric import RigidMetric
from rmp3d.planner.spaces.space import SPACES
from rmp3d.planner.spaces.straight import motions_are_proved, straight_motions
from rmp3d.scenes import Scene
from rmp3d.scenes.problems.rigid_problem import ProblemSpace, RigidProblem

WITHOUT_TURN: dict[str, ProblemSpace] = {"rigid": "translation", "planar_rotation": "planar"}
MARKED = 9  # decimals to which locked orientations agree
DIMENSION = {"rigid": 6, "translation": 3, "planar": 2, "planar_rotation": 3}
LOCKED = 1e-9  # by which a locked degree of freedom may be off, times the body's radius


@SPACES.register("rigid")
class RigidBodySpace(RigidMetric):
    """Position and orientation of a rigid body; motions go straight and turn at constant speed.

    A configuration is (7,): position [m], then a unit quaternion, scalar first. Two of them are
    as far apart as their positions, plus the body's radius times the angle between them. Of the
    six degrees of freedom some may be locked: "translation" x y z, "planar" x y, and
    "planar_rotation" x y and the turn about z are then left; the others are those of the
    problem's start.

    Args:
        world: What the body must not touch.
        meter: See `Space`.
    """

    grounded = False
    width = 7

    def __init__(self, world: RigidCollisionWorld, meter: float = 1.0) -> None:
        problem = world.problem
        super().__init__(problem.space, problem.bounds, problem.start, world.reach)
        check_bounds(self.bounds)
        self.world = world
        self.meter = meter
        self.marks: Mapping[str, Any] = self._marks()
        self.dimension = DIMENSION[self.kind]

    @classmethod
    def of_problem(
        cls, problem: RigidProblem, backend: Literal["auto", "fcl"] = "auto"
    ) -> "RigidBodySpace":
        """Return the space of a problem file, whose unit of length is not known."""
        world = RigidCollisionWorld(problem, backend)
        return cls(world, meter=world.reach)

    @classmethod
    def of_scene(
        cls,
        scene: Scene,
        body: Body,
        bounds: Float | None = None,
        backend: Literal["auto", "fcl"] = "auto",
    ) -> "RigidBodySpace":
        """Return the space of a body's mesh in a scene, the ground being an obstacle."""
        bounds = scene.bounds if bounds is None else bounds
        check_bounds(np.asarray(bounds, float))
        pose = np.append(np.mean(bounds, axis=0), [1.0, 0.0, 0.0, 0.0])
        obstacles, _ = scene.flying_obstacles
        problem = RigidProblem(
            scene.name, body.mesh, obstacles, True, bounds, False, "rigid", pose, pose
        )
        return cls(RigidCollisionWorld(problem, backend))

    def _marks(self) -> Mapping[str, Any]:
        """Return the degrees of freedom, what is locked, and what else collides."""
        problem, origin = self.world.problem, self.origin
        locked = origin[2:3].tolist() if self.kind.startswith("planar") else []
        if self.kind != "rigid":
            # The body's up axis; and its heading too, where it does not turn at all.
            axes = np.eye(3)[2:] if self.turns else np.eye(3)[1:]
            upright = rotate(origin[3:] * [1.0, -1.0, -1.0, -1.0], axes)
            locked += (np.round(upright, MARKED) + 0.0).reshape(-1).tolist()
        return MappingProxyType(
            {
                "freedom": self.kind,
                "locked": locked,
                "contain_body": problem.contain_body,
                "solids": problem.solids,
            }
        )

    def images(self, configurations: Float) -> Float:
        """Return points (C, M, 7): position, and quaternion on a sphere of the body's radius.

        A quaternion and its opposite are one orientation, hence two images if the body turns.
        """
        own = self.embedded(configurations)
        if not self.turns:
            return own[None]
        return np.stack([own, own * np.where(np.arange(7) < 3, 1.0, -1.0)])

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, dimension) in [0, 1) to the box, and to rotations, uniformly.

        Rotations by the map of Shoemake (1992, "Uniform random rotations", Graphics Gems III);
        about z by the angle.
        """
        count = 2 if self.kind.startswith("planar") else 3
        rows = np.tile(self.origin, (len(values), 1))
        low, high = self.bounds
        rows[:, :count] = (low + np.zeros((len(values), 3)))[:, :count]
        rows[:, :count] += values[:, :count] * (high - low)[:count]
        if self.kind == "rigid":
            rows[:, 3:] = uniform_rotations(values[:, 3:])
        elif self.kind == "planar_rotation":
            about_z = 2.0 * np.pi * values[:, 2:] * [0.0, 0.0, 1.0]
            rows[:, 3:] = turned(rows[:, 3:], about_z)
        return rows

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) are within bounds and collide with nothing."""
        free = in_bounds(configurations, self.bounds)
        free[free] = self.world.is_free(configurations[free])
        return free

    def shifted(self, configurations: Float, displacement: Float) -> Float:
        """Return configurations (M, 7) moved by (M, 3) [m], and turned by (M, 6)."""
        rows = configurations.copy()
        rows[:, :3] += displacement[:, :3]
        if displacement.shape[1] == 6:
            rows[:, 3:] = turned(rows[:, 3:], displacement[:, 3:] / self.reach)
        return rows

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Move configurations (M, 7) by (M, 3) or (M, 6) [m], and stop at the bounds."""
        free = displacement * self.freedom[: displacement.shape[1]]
        rows = self.shifted(configurations, free)
        inside = np.clip(rows[:, :3], *self.bounds)
        arrived: Bool = (inside == rows[:, :3]).all(axis=1)
        rows[:, :3] = inside
        return rows, arrived

    def locked(self) -> "RigidBodySpace":
        """Return the configurations that are turned like the problem's start."""
        kind = WITHOUT_TURN.get(self.kind)
        if kind is None:
            return self
        problem = self.world.problem
        fixed = replace(problem, space=kind, goal=np.append(problem.goal[:3], problem.start[3:]))
        return RigidBodySpace(RigidCollisionWorld(fixed, self.world.backend), self.meter)

    def resized(self, share: float) -> "RigidBodySpace":
        """Return the space of a body of another size, which counts in the same counts."""
        if share == 1.0:
            return self
        return self.with_body(self.world.problem.robot.transformed(share * np.eye(3)))

    def with_body(self, robot: TriangleMesh) -> "RigidBodySpace":
        """Return the space of another body, which counts in the same counts."""
        problem = replace(self.world.problem, robot=robot)
        return RigidBodySpace(RigidCollisionWorld(problem, counts=self.world.counts), self.meter)

    def within(self, box: Float) -> "RigidBodySpace":
        """Return the space whose reference point stays in a box (2, 3) [m], too; same counts."""
        part = copy(self)
        lower, upper = np.maximum(self.bounds[0], box[0]), np.minimum(self.bounds[1], box[1])
        part.bounds = frozen(np.stack([lower, np.maximum(lower, upper)]))
        return part

    def toward(self, start: Float, end: Float) -> Float:
        """Return the displacements (M, 6) [m] of the short motions start[i] -> end[i]."""
        turn = self.reach * rotation_vector(start[:, 3:], end[:, 3:])
        return np.hstack([end[:, :3] - start[:, :3], turn])

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the motions (2, 7) that are proved free, None for the others."""
        return straight_motions(self.world, self.bounds, start, end)

    def connects(self, start: Float, end: Float) -> Bool:
        """Return which straight motions start[i] -> end[i] are proved free."""
        return motions_are_proved(self.world, self.bounds, start, end)

    def place(self, point: Float, reach: float = 0.0) -> Float:
        """Return the configuration (7,); a point (3,) is given the problem's start's orientation.

        Raises:
            PlacementError: Out of bounds, off what is locked, or in collision; says with what.
        """
        row = self.origin.copy()
        given = np.asarray(point, dtype=np.float64)
        row[: len(given)] = given
        if len(given) == 7:
            if not length(given[3:]) > 1e-9:
                raise PlacementError("without orientation: its quaternion is zero", "not turned")
            row[3:] = unit(given[3:])
        off = np.abs(self.toward(self.origin[None], row[None])[0] * (self.freedom == 0.0))
        if (off > LOCKED * self.world.body.radius + 1e-9 * np.abs(row[:3]).max()).any():
            raise PlacementError(
                f"not to be reached: the body has the freedom `{self.kind}`, and the rest stays at "
                f"{np.round(self.origin, 4).tolist()}",
                "off the locked degrees of freedom",
            )
        if not (in_bounds(row[None], self.bounds)[0] and self.world.problem.is_within(row)):
            raise out_of_bounds(self.bounds, self.world.scene.bounds)
        if self.world.is_free(row[None])[0]:
            return row
        part = self.world.colliding_part(row) or "the walls around the bounds"
        reason = part if part.startswith("inside ") else f"in collision with `{part}`"
        raise PlacementError(reason, reason, part)
