"""Scenes of any number of triangles: hilly ground with closed buildings, in four mesh formats."""

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index

Solid = tuple[Float, Index]
"""Vertices (V, 3) [m] and faces (F, 3) of one piece."""

CELL = 1.0
"""Distance [m] of the vertices of the ground."""
SHARE_OF_BUILDINGS = 0.2
"""Of the triangles."""
REGION = 8.0
"""Side [m] of start and goal."""
BUILDING = 12
"""Cells along each side of a building's face: 12 * 12 * 2 * 6 = 1,728 triangles."""

SCENARIO = """[scene]
mesh = "{mesh}"
{extra}
[scene.regions.start]
lower = [{start}, {start}, -50.0]
upper = [{start_end}, {start_end}, 50.0]

[scene.regions.goal]
lower = [{goal}, {goal}, -50.0]
upper = [{goal_end}, {goal_end}, 50.0]

[simulation]
duration = 120.0

[[groups]]
name = "visitors"
character = "pedestrian"
members = 8
start = "start"
goal = "goal"
behavior = {{ name = "narrow_passages", formation = "line" }}
"""


def pieces(triangles: int, seed: int = 0) -> dict[str, Solid]:
    """Return the ground and the buildings by name; about as many triangles as asked for."""
    rng = np.random.default_rng(seed)
    side = max(20, int(np.sqrt(triangles * (1.0 - SHARE_OF_BUILDINGS) / 2.0)))
    found = {"ground": _ground(side)}
    count = max(1, round(triangles * SHARE_OF_BUILDINGS / (12 * BUILDING**2)))
    lots = int(np.ceil(np.sqrt(count)))
    pitch = side * CELL / lots
    for number in range(count):
        corner = pitch * (np.array(divmod(number, lots)) + 0.5)
        size = np.append(rng.uniform(0.2, 0.4, 2) * min(pitch, 40.0), rng.uniform(6.0, 30.0))
        found[f"building {number + 1}"] = _building(corner, size)
    return found


def height(x: Float, y: Float) -> Float:
    """Return the height [m] of the ground; slopes of less than 20 degrees."""
    return 3.0 * np.sin(x / 23.0) * np.cos(y / 31.0) + 0.15 * np.sin(x / 3.1) * np.sin(y / 2.7)


def _ground(side: int) -> Solid:
    x, y = np.meshgrid(np.arange(side + 1) * CELL, np.arange(side + 1) * CELL, indexing="ij")
    vertices = np.column_stack([x.ravel(), y.ravel(), height(x, y).ravel()])
    return vertices, _sheet(side, side)


def _sheet(rows: int, columns: int) -> Index:
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    beside, above = corner + columns + 1, corner + 1
    lower = np.column_stack([corner, beside, beside + 1])
    return np.concatenate([lower, np.column_stack([corner, beside + 1, above])])


def _building(corner: Float, size: Float) -> Solid:
    """Return a closed box of small triangles that stands in the ground."""
    steps = np.linspace(0.0, 1.0, BUILDING + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps, indexing="ij"))
    vertices: list[Float] = []
    faces: list[Index] = []
    for axis in range(3):
        for end in (0.0, 1.0):
            place = np.empty((len(u), 3))
            place[:, axis], place[:, (axis + 1) % 3], place[:, (axis + 2) % 3] = end, u, v
            sheet = _sheet(BUILDING, BUILDING)
            faces.append((sheet if end else sheet[:, ::-1]) + len(u) * len(vertices))
            vertices.append(place)
    base = np.append(corner, height(corner[0], corner[1]) - 8.0)
    stretch = size + np.array([0.0, 0.0, 8.0])
    return base + np.concatenate(vertices) * stretch, np.concatenate(faces)


