"""Roadmaps in files: the same bytes for the same roadmap, read back only into the same space.

A file is one line of text with the version and the SHA-256 of all that follows; one line of JSON
with what the roadmap is of, and the names, types and shapes of its arrays; then the arrays,
little-endian, one after the other. How long the building took is not in it. Weights that groups
have learned on the roadmap follow after the other arrays, where there are any; files without them
are as they were before there were weights.
"""

import hashlib
import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry import Float, frozen
from rmp3d.geometry.choices import table_of
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.surface import CURB
from rmp3d.geometry.vectors import length
from rmp3d.geometry.whole_file import whole_file
from rmp3d.models import Body
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.roadmap.learned import LearnedWeights
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import SPACES, Space
from rmp3d.scenes import Scene

MAGIC = "rmp3d roadmap"
VERSION = 1
UNIT = 1e-10  # by which the length of a quaternion may be off
LONGEST_LINE = 1_000_000  # bytes of a header
MAX_BYTES = 2 * 2**30
LONGEST_VALUE = 60  # letters of a value in an error
FORGED = (ArithmeticError, AttributeError, InputError, LookupError, TypeError, ValueError)
"""What the content of a file whose checksum holds can cause, if it was made to deceive."""
# Keys that older files call otherwise.
FORMER = {"capsule_axis": "spine"}
# What files of before a key meant.
BEFORE = {"max_step": CURB}
ARRAYS = {
    "configurations": ("<f8", 2),
    "clearance": ("<f8", 1),
    "edges": ("<i8", 2),
    "edge_length": ("<f8", 1),
    "edge_clearance": ("<f8", 1),
    "polyline_size": ("<i8", 1),
    "polyline_points": ("<f8", 2),
    "untried": ("<i8", 2),
}
"""Type and number of axes of each array, in the order of the file."""
LEARNED = {"learned_pairs": ("<i8", 2), "learned_weight": ("<f8", 2)}
"""The same of the arrays that follow in a file that keeps what was learned on the roadmap."""


def save_roadmap(roadmap: Roadmap, path: Path) -> None:
    """Write a roadmap into a file, all of it or nothing.

    Raises:
        RoadmapFileError: The file cannot be written.
    """
    arrays = _arrays_of(roadmap)
    local_planner = roadmap.local_planner
    if not isinstance(local_planner, str | Mapping):
        local_planner = table_of(LOCAL_PLANNERS, local_planner)
    header = {
        "of": _identity(roadmap.space),
        "local_planner": local_planner,
        "attempts": roadmap.attempts,
        "interrupted": roadmap.interrupted,
        "queries": [roadmap.counts.collision, roadmap.counts.distance],
        "arrays": {name: list(array.shape) for name, array in arrays.items()},
    }
    if roadmap.corners:
        header["corners"] = roadmap.corners
    if roadmap.learned is not None:
        header["learned"] = dict(roadmap.learned.provenance)
    text = json.dumps(header, sort_keys=True, separators=(",", ":"))
    body = b"".join([f"{text}\n".encode(), *(array.tobytes() for array in arrays.values())])
    first = f"{MAGIC} {VERSION} {hashlib.sha256(body).hexdigest()}\n".encode()
    with whole_file(path, "the roadmap", RoadmapFileError) as file:
        file.write(first + body)


def load_roadmap(path: Path, space: Space) -> Roadmap:
    """Read a roadmap that `save_roadmap` wrote.

    Args:
        path: The file.
        space: What the roadmap must be of: the same geometry of the scene, body, bounds and
            tolerance.

    Raises:
        RoadmapFileError: No such file, no roadmap, another version, damaged, or a roadmap of
            something else; says which.
    """
    try:
        content = read_input(path, MAX_BYTES)
    except InputError as error:
        raise RoadmapFileError(str(error)) from None
    header, data = _opened(content, path)
    try:
        _check_identity(header["of"], space, path)
        arrays = _split(header["arrays"], data)
        return _assembled(header, arrays, space)
    except RoadmapFileError:
        raise
    except FORGED as error:
        raise RoadmapFileError(
            f"{shown_path(path)}: not a sound roadmap file ({plain_cause(error)})"
        ) from None


