"""Risers that lean: the tread above one is walked on up to where the riser begins.

Curbs are battered, stairs have risers at a slant and rounded noses. A face that is too steep to be
walked on, and leans by a few centimeters only, is a step like an upright one. So the tread above it
gets a *nose*: the leaning face, lifted to the height of its upper edge. What is right below ground
is a step piece (see `rmp3d.geometry.steps`), and the step ends where the leaning face does.

A rounded edge has several rows of faces one below the other; all are lifted to the tread.
"""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.walking import REACH

RUN = 0.12
"""A riser leans by at most this [m] in plan."""
RISE = 0.5
"""It is at most so high [m]: nobody climbs more in one step."""
ROWS = 6
"""Rows of faces of a rounded edge, at most."""
SAME = 1e-4
"""Corners that are hardly further apart [m] are one place."""


def noses(mesh: TriangleMesh, flat: Bool, max_slope: float) -> TriangleMesh | None:
    """Return what the treads of a mesh get added above its leaning risers; None for nothing.

    Args:
        mesh: Of one part of the ground.
        flat: (F,) which of its faces are walked on.
        max_slope: Steepest slope [rad] of these.
    """
    leaning = np.zeros(0, np.intp)
    if flat.any() and not flat.all():
        leaning = _leaning(mesh, flat)
    if len(leaning) == 0:
        return None
    corners = mesh.triangles[leaning]
    place, on_tread, edges = _places(mesh, leaning, np.flatnonzero(flat))
    upper = _is_upper(corners, mesh.normals[leaning], _edges(place, len(on_tread)), edges)
    lifted = _lifted(corners, upper, place, on_tread)
    corners = corners[np.isfinite(lifted).all(axis=1)].copy()
    corners[..., 2] = lifted[np.isfinite(lifted).all(axis=1)]
    if len(corners) == 0:
        return None
    made = TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    level = np.flatnonzero(made.normals[:, 2] >= np.cos(max_slope) - 1e-9)
    return made.select(level) if len(level) else None


def _leaning(mesh: TriangleMesh, flat: Bool) -> Index:
    """Return the faces that are too steep, face up, and are low and hardly wide in plan."""
    rows = np.flatnonzero(~flat & (mesh.normals[:, 2] > 0.0))
    height = np.ptp(mesh.triangles[rows][..., 2], axis=1)
    rows, height = rows[height <= RISE], height[height <= RISE]
    run = height * mesh.normals[rows, 2] / np.linalg.norm(mesh.normals[rows, :2], axis=1)
    return rows[(run <= RUN) & (run > 0.5 * REACH)]


def _places(mesh: TriangleMesh, leaning: Index, flat: Index) -> tuple[Index, Bool, Index]:
    """Return the places of the corners of leaning faces, and what treads are there.

    Args:
        mesh: Of both.
        leaning: (K,) faces that lean.
        flat: Faces that are walked on.

    Returns:
        The number (K, 3) of each corner's place; which places (P,) are corners of treads; and the
        edges of treads between them, as the smaller number times P plus the larger one.
    """
    points = np.round(mesh.triangles[leaning].reshape(-1, 3) / SAME)
    vertices = np.round(mesh.vertices / SAME)
    near = np.isin(vertices[:, 0], points[:, 0]) & np.isin(vertices[:, 1], points[:, 1])
    treads = mesh.faces[flat]
    treads = treads[near[treads].any(axis=1)]
    places, row = distinct(np.concatenate([points, vertices[treads.reshape(-1)]]))
    of_treads = row[len(points) :].reshape(-1, 3)
    on_tread = np.zeros(len(places), bool)
    on_tread[of_treads] = True
    return row[: len(points)].reshape(-1, 3), on_tread, _edges(of_treads, len(places)).reshape(-1)


def _edges(faces: Index, count: int) -> Index:
    """Return a number (K, 3) for each edge of faces (K, 3) of ``count`` places."""
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)]), axis=0)
    return ends[0] * count + ends[1]


