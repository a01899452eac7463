"""One question to the planner: a rigid body, obstacles, bounds, a start and a goal."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.vectors import length, unit

FARTHEST = 1e60  # coordinate; fourth powers of lengths must not overflow
CHUNK = 500_000  # corners of the body, each in a configuration, that are looked at together

ProblemSpace = Literal["rigid", "translation", "planar", "planar_rotation"]


@dataclass(frozen=True, eq=False)
class RigidProblem:
    """A motion of one rigid body among fixed obstacles, in the coordinates of its file.

    Attributes:
        name: To tell it from others.
        robot: Triangles of the body about its reference point, not turned.
        obstacles: Triangles of all obstacles, None if there are none.
        solids: Whether obstacles that are closed are full: a body wholly inside one collides,
            though it touches no triangle.
        bounds: (2, 3) least and greatest corner. In the planar spaces z is fixed: both its
            bounds are the z of start and goal, and bound nothing.
        contain_body: Whether the bounds contain the whole body, and not its reference point alone.
        space: Which of the six degrees of freedom there are: "rigid" all, "translation" x y z,
            "planar" x y, "planar_rotation" x y and the rotation about z.
        start: (7,) x y z, then the unit quaternion w x y z.
        goal: (7,) likewise.

    Raises:
        InputError: Values are not finite or beyond 1e60, bounds are empty, or start and goal
            differ in a degree of freedom that the space has not.
    """

    name: str
    robot: TriangleMesh
    obstacles: TriangleMesh | None
    solids: bool
    bounds: Float
    contain_body: bool
    space: ProblemSpace
    start: Float
    goal: Float

    def __post_init__(self) -> None:
        bounds = frozen(self.bounds)
        if bounds.shape != (2, 3) or not np.isfinite(bounds).all():
            raise InputError(f"{self.name}: bounds must be two finite corners, got {bounds}")
        if (bounds[0] > bounds[1]).any():
            raise InputError(
                f"{self.name}: the bounds are empty: {bounds[0].tolist()} to {bounds[1].tolist()}"
            )
        if self.space not in get_args(ProblemSpace):
            known = ", ".join(get_args(ProblemSpace))
            raise InputError(f"{self.name}: no space `{self.space}`; choose from {known}")
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "start", self._pose("start"))
        object.__setattr__(self, "goal", self._pose("goal"))
        self._check_locked()
        self._check_size()

    @property
    def has_rotation(self) -> bool:
        """Whether the body may turn."""
        return self.space in ("rigid", "planar_rotation")

    @property
    def has_height(self) -> bool:
        """Whether the body may move along z."""
        return self.space in ("rigid", "translation")

    def row(self, configuration: Float) -> list[float]:
        """Return a configuration (7,) as a path's row: x y z, and w x y z if the body may turn."""
        return [float(value) for value in configuration[: 7 if self.has_rotation else 3]]

    def body_at(self, configuration: Float) -> TriangleMesh:
        """Return the body's triangles at a configuration (7,)."""
        rotation = matrix_from_quaternion(np.asarray(configuration[3:], float))
        return self.robot.transformed(rotation, configuration[:3])

    def is_within(self, configuration: Float) -> bool:
        """Whether a configuration (7,) keeps the bounds."""
        return bool(self.are_within(np.asarray(configuration, float)[None])[0])

    def are_within(self, configurations: Float) -> Bool:
        """Return which configurations (K, 7) keep the bounds."""
        axes = 3 if self.has_height else 2
        slack = 1e-9 * float(length(self.bounds[1] - self.bounds[0]))
        least, most = self.bounds[0] - slack, self.bounds[1] + slack
        within = np.ones(len(configurations), np.bool_)
        corners = self._corners if self.contain_body else np.zeros((1, 3))
        rows = max(1, CHUNK // len(corners))
        for at in range(0, len(configurations), rows):
            some = configurations[at : at + rows]
            turned = matrix_from_quaternion(some[:, 3:])
            for axis in range(axes):
                reached = turned[:, axis] @ corners.T + some[:, axis, None]  # (K, C)
                within[at : at + rows] &= reached.min(axis=1) >= least[axis]
                within[at : at + rows] &= reached.max(axis=1) <= most[axis]
        return within

    @cached_property
    def _corners(self) -> Float:
        """Corners (C, 3) of the body's triangles."""
        return np.unique(self.robot.triangles.reshape(-1, 3), axis=0)

    def _pose(self, key: str) -> Float:
        pose = np.array(getattr(self, key), np.float64)
        if pose.shape != (7,) or not np.isfinite(pose).all() or length(pose[3:]) < 1e-9:
            raise InputError(
                f"{self.name}: the {key} must be x y z and a quaternion w x y z, got {pose}"
            )
        pose[3:] = unit(pose[3:])
        pose.setflags(write=False)
        return pose

    def _check_size(self) -> None:
        """Refuse lengths that overflow in products."""
        points = {"bounds": self.bounds, "start": self.start[:3], "goal": self.goal[:3]}
        points["robot"] = self.robot.bounds
        if self.obstacles is not None:
            points["obstacles"] = self.obstacles.bounds
        for name, values in points.items():
            farthest = float(np.abs(values).max())
            if farthest > FARTHEST:
                raise InputError(
                    f"{self.name}: `{name}` has a coordinate of {farthest:g}, but at most "
                    f"{FARTHEST:g} are planned with"
                )

    def _check_locked(self) -> None:
        scale = 1e-9 * (1.0 + float(np.abs(self.bounds).max()))
        if not self.has_height and abs(self.start[2] - self.goal[2]) > scale:
            raise InputError(
                f"{self.name}: a planar body cannot go from z {self.start[2]} to {self.goal[2]}"
            )
        turned = abs(float(self.start[3:] @ self.goal[3:])) < 1.0 - 1e-12
        if not self.has_rotation and turned:
            raise InputError(f"{self.name}: a body that only translates cannot turn on the way")
