"""A body on its path in lines, from above, the front and the side, by Matplotlib, as SVG text."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.palette import GOAL, START
from rmp3d.viewer.plots.charts import svg_text

VIEWS = ((0, 1, "from above"), (0, 2, "from the front"), (1, 2, "from the side"))
"""The axes across and up, and the words."""
HEIGHT = 3.6  # inches
AXIS = "xyz"
LONGEST = 1000.0
"""Times the shorter side of a view: what is longer would be a line, and is stretched."""


def side_views(scene: Float, poses: Sequence[Float], path: Float) -> str:
    """Return the three views.

    Args:
        scene: (E, 2, 3) edges of the obstacles.
        poses: The body's edges (B, 2, 3) at moments of its motion, in order: the first one is
            drawn green, the last one red.
        path: (K, 3) of its reference point.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, HEIGHT), layout="constrained")
    for column, (across, up, words) in enumerate(VIEWS):
        axes = figure.add_subplot(1, len(VIEWS), column + 1)
        pick = [across, up]
        axes.add_collection(LineCollection(list(scene[..., pick]), colors="0.72", linewidths=0.5))
        axes.plot(*path[:, pick].T, color="0.25", lw=0.9)
        for row, edges in enumerate(poses):
            color = START if row == 0 else GOAL if row == len(poses) - 1 else (0.0, 0.45, 0.70)
            ends = row in (0, len(poses) - 1)
            axes.add_collection(
                LineCollection(
                    list(edges[..., pick]),
                    colors=[tuple(np.asarray(color, float))],
                    linewidths=1.1 if ends else 0.6,
                    alpha=1.0 if ends else 0.6,
                )
            )
        axes.set(title=words, xlabel=AXIS[across], ylabel=AXIS[up])
        axes.autoscale_view()
        sides = np.abs(np.diff([axes.get_xlim(), axes.get_ylim()]))
        axes.set_aspect("equal" if sides.max() < LONGEST * sides.min() else "auto")
    return svg_text(figure)
