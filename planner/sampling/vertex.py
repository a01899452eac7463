"""Vertex: samples at a stated distance from the corners of obstacles."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rmp3d.geometry import Float, InputError, TriangleMesh, frozen
from rmp3d.geometry.places import distinct
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import unit
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.planner.spaces.directions import is_level, within_space

MERGED = 6  # decimals [m] to which vertices in one place agree


@SAMPLERS.register("vertex")
@dataclass(frozen=True)
class Vertex:
    """Sample free configurations at a stated distance from obstacle vertices.

    A shortest path turns at vertices. They take turns, in an order that is scattered over the
    scene but always the same: in the first round the body is put ``distance`` from each vertex
    in the direction outward (the mean of the normals of its triangles, weighted with their
    areas), in later rounds in random directions. On the ground and in a plane the distance and
    the directions are in plan; of vertices above one another only one has a turn, and none that
    the body standing there would not reach. A body that can turn is turned at random, and put
    where its nearest point is at that distance, in that direction.

    Attributes:
        distance: Distance between vertex and body [m]; of a body that does not turn, its bounding
            capsule counts.
    """

    distance: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.distance < np.inf:
            raise InputError(f"`distance` must be positive and finite, got {self.distance} m")

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of ``count`` configurations beside the next vertices, (M, W)."""
        direction = unit(within_space(space, rng.normal(size=(count, 3))))
        distance = self.distance * space.meter
        offset = space.world.body.radius + distance
        # mypy takes no protocol for hashable.
        corner, outward = _corners(space, offset)  # type: ignore[arg-type]
        if len(corner) == 0:
            return np.zeros((0, space.width))
        turn, row = np.divmod(first + np.arange(count), len(corner))
        is_outward = (turn == 0) & (outward[row] != 0.0).any(axis=1)
        direction = np.where(is_outward[:, None], outward[row], direction)
        if space.width > 3:
            turned = space.from_unit_cube(rng.random((count, space.dimension)))
            configurations = _touching(space, corner[row], distance, direction, turned)
        else:
            configurations = _beside(space, corner[row], offset * direction, offset)
        return configurations[space.is_free(configurations)]


@lru_cache(maxsize=2)  # finding them takes longer than a batch of attempts
def _corners(space: Space, offset: float) -> tuple[Float, Float]:
    """Return the vertices (V, 3) that have turns, and their directions outward (V, 3)."""
    scene = space.world.scene
    if isinstance(space, GroundSpace):
        mesh, _ = space.world.footing.met
    else:
        mesh, _ = scene.flying_obstacles
    if mesh is None:
        return np.zeros((0, 3)), np.zeros((0, 3))
    corner, outward = _vertices(mesh)
    outward = unit(within_space(space, outward))
    if isinstance(space, GroundSpace):
        body = space.world.body
        beside, face = space.surface.locate(
            corner + offset * outward, above=body.radius, below=body.capsule_axis[1] + body.radius
        )
        corner, outward = corner[face >= 0], outward[face >= 0]
        corner = np.column_stack([corner[:, :2], beside[face >= 0, 2]])
    elif is_level(space):
        corner = np.column_stack([corner[:, :2], np.full(len(corner), space.bounds[0, 2])])
        corner = np.clip(corner, *space.bounds)
    _, first = np.unique(np.round(corner, MERGED), axis=0, return_index=True)
    order = np.random.default_rng(0).permutation(np.sort(first))
    return frozen(corner[order]), frozen(outward[order])


def _vertices(mesh: TriangleMesh) -> tuple[Float, Float]:
    """Return the places (V, 3) of a mesh's vertices, and the mean normals of their faces."""
    place, of_corner = distinct(np.round(mesh.triangles.reshape(-1, 3), MERGED))
    normal = np.repeat(mesh.normals * mesh.areas[:, None], 3, axis=0)
    total = [np.bincount(of_corner, normal[:, axis], len(place)) for axis in range(3)]
    return place, unit(np.stack(total, axis=1))


def _beside(space: Space, corner: Float, displacement: Float, offset: float) -> Float:
    """Return the configurations whose capsule's segment comes nearest at the displacement."""
    nearest = corner + displacement
    if isinstance(space, GroundSpace):
        found, face = space.surface.locate(nearest, offset, offset)
        return found[face >= 0]
    if is_level(space):
        return nearest
    low, high = space.world.body.capsule_axis
    end = np.where(displacement[:, 2] > 0.0, low, high)
    end[displacement[:, 2] == 0.0] = 0.5 * (low + high)
    nearest[:, 2] -= end
    return nearest


def _touching(
    space: Space, corner: Float, distance: float, direction: Float, turned: Float
) -> Float:
    """Return configurations (M, 7) turned like others, their extreme point before the corner.

    The body is then wholly on the far side of the plane at ``distance`` from the corner, across
    the direction, and touches it straight before the corner.
    """
    points = _extremes(space.world.body.mesh)
    inverse = turned[:, 3:] * [1.0, -1.0, -1.0, -1.0]
    foremost = points[np.argmin(rotate(inverse, direction) @ points.T, axis=1)]
    configurations = turned.copy()
    place = corner + distance * direction - rotate(turned[:, 3:], foremost)
    free = space.freedom[:3] > 0.0
    configurations[:, :3][:, free] = place[:, free]
    return configurations


@lru_cache(maxsize=2)
def _extremes(mesh: TriangleMesh) -> Float:
    """Return the corners (V, 3) of a mesh's convex hull; of a flat mesh, all its vertices."""
    from scipy.spatial import ConvexHull, QhullError  # slow to load

    points, _ = distinct(mesh.triangles.reshape(-1, 3))
    try:
        return frozen(points[ConvexHull(points).vertices])
    except QhullError:
        return frozen(points)
