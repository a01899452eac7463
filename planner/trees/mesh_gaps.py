"""The gaps of a closed mesh: where two parts of its surface face each other across little space."""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Float, TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.trees.thinner import OPPOSITE, SKIN, outward

EACH, RAYS = 8, 20000  # points on a face from which rays are cast, and of all faces at most
MOST = 6  # gaps, the narrowest first
APART = 0.35  # from one to the next at least, times the reach of the body
WIDEST = 0.5  # times that reach


class Gaps(NamedTuple):
    """Gaps of a mesh.

    Attributes:
        middle: (G, 3) [m], in the frame of the mesh.
        width: (G,) from one part of the surface to the other [m].
    """

    middle: Float
    width: Float


def gaps_of(mesh: TriangleMesh, reach: float, rng: np.random.Generator) -> Gaps:
    """Return the narrowest gaps of a mesh; none if it is not closed, or has none.

    Rays go from points of the surface straight outward. Where one meets the same mesh from outside,
    there is a gap; of those near one another the narrowest counts.

    Args:
        mesh: Of a body, or of obstacles.
        reach: Of the body [m].
        rng: Source of randomness.
    """
    none = Gaps(np.zeros((0, 3)), np.zeros(0))
    closed = outward(mesh)
    if closed is None:
        return none
    solid, normal, _ = closed
    count = min(EACH * len(normal), RAYS)
    face = rng.permutation(EACH * len(normal))[:count] % len(normal)
    share = rng.dirichlet(np.ones(3), count)
    point = np.einsum("mk,mki->mi", share, solid.triangles[face])
    across = normal[face]
    width, hit = MeshQuery(solid).cast_ray(
        point + SKIN * float(np.ptp(solid.vertices, axis=0).max()) * across, across
    )
    faces = (hit >= 0) & (np.einsum("mi,mi->m", across, normal[hit]) < OPPOSITE)
    faces &= width < WIDEST * reach
    row = np.flatnonzero(faces)
    row = row[np.argsort(width[row], kind="stable")]
    width, middle = width[row], point[row] + 0.5 * width[row, None] * across[row]
    chosen: list[int] = []
    left = np.ones(len(width), np.bool_)
    while left.any() and len(chosen) < MOST:
        chosen.append(int(np.argmax(left)))
        left &= np.linalg.norm(middle - middle[chosen[-1]], axis=1) > APART * reach
    return Gaps(middle[chosen], width[chosen]) if chosen else none
