"""A winding gorge for flyers: over a rockfall, through a window in a wall, under an arch.

The gorge runs along x, from its mouth (x = 0) to a lake below a waterfall (x = 76). Its rock is one
closed solid; walls lean and bulge, so that the route winds in plan and in height.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import blob, loft, outward, turned

LENGTH, STATIONS, TOP, DEEP = 76.0, 60, 11.0, 15.5
WIDTH_X = (0.0, 8.0, 14.0, 20.0, 25.0, 29.0, 33.0, 38.0, 43.0, 50.0, 56.0, 62.0, 68.0, 76.0)
WIDTH = (13.0, 12.0, 8.0, 7.5, 4.6, 3.8, 6.0, 8.0, 6.5, 4.6, 6.5, 10.0, 15.0, 14.0)
LEVELS = (0.7, 2.2, 3.7, 5.2, 6.7, 8.2, 9.7)
STRATA = ("#b9623b", "#cb7f4d", "#a9512f", "#d79a63", "#bd6d43", "#9c4a2e")
SAND, SCRUB = "#cfae7c", ("#c99a63", "#bf9159", "#b79a5c")
WINDOW_X, WINDOW_Z = 38.0, 4.9


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(11)
    _gorge(model, rng)
    _rockfall(model, rng)
    _window(model, rng)
    _arch(model, rng)
    _end(model, rng)
    _water(model)
    _boulders_and_bushes(model, rng)
    return model


def middle(x: Float) -> Float:
    """Return the middle line's y at x; straight at both ends."""
    fade = np.clip(x / 12.0, 0.0, 1.0) * np.clip((LENGTH - x) / 14.0, 0.0, 1.0)
    return fade**2 * (3 - 2 * fade) * (5.0 * np.sin(x / 6.3) + 1.5 * np.sin(x / 3.1 + 1.0))


def heading(x: Float) -> Float:
    """Return the direction of the middle line [rad] from the x axis."""
    straight = np.clip((66.0 - x) / 8.0, 0.0, 1.0)
    return straight * np.arctan((middle(x + 0.05) - middle(x - 0.05)) / 0.1)


def width(x: Float) -> Float:
    """Return the gorge's mean width at x."""
    return np.interp(x, WIDTH_X, WIDTH)


def _frame(x: float) -> tuple[Float, Float]:
    """Return the middle (3,) and the unit vector (3,) across the gorge, to the left."""
    place, angle = np.array(x), heading(np.array(x))
    across = np.array([-np.sin(angle), np.cos(angle), 0.0])
    return np.array([x, float(middle(place)), 0.0]), across


def _gorge(model: Model, rng: np.random.Generator) -> None:
    """Left wall, floor and right wall, as one solid with a U-shaped section."""
    rings = np.array([_section(x, rng) for x in np.linspace(0.0, LENGTH, STATIONS + 1)])
    rock = loft(rings)
    _add_rock(model, "gorge", rock, STATIONS * rings.shape[1])


def _section(x: float, rng: np.random.Generator) -> Float:
    """Return the ring (K, 3) at x, counter-clockwise looking back along the gorge."""
    place, across = _frame(x)
    half = float(width(np.array(x))) / 2
    lean = 0.16 * np.sin(x / 4.7)
    sides = []
    for sign, phase in ((-1.0, 0.4), (1.0, 2.6)):
        wall = []
        for z in LEVELS:
            bulge = 0.24 * half * np.sin(0.62 * z + phase + x / 5.5 * sign)
            rough = rng.uniform(-1.0, 1.0, 2) * (min(0.14 * half, 0.45), 0.3)
            flare = 0.35 * max(z - 6.0, 0.0)
            offset = sign * (half + bulge + flare + rough[0]) + lean * (z - 5.0)
            wall.append(place + across * offset + (0.0, 0.0, z + rough[1]))
        rim_out = np.array([x, sign * 11.0 + place[1] * 0.4, TOP + rng.uniform(-0.4, 0.6)])
        outer = np.array([x, sign * DEEP, TOP - 0.8 + rng.uniform(-0.3, 0.3)])
        wall += [wall[-1] * 0.6 + rim_out * 0.4 + (0.0, 0.0, 0.7), rim_out, outer]
        wall.append(np.array([x, sign * DEEP, -1.5]))
        sides.append(np.array(wall))
    bed = [
        place + across * share * half + (0.0, 0.0, z + rng.uniform(0.0, 0.15))
        for share, z in ((-0.62, 0.3), (-0.22, 0.0), (0.22, 0.0), (0.62, 0.3))
    ]
    right, left = sides
    # From the left wall's foot over its rim, under the floor, up the right wall, along the bed.
    return np.concatenate([left, right[::-1], bed])[::-1]


