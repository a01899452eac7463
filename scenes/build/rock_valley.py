"""A valley between cliffs: uneven ground with rocks and knolls, and two crags to go round.

The valley winds along x, 80 m long and 40 m wide with its cliffs. West and east of a clearing in
its middle a long crag stands in it, so that its routes are two rings that meet in the clearing:
there is no dead end. One height field is cut in two: what can be walked on, in one piece, is the
ground; the rest is one closed solid of rock. Slopes on the ground reach `WALKABLE` degrees, those
of cliffs and crags 70.
"""

import numpy as np
from scipy import ndimage

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import blob, turned

HALF_X, HALF_Y, CELL = 40.0, 20.0, 1.0
WALKABLE, BASE = 32.0, -2.0
STRATA = ("#9a8f80", "#857a6c", "#a89c8a", "#766d62")
GRASS, DRY, GRAVEL, SCRUB = "#8a9a58", "#a79f63", "#b3a58a", "#7d8a4e"
KNOLLS = (
    # x, y, height, spread
    (-5.5, -6.0, 1.0, 3.4), (7.5, 5.5, 1.3, 3.2), (0.5, 2.0, 0.5, 2.6), (-33.5, 6.0, 0.6, 2.4),
    (33.5, -5.5, 0.6, 2.4),
)  # fmt: skip
CRAGS = (
    # x, length along the valley, width, height
    (-20.0, 19.0, 7.6, 5.0), (20.0, 19.0, 7.6, 4.4),
)  # fmt: skip
ROCKS = (
    # x, y, radius
    (-27.0, 7.4, 0.8), (-24.0, -9.3, 0.9), (-3.0, -9.5, 0.7), (-5.5, 1.0, 1.5),
    (-1.0, 4.5, 0.9), (1.0, -5.0, 1.4), (4.5, 8.5, 0.8), (6.0, -1.0, 1.2),
    (13.0, -4.4, 0.8), (15.5, 11.5, 0.9), (26.5, 8.0, 0.8), (28.5, -8.3, 0.9), (33.6, 3.0, 0.7),
    (-33.6, -3.0, 0.8),
)  # fmt: skip


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    xs = np.linspace(-HALF_X, HALF_X, int(2 * HALF_X / CELL) + 1)
    ys = np.linspace(-HALF_Y, HALF_Y, int(2 * HALF_Y / CELL) + 1)
    z = height(*np.meshgrid(xs, ys, indexing="ij"))
    ground = walkable_cells(xs, ys, z)
    rows = _rows(len(xs), len(ys))
    vertices = np.stack([*np.meshgrid(xs, ys, indexing="ij"), z], -1).reshape(-1, 3)
    _add_ground(model, TriangleMesh(vertices, rows[:, ground].reshape(-1, 3)))
    _add_cliffs(model, vertices, rows[:, ~ground], len(vertices))
    rng = np.random.default_rng(31)
    _rocks(model, rng)
    _plants(model, xs, ys, ground, rng)
    return model


def middle(x: Float) -> Float:
    """Return the middle line's y at x."""
    return 3.0 * np.sin(x / 10.0) + 1.2 * np.sin(x / 4.3 + 1.0)


def height(x: Float, y: Float) -> Float:
    """Return the height of the ground and the cliffs at places of the same shape [m]."""
    off = y - middle(x)
    half = 10.6 + 0.9 * np.sin(x / 6.0 + np.where(off > 0, 0.0, 2.0))
    share = np.abs(off) / half
    ends = np.clip((np.abs(x) - 35.5) / 3.0, 0.0, 1.0)
    bed = 1.7 * np.clip(share, 0.0, 1.3) ** 2 + 0.02 * x - 0.35 * np.exp(-((off / 1.3) ** 2))
    rough = 0.22 * np.sin(0.9 * x + 0.5 * y) * np.sin(0.8 * y - 0.3 * x + 1.0)
    rough += 0.1 * np.sin(2.1 * x - 1.3 * y) * np.cos(1.7 * y + 0.6 * x)
    for kx, ky, rise, spread in KNOLLS:
        bed = bed + rise * np.exp(-((x - kx) ** 2 + (y - ky) ** 2) / (2 * (0.72 * spread) ** 2))
    wall = np.clip((share - 1.0) * half / 3.2, 0.0, 1.0)
    wall = np.maximum(wall, ends)
    cliff = 6.2 + 1.3 * np.sin(x / 6.0) * np.cos(y / 5.0) + 0.4 * np.sin(0.8 * x + 0.6 * y)
    cliff = wall**2 * (3 - 2 * wall) * cliff + 2.6 * wall * (1.0 - wall) * np.sin(1.3 * x + y)
    back = 0.2 * np.clip(np.abs(y) - 12.0, 0.0, None)
    return bed + rough + cliff + back * wall + crags(x, off)


