"""Whether two files that scripts have built hold the same meshes, on whatever CPUs."""

import json
import struct

import numpy as np
from scipy.spatial import cKDTree

KINDS = {5126: "<f4", 5123: "<u2", 5125: "<u4"}


class Written:
    """A file of `scenes.build.glb.Model`, read without its reader.

    Attributes:
        named: Names of nodes and meshes, materials with their colors, which primitive has which.
        primitives: Corners (F, 3, 3) float32 of each one's faces.
        step: From a coordinate of the scene's extent to the next number in float32 [m].
    """

    def __init__(self, data):
        length = struct.unpack_from("<I", data, 12)[0]
        header, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

        def array(row, width):
            accessor = header["accessors"][row]
            start = header["bufferViews"][accessor["bufferView"]]["byteOffset"]
            kind, count = KINDS[accessor["componentType"]], accessor["count"] * width
            return np.frombuffer(binary, kind, count, start).reshape(-1, width)

        meshes = header["meshes"]
        parts = [part for mesh in meshes for part in mesh["primitives"]]
        self.primitives = [
            array(part["attributes"]["POSITION"], 3)[array(part["indices"], 1).reshape(-1, 3)]
            for part in parts
        ]
        owned = [(m["name"], [part["material"] for part in m["primitives"]]) for m in meshes]
        self.named = [header[key] for key in ("asset", "scenes", "nodes", "materials")], owned
        points = np.concatenate(self.primitives).reshape(-1, 3)
        self.step = np.spacing(np.float32(np.ptp(points, axis=0).max()))


def check_same(built, shipped):
    """Assert that two files hold the same, but for what a CPU's last bit may change.

    Names, colors and the faces' corners are exact. Coordinates are worked out in float64 and
    written in float32; where one falls between two numbers, the last bit of the float64 decides,
    which differs with the vector instructions. So one step of float32 is allowed, at the scene's
    extent, as differences near zero are of the size of the float64's last bit there. The same bit
    decides between ways to cut a flat polygon into triangles: faces that are not the same must have
    the same outline, and area and volume as far as corners within a step of a plane allow.
    """
    built, shipped = Written(built), Written(shipped)
    assert built.named == shipped.named
    for new, old in zip(built.primitives, shipped.primitives, strict=True):
        points = np.unique(old.reshape(-1, 3), axis=0).astype(float)
        assert len(cKDTree(points).query_pairs(2.0 * shipped.step)) == 0, "so the nearest is it"
        tree = cKDTree(points)
        distance, rows = tree.query(new.reshape(-1, 3).astype(float), p=np.inf)
        assert distance.max() <= shipped.step
        found, wanted = faces_of(rows), faces_of(tree.query(old.reshape(-1, 3).astype(float))[1])
        assert len(found) == len(wanted)
        assert set(rows) == set(range(len(points)))
        recut, cut = without(found, wanted), without(wanted, found)
        assert sorted(outline(recut)) == sorted(outline(cut))
        (new_area, new_volume), (area, volume) = (area_and_volume(points, f) for f in (recut, cut))
        extent = np.ptp(points, axis=0).max()
        assert abs(new_area - area) <= 2.0 * shipped.step * extent
        assert abs(new_volume - volume) <= 2.0 * shipped.step * area


def faces_of(rows):
    """Return faces as tuples that begin with the lowest row; the sense of rotation stays."""
    faces = rows.reshape(-1, 3)
    lowest = faces.argmin(axis=1)[:, None]
    turned = np.take_along_axis(faces, (lowest + np.arange(3)) % 3, axis=1)
    return [tuple(face) for face in turned.tolist()]


def without(faces, others):
    """Return the faces that are not among the others."""
    others = set(others)
    return [face for face in faces if face not in others]


def outline(faces):
    """Return the directed edges that no other face runs along the other way."""
    edges = {(face[k], face[(k + 1) % 3]) for face in faces for k in range(3)}
    return [edge for edge in edges if edge[::-1] not in edges]


def area_and_volume(points, faces):
    """Return the area [m^2] of faces, and the signed volume [m^3] between them and the center."""
    if not faces:
        return 0.0, 0.0
    a, b, c = np.moveaxis(points[np.array(faces)] - points.mean(axis=0), 1, 0)
    across = np.cross(b - a, c - a)
    return np.linalg.norm(across, axis=1).sum() / 2.0, (a * across).sum() / 6.0
