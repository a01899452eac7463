"""Meshes for python-fcl, and bounds for the motion of a body's points.

python-fcl crashes on empty or unfinished models, and reports a pose with NaN as free. So meshes are
`TriangleMesh` (never empty, finite, indices in range), and poses are checked before each call.
"""

from functools import cached_property

import fcl
import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.vectors import length
from rmp3d.verification.capsules import Capsule
from rmp3d.verification.pieces import Pieces


class RigidMesh:
    """A mesh for python-fcl, with the sizes that motion bounds need.

    Args:
        mesh: Body frame [m].
        capsule_axis: Heights [m] of the ends of the axis of an upright capsule around it.

    Attributes:
        mesh: Body frame [m].
        capsule: An upright capsule around it, as thick as the mesh needs it.
        center: (3,) middle of the bounding sphere, body frame [m].
        radius: Of that sphere [m].
        height: Largest distance of a point from the body's xy plane [m].
        breadth: Largest distance of a point from the body's z axis [m].
    """

    def __init__(self, mesh: TriangleMesh, capsule_axis: tuple[float, float] = (0.0, 0.0)) -> None:
        self.mesh = mesh
        self.capsule = Capsule.of_mesh(mesh, *capsule_axis)
        self.center = mesh.bounds.mean(axis=0)
        corners = mesh.triangles.reshape(-1, 3)
        self.radius = float(length(corners - self.center).max())
        self.height = float(np.abs(corners[:, 2]).max())
        self.breadth = float(length(corners[:, :2]).max())

    @cached_property
    def _model(self) -> fcl.BVHModel:
        return fcl_model(self.mesh.vertices, self.mesh.faces)

    @cached_property
    def points(self) -> Float:
        """(P, 3) corners and middles of the faces; depths are measured at these points."""
        return np.concatenate([self.mesh.vertices, self.mesh.triangles.mean(axis=1)])

    @cached_property
    def pieces(self) -> Pieces:
        """The connected pieces of the mesh."""
        return Pieces(self.mesh)

    def placed(self, rotation: Float, position: Float) -> fcl.CollisionObject:
        """Return the body at a finite pose: ``rotation`` (3, 3) and ``position`` (3,) [m]."""
        return fcl.CollisionObject(self._model, fcl.Transform(rotation, position))

    def turning_reach(self, axis_z: Float) -> Float:
        """Return the largest distance (...) [m] of a body point from an axis of rotation.

        The axis goes through the body's origin; ``axis_z`` (...) is the z component of its
        direction in the body frame. A point at height h over the xy plane and b from the z axis
        is at most ``|h| sqrt(1 - axis_z^2) + b`` from the axis.
        """
        tilt = np.sqrt(np.clip(1.0 - axis_z * axis_z, 0.0, 1.0))
        return self.height * tilt + self.breadth


def fcl_model(vertices: Float, faces: Index) -> fcl.BVHModel:
    """Return a mesh of at least one face for python-fcl."""
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(faces))
    model.addSubModel(vertices, faces)
    model.endModel()
    return model


def gap(first: fcl.CollisionObject, second: fcl.CollisionObject) -> tuple[float, int]:
    """Return the distance [m] of two placed bodies, 0 on contact, and a face of the second.

    On contact the face is one in contact, else the nearest one. `fcl.collide` decides about
    contact: for overlapping meshes, `fcl.distance` may return a tiny positive number.
    """
    touching = fcl.CollisionResult()
    request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)
    if fcl.collide(first, second, request, touching):
        return 0.0, int(touching.contacts[0].b2)
    apart = fcl.DistanceResult()
    distance = fcl.distance(first, second, fcl.DistanceRequest(), apart)
    return max(float(distance), 0.0), int(apart.b2)


def depth_inside(points: Float, body: RigidMesh, rotation: Float, position: Float) -> float | None:
    """Return the largest depth [m] of ``points`` (M, 3) inside a placed body, 0 if none is inside.

    None if the body has no closed piece: then it has no inside.
    """
    query = body.pieces.query
    if query is None:
        return None
    local = (points - position) @ rotation
    local = local[length(local - body.center) <= body.radius]
    local = local[body.pieces.contains(local)]
    return float(query.closest_point(local)[0].max()) if len(local) else 0.0
