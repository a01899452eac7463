"""An independent look at a path: python-fcl at steps 50 times finer than OMPL's, nothing proved.

Shares no code with the planner: its own interpolation, its own meshes.
"""

from itertools import pairwise

import fcl
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.problems.rigid_problem import RigidProblem

FINER = 50
POSITION, ROTATION = 0.01, np.radians(1.8)
"""OMPL's step: a share of the volume's diagonal, and an angle."""


class DenseCheck:
    """Looks for collisions along paths of one problem.

    Args:
        problem: With obstacles.
        finer: How many times finer than OMPL's resolution.
    """

    def __init__(self, problem: RigidProblem, finer: int = FINER) -> None:
        assert problem.obstacles is not None
        self._world = fcl.CollisionObject(_model(problem.obstacles))
        self._body = fcl.CollisionObject(_model(problem.robot))
        diagonal = float(np.linalg.norm(problem.bounds[1] - problem.bounds[0]))
        self._steps = POSITION * diagonal / finer, ROTATION / finer

    def collides(self, path: Float) -> bool:
        """Return whether a path (K, 7) collides at any step."""
        return any(self.edge_collides(*edge) for edge in pairwise(path))

    def edge_collides(self, start: Float, end: Float) -> bool:
        """Return whether a motion (straight line, slerp on the short arc) collides at any step."""
        p, q = np.asarray(start[3:], float), np.asarray(end[3:], float)
        p, q = p / np.linalg.norm(p), q / np.linalg.norm(q)
        q = q if p @ q >= 0.0 else -q
        half = np.arctan2(np.linalg.norm(q - p), np.linalg.norm(q + p)) * 2.0  # between 4-vectors
        moved = float(np.linalg.norm(end[:3] - start[:3]))
        count = int(np.ceil(max(moved / self._steps[0], 2.0 * half / self._steps[1], 1.0)))
        for share in np.linspace(0.0, 1.0, count + 1):
            if half > 1e-9:
                a, b = np.sin((1 - share) * half), np.sin(share * half)
                turned = (a * p + b * q) / np.sin(half)
            else:
                turned = p
            position = (1 - share) * start[:3] + share * end[:3]
            self._body.setTransform(fcl.Transform(turned, position))
            result = fcl.CollisionResult()
            if fcl.collide(self._body, self._world, fcl.CollisionRequest(), result):
                return True
        return False


def _model(mesh: TriangleMesh) -> fcl.BVHModel:
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model
