"""Colors of groups, regions and text: told apart by every kind of color vision."""

import numpy as np

from geometry.arrays import Float, Index, frozen

GROUPS = (
    frozen(
        [
            [0, 114, 178],  # blue
            [230, 159, 0],  # orange
            [204, 121, 167],  # reddish purple
            [86, 180, 233],  # sky blue
            [240, 228, 66],  # yellow
            [120, 94, 240],  # violet, for a sixth group
        ]
    )
    / 255.0
)
"""(6, 3) sRGB 0..1. Okabe and Ito (2008), "Color universal design"; its green and vermilion
are kept for start and goal, its black, which shadows swallow, gave way to a violet."""

START = frozen([0.05, 0.72, 0.42])
GOAL = frozen([0.90, 0.20, 0.12])
SELECTED = frozen([1.0, 0.88, 0.10])
AXES = frozen([[0.90, 0.22, 0.20], [0.30, 0.70, 0.25], [0.20, 0.42, 0.92]])


def group_color(group: int | Index) -> Float:
    """Return sRGB colors (..., 3) of group rows (...); they repeat after six groups."""
    return GROUPS[np.asarray(group) % len(GROUPS)]


def linear(srgb: Float) -> Float:
    """Return linear-light values of sRGB values 0..1 (IEC 61966-2-1), for lighting."""
    srgb = np.asarray(srgb, float)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
