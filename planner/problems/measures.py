"""Length and clearance of a rigid body's path, by python-fcl and with code of its own."""

from itertools import pairwise

import fcl
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import angle_between, matrix_from_quaternion, slerp
from rmp3d.geometry.vectors import length
from rmp3d.geometry.work_limit import check_work
from rmp3d.scenes.problems.rigid_problem import RigidProblem

SAMPLES = 100
"""About so many configurations along a path are measured."""


def path_length(problem: RigidProblem, path: Float) -> float:
    """Return the length of a path (K, 7): of translation, plus radius times rotation angle."""
    radius = float(length(problem.robot.vertices).max())
    moved = length(np.diff(path[:, :3], axis=0))
    turned = angle_between(path[:-1, 3:], path[1:, 3:])
    return float((moved + radius * turned).sum())


def least_clearance(problem: RigidProblem, path: Float) -> float | None:
    """Return the least distance to the obstacles at waypoints and at even steps between them.

    Returns:
        Distance, in the unit of the file; None where there are no obstacles.
    """
    if problem.obstacles is None:
        return None
    world = fcl.CollisionObject(mesh_model(problem.obstacles))
    model = mesh_model(problem.robot)
    steps = max(1, SAMPLES // max(1, len(path) - 1))
    least = np.inf
    for configuration in interpolated(path, steps):
        check_work()
        rotation = matrix_from_quaternion(configuration[3:])
        body = fcl.CollisionObject(model, fcl.Transform(rotation, configuration[:3]))
        distance = fcl.distance(body, world, fcl.DistanceRequest(), fcl.DistanceResult())
        least = min(least, max(0.0, float(distance)))
    return least


def interpolated(path: Float, steps: int) -> Float:
    """Return the configurations (M, 7) of a path (K, 7), with ``steps`` steps on every edge."""
    share = np.arange(steps) / steps
    rows = [path[:1]]
    for start, end in pairwise(path):
        position = start[:3] + share[:, None] * (end[:3] - start[:3])
        start_wxyz = np.broadcast_to(start[3:], (steps, 4))
        turned = slerp(start_wxyz, np.broadcast_to(end[3:], (steps, 4)), share)
        rows.append(np.hstack([position, turned])[1:])
        rows.append(end[None])
    return np.concatenate(rows)


def mesh_model(mesh: TriangleMesh) -> "fcl.BVHModel":
    """Return a mesh as python-fcl has it."""
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model
