"""Colors of files, as a screen shows them."""

import numpy as np

from rmp3d.geometry.arrays import Float


def srgb_from_linear(linear: Float) -> Float:
    """Return display values, 0 to 1, of linear light, 0 to 1 (IEC 61966-2-1)."""
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055
    )
