"""What the panel adds to the picture: places, growing roadmaps, and where a click meets ground."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Region, Scene
from rmp3d.viewer.palette import GOAL, START, group_color
from rmp3d.viewer.panel.protocol import Grown, Place
from rmp3d.viewer.playback.near_origin import moved_region
from rmp3d.viewer.shapes import lines

ORIGIN = np.zeros(3)
"""Default of the point (3,) [m] from which rows are seen; see `near_origin`."""
LIFT = np.array([0.0, 0.0, 0.05])  # [m] above the ground
_TURN = np.linspace(0.0, 2.0 * np.pi, 21)[:, None]
FOOT = 0.35 * np.hstack([np.cos(_TURN), np.sin(_TURN), 0.0 * _TURN])  # around the mark's foot
POST = np.array([0.0, 0.0, 2.2])  # [m] of the mark at a place
FAINT_EDGES, SMALL_NODES = 25.0, 4.0  # over the root of their number: opacity, size [m]
DRAWN_NODES, DRAWN_PIECES = 20_000, 60_000


def place_lines(
    places: tuple[Place, ...], chosen: int, origin: Float = ORIGIN
) -> NDArray[np.float32]:
    """Return rows of starts and goals; those of the chosen group are marked by a post."""
    rows = [lines.NO_LINES]
    for place in places:
        color = START if place.role == "start" else GOAL
        rows.append(lines.region_outline(moved_region(place.region, origin), color))
        if place.group == chosen:
            foot = (place.mark - origin)[None]
            rows.append(lines.segments(foot, foot + POST, color, 4.0, (1.0, 1.0)))
            rows.append(lines.polyline(foot + LIFT + FOOT, color, 3.0))
    return np.concatenate(rows)


def moved(places: tuple[Place, ...], group: int, role: str, point: Float) -> tuple[Place, ...]:
    """Return the places with one of them as a mark at a point (3,) [m]."""
    return tuple(
        Place(role, group, Region.sphere(role, point, 1.0), point)
        if (place.group, place.role) == (group, role)
        else place
        for place in places
    )


def roadmap_lines(roadmaps: dict[int, Grown], origin: Float = ORIGIN) -> NDArray[np.float32]:
    """Return rows of roadmaps: edges thin, nodes as crosses; what is not joined to most is gray.

    The more there are, the fainter and smaller they are drawn.
    """
    rows = [lines.NO_LINES]
    for group, roadmap in roadmaps.items():
        color = group_color(group)
        stride = max(1, -(-len(roadmap.start) // DRAWN_PIECES))
        lift = LIFT - origin
        start, end = roadmap.start[::stride] + lift, roadmap.end[::stride] + lift
        opacity = float(np.clip(FAINT_EDGES / max(len(start), 1) ** 0.5, 0.15, 0.6))
        rows.append(lines.segments(start, end, 0.5 * color + 0.5, 1.0, (opacity, opacity)))
        nodes = roadmap.nodes[:DRAWN_NODES] + lift
        main = roadmap.component[:DRAWN_NODES, None] == 0
        size = float(np.clip(SMALL_NODES / max(len(nodes), 1) ** 0.5, 0.06, 0.2))
        shades = np.where(main, color, [0.45, 0.45, 0.48])
        for arm in 0.5 * size * np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]]):
            rows.append(lines.segments(nodes - arm, nodes + arm, shades, 1.6, (1.0, 1.0)))
    return np.concatenate(rows)


def path_lines(paths: tuple[Float, ...], origin: Float = ORIGIN) -> NDArray[np.float32]:
    """Return rows of the found paths."""
    found = [(group, path) for group, path in enumerate(paths) if len(path) > 1]
    rows = [lines.polyline(path + (2 * LIFT - origin), group_color(group), 3.5)
            for group, path in found]  # fmt: skip
    return np.concatenate([lines.NO_LINES, *rows])


def meets(scene: Scene, origin: Float, direction: Float) -> Float | None:
    """Return where a line of sight (3,), (3,) first meets the scene, (3,) [m]; None if nowhere.

    Decor is looked through: no member stands on it.
    """
    nearest = np.inf
    for part in scene.parts:
        if part.role != "decor":
            nearest = min(nearest, _reach(part.mesh, origin, direction))
    return None if not np.isfinite(nearest) else origin + nearest * direction


def _reach(mesh: TriangleMesh, origin: Float, direction: Float) -> float:
    """Return how far a ray goes to the nearest triangle [m] (Moeller and Trumbore 1997)."""
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    edge, other = b - a, c - a
    across = np.cross(direction, other)
    volume = np.einsum("ij,ij->i", edge, across)
    faced = np.abs(volume) > 1e-12  # a triangle seen from its edge is not met
    inverse = np.divide(1.0, volume, out=np.zeros_like(volume), where=faced)
    offset = origin - a
    u = np.einsum("ij,ij->i", offset, across) * inverse
    turned = np.cross(offset, edge)
    v = turned @ direction * inverse
    reach = np.einsum("ij,ij->i", other, turned) * inverse
    hit = faced & (u >= 0) & (v >= 0) & (u + v <= 1) & (reach > 1e-6)
    return float(np.min(reach[hit], initial=np.inf))
