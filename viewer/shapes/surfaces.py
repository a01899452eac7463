"""Triangle meshes as the arrays that are uploaded to the graphics card."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rmp3d.geometry.arrays import Float, Index, read_only
from rmp3d.geometry.disk_cache import Arrays, check_rows, digest_of, kept
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import FEW, distinct
from rmp3d.geometry.tree import KEPT_FROM
from rmp3d.models.skeleton import Look
from rmp3d.viewer.palette import linear
from rmp3d.viewer.shapes.corner_kernels import blend, by_place, compare, distinct_rows

SurfaceRows: TypeAlias = tuple[NDArray[np.float32], NDArray[np.uint32]]

CREASE = np.radians(35.0)
MAX_SHARED = 96  # corners at one vertex; beyond that (a fan's hub) faces are shaded flat


def corner_normals(mesh: TriangleMesh, crease: float = CREASE) -> Float:
    """Return a unit normal for each corner of each face, (F, 3, 3).

    A corner's normal is the area-weighted mean over the faces that meet it in the same place
    and turn from its own face by less than ``crease``: curved shapes look smooth, edges sharp.

    Args:
        mesh: F triangles.
        crease: Largest angle [rad] between faces that are shaded as one.
    """
    return _blended(mesh, *_corners_by_place(mesh), crease)


def _corners_by_place(mesh: TriangleMesh) -> tuple[Index, Index]:
    """Return where the corners of each place begin (P + 1,), and the corners (3 F,) in order."""
    rounded = np.round(mesh.vertices, 6)
    if len(rounded) <= FEW:
        place, count = np.empty(len(rounded), np.intp), len(rounded)
        compare(rounded, place)
    else:
        place = distinct(rounded)[1]
        count = int(place.max()) + 1
    return by_place(place[mesh.faces].reshape(-1), count)


def _blended(mesh: TriangleMesh, first: Index, corners: Index, crease: float = CREASE) -> Float:
    blended = np.empty((len(corners), 3))
    blend(first, corners, mesh.normals, mesh.areas, np.cos(crease), MAX_SHARED, blended)
    return blended.reshape(-1, 3, 3)


def dyed_share(colors: Float, of_whole: Float | None = None) -> Float:
    """Return how much of each face (F,) takes the color of the character's group, 0..1.

    Vivid faces are dyed: clothes and paint, not skin, hair or tires. Vivid is a chroma (largest
    less smallest of red, green and blue) above one half. A character without such faces is dyed
    all over, lightly.

    Args:
        colors: (F, 3) sRGB 0..1, one per face.
        of_whole: The same of the whole character, of which these faces are a simpler mesh: it says
            whether there are vivid faces.
    """
    share = _vivid(colors)
    whole = share if of_whole is None else _vivid(of_whole)
    return share if whole.max() > 0.9 else np.full(len(share), 0.45)


def _vivid(colors: Float) -> Float:
    """Return how vivid colors (F, 3) are (F,), 0..1."""
    chroma = np.ptp(np.asarray(colors, float), axis=1)
    return np.clip((chroma - 0.42) / 0.10, 0.0, 1.0)


def surface_rows(mesh: TriangleMesh, colors: Float, dyed: Float | float = 0.0) -> SurfaceRows:
    """Return rows (V, 10) position [m], normal, color (linear light), dyed share; faces (F, 3).

    Those of large meshes are kept on disk.

    Args:
        mesh: F triangles.
        colors: (F, 3) sRGB 0..1, one per face.
        dyed: Share of each instance's tint in the color of a face, (F,) or for all.
    """
    if len(mesh.faces) < KEPT_FROM:
        return _surface_rows(mesh, colors, dyed)

    def decode(arrays: Arrays) -> SurfaceRows:
        rows, faces = arrays["rows"], arrays["faces"]
        if rows.dtype != np.float32 or rows.shape != (len(rows), 10) or faces.dtype != np.uint32:
            raise ValueError("an array has another shape or type")
        check_rows(faces.astype(np.intp), len(rows), (len(mesh.faces), 3))
        return rows, faces

    digest = digest_of([mesh.vertices, mesh.faces, colors, np.asarray(dyed, float)])
    return kept(
        "surface rows",
        [digest],
        lambda: _surface_rows(mesh, colors, dyed),
        lambda made: dict(zip(("rows", "faces"), made, strict=True)),
        decode,
    )


def _surface_rows(mesh: TriangleMesh, colors: Float, dyed: Float | float) -> SurfaceRows:
    first, corners = _corners_by_place(mesh)
    of_faces = read_only(_linear_rows(colors))
    dyed_faces = read_only(np.broadcast_to(dyed, len(colors)).astype(np.float32))
    found, number = np.empty((len(corners), 10), np.float32), np.empty(len(corners), np.uint32)
    users = distinct_rows(
        first, corners, mesh.normals, mesh.areas, np.cos(CREASE), MAX_SHARED,
        mesh.vertices, mesh.faces, of_faces, dyed_faces, found, number,
    )  # fmt: skip
    return found[users], number.reshape(-1, 3)


def _linear_rows(colors: Float) -> NDArray[np.float32]:
    """Return colors (F, 3) in linear light; those that follow each other are often equal."""
    colors = np.asarray(colors, float)
    if (colors == colors[0]).all():
        return np.repeat(linear(colors[:1]).astype(np.float32), len(colors), axis=0)
    is_new = np.ones(len(colors), np.bool_)
    is_new[1:] = (colors[1:] != colors[:-1]).any(axis=1)
    return linear(colors[is_new]).astype(np.float32)[np.cumsum(is_new) - 1]


def painted_rows(mesh: TriangleMesh, places: Float) -> SurfaceRows:
    """Return rows (V, 10) as `surface_rows`, with places in a picture (u, v, 0) as colors.

    Args:
        mesh: F triangles.
        places: (F, 3, 2) texture coordinates of the corners.
    """
    rows = np.zeros((3 * len(mesh.faces), 10), np.float32)
    rows[:, :3] = mesh.triangles.reshape(-1, 3)
    rows[:, 3:6] = corner_normals(mesh).reshape(-1, 3)
    # A picture repeats, so whole numbers may be taken off; small ones are told apart better.
    rows[:, 6:8] = (places - np.floor(places.min(axis=1, keepdims=True))).reshape(-1, 2)
    return rows, np.arange(len(rows), dtype=np.uint32).reshape(-1, 3)


def skin_rows(rows: NDArray[np.floating], look: Look | None) -> NDArray[np.float32]:
    """Return joints and weights (V, 8) of rows (V, 10), the heaviest first.

    They are those of the vertex of the look in the same place; without a look all follow joint 0.
    """
    found = np.zeros((len(rows), 8), np.float32)
    if look is None:
        found[:, 4] = 1.0
        return found
    _, vertex = cKDTree(look.mesh.vertices).query(rows[:, :3])
    joints, weights = look.skin.joints[vertex], look.skin.weights[vertex]
    order = np.argsort(-weights, axis=1, kind="stable")
    found[:, :4] = np.take_along_axis(joints, order, axis=1)
    found[:, 4:] = np.take_along_axis(weights, order, axis=1)
    return found


def instance_rows(
    position: Float,
    orientation_wxyz: Float,
    tint: Float,
    strength: float | Float,
    lit: float | Float = 1.0,
) -> NDArray[np.float32]:
    """Return (N, 12) rows position, quaternion (scalar last, as GLSL has it), tint, strength, lit.

    Args:
        position: (N, 3) [m], world.
        orientation_wxyz: (N, 4) unit quaternions.
        tint: (N, 3) sRGB.
        strength: Factor on the faces' dyed share, for all or (N,); 0 leaves their own colors,
            10 dyes all of them.
        lit: Share of the sun that the scene lets through, for all or (N,).
    """
    rows = np.empty((len(position), 12), np.float32)
    rows[:, 0:3] = position
    rows[:, 3:6] = orientation_wxyz[:, 1:]
    rows[:, 6] = orientation_wxyz[:, 0]
    rows[:, 7:10] = linear(tint)
    rows[:, 10] = strength
    rows[:, 11] = lit
    return rows


IDENTITY_INSTANCE = instance_rows(
    np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones((1, 3)), 0.0
)
IDENTITY_INSTANCE.setflags(write=False)
