"""Vertex: samples at a stated distance from the corners of obstacles."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from geometry import Float, TriangleMesh, frozen
from geometry.vectors import unit
from planner.directions import is_level, random_directions, within_space
from planner.sampling.sampler import SAMPLERS
from planner.spaces import GroundSpace, Space

MERGED = 6  # decimals [m] to which vertices in one place agree


@SAMPLERS.register("vertex")
@dataclass(frozen=True)
class VertexSampler:
    """Sample free configurations at a stated distance from obstacle vertices.

    A shortest path turns at vertices. They take turns, in an order that is scattered over the
    scene but always the same: in the first round the body is put ``distance`` from each vertex
    in the direction outward (the mean of the normals of its triangles, weighted with their
    areas), in later rounds in random directions. On the ground and in a plane the distance and
    the directions are in plan; of vertices above one another only one has a turn, and none that
    the body standing there would not reach.

    Attributes:
        distance: Between vertex and body (its bounding capsule) [m].
    """

    distance: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.distance < np.inf:
            raise ValueError(f"`distance` must be positive and finite, got {self.distance} m")

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of ``count`` configurations beside the next vertices, (M, 3)."""
        direction = random_directions(space, count, rng)
        offset = space.world.body.radius + self.distance
        # mypy takes no protocol for hashable.
        corner, outward = _corners(space, offset)  # type: ignore[arg-type]
        if len(corner) == 0:
            return np.zeros((0, 3))
        turn, row = np.divmod(first + np.arange(count), len(corner))
        is_outward = (turn == 0) & (outward[row] != 0.0).any(axis=1)
        direction = np.where(is_outward[:, None], outward[row], direction)
        configurations = _beside(space, corner[row], offset * direction, offset)
        return configurations[space.is_free(configurations)]


@lru_cache(maxsize=2)  # finding them takes longer than a batch of attempts
def _corners(space: Space, offset: float) -> tuple[Float, Float]:
    """Return the vertices (V, 3) that have turns, and their directions outward (V, 3)."""
    scene = space.world.scene
    mesh, _ = scene.flying_obstacles if space.world.flying else scene.walking_obstacles
    if mesh is None:
        return np.zeros((0, 3)), np.zeros((0, 3))
    corner, outward = _vertices(mesh)
    outward = unit(within_space(space, outward))
    if isinstance(space, GroundSpace):
        body = space.world.body
        beside, face = space.surface.locate(
            corner + offset * outward, above=body.radius, below=body.spine[1] + body.radius
        )
        corner, outward = corner[face >= 0], outward[face >= 0]
        corner = np.column_stack([corner[:, :2], beside[face >= 0, 2]])
    elif is_level(space):
        corner = space.move(corner, np.zeros_like(corner))[0]
    _, first = np.unique(np.round(corner, MERGED), axis=0, return_index=True)
    order = np.random.default_rng(0).permutation(np.sort(first))
    return frozen(corner[order]), frozen(outward[order])


def _vertices(mesh: TriangleMesh) -> tuple[Float, Float]:
    """Return the places (V, 3) of a mesh's vertices, and the mean normals of their faces."""
    place, of_corner = np.unique(
        np.round(mesh.triangles.reshape(-1, 3), MERGED), axis=0, return_inverse=True
    )
    normal = np.repeat(mesh.normals * mesh.areas[:, None], 3, axis=0)
    total = [np.bincount(of_corner.reshape(-1), normal[:, axis], len(place)) for axis in range(3)]
    return place, unit(np.stack(total, axis=1))


def _beside(space: Space, corner: Float, displacement: Float, offset: float) -> Float:
    """Return the configurations whose capsule's segment comes nearest at the displacement."""
    nearest = corner + displacement
    if isinstance(space, GroundSpace):
        found, face = space.surface.locate(nearest, offset, offset)
        return found[face >= 0]
    if is_level(space):
        return nearest
    low, high = space.world.body.spine
    end = np.where(displacement[:, 2] > 0.0, low, high)
    end[displacement[:, 2] == 0.0] = 0.5 * (low + high)
    nearest[:, 2] -= end
    return nearest
