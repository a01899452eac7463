"""A mesh of the scene for python-fcl, which is given only what it is asked about.

Of most runs, capsules prove nearly all that there is to prove, and python-fcl takes seconds to sort
a million triangles.
"""

from functools import cached_property

import fcl
import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.verification.bodies import fcl_model
from rmp3d.verification.crossing import NearFaces

MANY_FACES = 200_000
"""A mesh of more faces is given in pieces."""


class FixedMesh:
    """A mesh in the world frame."""

    def __init__(self, mesh: TriangleMesh) -> None:
        self._mesh = mesh
        self._near = NearFaces(mesh)
        self._every = np.arange(len(mesh.faces))

    @cached_property
    def placed(self) -> fcl.CollisionObject:
        """The whole mesh."""
        return fcl.CollisionObject(fcl_model(self._mesh.vertices, self._mesh.faces))

    def within(self, lower: Float, upper: Float) -> tuple[fcl.CollisionObject | None, Index]:
        """Return all faces that meet a box, given by its corners (3,), and which they are (K,).

        There may be others among them; None if there are no faces.
        """
        if len(self._every) <= MANY_FACES:
            return self.placed, self._every
        rows = self._near.within(lower, upper)
        if len(rows) == 0:
            return None, rows
        corners = self._mesh.triangles[rows].reshape(-1, 3)
        faces = np.arange(len(corners)).reshape(-1, 3)
        return fcl.CollisionObject(fcl_model(corners, faces)), rows
