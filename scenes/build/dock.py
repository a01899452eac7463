"""A dock: two quays, and a canal between them with a drawbridge, under which a barge passes."""

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, placed, turned

# Of the canal [m]: half its width, half the length of the scene along it, and the water's height.
CANAL, LENGTH, WATER = 4.0, 14.0, -1.6
QUAY = 18.0
BRIDGE = 1.8  # half of its width


def build() -> Model:
    """Return the scene's parts; those that move are as the scene's key frames expect them."""
    model = Model()
    model.add("quay west", "#b7ad9a", box((-QUAY, -LENGTH, -3.0), (-CANAL, LENGTH, 0.0)))
    model.add("quay east", "#b7ad9a", box((CANAL, -LENGTH, -3.0), (QUAY, LENGTH, 0.0)))
    model.add(
        "water", "#4c7f95", box((-CANAL, -LENGTH - 12.0, -3.0), (CANAL, LENGTH + 12.0, WATER))
    )
    model.add("bridge", "#8a5a3c", box((-CANAL, -BRIDGE, -0.3), (CANAL, BRIDGE, 0.0)))
    for name, side in (("west", -1.0), ("east", 1.0)):
        x0, x1 = sorted((side * (CANAL + 0.05), side * (CANAL + 0.25)))
        for end, (y0, y1) in {"south": (-LENGTH, -BRIDGE), "north": (BRIDGE, LENGTH)}.items():
            model.add(f"railing {name} {end}", "#59636b", box((x0, y0, 0.0), (x1, y1, 1.0)))
    for number, (x, y) in enumerate(((-13.0, 8.5), (-13.0, -9.0), (13.0, 9.0)), start=1):
        model.add(
            f"shed {number}", "#9c6b54", box((x - 3.5, y - 3.0, 0.0), (x + 3.5, y + 3.0, 3.2))
        )
        roof = frustum((x - 3.8, y - 3.3, x + 3.8, y + 3.3), (x - 3.8, y - 0.1, x + 3.8, y + 0.1),
                       3.2, 4.6)  # fmt: skip
        model.add(f"roof {number}", "#6d4437", roof)
    for number, (x, y) in enumerate(((8.0, -8.0), (9.4, -8.3), (8.6, -6.4), (-7.0, 6.0)), start=1):
        crate = placed(box((-0.6, -0.6, 0.0), (0.6, 0.6, 1.1)), (x, y, 0.0), 17.0 * number)
        model.add(f"crate {number}", "#c79a58", crate)
    for number, (x, y) in enumerate(((-5.4, -6.0), (-5.4, 5.0), (5.4, -5.0), (5.4, 6.0)), start=1):
        profile = [(0.2, 0.0), (0.16, 0.45), (0.26, 0.5), (0.26, 0.62)]
        model.add(f"bollard {number}", "#3d4347", turned(profile, 10, (x, y)))
    hull = [[(-1.2, -21.0, z), (1.2, -21.0, z), (1.4, -14.0, z), (0.0, -11.5, z), (-1.4, -14.0, z)]
            for z in (WATER - 0.5, WATER + 0.7)]  # fmt: skip
    model.add("barge", "#2f4a3e", loft(hull))
    model.add("barge cabin", "#d9d2c0", box((-0.9, -20.6, WATER + 0.7), (0.9, -18.4, 2.6)))
    return model
