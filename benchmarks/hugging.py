"""A million steps over a scene's walkable surface: how far off it, and any change of level."""

from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.scenes import SceneDescription, load_scene

DT, FASTEST = 1.0 / 30.0, 5.0


def wander(scene: str, members: int, steps: int, seed: int = 0) -> dict[str, Any]:
    """Let members wander without any care for borders or each other.

    Each step is judged apart from how it was made: by the distance to the triangle that the
    member is said to stand on, and by what the steepest slope lets a step of that length climb.
    """
    surface = WalkableSurface(load_scene(SceneDescription(name=scene), Path()).walkable)
    triangles = surface.mesh.triangles
    steepest = float(np.tan(np.arccos(surface.mesh.normals[:, 2].min())))
    rng = np.random.default_rng(seed)
    area = np.cumsum(surface.mesh.areas)
    face = np.searchsorted(area, rng.uniform(0.0, area[-1], members))
    point = np.einsum("ij,ijk->ik", rng.dirichlet([1.0] * 3, members), triangles[face])
    angle, speed = rng.uniform(0.0, 2 * np.pi, members), rng.uniform(0.2, FASTEST, members)
    off, jumps, stops, walked, began = 0.0, 0, 0, 0.0, process_time()
    for _ in range(steps):
        angle += 0.2 * rng.normal(size=members)
        offset = (DT * speed)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        after, face, arrived = surface.walk(point, face, offset)
        across = length((after - point)[:, :2])
        off = max(off, float(_distance(after, triangles[face]).max()))
        jumps += int((np.abs(after - point)[:, 2] > steepest * across + 1e-9).sum())
        stops += int((~arrived).sum())
        walked += float(across.sum())
        angle[~arrived] += rng.uniform(-np.pi, np.pi, int((~arrived).sum()))
        point = after
    return {
        "scene": scene,
        "member_steps": members * steps,
        "walked": walked,
        "stops": stops,
        "farthest_off": off,
        "jumps": jumps,
        "seconds": process_time() - began,
    }


def _distance(point: Float, triangle: Float) -> Float:
    """Return the distances (M,) from points to triangles (M, 3, 3)."""
    normal = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    normal /= length(normal)[:, None]
    height = np.abs(np.einsum("ij,ij->i", point - triangle[:, 0], normal))
    inside, nearest = np.ones(len(point), bool), np.full(len(point), np.inf)
    for k in range(3):
        start, along = triangle[:, k], triangle[:, (k + 1) % 3] - triangle[:, k]
        inside &= np.einsum("ij,ij->i", np.cross(along, point - start), normal) >= 0.0
        share = np.einsum("ij,ij->i", point - start, along) / np.einsum("ij,ij->i", along, along)
        nearest = np.minimum(
            nearest, length(point - start - np.clip(share, 0.0, 1.0)[:, None] * along)
        )
    return np.where(inside, height, nearest)
