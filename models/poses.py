"""Poses of a leaning body, and the upright capsules that hold a mesh in all of them.

A walker that leans pitches its nose up and down with the slope and rolls to the sides, each up to
a limit. Rotations about the reference point take a point p at the distance d from it over a patch
of a sphere. Between attitudes that are at most s apart, the patch is within d s^2 / 8 of the chord,
for pitch and roll each. A capsule is convex: if it holds a point at all attitudes of a grid, with
this margin, it holds the point at every attitude; and if it holds the corners of a piece of the
mesh, it holds the piece.
"""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.vectors import length
from rmp3d.geometry.weak_cache import weak_cache

# Largest difference between attitudes of the grid [rad].
GRID = np.radians(1.0)
# A row has this many capsules at most.
MOST_CAPSULES = 8
# A row is good enough if it is wider than the mesh by at most twice this [m].
SPARE = 0.02
# A capsule may reach this far into the ground [m], less than any floor is thick.
SUNK = 3e-3
# Added to radii, because of rounding [m].
ROUNDING = 1e-6
# Of more points than this, only the corners of their convex hull are looked at.
MANY = 200


class Attitudes(NamedTuple):
    """How far a body tilts, up to and including.

    Attributes:
        pitch: Of the nose, up and down [rad].
        roll: To the left and right [rad].
    """

    pitch: float = 0.0
    roll: float = 0.0


def tilted(points: Float, pitch: Float | float, roll: Float | float) -> Float:
    """Return points (P, 3) of a body after rolling and then pitching (each (A,)), (A, P, 3) [m].

    A positive pitch lifts the nose (+x), a positive roll lifts the left side (+y).
    """
    pitch, roll = np.atleast_1d(pitch)[:, None], np.atleast_1d(roll)[:, None]
    x, y, z = points.T
    lifted = y * np.sin(roll) + z * np.cos(roll)
    return np.stack(
        [
            x * np.cos(pitch) - lifted * np.sin(pitch),
            y * np.cos(roll) - z * np.sin(roll),
            x * np.sin(pitch) + lifted * np.cos(pitch),
        ],
        axis=-1,
    )


def poses(points: Float, attitudes: Attitudes) -> tuple[Float, float]:
    """Return points (P, 3) at a grid of attitudes (A, P, 3), and the margin between them [m]."""
    if len(points) > MANY:
        points = _corners(points)
    axes, squares = [], 0.0
    for most in attitudes:
        count = 1 + 2 * int(np.ceil(most / GRID))
        axes.append(np.linspace(-most, most, count) if count > 1 else np.zeros(1))
        squares += (2.0 * most / max(count - 1, 1)) ** 2
    pitch, roll = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    return tilted(points, pitch, roll), float(length(points).max()) * squares / 8.0


def sticks_out(
    points: Float, radius: float, capsule_axis: tuple[float, float], attitudes: Attitudes
) -> tuple[float, Float]:
    """Return how far [m] a leaning body sticks out of an upright capsule at most, and where (3,).

    Zero or negative if every pose is inside.
    """
    posed, margin = poses(points, attitudes)
    posed = posed.reshape(-1, 3)
    nearest = np.zeros_like(posed)
    nearest[:, 2] = np.clip(posed[:, 2], *capsule_axis)
    out = length(posed - nearest) - radius
    worst = int(out.argmax())
    return float(out[worst]) + margin, posed[worst]


@weak_cache
def capsule_row(mesh: TriangleMesh, attitudes: Attitudes) -> Float:
    """Return upright capsules along the heading that hold every pose of a mesh.

    Planes across the heading cut each pose into slices, and each capsule holds one slice of all
    poses. All have the same radius, so that their hull in plan is a capsule, too. There are as many
    as it takes to be hardly wider than the mesh, and at most `MOST_CAPSULES`.

    Between two attitudes of the grid, a point moves less than an overlap of the slices: both its
    places are in the slice of the one half-way, and so is the chord.

    Returns:
        (K, 4) offset along the heading, radius, and heights of the ends of the axis [m]; offsets
        increase. The axis is as high over the ground as the mesh allows.
    """
    start, end = _edges(mesh)
    far = float(length(start).max())
    (start, margin), (end, _) = poses(start, attitudes), poses(end, attitudes)
    start, end = start.reshape(-1, 3), end.reshape(-1, 3)
    overlap = 0.5 * far * GRID * sum(each > 0.0 for each in attitudes)
    width, size = float(np.abs(start[:, 1]).max()), float(np.ptp(start[:, 0]))
    # So long may a slice be if a circle a bit wider than the mesh is to hold it.
    slice_ = 2.0 * np.sqrt((width + SPARE) ** 2 - width**2) - 2.0 * overlap
    count = MOST_CAPSULES
    if slice_ > 0.0:
        count = int(np.clip(np.ceil(size / slice_), 1, MOST_CAPSULES))
    return _fitted(_slices(start, end, count, overlap), np.tan(attitudes.pitch), margin + ROUNDING)


