"""Step pieces: what of the ground's other triangles is right below walkable ground, as risers are.

A walker that goes up a stair is nearer to the riser than its radius, and its feet are lower than
the riser's top. So risers cannot be obstacles to the whole body. A *step piece* is a part of a
triangle whose every point has walkable ground straight above it, borders included, within the
highest step; near slopes, as far below as bodies on them reach (see `rmp3d.geometry.under_slopes`).
It joins the ground: a body must not touch it above the cone of its feet (see
`rmp3d.geometry.overhead`). The rest of the triangle stays an obstacle.

Triangles are clipped: a part of triangle N below the walkable triangle W is the common part of N
and five half-spaces (above the three edges of W, not above its plane, and not further below than a
step). Box stairs have risers down to the floor, and only the uppermost part of each is a step
piece; below that, a wide body must not come. A patch of ground that no seam leads to, such as the
seat of a bench, has no step pieces at its borders.

The reverse side of a floor, which faces down, may be up to `REACH` above its top, and floors that
are not quite joined count as joined above it: exporters write both sides with rounding.
"""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import assign, compiled
from rmp3d.geometry.convex_parts import ROUNDING, copy_corners, cut, is_thin, is_thin_triangle
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.under_slopes import depths
from rmp3d.geometry.walking import REACH, STACK, height_at

SPARE = 0.01
"""Step pieces reach this much [m] further down than a step: a riser as high as the highest step
does not touch the body at the feet."""
APART = 1e-4
"""Sheets of ground that are no further apart [m] are one."""
MOST_CORNERS = 64
"""Corners of a convex part, at most."""
CUTS, CUTS_OF_A_TRIANGLE = 10_000_000, 250
"""Parts that are looked at, at most: so many, and so many more for each triangle; a cut counts as
`CUT`. In scenes that were modeled they are up to 200 for a triangle."""
CUT = 10
PARTS, PARTS_OF_A_TRIANGLE = 500_000, 20
"""Triangles of parts at most, in the same way."""
UNTOUCHED, WHOLE, PARTED = 0, 1, 2
"""What becomes of a triangle."""


class StepPieces(NamedTuple):
    """The ground's other triangles, parted.

    Attributes:
        pieces: The step pieces, or None.
        piece_of: (P,) the triangle that each is a part of.
        rest: What stays an obstacle, or None.
        rest_of: (R,) the triangle that each is a part of.
    """

    pieces: TriangleMesh | None
    piece_of: Index
    rest: TriangleMesh | None
    rest_of: Index


def step_pieces(mesh: TriangleMesh, surface: WalkableSurface) -> StepPieces:
    """Return which parts of triangles are right below a surface, by at most a step or its slope.

    Args:
        mesh: The triangles of the ground that are not walkable.
        surface: The walkable ones.

    Raises:
        InputError: They lie over one another at too many places; so `covered`.
    """
    side = np.roll(mesh.triangles, -1, axis=1)[..., :2] - mesh.triangles[..., :2]
    # An upright triangle is a segment in plan: no further from its longest side than `REACH`.
    area = np.abs(side[:, 0, 0] * side[:, 1, 1] - side[:, 0, 1] * side[:, 1, 0])
    upright = area <= REACH * np.hypot(side[..., 0], side[..., 1]).max(axis=1)
    reverse = ~upright & (mesh.normals[:, 2] < 0.0)
    over = np.where(reverse, REACH, ROUNDING)
    depth = depths(surface, surface.step_height + SPARE)
    return _parts_below(mesh, surface, upright, reverse, over, depth)


def covered(surface: WalkableSurface) -> StepPieces:
    """Return which parts of a surface are right below other parts of it: nobody stands there.

    So is a floor that goes on under a step, or a ramp that is hidden in a flight of stairs.
    """
    none = np.zeros(len(surface.mesh.faces), np.bool_)
    depth = np.full(len(none), surface.step_height + SPARE)
    return _parts_below(surface.mesh, surface, none, none, np.full(len(none), -APART), depth)


def _parts_below(
    mesh: TriangleMesh, surface: WalkableSurface, upright: Bool, reverse: Bool, over: Float,
    depth: Float,
) -> StepPieces:  # fmt: skip
    """Return which parts of triangles are below a surface, from ``over`` to ``depth`` below it.

    Args:
        mesh: F triangles.
        surface: With its highest step.
        upright: (F,) whether each is a segment in plan; then borders of the surface count.
        reverse: (F,) whether each faces down.
        over: (F,) how far above the surface a part may be [m]; negative: how far below it is.
        depth: How far a part may be below each triangle of the surface [m].
    """
    walkable = np.ascontiguousarray(surface.mesh.triangles.reshape(-1, 9))
    open_edge = surface.has_seam[:, None] | (surface.neighbor >= 0)
    count = len(mesh.faces)
    cuts, parts = CUTS + CUTS_OF_A_TRIANGLE * count, PARTS + PARTS_OF_A_TRIANGLE * count
    status, part, owner, is_piece, left = _split(
        *surface.tree_arrays, walkable, np.where(open_edge, REACH, -REACH),
        mesh.triangles.reshape(-1, 9), upright, reverse, over, depth, cuts, parts,
    )  # fmt: skip
    if left < 0 or len(part) > parts:
        raise InputError(
            f"{len(surface.mesh.faces):,} triangles of its ground lie over {count:,} others at "
            "millions of places; remove doubled and crossing faces"
        )
    if not status.any():
        return StepPieces(None, np.zeros(0, np.intp), mesh, np.arange(len(status)))
    return StepPieces(
        *_together(mesh, np.flatnonzero(status == WHOLE), part[is_piece], owner[is_piece]),
        *_together(mesh, np.flatnonzero(status == UNTOUCHED), part[~is_piece], owner[~is_piece]),
    )


