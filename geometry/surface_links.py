"""How the triangles of a walkable surface are joined: across edges, and over seams."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.disk_cache import Arrays, check_rows, digest_of, kept
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.seams import gaps, overlaps
from rmp3d.geometry.tree import KEPT_FROM, build_tree
from rmp3d.geometry.walking import REACH


class SurfaceLinks(NamedTuple):
    """What joins the triangles of a surface, and where nothing does.

    Attributes:
        neighbor: (F, 3) face across edge (k, k + 1), -1 at a border.
        border: (B, 2, 3) [m] edges where a walk ends.
        border_face: (B,) the face that each is an edge of.
        seams: (L, 3) a face, one of its border edges, and the face where a walk continues.
        highest: Highest step of a seam [m].
    """

    neighbor: Index
    border: Float
    border_face: Index
    seams: Index
    highest: float


def surface_links(mesh: TriangleMesh, step_height: float) -> SurfaceLinks:
    """Return the links of a mesh whose triangles all face up; those of large ones are kept on disk.

    Args:
        mesh: F triangles.
        step_height: Largest step of a seam [m].
    """

    def find() -> SurfaceLinks:
        neighbor = _neighbors(mesh)
        return SurfaceLinks(neighbor, *_open_border(mesh, neighbor, step_height))

    if len(mesh.faces) < KEPT_FROM:
        return find()
    content = [digest_of([mesh.vertices, mesh.faces]), repr(step_height).encode()]
    return kept("surface links", content, find, _encode, lambda arrays: _decode(arrays, mesh))


def beyond(neighbor: Index, seams: Index) -> Index:
    """Return the links as one array; see `rmp3d.geometry.surface.WalkableSurface.beyond`."""
    following = neighbor.reshape(-1)
    has_next = following >= 0
    place = 3 * seams[:, 0] + seams[:, 1]
    order = np.argsort(place, kind="stable")
    start = np.empty(len(following) + 1, np.intp)
    start[0] = 0
    np.cumsum(has_next, out=start[1:])
    before = start[place[order]]
    start[1:] += np.cumsum(np.bincount(place, minlength=len(following)))
    return np.concatenate(
        [start + len(start), np.insert(following[has_next], before, seams[order, 2])]
    )


def edges_of(neighbor: Index, seams: Index | None = None) -> Index:
    """Return the pairs of faces (E, 2) that are joined, across edges once; with seams, if given."""
    face = np.arange(len(neighbor))[:, None]
    lower, edge = np.nonzero(neighbor > face)
    pairs = [np.column_stack([lower, neighbor[lower, edge]])]
    return np.concatenate(pairs if seams is None else [*pairs, seams[:, [0, 2]]])


def _neighbors(mesh: TriangleMesh) -> Index:
    """Return the (F, 3) faces across each edge; vertices at one point count as one.

    Where several faces are across an edge it is the first of them.
    """
    faces = distinct(np.round(mesh.vertices, 6))[1][mesh.faces]
    start = faces.ravel()
    end = np.roll(faces, -1, axis=1).ravel()
    base = int(faces.max()) + 1
    key, reverse = start * base + end, end * base + start
    order = np.argsort(key, kind="stable")
    ranked, sought = key[order], np.argsort(reverse)
    place = np.empty(len(key), np.intp)
    place[sought] = np.searchsorted(ranked, reverse[sought])  # in order, so it stays in the cache
    place = np.minimum(place, len(key) - 1)
    found = ranked[place] == reverse
    return np.where(found, order[place] // 3, -1).reshape(-1, 3).astype(np.intp)


def _open_border(
    mesh: TriangleMesh, neighbor: Index, step_height: float
) -> tuple[Float, Index, Index, float]:
    """Return the border edges, their faces, the seams, and the highest step of one [m]."""
    corners = mesh.triangles
    face, edge = np.nonzero(neighbor < 0)
    if len(face) == 0:
        nothing = np.zeros(0, np.intp)
        return np.zeros((0, 2, 3)), nothing, np.zeros((0, 3), np.intp), 0.0
    start, end = corners[face, edge], corners[face, (edge + 1) % 3]
    slack = step_height + 2.0 * REACH + 1e-6
    which, across, share = overlaps(build_tree(mesh), face, np.hstack([start, end]), slack)
    seams = np.unique(np.stack([face[which], edge[which], across], axis=1), axis=0)
    along = end - start
    row, free = gaps(which, share[:, :2], np.hypot(along[:, 0], along[:, 1]))
    barriers = start[row, None] + free[..., None] * along[row, None]
    return barriers, face[row], seams, float(share[:, 2].max(initial=0.0))


def _encode(links: SurfaceLinks) -> Arrays:
    return {
        "neighbor": links.neighbor.astype(np.int32),
        "border": links.border,
        "border_face": links.border_face.astype(np.int32),
        "seams": links.seams.astype(np.int32),
        "highest": np.array([links.highest]),
    }


def _decode(arrays: Arrays, mesh: TriangleMesh) -> SurfaceLinks:
    """Return the links of arrays.

    Raises:
        ValueError: They are not those of a surface of these triangles.
    """
    count = len(mesh.faces)
    neighbor, border_face, seams = (
        arrays[name].astype(np.intp) for name in ("neighbor", "border_face", "seams")
    )
    check_rows(neighbor + 1, count + 1, (count, 3))
    check_rows(border_face, count, (len(border_face),))
    check_rows(seams, count, (len(seams), 3))
    _check_finite(arrays["border"], (len(border_face), 2, 3))
    _check_finite(arrays["highest"], (1,))
    if len(seams) and seams[:, 1].max() > 2:
        raise ValueError("a triangle has three edges")
    return SurfaceLinks(neighbor, arrays["border"], border_face, seams, float(arrays["highest"][0]))


def _check_finite(array: Float, shape: Sequence[int]) -> None:
    if array.dtype != np.float64 or array.shape != tuple(shape) or not np.isfinite(array).all():
        raise ValueError("an array has another shape or type")