def crags(x: Float, off: Float) -> Float:
    """Return by how much [m] the crags rise over the valley's bed, ``off`` [m] its middle line."""
    rise = np.zeros(np.broadcast(x, off).shape)
    for at, long, wide, high in CRAGS:
        half = 0.5 * wide * (1.0 + 0.12 * np.sin(0.9 * x + np.where(off > 0, 0.0, 2.0)))
        straight = np.clip(x - at, 0.5 * (wide - long), 0.5 * (long - wide))
        inside = half - np.hypot(x - at - straight, off)
        wall = np.clip(inside / 2.2, 0.0, 1.0)
        top = high + 0.7 * np.sin(0.8 * x + 0.5) * np.cos(0.7 * off) + 0.5 * np.sin(1.9 * x + off)
        rise += wall**2 * (3 - 2 * wall) * top
    return rise


def walkable_cells(xs: Float, ys: Float, z: Float) -> Bool:
    """Return which cells (I, J) are ground: not too steep, and in one piece without pinches."""
    dx, dy = float(xs[1] - xs[0]), float(ys[1] - ys[0])
    a, b, c, d = z[:-1, :-1], z[1:, :-1], z[1:, 1:], z[:-1, 1:]
    steepest = np.maximum(
        np.hypot((b - a) / dx, (c - b) / dy), np.hypot((c - d) / dx, (d - a) / dy)
    )
    x, y = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2
    off = np.abs(y[None, :] - middle(x)[:, None])
    free = (steepest < np.tan(np.radians(WALKABLE))) & (off < 13.0)
    free &= (np.abs(x) < 37.0)[:, None] & (np.abs(y) < HALF_Y - 2.0)[None, :]
    free = ndimage.binary_opening(free, np.ones((2, 2)))
    while True:
        label, _ = ndimage.label(free)
        free = label == np.bincount(label[label > 0]).argmax()
        # Two cells that meet in a corner only would pinch the rock's border.
        p, q, r, s = free[:-1, :-1], free[1:, :-1], free[1:, 1:], free[:-1, 1:]
        pinch = (p & r & ~q & ~s) | (q & s & ~p & ~r)
        if not pinch.any():
            return free
        for i, j in np.argwhere(pinch):
            free[i : i + 2, j : j + 2] = False


def _rows(count_x: int, count_y: int) -> np.ndarray:
    """Return the vertex rows (2, I, J, 3) of the two triangles of each cell."""
    i, j = np.meshgrid(np.arange(count_x - 1), np.arange(count_y - 1), indexing="ij")
    a, b = i * count_y + j, (i + 1) * count_y + j
    return np.stack([np.stack([a, b, b + 1], -1), np.stack([a, b + 1, a + 1], -1)])