def _edges(mesh: TriangleMesh) -> tuple[Float, Float]:
    """Return the ends (E, 3) of the edges of a mesh, or of its convex hull if there are many."""
    from scipy.spatial import ConvexHull, QhullError  # slow to load

    corners = mesh.triangles
    if len(mesh.vertices) > MANY:
        try:
            corners = mesh.vertices[ConvexHull(mesh.vertices).simplices]
        except QhullError:  # a sheet
            pass
    return corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3)


def _slices(start: Float, end: Float, count: int, overlap: float) -> list[Float]:
    """Return the corners (P, 3) of slices of equal length of edges (E, 3), which overlap [m]."""
    cuts = np.linspace(start[:, 0].min(), start[:, 0].max(), count + 1)
    parts = []
    for low, high in zip(cuts[:-1] - overlap, cuts[1:] + overlap, strict=True):
        inside = (start[:, 0] >= low) & (start[:, 0] <= high)
        part = [start[inside]]
        for cut in (low, high):
            through = (start[:, 0] - cut) * (end[:, 0] - cut) < 0.0
            a, b = start[through], end[through]
            part.append(a + (cut - a[:, :1]) / (b[:, :1] - a[:, :1]) * (b - a))
        parts.append(_corners(np.concatenate(part)))
    return [part for part in parts if len(part)]


def _fitted(parts: list[Float], slope: float, margin: float) -> Float:
    """Return a row (K, 4) with a capsule around each of several sets of points (P, 3).

    It is as narrow as possible, or a little wider where it would reach below the ground.

    Args:
        parts: Sets of points [m].
        slope: Steepest slope along which the body pitches.
        margin: Added to the radius [m].
    """
    narrow = max(
        min(float(np.hypot(part[:, 0] - x, part[:, 1]).max()) for x in _axes(part))
        for part in parts
    )
    for radius in np.linspace(narrow, narrow + SPARE, 5):
        row = np.array([_held(part, radius, slope, margin) for part in parts])
        if (row[:, 2] >= radius + margin - SUNK).all():
            break
    row[:, 1] += margin
    return row[np.argsort(row[:, 0], kind="stable")]


def _axes(part: Float) -> Float:
    """Return offsets (21,) of axes for a capsule around points (P, 3), up to the middle."""
    low, high = part[:, 0].min(), part[:, 0].max()
    return np.linspace(min(low, 0.5 * high), max(high, 0.5 * low), 21)


def _held(part: Float, radius: float, slope: float, margin: float) -> Float:
    """Return the capsule (4,) of a radius around points (P, 3), which will grow by a margin.

    The row shall be short, and shall not reach into the ground: so the axis is as near to the
    middle as it can be with the capsule over the ground, also over that of the slope that the body
    pitches along if possible. Else it ends as high as it can.
    """
    found = []
    for x in _axes(part):
        aside = np.hypot(part[:, 0] - x, part[:, 1])
        if aside.max() > radius:
            continue
        arch = np.sqrt(np.maximum(radius**2 - aside**2, 0.0))
        low, high = (part[:, 2] + arch).min(), (part[:, 2] - arch).max()
        if low > high:  # a ball is enough
            low = high = max(high, min(low, radius + margin))
        found.append((x, radius, low, high))
    held = np.array(found)
    over = held[:, 2] - radius - margin + SUNK
    for floor in (np.abs(held[:, 0]) * slope, 0.0):
        if (over >= floor).any():
            held = held[over >= floor]
            nearest: Float = held[np.abs(held[:, 0]).argmin()]
            return nearest
    highest: Float = held[over.argmax()]
    return highest


def _corners(points: Float) -> Float:
    """Return the corners of the convex hull of points; all, if they are flat."""
    from scipy.spatial import ConvexHull, QhullError  # slow to load

    try:
        corners: Float = points[ConvexHull(points).vertices]
    except QhullError:
        return points
    return corners
