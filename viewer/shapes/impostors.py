"""Figures of 16 triangles in place of characters far away, made from their meshes."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.vectors import unit
from rmp3d.viewer.palette import linear

SAMPLES = np.array([[2, 2, 2], [4, 1, 1], [1, 4, 1], [1, 1, 4]]) / 6.0
CUTS = np.linspace(0.2, 0.7, 11)  # shares of the height at which the figure may be cut
TOP = 0.85  # share of the height above which the lid's color is taken
FLAT = 0.5  # a character is flat whose height is a smaller share of its width and length
LEAN = 0.04  # share of the surface outside a box on each side, such as hands and noses
# Corners 0-5: a foot of three sides; 6-13: the body; 14-17: its lid in a color of its own.
FACES = np.array(
    [face for a, b in ((0, 1), (1, 2), (2, 0)) for face in ([a, b, a + 3], [b, b + 3, a + 3])]
    + [
        face
        for a, b in ((6, 7), (7, 8), (8, 9), (9, 6))
        for face in ([a, b, a + 4], [b, b + 4, a + 4])
    ]
    + [[14, 15, 16], [14, 16, 17]],
    np.uint32,
)
FOOT = np.array([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]])
BOX = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def impostor(
    mesh: TriangleMesh, colors: Float, dyed: Float
) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return rows (18, 10) and faces (16, 3) of a figure, as `surface_rows` does.

    The character is cut in two at the height where the colors below and above differ most, such
    as at the belt. The lower part becomes a prism, the upper one a box that narrows to the size
    and has the color of what is on top. A flat character, such as a drone, is seen from above: both
    are as large in plan as what they stand for, not as the box around its arms.

    Args:
        mesh: F triangles, body frame [m].
        colors: (F, 3) sRGB 0..1, one per face.
        dyed: (F,) share of the group's tint.
    """
    points = np.einsum("sc,fcx->fsx", SAMPLES, mesh.triangles).reshape(-1, 3)
    weight = np.repeat(mesh.areas, len(SAMPLES)) + 1e-12
    shades = np.column_stack([linear(colors), dyed]).repeat(len(SAMPLES), axis=0)
    low, high = mesh.bounds[:, 2]
    height = (points[:, 2] - low) / max(high - low, 1e-9)
    cut = _cut(height, shades, weight)
    belt = low + cut * (high - low)
    boxes, tints = [], []
    for inside in (height <= cut, height > cut, height >= TOP):
        rows = inside if inside.any() else np.ones(len(height), np.bool_)
        boxes.append(_most_of(points[rows, :2], weight[rows]))
        tints.append(_mean(shades[rows], weight[rows]))
    foot, body, lid = boxes
    if high - low < FLAT * np.ptp(mesh.bounds[:, :2], axis=0).min():
        area = 0.5 * float((mesh.areas * np.abs(mesh.normals[:, 2])).sum())
        foot, body, lid = (_as_large(each, area) for each in boxes)
    lid = 0.4 * body + 0.6 * lid
    rings = [
        _ring(foot, FOOT, low), _ring(foot, FOOT, belt),
        _ring(body, BOX, belt), _ring(lid, BOX, high), _ring(lid, BOX, high),
    ]  # fmt: skip
    away = [FOOT, FOOT, BOX, BOX, 0.0 * BOX]
    rise = [-0.2, 0.0, 0.0, 0.5, 1.0]
    normals = np.concatenate(
        [
            unit(np.column_stack([direction, np.full(len(direction), up)]))
            for direction, up in zip(away, rise, strict=True)
        ]
    )
    tint = np.repeat([tints[0], tints[1], tints[2]], [6, 8, 4], axis=0)
    return np.column_stack([np.concatenate(rings), normals, tint]).astype(np.float32), FACES


def _cut(height: Float, shades: Float, weight: Float) -> float:
    """Return the share of the height at which the means of colors above and below differ most."""
    best, most = 0.5, -1.0
    for cut in CUTS:
        below, above = height <= cut, height > cut
        if below.any() and above.any():
            means = [
                np.average(shades[rows], axis=0, weights=weight[rows]) for rows in (below, above)
            ]
            part = float(weight[below].sum() / weight.sum())
            differ = float(np.linalg.norm(means[0] - means[1]) * np.sqrt(part * (1.0 - part)))
            if differ > most:
                best, most = float(cut), differ
    return best


def _mean(shades: Float, weight: Float) -> Float:
    """Return mean color and dyed share (4,): the color of what is not dyed, which the dye hides."""
    dyed = float(np.average(shades[:, 3], weights=weight))
    bare = weight * (1.0 - shades[:, 3]) + 1e-9 * weight
    return np.append(np.average(shades[:, :3], axis=0, weights=bare), dyed)


def _most_of(points: Float, weight: Float) -> Float:
    """Return corners (2, 2) of the box of points (M, 2) without the outermost shares."""
    box = np.empty((2, 2))
    for axis in range(2):
        order = np.argsort(points[:, axis])
        share = np.cumsum(weight[order]) / float(weight.sum())
        first = int(np.searchsorted(share, LEAN))
        last = min(int(np.searchsorted(share, 1.0 - LEAN)), len(order) - 1)
        box[:, axis] = points[order[first], axis], points[order[last], axis]
    return box


def _as_large(box: Float, area: float) -> Float:
    """Return a box (2, 2) about the same middle, of no larger area than one [m^2]."""
    sides = box[1] - box[0]
    share = min(np.sqrt(area / max(float(sides.prod()), 1e-12)), 1.0)
    middle = box.mean(axis=0)
    return np.array([middle - 0.5 * share * sides, middle + 0.5 * share * sides])


def _ring(box: Float, corners: Float, height: float) -> Float:
    """Return corners (K, 3), given in halves of a box (2, 2), at a height [m]."""
    flat = box.mean(axis=0) + corners * (box[1] - box[0]) / 2.0
    return np.column_stack([flat, np.full(len(flat), height)])