def _is_upper(corners: Float, normals: Float, own: Index, edges: Index) -> Bool:
    """Return which corners (K, 3) of leaning faces are at the upper edge of the riser.

    The face may fall along its edge, as a curb does with its street. So where an edge of it is the
    edge of a tread, the third corner is above that or below it. Otherwise the upper half counts.

    Args:
        corners: (K, 3, 3) [m].
        normals: (K, 3).
        own: (K, 3) numbers of their edges.
        edges: (E,) those of treads.
    """
    way = -normals[:, :2] / np.linalg.norm(normals[:, :2], axis=1)[:, None]
    along = np.einsum("fij,fj->fi", corners[..., :2], way)
    upper = along > 0.5 * (along.min(axis=1) + along.max(axis=1))[:, None]
    found = np.isin(own, edges)
    rows = np.flatnonzero(found.any(axis=1))
    start = found[rows].argmax(axis=1)
    one, two, third = (corners[rows, (start + k) % 3] for k in range(3))
    edge = two - one
    share = ((third - one)[:, :2] * edge[:, :2]).sum(axis=1)
    share /= np.maximum((edge[:, :2] ** 2).sum(axis=1), 1e-12)
    is_lower_edge = third[:, 2] > one[:, 2] + share * edge[:, 2]
    upper[rows] = ~is_lower_edge[:, None]
    upper[rows, (start + 2) % 3] = is_lower_edge
    return upper


def _lifted(corners: Float, upper: Bool, place: Index, on_tread: Bool) -> Float:
    """Return the heights (K, 3) [m] of the lifted corners; NaN where no tread is above.

    Args:
        corners: (K, 3, 3) of leaning faces [m].
        upper: (K, 3) which of them are at the upper edge of the riser.
        place: (K, 3) number of each corner's place.
        on_tread: (P,) which places are corners of treads.
    """
    # The height of the ground at a place, from the upper and the lower side; the tread's distance.
    above, below = np.full((2, len(on_tread)), np.nan)
    far = np.zeros(len(on_tread))
    above[place[on_tread[place]]] = corners[on_tread[place], 2]
    for _ in range(ROWS):
        ready = (~upper | np.isfinite(above[place])).all(axis=1)
        ready &= ~(upper | np.isfinite(below[place])).all(axis=1)
        face, lower, higher, run = _pairs(corners, upper, place, np.flatnonzero(ready))
        tread, distance = above[higher], run + np.where(on_tread[higher], 0.0, far[higher])
        fits = np.isnan(below[lower]) & (distance <= RUN) & (tread - face <= RISE)
        if not fits.any():
            break
        lower, tread, distance = lower[fits], tread[fits], distance[fits]
        below[lower[::-1]] = tread[::-1]  # the nearest comes first, and so is written last
        far[lower[::-1]] = distance[::-1]
        inner = lower[~on_tread[lower]]
        above[inner] = below[inner]
    return np.where(upper, above[place], below[place])


def _pairs(
    corners: Float, upper: Bool, place: Index, rows: Index
) -> tuple[Float, Index, Index, Float]:
    """Return the pairs of a lower and an upper corner of faces, the nearest in plan first.

    Returns:
        The height (Q,) of the lower corner [m], its place (Q,), the place (Q,) of the upper one,
        and how far apart they are in plan (Q,) [m].
    """
    one, two = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    face, low, high = np.repeat(rows, 9), np.tile(one, len(rows)), np.tile(two, len(rows))
    kept = ~upper[face, low] & upper[face, high]
    face, low, high = face[kept], low[kept], high[kept]
    apart = np.linalg.norm(corners[face, low, :2] - corners[face, high, :2], axis=1)
    order = np.argsort(apart, kind="stable")
    face, low, high = face[order], low[order], high[order]
    return corners[face, low, 2], place[face, low], place[face, high], apart[order]
