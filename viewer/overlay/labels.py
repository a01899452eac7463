"""Short texts at points of the world, set on the picture."""

from collections.abc import Sequence

import numpy as np

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.drawings.drawing import Label
from rmp3d.viewer.overlay.overlay import Overlay

PLATE = np.full(3, 0.05)
MOST = 200  # labels in a picture


def draw_labels(
    overlay: Overlay, labels: Sequence[Label], camera: Camera, size: tuple[int, int]
) -> None:
    """Add labels that are in the picture, the nearer over the farther, each on a dark plate."""
    if not labels:
        return
    pixel, depth = camera.project(np.array([label.at for label in labels]), size)
    line = overlay.atlas.height
    inside = (depth > 0.0) & ((pixel >= 0.0) & (pixel <= size)).all(axis=1)
    order = [row for row in np.argsort(-depth) if inside[row]][-MOST:]
    for row in order:
        label, (x, y) = labels[row], pixel[row]
        half = overlay.atlas.width(label.text) / 2.0
        y += 0.4 * line
        overlay.rectangle(
            x - half - 0.3 * line, y - 0.1 * line, x + half + 0.3 * line, y + 1.15 * line,
            PLATE, 0.62,
        )  # fmt: skip
        overlay.text(label.text, float(x), float(y), color=0.35 + 0.65 * label.color, align=0.5)


def draw_clock(overlay: Overlay, time: float, size: tuple[int, int]) -> None:
    """Add the time [s] in the lower right corner."""
    line, text = overlay.atlas.height, clock_text(time)
    right, bottom = size[0] - 0.8 * line, 0.8 * line
    left = right - overlay.atlas.width(text) - 0.8 * line
    overlay.rectangle(left, bottom, right, bottom + 1.5 * line, PLATE, 0.62)
    overlay.text(text, right - 0.4 * line, bottom + 0.25 * line, align=1.0)


def clock_text(seconds: float) -> str:
    """Return a time as ``m:ss.d``."""
    tenths = round(seconds * 10.0)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"