def _add_rock(model: Model, part: str, rock: TriangleMesh, quads: int) -> None:
    """Add a rock: tilted layers of color on its sides, sand on its bed, scrub on its tops.

    The first ``quads`` triangles and the next as many are the halves of the same quadrilaterals;
    both halves take one color.
    """
    centers, up = rock.triangles.mean(axis=1), rock.normals[:, 2].copy()
    pairs = np.stack([np.arange(quads), np.arange(quads) + quads])
    centers[pairs] = centers[pairs].mean(axis=0)
    up[pairs] = up[pairs].mean(axis=0)
    x, y, z = centers.T
    layer = np.floor((z + 0.03 * x + 20.0) / 1.25).astype(int) % len(STRATA)
    patch = np.floor(2.0 + np.sin(x / 2.9) + np.sin(y * 1.3)).astype(int) % len(SCRUB)
    tone = np.where((up > 0.6) & (z > TOP - 1.7), len(STRATA) + patch, layer)
    tone = np.where(np.abs(y) > DEEP - 0.1, len(STRATA) - 1, tone)
    tone = np.where((up > 0.35) & (z < 0.75), len(STRATA + SCRUB), tone)
    for row, color in enumerate((*STRATA, *SCRUB, SAND)):
        if (tone == row).any():
            model.add(part, color, rock.select(tone == row))


def _across(x: float, outline: Float, thick: float, rng: np.random.Generator) -> TriangleMesh:
    """Return a rock mass across the gorge: an outline (K, 2) of (left, up), swept along x."""
    place, across = _frame(x)
    along = np.array([across[1], -across[0], 0.0])
    rings = []
    for step, swell in ((-1.0, 0.8), (-0.45, 1.0), (0.45, 1.0), (1.0, 0.8)):
        middle_of = outline.mean(axis=0)
        points = middle_of + (outline - middle_of) * swell
        ring = place + points[:, :1] * across + points[:, 1:] * (0.0, 0.0, 1.0)
        rings.append(ring + along * thick * step / 2 + rng.uniform(-0.18, 0.18, ring.shape))
    return outward(loft(rings))


def _rockfall(model: Model, rng: np.random.Generator) -> None:
    """Fill the lower half of the gorge at x = 19: the route leads over it."""
    top = [(6.5, 3.8), (3.0, 4.4), (1.2, 3.9), (-0.8, 4.5), (-3.0, 4.0), (-6.5, 4.2)]
    rock = _across(19.0, np.array([(-6.5, -1.0), (6.5, -1.0), *top]), 4.4, rng)
    _add_rock(model, "rockfall", rock, 24)


def _arch(model: Model, rng: np.random.Generator) -> None:
    """Fill the upper half of the gorge at x = 54: the route leads under it."""
    vault = [(-7.0, 4.4), (-2.5, 3.9), (0.0, 4.4), (2.5, 3.8), (7.0, 4.3)]
    rock = _across(54.0, np.array([*vault, (7.0, 11.2), (0.0, 12.0), (-7.0, 11.2)]), 4.0, rng)
    _add_rock(model, "arch", rock, 24)


def _window(model: Model, rng: np.random.Generator) -> None:
    """A wall across the gorge with one opening, 2.2 m wide and 2 m high, at mid height."""
    place, across = _frame(WINDOW_X)
    along = np.array([across[1], -across[0], 0.0])
    angle = np.arange(14) * 2 * np.pi / 14
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    opening = (1.1, 1.0) * np.sign(circle) * np.sqrt(np.abs(circle))  # a rounded rectangle
    outer = (7.0, 6.5) * circle / np.abs(circle).max(axis=1, keepdims=True)
    rows = ((0.0, -0.5), (0.45, -0.85), (1.0, -0.7), (1.0, 0.7), (0.45, 0.85), (0.0, 0.5))
    loops = []
    for share, thick in rows:
        points = opening * (1 - share) + outer * share
        loop = place + points[:, :1] * across + (points[:, 1:] + WINDOW_Z) * (0.0, 0.0, 1.0)
        rough = 0.0 if share == 0.0 else 0.2
        loops.append(loop + along * thick + rng.uniform(-rough, rough, loop.shape))
    _add_rock(model, "window wall", _torus(np.array(loops)), len(rows) * len(angle))


