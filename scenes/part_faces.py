"""Which faces of the parts of a scene are ground, and which are obstacles."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Index, frozen
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.scenes.noses import noses
from rmp3d.scenes.part import Part
from rmp3d.scenes.stops import walkable_at_stops

OfParts: TypeAlias = tuple[TriangleMesh | None, Index]
"""Faces of several parts as one mesh, None for none, and the part of each face (F,)."""


def walkable_faces(part: Part, roles_stated: bool, max_slope: float) -> Bool:
    """Return which faces (F,) of a part can be walked on, up to a slope [rad]."""
    is_ground = part.role == "ground" or (part.role == "obstacle" and not roles_stated)
    flat = part.mesh.normals[:, 2] >= np.cos(max_slope) - 1e-9
    found: Bool = flat & is_ground
    return found


def ground(parts: Sequence[Part], roles_stated: bool, max_slope: float) -> OfParts:
    """Return the walkable faces; those of parts that carry are at each of their stops.

    Over risers that lean there are also noses, which are faces of no part.
    """
    flat = [walkable_faces(part, roles_stated, max_slope) for part in parts]
    fixed = [None if part.carries else own for part, own in zip(parts, flat, strict=True)]
    found = [_collected(parts, fixed)]
    for row, (part, own) in enumerate(zip(parts, fixed, strict=True)):
        added = None if own is None else noses(part.mesh, own, max_slope)
        if added is not None:
            found.append((added, np.full(len(added.faces), row)))
    for row, (part, own) in enumerate(zip(parts, flat, strict=True)):
        if part.carries and own.any():
            mesh = walkable_at_stops(part, own)
            found.append((mesh, np.full(len(mesh.faces), row)))
    if len(found) == 1:
        return found[0]
    rows = np.concatenate([each for _, each in found])
    return join([mesh for mesh, _ in found if mesh is not None]), frozen(rows, np.intp)


def walking_obstacles(parts: Sequence[Part], roles_stated: bool, max_slope: float) -> OfParts:
    """Return all faces but those of decor, of parts that carry, and walkable ones."""
    return _collected(parts, [
        None if _is_elsewhere(part) else ~walkable_faces(part, roles_stated, max_slope)
        for part in parts
    ])  # fmt: skip


def flying_obstacles(parts: Sequence[Part]) -> OfParts:
    """Return all faces but those of decor, and of parts that carry."""
    return _collected(parts, [
        None if _is_elsewhere(part) else np.ones(len(part.mesh.faces), bool) for part in parts
    ])  # fmt: skip


def _is_elsewhere(part: Part) -> bool:
    """Return whether a part is no obstacle where the scene has it."""
    return part.role == "decor" or part.carries


def _collected(parts: Sequence[Part], masks: Sequence[Bool | None]) -> OfParts:
    """Join the chosen faces of each part; also return the part of each face (F,)."""
    chosen = [
        (row, part.mesh if mask.all() else part.mesh.select(mask))
        for row, (part, mask) in enumerate(zip(parts, masks, strict=True))
        if mask is not None and mask.any()
    ]
    rows = np.repeat(
        np.array([row for row, _ in chosen], np.intp), [len(mesh.faces) for _, mesh in chosen]
    )
    return (join([mesh for _, mesh in chosen]) if chosen else None), frozen(rows, np.intp)