def _together(
    mesh: TriangleMesh, whole: Index, part: np.ndarray, owner: Index
) -> tuple[TriangleMesh | None, Index]:
    """Return whole triangles of a mesh and parts (K, 9) of others as one mesh, and their owners."""
    if len(whole) + len(part) == 0:
        return None, np.zeros(0, np.intp)
    first = len(mesh.vertices)
    added = first + np.arange(3 * len(part)).reshape(-1, 3)
    vertices = np.concatenate([mesh.vertices, part.reshape(-1, 3)])
    faces = np.concatenate([mesh.faces[whole], added])
    return TriangleMesh(vertices, faces), np.concatenate([whole, owner]).astype(np.intp)


@compiled
def _split(
    boxes, ranges, triangles, order, first_leaf, walkable, margin, others, upright, reverse, over,
    depth, cuts, parts,
):  # fmt: skip
    """Return the status (M,) of triangles, and the parts of those that are parted.

    Returns:
        Statuses; the parts as triangles (K, 9), the triangle each is of (K,), and whether it is a
        step piece (K,); what is left of ``cuts``. Below 0, or with more ``parts``, it gave up.
    """
    status = np.zeros(others.shape[0], np.int64)
    made = np.empty((64, 9)), np.empty(64, np.int64), np.empty(64, np.bool_)
    count = 0
    stack, plane = np.empty(STACK, np.int64), np.empty((5, 4))
    room = np.empty((3, MOST_CORNERS, 3))
    deepest = np.max(depth)
    for i in range(others.shape[0]):
        if cuts < 0 or count > parts:
            break
        t = others[i]
        reach = REACH if upright[i] else 0.0
        low_x, high_x = min(t[0], t[3], t[6]) - reach, max(t[0], t[3], t[6]) + reach
        low_y, high_y = min(t[1], t[4], t[7]) - reach, max(t[1], t[4], t[7]) + reach
        low_z, high_z = min(t[2], t[5], t[8]) - max(over[i], 0.0), max(t[2], t[5], t[8]) + deepest
        rest, pieces = _one_polygon(t), _no_polygon()
        stack[0], top = 0, 1
        while top > 0 and rest[1].shape[0] > 0 and cuts >= 0:
            top -= 1
            node = stack[top]
            box = boxes[node]
            if box[0] > high_x or box[3] < low_x or box[1] > high_y or box[4] < low_y:
                continue
            if box[2] > high_z or box[5] < low_z:
                continue
            if node < first_leaf:
                stack[top], stack[top + 1] = 2 * node + 2, 2 * node + 1
                top += 2
                continue
            for row in range(ranges[node, 0], ranges[node, 1]):
                face = order[row]
                w, within = walkable[face], (over[i], depth[face])
                _bounds_below(w, margin[face], upright[i], reverse[i], within, plane)
                # What is a riser but for rounding in the file may end that little above the ground.
                end = REACH if upright[i] else over[i]
                cuts -= rest[1].shape[0]
                known = pieces[1].shape[0]
                rest, pieces = _parted(rest, pieces, w, plane, end, room)
                cuts -= CUT * (pieces[1].shape[0] - known)
        if pieces[1].shape[0] == 0:
            continue
        status[i] = WHOLE if rest[1].shape[0] == 0 else PARTED
        if status[i] == PARTED:
            made, count = _with_fans(made, count, rest, i, False)
            made, count = _with_fans(made, count, pieces, i, True)
    return status, made[0][:count], made[1][:count], made[2][:count], cuts