def _torus(loops: Float) -> TriangleMesh:
    """Return the closed solid through loops (L, K, 3), the last joined to the first."""
    layers, sides = loops.shape[:2]
    row, k = np.arange(layers)[:, None], np.arange(sides)[None, :]
    a, b = row * sides + k, row * sides + (k + 1) % sides
    c, d = (row + 1) % layers * sides + (k + 1) % sides, (row + 1) % layers * sides + k
    faces = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return outward(TriangleMesh(loops.reshape(-1, 3), faces))


def _end(model: Model, rng: np.random.Generator) -> None:
    """The cliff behind the lake, with a flat place for the waterfall."""
    rings = []
    for y in np.linspace(-DEEP, DEEP, 18):
        behind_fall = abs(y) < 1.5
        ring = []
        for z in np.linspace(-1.5, TOP - 0.4, 8):
            rough = 0.0 if behind_fall else 0.7 * np.cos(y / 2.2) + rng.uniform(-0.45, 0.45)
            ring.append((LENGTH - 0.7 + rough, y, z))
        ring += [(LENGTH + 3.0, y, TOP + rng.uniform(-0.2, 0.4)), (LENGTH + 6.0, y, TOP - 1.0)]
        ring.append((LENGTH + 6.0, y, -1.5))
        rings.append(ring)
    _add_rock(model, "cliff", outward(loft(rings)), 17 * len(rings[0]))


def _water(model: Model) -> None:
    """The river along the bed, the lake, and the waterfall."""
    x = np.linspace(0.0, 64.0, 44)
    rows = []
    for at in x:
        place, across = _frame(float(at))
        half = 0.3 * float(width(at)) + 0.15 * np.sin(at)
        rows.append([place + across * half + (0, 0, 0.24), place - across * half + (0, 0, 0.24)])
    strip = np.array(rows).reshape(-1, 3)
    a = np.arange(len(x) - 1) * 2
    faces = np.concatenate([np.stack([a, a + 1, a + 3], 1), np.stack([a, a + 3, a + 2], 1)])
    model.add("river", "#4f93a8", TriangleMesh(strip, faces))
    angle = np.arange(18) * 2 * np.pi / 18
    shore = np.stack([70.0 + 7.4 * np.cos(angle), 6.2 * np.sin(angle), np.full(18, 0.26)], 1)
    fan = np.array([[0, k, k + 1] for k in range(1, 17)])
    model.add("lake", "#3f86a3", TriangleMesh(shore, fan))
    for y0, y1, color in ((-1.1, -0.4, "#cfe6ec"), (-0.4, 0.3, "#e9f5f7"), (0.3, 1.1, "#bfdde6")):
        fall = [(LENGTH - 0.75, y1, 0.2), (LENGTH - 0.75, y0, 0.2)]
        fall += [(LENGTH - 0.75, y0, 10.5), (LENGTH - 0.75, y1, 10.5)]
        model.add(
            "waterfall", color, TriangleMesh(np.array(fall), np.array([[0, 1, 2], [0, 2, 3]]))
        )


def _boulders_and_bushes(model: Model, rng: np.random.Generator) -> None:
    for number, x in enumerate((6.0, 11.5, 24.0, 31.5, 45.0, 49.0, 60.0, 64.5), 1):
        place, across = _frame(x)
        side = (-1.0) ** number * 0.32 * float(width(np.array(x)))
        size = rng.uniform(0.5, 0.95)
        rock = blob(place + across * side + (0, 0, 0.35), (size, size * 0.8, size * 0.7), rng)
        model.add(f"boulder {number}", "#96684c", rock)
    for number in range(14):
        x = rng.uniform(4.0, 72.0)
        side = rng.choice([-1.0, 1.0])
        y = side * rng.uniform(11.8, 14.6)
        if number % 2:
            size = rng.uniform(0.5, 0.9)
            model.add("bushes", "#7c8a4d", blob((x, y, TOP - 0.2), (size, size, 0.6 * size), rng))
        else:
            tall = rng.uniform(2.2, 3.4)
            cone = [
                (0.12, TOP - 0.8),
                (0.12, TOP),
                (0.9, TOP),
                (0.5, TOP + 0.5 * tall),
                (0.05, TOP + tall),
            ]
            model.add("pines", "#55703f", turned(cone, 7, (x, y)))