def _arrays_of(roadmap: Roadmap) -> dict[str, np.ndarray]:
    """Return all arrays of a roadmap, in the types and the order of the file."""
    points = [np.zeros((0, roadmap.configurations.shape[1])), *roadmap.polylines]
    values: dict[str, Any] = {
        "polyline_size": np.array([len(row) for row in roadmap.polylines], np.intp),
        "polyline_points": np.concatenate(points),
    }
    for name in ARRAYS:
        values.setdefault(name, getattr(roadmap, name, None))
    kinds = ARRAYS
    if roadmap.learned is not None:
        kinds = ARRAYS | LEARNED
        values["learned_pairs"] = roadmap.learned.pairs
        values["learned_weight"] = roadmap.learned.weight
    return {name: np.ascontiguousarray(values[name], kind) for name, (kind, _) in kinds.items()}


def _opened(content: bytes, path: Path) -> tuple[dict[str, Any], bytes]:
    """Return header and data of a file that is whole."""
    first, _, body = content[:LONGEST_LINE].partition(b"\n")
    words = first.decode("utf-8", "replace").rsplit(" ", 2)
    if len(words) != 3 or words[0] != MAGIC:
        raise RoadmapFileError(f"{path}: not a roadmap file (`rmp3d plan SCENARIO --save FILE`)")
    if words[1] != str(VERSION):
        raise RoadmapFileError(
            f"{path}: a roadmap file of version {words[1][:20]}, this program reads version "
            f"{VERSION}; make it anew"
        )
    body = content[len(first) + 1 :]
    if hashlib.sha256(body).hexdigest() != words[2]:
        raise RoadmapFileError(f"{path}: the roadmap file is damaged; make it anew")
    line, _, data = body.partition(b"\n")
    if len(line) > LONGEST_LINE:
        raise RoadmapFileError(f"{shown_path(path)}: not a sound roadmap file (a huge header)")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RoadmapFileError(
            f"{shown_path(path)}: not a sound roadmap file ({plain_cause(error)})"
        ) from None
    if not isinstance(header, dict):
        raise RoadmapFileError(f"{path}: not a sound roadmap file (no header)")
    return header, data


def _identity(space: Space) -> dict[str, Any]:
    """Return what a roadmap of this space depends on."""
    body = space.world.body
    return {
        "scene": {"name": space.world.scene.name, "geometry": _geometry_hash(space.world.scene)},
        "body": {
            "radius": body.radius,
            "capsule_axis": list(body.capsule_axis),
            **_held(body),
            **_mesh_of(space),
        },
        "space": {
            "name": next(name for name in SPACES if isinstance(space, SPACES[name])),
            "bounds": space.bounds.tolist(),
            "tolerance": space.world.tolerance,
            **space.marks,
        },
    }


def _held(body: Body) -> dict[str, list[list[float]]]:
    """Return the capsules of the bodies that a body stands for, if it does."""
    return (
        {"holds": [[each.radius, *each.capsule_axis] for each in body.holds]} if body.holds else {}
    )


def _mesh_of(space: Space) -> dict[str, str]:
    """Return what tells the body's mesh from others where the mesh itself is planned for."""
    if space.width == 3:
        return {}
    mesh = space.world.body.mesh
    digest = hashlib.sha256(mesh.vertices.astype("<f8").tobytes())
    digest.update(mesh.faces.astype("<i8").tobytes())
    return {"mesh": digest.hexdigest()}


def _geometry_hash(scene: Scene) -> str:
    """Return the SHA-256 of what collides and carries; regions and names do not matter."""
    digest = hashlib.sha256()
    for part in scene.parts:
        digest.update(f"{part.role}\0{len(part.mesh.vertices)}\0{len(part.mesh.faces)}\0".encode())
        digest.update(part.mesh.vertices.astype("<f8").tobytes())
        digest.update(part.mesh.faces.astype("<i8").tobytes())
    digest.update(np.array([scene.max_slope, scene.roles_stated], "<f8").tobytes())
    return digest.hexdigest()


def _check_identity(stored: dict[str, Any], space: Space, path: Path) -> None:
    here = _identity(space)
    if stored["scene"]["geometry"] != here["scene"]["geometry"]:
        raise RoadmapFileError(
            f"{path}: a roadmap of another scene: `{_said(stored['scene']['name'])}` "
            f"({str(stored['scene']['geometry'])[:8]}), not `{here['scene']['name']}` "
            f"({here['scene']['geometry'][:8]})"
        )
    facts = [("space", "name"), *((name, key) for name in ("body", "space") for key in here[name])]
    for name, key in facts:
        before = stored[name].get(FORMER.get(key), BEFORE.get(key))
        other, value = stored[name].get(key, before), here[name][key]
        if other != value:
            raise RoadmapFileError(
                f"{path}: a roadmap of another {name}: `{key}` is {_said(other)} there, "
                f"{_said(value)} here"
            )


