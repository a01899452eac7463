"""A thinner body: each face moved inward, so that the shape stays and all gaps become wider."""

import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.query import MeshQuery

SKIN = 1e-6  # of the size: how far inside its face a ray begins
STEEP = 0.15  # least eigenvalue of the normals at a vertex that counts, over the greatest
OPPOSITE = -0.5  # greatest cosine between faces that bound a thickness
LONGEST = 3.0  # of a vertex's shift, over that of its faces


def outward(mesh: TriangleMesh) -> tuple[TriangleMesh, Float, Index] | None:
    """Return a closed mesh with its vertices merged, unit normals outward, and where vertices went.

    Returns:
        The mesh, (F, 3), and for each vertex of ``mesh`` its row in it; None if it is not closed,
        so that it has no inside, or if a face has no area.
    """
    places, place_of = distinct(mesh.vertices)
    solid = TriangleMesh(places, place_of[mesh.faces])
    if not solid.is_watertight:
        return None
    a, b, c = np.moveaxis(solid.triangles, 1, 0)
    normal = np.cross(b - a, c - a)
    volume = np.einsum("fi,fi->", a, normal)
    size = np.linalg.norm(normal, axis=1)
    if not (size.min() > 0.0 and abs(volume) > 0.0):
        return None
    return solid, normal * np.sign(volume) / size[:, None], place_of


def inward_shift(mesh: TriangleMesh) -> Float | None:
    """Return the shifts (V, 3) [m] of vertices that would make a body as thin as it goes.

    A face moves by half the least thickness next to it; the thickness is how far a ray goes from
    the middle of a face straight inward. A vertex moves such that it keeps, as far as it can, to
    all its faces: the least squares of ``n . shift = -depth`` over their normals n. Half of the
    shift makes a tube half as thick, and a board, too; neither becomes shorter by much.

    Returns:
        None if the mesh is not closed, so that it has no inside.
    """
    closed = outward(mesh)
    if closed is None:
        return None
    solid, normal, place_of = closed
    places, faces = solid.vertices, solid.faces
    a, b, c = np.moveaxis(solid.triangles, 1, 0)
    extent = float(np.ptp(places, axis=0).max())
    middle = (a + b + c) / 3.0 - SKIN * extent * normal
    depth, hit = MeshQuery(solid).cast_ray(middle, -normal)
    # A ray that leaves by a face beside its own has measured nothing.
    across = (hit >= 0) & (np.einsum("fi,fi->f", normal, normal[hit]) < OPPOSITE)
    least = np.full(len(places), np.inf)
    for corner in faces[across].T:
        np.minimum.at(least, corner, 0.5 * depth[across])
    least[np.isinf(least)] = 0.0
    sums, matrix = np.zeros((len(places), 3)), np.zeros((len(places), 3, 3))
    outer = normal[:, :, None] * normal[:, None, :]
    for corner in faces.T:
        np.add.at(sums, corner, -normal)
        np.add.at(matrix, corner, outer)
    value, axes = np.linalg.eigh(matrix)
    counts = value > STEEP * value[:, -1:]
    inverse = np.where(counts, 1.0 / np.where(counts, value, 1.0), 0.0)
    along = np.einsum("vki,vk->vi", axes, sums) * inverse
    shift = np.einsum("vik,vk->vi", axes, along)
    length = np.linalg.norm(shift, axis=1)
    shift *= (least * np.minimum(1.0, LONGEST / np.maximum(length, 1e-12)))[:, None]
    moved: Float = shift[place_of]
    return moved
