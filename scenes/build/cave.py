"""A flooded cave for swimmers: a network of tunnels and chambers in rock, cut open on top.

Tunnels branch, join again, pass under each other and end blind. The block of rock is cut level
where many of them run, so that one sees into it; the scene's bounds close the cut. The rock is
one closed solid, carved out of a block by a distance function.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.level_set import without_flat_vertices, zero_surface
from rmp3d.scenes.build.shapes import blob, turned

CELL, TOP = 1.0, 6.0
LOWER, UPPER = np.array([0.0, 0.0, -2.0]), np.array([66.0, 46.0, TOP])
# Chambers and forks: x, y, z, radius [m].
PLACES = {
    "entrance": (7.5, 23.0, 4.2, 4.6),
    "fork": (18.0, 24.0, 4.9, 2.1),
    "north": (25.0, 35.0, 5.2, 2.0),
    "middle": (26.0, 22.0, 2.4, 1.7),
    "south": (23.0, 11.0, 5.2, 2.0),
    "deep": (28.5, 12.6, 0.2, 1.5),
    "north hall": (36.0, 41.0, 4.8, 2.6),
    "bend": (37.0, 32.0, 2.6, 1.8),
    "cross": (38.0, 21.0, 5.0, 2.1),
    "south bend": (35.0, 13.5, 5.2, 1.8),
    "south hall": (31.0, 4.8, 4.4, 2.4),
    "north east": (48.0, 37.0, 5.0, 1.8),
    "east": (50.0, 26.0, 5.2, 2.0),
    "south east": (48.0, 14.0, 5.0, 2.0),
    "niche": (43.0, 5.0, 4.6, 2.2),
    "east hall": (60.5, 36.0, 4.8, 2.6),
    "sump": (60.5, 24.5, 1.8, 1.7),
    "spring": (58.0, 9.0, 4.2, 4.6),
    "shaft": (13.0, 39.0, 4.9, 2.2),
    "crack": (11.0, 7.0, 5.0, 2.2),
    "chimney": (54.0, 42.5, 5.0, 1.9),
}
TUNNELS = (
    ("entrance", "fork"), ("fork", "north"), ("fork", "middle"), ("fork", "south"),
    ("north", "north hall"), ("north", "bend"), ("north", "shaft"), ("middle", "cross"),
    ("middle", "deep"), ("deep", "south hall"), ("south", "south bend"), ("south", "crack"),
    ("south bend", "south east"), ("south east", "cross"), ("bend", "cross"),
    ("bend", "north east"), ("north east", "east hall"), ("north east", "chimney"),
    ("cross", "east"), ("east", "sump"), ("sump", "spring"), ("south east", "niche"),
)  # fmt: skip
NARROWEST = 1.45
ROCK = ("#7d6f63", "#8c7c6c", "#6c6058", "#97887a")
SILT, CUT, CRUST = "#cbb893", "#b3a692", "#5b544e"


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(5)
    _rock(model)
    _plants(model, rng)
    return model


def _rock(model: Model) -> None:
    """The block less the tunnels, its floor silted, its cut light."""
    first = LOWER - 1.5 * CELL
    shape = np.ceil((UPPER + 1.5 * CELL - first) / CELL).astype(int) + 1
    points = first + CELL * np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1)
    rock = zero_surface(solid(points.reshape(-1, 3)).reshape(shape), first, CELL)
    rock = without_flat_vertices(_squared(rock))
    centers, up = rock.triangles.mean(axis=1), rock.normals[:, 2]
    x, y, z = centers.T
    tone = (np.floor(z / 1.3 + 0.6 * np.sin(x / 5.0) + 0.5 * np.sin(y / 4.0)) % 4).astype(int)
    tone[(up > 0.6) & (z < TOP - 0.3)] = 4
    tone[z > TOP - 1e-3] = 5
    sides = (centers < LOWER + 1e-3) | (centers > UPPER - 1e-3)
    tone[sides[:, :2].any(axis=1) | sides[:, 2] & (z < TOP - 1.0)] = 6
    for row, color in enumerate((*ROCK, SILT, CUT, CRUST)):
        model.add("rock", color, rock.select(tone == row))


def _squared(rock: TriangleMesh) -> TriangleMesh:
    """Return the rock with the edges of its block and the rims of its cut made sharp."""
    points = rock.vertices.copy()
    for plane in (LOWER, UPPER):
        near = np.abs(points - plane) < 0.45 * CELL
        points = np.where(near, plane, points)
    return TriangleMesh(points, rock.faces)


def solid(points: Float) -> Float:
    """Return how deep (M,) [m] points (M, 3) are outside the rock; negative inside."""
    outside = np.maximum(LOWER - points, points - UPPER).max(axis=1)
    return np.maximum(outside, -void(points))


def void(points: Float) -> Float:
    """Return how far (M,) [m] points (M, 3) are from the open water; negative in it."""
    x, y, z = points.T
    winding = np.stack([
        1.1 * np.sin(y / 3.7 + 0.5) + 0.3 * np.sin(z * 1.3 + x / 1.9),
        1.1 * np.sin(x / 3.9 + 1.2) + 0.3 * np.sin(z * 1.1 + y / 2.3),
        0.45 * np.sin(x / 4.3 + y / 5.1),
    ], axis=1)  # fmt: skip
    bent = points + winding
    rough = 0.22 * np.sin(1.7 * x + 0.9 * z) * np.sin(1.5 * y - 0.6 * z + 0.4)
    distance = np.full(len(points), np.inf)
    for name, (*center, radius) in PLACES.items():
        if radius > NARROWEST + 0.3 or name == "entrance":
            squeezed = (bent - center) * (1.0, 1.0, 1.0 + 0.1 * radius)
            distance = _merged(distance, np.linalg.norm(squeezed, axis=1) - radius)
    for a, b in TUNNELS:
        distance = _merged(distance, _tunnel(bent, a, b))
    return distance + rough


def _tunnel(points: Float, a: str, b: str) -> Float:
    """Return the distance (M,) to a round tunnel that is narrowest in its middle."""
    start, end = np.array(PLACES[a][:3]), np.array(PLACES[b][:3])
    axis = end - start
    share = np.clip((points - start) @ axis / (axis @ axis), 0.0, 1.0)
    wide = np.interp(share, [0.0, 0.5, 1.0], [PLACES[a][3], 0.0, PLACES[b][3]])
    radius = np.clip(wide, NARROWEST, 2.0)
    return np.linalg.norm(points - start - share[:, None] * axis, axis=1) - radius


def _merged(a: Float, b: Float, width: float = 0.8) -> Float:
    """Return the distance to the union, its inner edges rounded off (a smooth minimum)."""
    near = np.clip(1.0 - np.abs(a - b) / width, 0.0, 1.0)
    lower = np.minimum(a, b)
    return lower - np.where(np.isfinite(lower), near**2 * width / 4.0, 0.0)


def floor_below(points: Float) -> Float:
    """Return the heights (M,) of the floor below points (M, 3) in open water."""
    z = points[:, 2].copy()
    for _ in range(60):
        lower = points.copy()
        lower[:, 2] = z - 0.1
        z = np.where(void(lower) < 0.0, z - 0.1, z)
    return z


def _plants(model: Model, rng: np.random.Generator) -> None:
    """Weed in the entrance, crystals in the spring, boulders and stalagmites along the route."""
    for color, name, height, thick, count in (
        ("#4f8f5a", "entrance", 1.6, 0.09, 9), ("#6fb06a", "entrance", 1.1, 0.08, 7),
        ("#3aa7b8", "spring", 1.2, 0.22, 6), ("#e0a04a", "spring", 0.8, 0.16, 6),
    ):  # fmt: skip
        for place in _around(name, 2.6, count, rng):
            tall = height * rng.uniform(0.7, 1.2)
            stem = np.array([(thick, -0.4), (0.8 * thick, 0.5 * tall), (0.02, tall)])
            stem[:, 1] += place[2]
            shape = turned(stem, 5, place[:2])
            model.add("weed" if name == "entrance" else "crystals", color, shape)
    number = 0
    for name in ("north hall", "south hall", "east hall", "shaft", "crack", "niche"):
        for place in _around(name, 0.9, 2, rng):
            number += 1
            size = rng.uniform(0.35, 0.6)
            rock = blob(place + np.array([0.0, 0.0, 0.1]), (size, 0.8 * size, 0.7 * size), rng)
            model.add(f"boulder {number}", ROCK[number % 4], rock)


def _around(name: str, reach: float, count: int, rng: np.random.Generator) -> Float:
    """Return places (count, 3) on the floor of a chamber."""
    center = np.array(PLACES[name][:3])
    offset = np.zeros((40 * count, 3))
    offset[:, :2] = rng.uniform(-reach, reach, (len(offset), 2))
    points = center + offset
    points = points[void(points) < -0.2][:count]
    points[:, 2] = floor_below(points)
    return points