def _said(value: Any) -> str:
    return shortened(printable(str(value)), LONGEST_VALUE)


def _split(shapes: dict[str, list[int]], data: bytes) -> dict[str, np.ndarray]:
    """Return the arrays; every one is checked to be whole and finite."""
    arrays, start = {}, 0
    kinds = ARRAYS | LEARNED if "learned_pairs" in shapes else ARRAYS
    for name, (kind, axes) in kinds.items():
        shape = tuple(shapes[name])
        if len(shape) != axes or not all(isinstance(n, int) and n >= 0 for n in shape):
            raise InputError(f"`{name}` has the shape {_said(json.dumps(shape))}")
        end = start + 8 * prod(shape)
        array = np.frombuffer(data[start:end], kind).reshape(shape)
        if not np.isfinite(array).all():
            raise InputError(f"`{name}` is not finite")
        arrays[name], start = array, end
    if start != len(data):
        raise InputError("it has another length than it says")
    return arrays


def _assembled(header: dict[str, Any], arrays: dict[str, np.ndarray], space: Space) -> Roadmap:
    if not isinstance(header["local_planner"], str | dict):
        raise InputError("`local_planner` is neither a name nor a table")
    for name in ("configurations", "polyline_points"):
        rows = arrays[name]
        if rows.shape[1] != space.width:
            raise InputError(f"`{name}` has {rows.shape[1]} columns, not {space.width}")
        if space.width > 3 and (np.abs(length(rows[:, 3:]) - 1.0) > UNIT).any():
            raise InputError(f"`{name}` has a quaternion that is not of length one")
    size = arrays["polyline_size"]
    nodes, edges, count = arrays["configurations"], arrays["edges"], len(arrays["configurations"])
    for name in ("edges", "untried"):
        pairs = arrays[name]
        if pairs.shape[1] != 2 or not ((pairs[:, 0] >= 0) & (pairs[:, 0] < pairs[:, 1])).all():
            raise InputError(f"`{name}` must be pairs of nodes, the lower one first")
        if len(pairs) and pairs.max() >= count:
            raise InputError(f"`{name}` names a node that is not there")
    lengths = {len(arrays[name]) for name in ("edges", "edge_length", "edge_clearance")}
    if lengths != {len(size)} or len(arrays["clearance"]) != count:
        raise InputError("arrays of one thing have different lengths")
    if (size < 2).any() or size.sum() != len(arrays["polyline_points"]):
        raise InputError("the polylines have another length than it says")
    last = np.cumsum(size) - 1
    points: Float = frozen(arrays["polyline_points"])
    if not (
        np.array_equal(points[last - size + 1], nodes[edges[:, 0]])
        and np.array_equal(points[last], nodes[edges[:, 1]])
    ):
        raise InputError("a polyline does not join the nodes of its edge")
    return Roadmap(
        space,
        frozen(nodes),
        frozen(arrays["clearance"]),
        frozen(edges, np.intp),
        frozen(arrays["edge_length"]),
        frozen(arrays["edge_clearance"]),
        tuple(points[a : b + 1] for a, b in zip(last - size + 1, last, strict=True)),
        untried=frozen(arrays["untried"], np.intp),
        local_planner=header["local_planner"],
        attempts=int(header["attempts"]),
        counts=QueryCounts(*(int(number) for number in header["queries"])),
        interrupted=bool(header["interrupted"]),
        learned=_learned(header, arrays),
        corners=_corners(header, count),
    )


def _corners(header: dict[str, Any], nodes: int) -> int:
    """Return how many nodes are corners; files of other roadmaps do not say it."""
    count = header.get("corners", 0)
    if not isinstance(count, int) or not 0 <= count <= nodes:
        raise InputError("`corners` is not a number of its nodes")
    return count


def _learned(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> LearnedWeights | None:
    """Return the weights that a file keeps; None for none."""
    if "learned_pairs" not in arrays:
        return None
    provenance = header["learned"]
    if not isinstance(provenance, dict):
        raise InputError("`learned` is no table")
    learned = LearnedWeights(arrays["learned_pairs"], arrays["learned_weight"], provenance)
    if len(learned.pairs) and learned.pairs.max() >= len(arrays["configurations"]):
        raise InputError("`learned_pairs` names a node that is not there")
    return learned
