"""Colors of groups, regions and text: told apart by every kind of color vision."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen

GROUP_COLORS = (
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
are kept for start and goal, a violet replaces its black, which shadows swallow."""

START = frozen([0.05, 0.72, 0.42])
GOAL = frozen([0.90, 0.20, 0.12])
MEASURED = frozen([0.98, 0.75, 0.10])
SELECTED = frozen([1.0, 0.88, 0.10])
FLOW = frozen([0.05, 0.38, 0.85])
FREE = frozen([0.10, 0.62, 0.55])
REJECTED = frozen([0.75, 0.10, 0.22])
BODY = frozen([0.95, 0.30, 0.85])
NARROW, WIDE = frozen([0.90, 0.25, 0.12]), frozen([0.15, 0.62, 0.90])
LIGHT, HEAVY = frozen([0.13, 0.40, 0.62]), frozen([0.85, 0.03, 0.40])
"""Of edges of a roadmap: those that the group prefers, and those that it avoids."""
COMPONENT_COLORS = frozen(
    [[0.12, 0.13, 0.22], [0.85, 0.37, 0.01], [0.46, 0.44, 0.70], [0.91, 0.16, 0.54],
     [0.40, 0.65, 0.12], [0.90, 0.67, 0.01]]
)  # fmt: skip
"""(6, 3) of a roadmap's components; the largest dark, the others as ColorBrewer's Dark2."""
FORMATION_COLORS = frozen(
    [[0.00, 0.62, 0.45], [0.90, 0.62, 0.00], [0.80, 0.47, 0.65], [0.34, 0.71, 0.91],
     [0.94, 0.89, 0.26], [0.84, 0.37, 0.00]]
)  # fmt: skip
"""(6, 3) of formations on a path: Okabe and Ito's."""
BEHAVIOR_COLORS = frozen(
    [[0.20, 0.85, 0.55], [1.00, 0.45, 0.25], [0.45, 0.75, 1.00], [0.95, 0.55, 0.95],
     [1.00, 0.80, 0.20], [0.65, 0.95, 0.95], [0.75, 0.60, 1.00], [0.95, 0.95, 0.95]]
)  # fmt: skip
"""(8, 3) of the forces of steering behaviors."""
RAMP = frozen([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]) / 255.0
"""(5, 3) of values from low to high: five of viridis (van der Walt and Smith 2015)."""
AXES = frozen([[0.90, 0.22, 0.20], [0.30, 0.70, 0.25], [0.20, 0.42, 0.92]])


def group_color(group: int | Index) -> Float:
    """Return sRGB colors (..., 3) of group rows (...); they repeat after six groups."""
    return GROUP_COLORS[np.asarray(group) % len(GROUP_COLORS)]


def linear(srgb: Float) -> Float:
    """Return linear-light values of sRGB values 0..1 (IEC 61966-2-1), for lighting."""
    srgb = np.asarray(srgb, float)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