@compiled
def _one_polygon(t):
    corners, size = np.empty((1, MOST_CORNERS, 3)), np.full(1, 3)
    for k in range(9):
        corners[0, k // 3, k % 3] = t[k]
    return corners, size


@compiled
def _no_polygon():
    return np.empty((0, MOST_CORNERS, 3)), np.empty(0, np.int64)


@compiled
def _appended(polygons, corners, count):
    """Return polygons (corners (Q >= P, C, 3) and their numbers (P,)) with one more.

    The corners have spare room, which is used up: the given polygons are not used any more.
    """
    before, made = polygons[1].shape[0], polygons[0]
    size = np.empty(before + 1, np.int64)
    assign(size, polygons[1])
    size[before] = count
    if before == made.shape[0]:
        made = np.empty((2 * before + 2, MOST_CORNERS, 3))
        for p in range(before):
            copy_corners(polygons[0][p], size[p], made[p])
    copy_corners(corners, count, made[before])
    return made, size


@compiled
def _bounds_below(w, margin, upright, reverse, within, plane):
    """Write the half-spaces (5, 4) that bound what is right below a triangle.

    A row is the normal and the bound: ``a x + b y + c z <= d``, of offsets from the first corner.
    """
    for e in range(3):
        a, b = 3 * e, 3 * ((e + 1) % 3)
        ux, uy = w[b] - w[a], w[b + 1] - w[a + 1]
        size = (ux * ux + uy * uy) ** 0.5
        wider = margin[e] * size if upright else 0.0
        if reverse:
            wider = max(margin[e], 0.0) * size
        plane[e, 0], plane[e, 1], plane[e, 2] = uy, -ux, 0.0
        plane[e, 3] = wider + uy * (w[a] - w[0]) - ux * (w[a + 1] - w[1])
    over, depth = within
    x = height_at(w, w[0] + 1.0, w[1]) - w[2]
    y = height_at(w, w[0], w[1] + 1.0) - w[2]
    plane[3, 0], plane[3, 1], plane[3, 2], plane[3, 3] = -x, -y, 1.0, over
    plane[4, 0], plane[4, 1], plane[4, 2], plane[4, 3] = x, y, -1.0, depth


@compiled
def _parted(rest, pieces, w, plane, end, room):
    """Return polygons less their parts right below a triangle, and pieces with those parts."""
    known = rest[1].shape[0]
    hits = np.zeros(known, np.bool_)
    for p in range(known):
        hits[p] = _reaches_into(rest[0][p], rest[1][p], w, plane, room)
    hit = np.sum(hits)
    if hit == 0:
        return rest, pieces
    # Room for all that can come: to add one polygon at a time would copy all others each time.
    left, sizes = np.empty((known + 5 * hit, MOST_CORNERS, 3)), np.empty(known + 5 * hit, np.int64)
    made = 0
    for p in range(known):
        if not hits[p]:
            left[made], sizes[made] = rest[0][p], rest[1][p]
            made += 1
            continue
        over, plane[3, 3] = plane[3, 3], end
        room[0] = rest[0][p]
        count = rest[1][p]
        for k in range(5):
            inside, outside = cut(room[0], count, w, plane[k], room[1], room[2])
            if not is_thin(room[2], outside):
                left[made], sizes[made] = room[2], outside
                made += 1
            room[0], count = room[1], inside
        plane[3, 3] = over
        pieces = _appended(pieces, room[0], count)
    return (left[:made].copy(), sizes[:made].copy()), pieces


@compiled
def _reaches_into(corners, count, w, plane, room):
    """Return whether a part of a polygon that is not thin is within all half-spaces.

    A polygon with almost `MOST_CORNERS` corners has no room for those of cuts: it stays as it is.
    """
    if count > MOST_CORNERS - 8 or _is_beyond(corners, count, w, plane):
        return False
    copy_corners(corners, count, room[0])
    for k in range(5):
        count, _ = cut(room[0], count, w, plane[k], room[1], room[2])
        if is_thin(room[1], count):
            return False
        copy_corners(room[1], count, room[0])
    return True


@compiled
def _is_beyond(corners, count, w, plane):
    """Return whether one of the half-spaces has no corner of a polygon inside: most have none."""
    for k in range(5):
        a, b, c, d = plane[k, 0], plane[k, 1], plane[k, 2], plane[k, 3]
        beyond = True
        for corner in range(count):
            point = corners[corner]
            x, y, z = point[0] - w[0], point[1] - w[1], point[2] - w[2]
            if a * x + b * y + c * z - d < 0.0:
                beyond = False
                break
        if beyond:
            return True
    return False


@compiled
def _with_fans(made, count, polygons, owner, is_piece):
    """Add the triangles of polygons to ``made``, which is of three arrays with room; return it."""
    triangle, of, piece = made
    for p in range(polygons[1].shape[0]):
        for k in range(2, polygons[1][p]):
            if is_thin_triangle(polygons[0][p, 0], polygons[0][p, k - 1], polygons[0][p, k]):
                continue
            if count == of.shape[0]:
                triangle = np.concatenate((triangle, triangle))
                of, piece = np.concatenate((of, of)), np.concatenate((piece, piece))
            for axis in range(3):
                triangle[count, axis] = polygons[0][p, 0, axis]
                triangle[count, 3 + axis] = polygons[0][p, k - 1, axis]
                triangle[count, 6 + axis] = polygons[0][p, k, axis]
            of[count], piece[count] = owner, is_piece
            count += 1
    return (triangle, of, piece), count
