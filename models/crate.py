"""A wooden crate, 1.2 x 0.5 x 0.4 m: boards between battens, with marks that show its turns."""

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, panel

LENGTH, WIDTH, HEIGHT = 1.2, 0.5, 0.4
BATTEN = 0.022  # how far battens stand out of the boards [m]
PINE, DARK, FRONT, ARROW = "#d2ab72", "#8a6238", "#d8432f", "#2b2d30"


def crate() -> Model:
    """Return the crate about its middle; the red end is ahead, arrows on the sides point up."""
    model = Model()
    x, y, z = 0.5 * LENGTH, 0.5 * WIDTH, 0.5 * HEIGHT
    inner = [x - BATTEN, y - BATTEN, z - BATTEN]
    model.add("boards", PINE, box([-s for s in inner], inner))
    for at, color in ((-x, DARK), (x - 0.1, FRONT)):
        model.add("battens", color, box((at, -y, -z), (at + 0.1, y, z)))
    model.add("battens", DARK, box((-0.05, -y, -z), (0.05, y, z)))
    for side in (-1, 1):
        at = side * (y - BATTEN)
        face = [(-side * -x, at, -z), (-side * x, at, -z), (-side * x, at, z), (-side * -x, at, z)]
        for middle in (0.3, 0.7):
            _arrow(model, face, middle)
    lid = [(-x, -y, z - BATTEN), (x, -y, z - BATTEN), (x, y, z - BATTEN), (-x, y, z - BATTEN)]
    for middle in (0.3, 0.7):
        model.add("marks", "#f2efe6", panel(lid, (middle - 0.1, middle + 0.1), (0.25, 0.75), 0.006))
    return model


def _arrow(model: Model, face: list[tuple[float, float, float]], middle: float) -> None:
    """Add an arrow that points up on a side of the crate, about a share of its length."""
    model.add("marks", ARROW, panel(face, (middle - 0.012, middle + 0.012), (0.25, 0.6), 0.006))
    for row in range(3):
        half, low = 0.045 - 0.015 * row, 0.6 + 0.06 * row
        model.add(
            "marks", ARROW, panel(face, (middle - half, middle + half), (low, low + 0.06), 0.006)
        )


def crate_body() -> Model:
    """Return the block around the crate."""
    half = (0.5 * LENGTH, 0.5 * WIDTH, 0.5 * HEIGHT)
    model = Model()
    model.add("body", "#808080", box([-s for s in half], half))
    return model