def _add_ground(model: Model, ground: TriangleMesh) -> None:
    """Grass, dry grass on the slopes, and gravel along the bed of a stream."""
    (x, y, _), up = _by_cell(ground, len(ground.faces) // 2)
    off = np.abs(y - middle(x))
    slope = np.degrees(np.arccos(up))
    tone = np.where(slope > 19.0, 1, 0)
    tone = np.where((off < 1.5) & (slope < 19.0), 2, tone)
    tone = np.where((tone == 0) & (np.sin(0.55 * x) * np.sin(0.7 * y + 1.0) > 0.35), 3, tone)
    for row, color in enumerate((GRASS, DRY, GRAVEL, SCRUB)):
        model.add("ground", color, ground.select(tone == row))


def _by_cell(mesh: TriangleMesh, cells: int) -> tuple[Float, Float]:
    """Return middles (3, F) and upward parts of normals (F,), the same for both halves of a cell.

    The first ``cells`` triangles and the next as many are the halves of the same cells.
    """
    center, up = mesh.triangles.mean(axis=1), mesh.normals[:, 2].copy()
    pairs = np.stack([np.arange(cells), np.arange(cells) + cells])
    center[pairs] = center[pairs].mean(axis=0)
    up[pairs] = up[pairs].mean(axis=0)
    return center.T, up


def _add_cliffs(model: Model, vertices: Float, rows: np.ndarray, count: int) -> None:
    """The rest of the height field as a closed solid: walls along its border, and a base."""
    top = rows.reshape(-1, 3)
    edges = np.concatenate([top[:, [0, 1]], top[:, [1, 2]], top[:, [2, 0]]])
    known = {tuple(edge) for edge in edges.tolist()}
    border = np.array([edge for edge in edges.tolist() if (edge[1], edge[0]) not in known])
    a, b = border.T
    walls = np.concatenate([
        np.stack([a, a + count, b + count], 1), np.stack([a, b + count, b], 1)
    ])  # fmt: skip
    sunk = vertices * (1.0, 1.0, 0.0) + (0.0, 0.0, BASE)
    points = np.concatenate([vertices, sunk])
    solid = TriangleMesh(points, np.concatenate([top, walls, top[:, ::-1] + count]))
    (x, y, z), up = _by_cell(solid, len(top) // 2)
    layer = np.floor((z + 0.05 * x + 0.6 * np.sin(y / 5.0) + 20.0) / 1.1).astype(int) % len(STRATA)
    meadow = len(STRATA) + (np.sin(x / 3.0 + y / 4.0) > 0.2)
    tone = np.where((up > 0.85) & (z > 4.0), meadow, layer)
    tone[len(top) :] = 1
    for row, color in enumerate((*STRATA, SCRUB, DRY)):
        if (tone == row).any():
            model.add("cliffs", color, solid.select(tone == row))


def _rocks(model: Model, rng: np.random.Generator) -> None:
    """Boulders on the ground, sunk a little; some have smaller ones beside them."""
    for number, (x, y, radius) in enumerate(ROCKS, 1):
        z = float(height(np.array(x), np.array(y)))
        size = (radius, radius * rng.uniform(0.75, 0.95), radius * rng.uniform(0.8, 1.1))
        shade = STRATA[number % len(STRATA)]
        rock = blob((x, y, z + 0.25 * radius), size, rng, 0.2)
        model.add(f"rock {number}", shade, rock)
        if radius > 1.2:
            angle = rng.uniform(0.0, 2 * np.pi)
            x, y = x + 1.25 * radius * np.cos(angle), y + 1.25 * radius * np.sin(angle)
            z = float(height(np.array(x), np.array(y)))
            small = blob((x, y, z + 0.1), (0.45, 0.4, 0.45), rng, 0.2)
            model.add(f"rock {number} beside", shade, small)


def _plants(model: Model, xs: Float, ys: Float, ground: Bool, rng: np.random.Generator) -> None:
    """Pines on the heights, low bushes there too: none where one walks."""
    cells = np.argwhere(~ndimage.binary_dilation(ground, iterations=3))
    for number, (i, j) in enumerate(rng.permutation(cells)[:46]):
        x, y = xs[i] + rng.uniform(0.2, 0.8), ys[j] + rng.uniform(0.2, 0.8)
        z = float(height(np.array(x), np.array(y)))
        if number % 3:
            tall = rng.uniform(2.4, 4.0)
            profile = [(0.14, z - 0.6), (0.14, z + 0.5), (1.0, z + 0.5), (0.55, z + 0.5 * tall)]
            model.add("pines", "#4f6b3c", turned([*profile, (0.05, z + tall)], 7, (x, y)))
        else:
            size = rng.uniform(0.5, 0.9)
            model.add("bushes", "#74834a", blob((x, y, z), (size, size, 0.6 * size), rng))
