"""What a body would touch first if it went straight on: triangles and spheres alike."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery, nearest_one

STACK = 128
# Going on at no less than this share of the radius, near a surface that it does not move into.
SHORTEST_STEP = 0.05
# So often is looked along one motion; what comes later is not seen.
MOST_LOOKS = 10_000
# Sine of the steepest motion along a surface that does not count as moving into it.
GRAZING = 0.05

Spheres = Sequence[tuple[float, float, float, float]]


def first_touch(
    obstacles: MeshQuery | None,
    spheres: Float,
    start: Float,
    course: Float,
    reach: Float,
    capsule_axis: Float,
    radius: Float,
) -> tuple[Float, Float]:
    """Return how far (M,) [m] upright capsules can go, and directions (M, 3) away from the stop.

    Conservative advancement: by the clearance, until that is used up and the motion leads into
    the surface; good to `SHORTEST_STEP` of the radius. A capsule that nothing stops within
    ``reach`` has distance ``inf`` and direction zero; so has one that touches a surface but leaves
    or grazes it.

    Args:
        obstacles: Triangles, or None.
        spheres: (K, 4) centers and radii [m].
        start: (M, 3) reference points [m].
        course: (M, 3) unit directions.
        reach: (M,) [m].
        capsule_axis: (M, 2) heights of the ends of the segments over the reference points [m].
        radius: (M,) of the capsules [m].
    """
    mesh = obstacles.arrays if obstacles is not None else _NOTHING
    distance = np.full(len(start), np.inf)
    away = np.zeros((len(start), 3))
    motions = Motions(
        np.ascontiguousarray(start), np.ascontiguousarray(course), np.ascontiguousarray(reach),
        np.ascontiguousarray(capsule_axis), np.ascontiguousarray(radius),
    )  # fmt: skip
    _touch_rows(mesh, obstacles is not None, np.ascontiguousarray(spheres), motions, distance, away)
    return distance, away


def sphere_array(spheres: Spheres) -> Float:
    """Return spheres as an array (K, 4), checked.

    Raises:
        InputError: One is not ``[x, y, z, radius]`` with a positive radius.
    """
    array = np.array(list(spheres), float).reshape(-1, 4)
    if not (np.isfinite(array).all() and (array[:, 3] > 0.0).all()):
        raise InputError("`spheres` must be a list of [x, y, z, radius] with positive radii")
    return array


_NOTHING = (np.zeros((1, 6)), np.zeros((1, 2), np.intp), np.zeros((1, 9)), 0)


class Motions(NamedTuple):
    """Straight motions of M upright capsules: starts, unit courses, lengths, and their bodies."""

    start: Float
    course: Float
    reach: Float
    capsule_axis: Float
    radius: Float


@compiled
def _touch_rows(mesh, meshed, spheres, motions, distance, away):
    boxes, ranges, triangles, first_leaf = mesh
    start, course, reach, capsule_axis, radius = motions
    stack, bound, out = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    for i in range(start.shape[0]):
        low, high = capsule_axis[i, 0], capsule_axis[i, 1]
        done = 0.0
        for _ in range(MOST_LOOKS):
            if not done <= reach[i]:
                break
            x = start[i, 0] + done * course[i, 0]
            y = start[i, 1] + done * course[i, 1]
            z = start[i, 2] + done * course[i, 2]
            gap, nx, ny, nz, found = reach[i] - done + radius[i], 0.0, 0.0, 0.0, False
            if meshed:
                d, row = nearest_one(
                    boxes, ranges, triangles, first_leaf, x, y, z + low, z + high, gap, stack,
                    bound, out,
                )  # fmt: skip
                if row >= 0:
                    gap, found = d, True
                    nx, ny, nz = x - out[1], y - out[2], out[0] - out[3]
            for k in range(spheres.shape[0]):
                height = min(max(spheres[k, 2], z + low), z + high)
                ox, oy, oz = x - spheres[k, 0], y - spheres[k, 1], height - spheres[k, 2]
                center = sqrt(ox * ox + oy * oy + oz * oz)
                if center - spheres[k, 3] < gap:
                    gap, found = center - spheres[k, 3], True
                    nx, ny, nz = ox, oy, oz
            if not found:
                break
            size = sqrt(nx * nx + ny * ny + nz * nz)
            step = SHORTEST_STEP * radius[i]
            clearance = gap - radius[i]
            if clearance <= step:
                into = course[i, 0] * nx + course[i, 1] * ny + course[i, 2] * nz
                if size == 0.0 or into < -GRAZING * size:
                    distance[i] = min(max(done + clearance, 0.0), reach[i])
                    if size > 0.0:
                        away[i, 0], away[i, 1], away[i, 2] = nx / size, ny / size, nz / size
                    break
            done += max(clearance, step)
