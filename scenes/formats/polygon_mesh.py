"""One mesh from vertices and polygons, as OFF and PLY files list them."""

from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, RawFile, RawMesh
from rmp3d.scenes.polygons import triangulate_all


def polygon_mesh(
    path: Path,
    vertices: Float,
    corners: Index,
    counts: Index,
    *,
    vertex_colors: Float | None = None,
    face_colors: Float | None = None,
) -> RawFile:
    """Return the content of a file that is one mesh, its polygons cut into triangles.

    Polygons of fewer than three corners, which are points and lines, are passed over.

    Args:
        path: The file; the mesh has its stem as name.
        vertices: (V, 3).
        corners: (C,) vertices of the first polygon, of the second, ...
        counts: (P,) number of corners of each polygon; C is their sum.
        vertex_colors: (V, 3), 0 to 1; they count before those of the faces.
        face_colors: (P, 3), 0 to 1.

    Raises:
        InputError: A polygon refers to a vertex that is not there, or takes too long to cut.
    """
    bad = np.flatnonzero((corners < 0) | (corners >= len(vertices)))
    if len(bad):
        face = int(np.searchsorted(np.cumsum(counts), bad[0], side="right")) + 1
        raise InputError(
            f"{shown_path(path)}: face {face} refers to vertex {corners[bad[0]]}, but there are "
            f"{len(vertices)}, counted from 0; is the file cut short?"
        )
    solid = counts >= 3
    try:
        faces, polygon = triangulate_all(vertices, corners[np.repeat(solid, counts)], counts[solid])
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from None
    colors = np.tile(DEFAULT_COLOR, (len(faces), 1))
    if vertex_colors is not None:
        colors = vertex_colors[faces].mean(axis=1)
    elif face_colors is not None:
        colors = face_colors[np.flatnonzero(solid)[polygon]]
    colors = np.clip(np.nan_to_num(colors, nan=DEFAULT_COLOR[0]), 0.0, 1.0)
    return RawFile([RawMesh(path.stem, vertices, faces, colors)], vertices)
