"""Steps: which faces walkers may touch, because ground lies right above them.

A walker with `max_step` S goes up and down over steps of at most that height. A *step piece* is the
part of a face of the ground that cannot be walked on and has walkable ground straight above it, by
at most S. Where that ground, or ground that joins it, has a slope, it may be further below: bodies
are upright, and uphill their feet are in the ground. Step pieces are ground for the walker, all
other faces are obstacles.

The faces are cut exactly, by code of its own: planner and safety have theirs.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.places import distinct
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.tree import build_tree
from rmp3d.scenes import Scene
from rmp3d.verification.clipping import split_faces, steepest_beside

LEAST_STEP = 0.02
"""A walk crosses edges of this height [m] everywhere."""
TREAD = 0.012
"""A step piece may reach this much [m] further down: a riser of S may begin a little lower."""
UPHILL = 1.5
"""Times the slope, so far below ground [m] is a face that bodies uphill of it do not meet."""
BEYOND = 1.5e-3
"""Distance [m] beyond an edge of the ground at which ground of another height is looked for."""
PROBE = 0.25
"""Such places lie at most this far apart along an edge [m]."""
PROBES = 2_000_000
"""Places at most; on more edges, they lie further apart."""


@dataclass(frozen=True, eq=False)
class WalkerTerrain:
    """Ground and obstacles of walkers with one `max_step`.

    Attributes:
        step: S [m], or `LEAST_STEP` if no step of the scene is higher.
        slope: Tangent of the steepest slope that ground near the feet may have on average.
        ground: The walkable triangles and the step pieces; None without walkable ones.
        ground_part: (F,) part of the scene of each of its triangles.
        obstacles: All other triangles except decor; None if there are none.
        obstacle_part: (F,) part of each of its triangles.
    """

    step: float
    slope: float
    ground: TriangleMesh | None
    ground_part: Index
    obstacles: TriangleMesh | None
    obstacle_part: Index


def used_step(scene: Scene, max_step: float) -> float:
    """Return the ``max_step`` [m] of walkers, or `LEAST_STEP` if no step of the scene is higher."""
    if scene.walkable is None or not has_steps(scene.walkable, max_step):
        return min(max_step, LEAST_STEP)
    return max_step


def walker_terrain(scene: Scene, step: float) -> WalkerTerrain:
    """Return what walkers that go over a ``step`` [m] stand on, and what they must not touch."""
    walkable, (mesh, part) = scene.walkable, scene.walking_obstacles
    if walkable is None:
        return WalkerTerrain(step, 0.0, None, scene.walkable_part, mesh, part)
    steep = float(np.hypot(*(walkable.normals[:, :2] / walkable.normals[:, 2:]).T).max())
    if step > LEAST_STEP:
        steep = max(steep, float(np.tan(scene.max_slope)))
    ground: TriangleMesh | None = walkable
    ground_part, obstacles, obstacle_part = scene.walkable_part, mesh, part
    if mesh is not None:
        is_ground = np.array(
            [each.role == "ground" or not scene.roles_stated for each in scene.parts]
        )
        faces = np.flatnonzero(is_ground[part])
        pieces, face, is_step = _split(walkable, mesh.triangles[faces], step + TREAD)
        if is_step.any():
            rest = np.setdiff1d(np.arange(len(part)), faces[face])
            left = part[faces[face[~is_step]]]
            obstacles, obstacle_part = _joined(mesh, rest, part[rest], pieces[~is_step], left)
            every = np.arange(len(walkable.faces))
            own = part[faces[face[is_step]]]
            found = _joined(walkable, every, scene.walkable_part, pieces[is_step], own)
            assert found[0] is not None
            ground, ground_part = found[0], found[1]
    stays = np.array([not each.carries for each in scene.parts])[ground_part]
    if not stays.all():  # what carries is elsewhere most of the time; it is looked at as it moves
        ground = ground.select(stays) if ground is not None and stays.any() else None
        ground_part = ground_part[stays]
    return WalkerTerrain(step, steep, ground, ground_part, obstacles, obstacle_part)


def has_steps(walkable: TriangleMesh, max_step: float) -> bool:
    """Return whether a walk may cross an edge of the ground that is higher than `LEAST_STEP`."""
    if max_step <= LEAST_STEP:
        return False
    start, end = _border(walkable)
    if len(start) == 0:
        return False
    size = np.linalg.norm((end - start)[:, :2], axis=1)
    count = np.ceil(size / max(PROBE, float(size.sum()) / PROBES)).astype(np.intp) + 1
    edge = np.repeat(np.arange(len(start)), count)
    place = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
    share = (place + 0.5) / count[edge]
    along = (end - start)[edge]
    probe = start[edge] + share[:, None] * along
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(size[edge], 1e-12)[:, None]
    probe[:, :2] += BEYOND * outward
    query = MeshQuery(walkable)
    reach = max_step + 2 * BEYOND
    for direction in (1.0, -1.0):
        # From just above the height that needs no step, up or down.
        origin = probe + np.array([0.0, 0.0, direction * (LEAST_STEP + 2 * BEYOND)])
        distance, face = query.cast_ray(origin, np.array([0.0, 0.0, direction]), reach)
        if ((face >= 0) & (distance <= max_step - LEAST_STEP)).any():
            return True
    return False


def _border(mesh: TriangleMesh) -> tuple[Float, Float]:
    """Return start and end (E, 3) [m] of the edges that belong to one triangle only."""
    corners = distinct(np.round(mesh.vertices, 6))[1][mesh.faces]
    start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    count = len(mesh.vertices)
    alone = ~_are_among(start * count + end, np.sort(end * count + start))
    points = mesh.triangles
    return points.reshape(-1, 3)[alone], np.roll(points, -1, axis=1).reshape(-1, 3)[alone]


def _are_among(numbers: Index, ranked: Index) -> Bool:
    """Return which numbers (M,) are among sorted ones; looked up in order, which is faster."""
    order = np.argsort(numbers)
    place = np.minimum(np.searchsorted(ranked, numbers[order]), len(ranked) - 1)
    found = np.empty(len(numbers), np.bool_)
    found[order] = ranked[place] == numbers[order]
    return found


def _split(walkable: TriangleMesh, faces: Float, reach: float) -> tuple[Float, Index, Bool]:
    """Return the triangles (K, 3, 3) of the faces (F, 3, 3) that have a step piece.

    It is below the ground by at most a ``reach`` [m]; near slopes by more.
    Also return the row (K,) of each one's face, and whether it is a step piece.
    """
    tree = build_tree(walkable)
    rows = np.ascontiguousarray(faces.reshape(-1, 9))
    normal = walkable.normals[tree.order]
    slope = np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2]
    steepest = np.empty(len(slope))
    ground = tree.boxes, tree.ranges, tree.triangles, tree.first_leaf
    steepest_beside(*ground, slope, reach, steepest)
    reaches = np.maximum(reach, UPHILL * steepest + TREAD)
    room = 1024
    while True:
        pieces, face, is_step = (
            np.empty((room, 9)),
            np.empty(room, np.intp),
            np.empty(room, np.bool_),
        )
        count = split_faces(*ground, rows, reaches, pieces, face, is_step)
        if count <= room:
            return pieces[:count].reshape(-1, 3, 3), face[:count], is_step[:count]
        room = count


def _joined(
    mesh: TriangleMesh, faces: Index, part: Index, pieces: Float, part_of_piece: Index
) -> tuple[TriangleMesh | None, Index]:
    """Return some faces of a mesh and further triangles (K, 3, 3) as one mesh, and their parts."""
    meshes, parts = [], []
    if len(faces):
        meshes.append(mesh.select(faces))
        parts.append(part)
    if len(pieces):
        corners = np.arange(3 * len(pieces)).reshape(-1, 3)
        meshes.append(TriangleMesh(pieces.reshape(-1, 3), corners))
        parts.append(part_of_piece)
    return (join(meshes) if meshes else None), np.concatenate([np.zeros(0, np.intp), *parts])
