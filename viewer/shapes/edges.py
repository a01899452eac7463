"""The edges at which a mesh bends: what a drawing in lines needs of it."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.vectors import length, unit

FLAT = 0.98  # of a mean normal: faces that turn by less than 23 degrees have no edge between them


def sharp_edges(mesh: TriangleMesh) -> Float:
    """Return the edges (E, 2, 3) of a mesh at which it bends, or ends."""
    faces = mesh.faces
    pairs = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges, owner, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    corners = mesh.triangles
    normal = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    total = np.zeros((len(edges), 3))
    np.add.at(total, owner.reshape(-1), np.tile(normal, (3, 1)))
    # The mean of the normals at an edge is of unit length where its faces are in one plane.
    bends = (count == 1) | (length(total) < FLAT * count)
    return np.asarray(mesh.vertices[edges[bends]])
