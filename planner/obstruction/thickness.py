"""What it costs to break through a wall: a thin or small part costs less than a thick or long one.

A closed door is named rather than the wall that it hangs in.
"""

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.obstruction.floor import OVER, Floor
from rmp3d.planner.obstruction.hindrances import THIN, TOLERANCE, Cause, Hindrances
from rmp3d.planner.obstruction.least import BLOCKED

OF_THICKNESS = 4.0  # cost of a meter
OF_SIZE = 0.05  # cost of a meter of the part's greatest extent
LONGEST = 20.0  # [m]: a part that is longer costs no more
THICKEST = 1.0  # [m]: farther apart, two faces are no sides of one wall
BESIDE = 2.0  # times the body's radius
BEHIND = 1e-6  # [m] behind a face, where a ray goes on


def breaking_costs(floor: Floor, found: Hindrances, *, slits: bool = True) -> Float:
    """Return what it costs (K,) to walk over links where walls may be broken through.

    If ``slits`` is false, also links count that only touch a wall, as those in a slit do.

    Beside a wall, a body is in the way of itself only because of that wall.
    """
    cost = found.penalty.copy()
    closed = found.penalty >= BLOCKED
    cost[closed] += wall_costs(floor, found.links[closed], slits=slits) - BLOCKED
    beside = np.flatnonzero(~closed & (found.cause == Cause.WIDTH))
    if closed.any() and len(beside):
        from scipy.spatial import cKDTree  # slow to load

        middle = floor.position[found.links].mean(axis=1)
        tree = cKDTree(middle[closed])
        far = tree.query(middle[beside], distance_upper_bound=BESIDE * floor.radius)[0]
        cost[beside[np.isfinite(far)]] = 0.0
    return cost


def wall_costs(floor: Floor, links: Index, *, slits: bool = True) -> Float:
    """Return what it costs (K,) to walk over links (K, 2) that a wall closes.

    A wall costs `BLOCKED`, and a bit more by its thickness and size. A link that meets only one of
    its two faces costs half of this, and one within a closed part, where no face is, nothing.
    """
    walls = floor.queries.walls
    cost = np.full(len(links), BLOCKED)
    if walls is None or len(links) == 0:
        return cost
    ends = floor.position[links]
    ends[..., 2] = ends[..., 2].max(axis=1)[:, None]
    start, end = ends[:, 0], ends[:, 1]
    radius, low = THIN * floor.radius, floor.step + OVER
    axis = low + radius, max(floor.height - radius, low + radius)
    face = walls.sweep_capsule(start, end, axis, radius, TOLERANCE)[1]
    rows = np.flatnonzero(face >= 0)
    start, end, face = start[rows], end[rows], face[rows]
    part = floor.queries.wall_part[face]
    cost[rows] += OF_SIZE * np.minimum(_sizes(floor)[part], LONGEST)

    def stands(place: Float) -> Bool:
        return walls.sweep_capsule(place, place, axis, radius, TOLERANCE)[0]

    corners = walls.mesh.triangles[face][..., 2]
    middle = start[:, 2] + 0.5 * (axis[0] + axis[1])
    level = np.clip(middle, corners.min(axis=1) + OVER, corners.max(axis=1) - OVER)
    run = end - start
    length = np.linalg.norm(run, axis=1)
    way = run / np.maximum(length, 1e-12)[:, None]
    origin = np.column_stack([start[:, :2], level])
    distance, hit = walls.cast_ray(origin, way, float(length.max(initial=0.0)))
    enters = _faces(walls.mesh.normals, hit, way) < 0.0
    inward = _inward(walls.mesh.normals, hit, way)
    place = origin + distance[:, None] * way + BEHIND * inward
    # Across the wall, as a link that cuts off a corner has a short way through it.
    thickness, back = walls.cast_ray(place, inward, THICKEST)
    crosses = (hit >= 0) & (distance <= length)
    two_sided = crosses & (_faces(walls.mesh.normals, back, inward) > 0.0)
    slant = np.maximum(np.abs(np.einsum("ij,ij->i", inward, way)), 1e-6)
    one_side = two_sided & (~enters | (distance + thickness / slant > length))
    cost[rows] += np.where(two_sided, OF_THICKNESS * thickness, 0.0)
    cost[rows[one_side]] *= 0.5
    # Beside a face that another link crosses, the thin body only touches it.
    touching = ~crosses & ~(stands(start) & stands(end))
    if slits:
        cost[rows[touching]] = 0.0
    first, second = floor.in_solid[links].T
    within = np.flatnonzero(first & second)
    cost[np.setdiff1d(within, rows)] = 0.0
    return cost


def _faces(normals: Float, face: Index, way: Float) -> Float:
    """Return the cosine (K,) between ways (K, 3) and the normals of faces (K,); 0 of no face."""
    cosine: Float = np.einsum("ij,ij->i", normals[np.maximum(face, 0)], way)
    return np.where(face >= 0, cosine, 0.0)


def _inward(normals: Float, face: Index, way: Float) -> Float:
    """Return level directions (K, 3) into the walls behind faces (K,); ways if there are none."""
    level = -normals[np.maximum(face, 0)] * [1.0, 1.0, 0.0]
    size = np.linalg.norm(level, axis=1)
    upright = (face >= 0) & (size > 0.5)
    found: Float = np.where(upright[:, None], level / np.maximum(size, 0.5)[:, None], way)
    return found


def _sizes(floor: Floor) -> Float:
    """Return the greatest extent (P,) [m] of each part of the scene."""
    parts = floor.space.world.scene.parts
    return np.array([np.ptp(part.mesh.vertices, axis=0).max(initial=0.0) for part in parts])