def write_scene(folder: Path, kind: str, triangles: int) -> Path:
    """Write mesh and scenario, and return the scenario's path.

    Args:
        folder: Where to.
        kind: ``glb`` and ``obj`` have a part for each building; ``ply`` and ``stl`` are one part.
        triangles: About how many.
    """
    solids = pieces(triangles)
    mesh = folder / f"large_{triangles}.{kind}"
    WRITERS[kind](mesh, solids)
    side = float(solids["ground"][0].max())
    start = _clear_of_buildings(solids, 0.5 * side)
    goal = _clear_of_buildings(solids, start + min(60.0, 0.3 * side))
    roles = 'roles = { "ground" = "ground" }\n' if kind in ("glb", "obj") else ""
    up = 'up = "z"\n' if kind == "glb" else ""
    text = SCENARIO.format(
        mesh=mesh.name,
        extra=roles + up,
        start=start,
        start_end=start + REGION,
        goal=goal,
        goal_end=goal + REGION,
    )
    scenario = mesh.with_name(f"large_{triangles}_{kind}.toml")
    scenario.write_text(text, encoding="utf-8")
    return scenario


def _clear_of_buildings(solids: Mapping[str, Solid], begin: float) -> float:
    """Return the first corner on the diagonal from which a region has no building near."""
    corner = begin
    walls = [
        (vertices[:, :2].min(axis=0) - 1.0, vertices[:, :2].max(axis=0) + 1.0)
        for name, (vertices, _) in solids.items()
        if name != "ground"
    ]
    while any((low < corner + REGION).all() and (corner < high).all() for low, high in walls):
        corner += CELL
    return corner


def _joined(solids: Mapping[str, Solid]) -> Solid:
    offsets = np.cumsum([0] + [len(vertices) for vertices, _ in solids.values()])
    faces = [faces + first for (_, faces), first in zip(solids.values(), offsets, strict=False)]
    return np.concatenate([vertices for vertices, _ in solids.values()]), np.concatenate(faces)


def _write_ply(path: Path, solids: Mapping[str, Solid]) -> None:
    vertices, faces = _joined(solids)
    rows = np.empty(len(faces), [("count", "u1"), ("corners", "<i4", 3)])
    rows["count"], rows["corners"] = 3, faces
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path.write_bytes(header.encode() + vertices.astype("<f4").tobytes() + rows.tobytes())


def _write_stl(path: Path, solids: Mapping[str, Solid]) -> None:
    vertices, faces = _joined(solids)
    rows = np.zeros(len(faces), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    rows["corners"] = vertices[faces]
    path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + rows.tobytes())


def _write_obj(path: Path, solids: Mapping[str, Solid]) -> None:
    with path.open("w", encoding="utf-8") as file:
        first = 1
        for name, (vertices, faces) in solids.items():
            file.write(f"o {name.replace(' ', '_')}\n")
            np.savetxt(file, vertices, "v %.6f %.6f %.6f")
            np.savetxt(file, faces + first, "f %d %d %d")
            first += len(vertices)


def _write_glb(path: Path, solids: Mapping[str, Solid]) -> None:
    views: list[dict[str, int]] = []
    accessors, meshes, nodes, blobs = [], [], [], []
    used = 0
    for row, (name, (vertices, faces)) in enumerate(solids.items()):
        points, corners = vertices.astype("<f4"), faces.astype("<u4")
        for array in (points, corners):
            views.append({"buffer": 0, "byteOffset": used, "byteLength": array.nbytes})
            blobs.append(array.tobytes())
            used += array.nbytes
        accessors += [
            {
                "bufferView": 2 * row,
                "componentType": 5126,
                "count": len(points),
                "type": "VEC3",
                "min": points.min(axis=0).tolist(),
                "max": points.max(axis=0).tolist(),
            },
            {
                "bufferView": 2 * row + 1,
                "componentType": 5125,
                "count": corners.size,
                "type": "SCALAR",
            },
        ]
        primitive = {"attributes": {"POSITION": 2 * row}, "indices": 2 * row + 1}
        meshes.append({"name": name, "primitives": [primitive]})
        nodes.append({"name": name, "mesh": row})
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": meshes,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": used}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with path.open("wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + used))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", used, b"BIN\0"))
        file.writelines(blobs)


WRITERS: dict[str, Callable[[Path, Mapping[str, Solid]], None]] = {
    "glb": _write_glb,
    "obj": _write_obj,
    "ply": _write_ply,
    "stl": _write_stl,
}
