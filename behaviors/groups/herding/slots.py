"""Where shepherds stand behind a flock, and which shepherd takes which place."""

from typing import Literal, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.assignment import least_cost_assignment

Shape: TypeAlias = Literal["line", "arc"]


def slots(
    shape: Shape, center: Float, heading: Float, radius: float, distance: float, count: int,
    inset: float, least: float = 0.0,
) -> Float:  # fmt: skip
    r"""Return the places (k, 3) [m] of k shepherds behind a flock.

    With the flock's circle C, R, the unit direction d to the subgoal, l to the left of it and the
    distance m, a single shepherd stands at :math:`C - d (R + m)`. A line is at that depth too,

    .. math:: C - d (R + m) + l (i - (k - 1) / 2) \, (2 R - \varepsilon) / (k - 1)

    and an arc lies on the semicircle behind,
    :math:`C + (R + m) (-d \cos a_i + l \sin a_i)`, with neighbors :math:`\pi / k` apart,
    :math:`a_i = \pi ((i + 1/2) / k - 1/2)`, for i from 0 to k - 1, the rightmost first.

    Args:
        shape: ``line`` or ``arc``.
        center: C (3,) [m].
        heading: d (3,), unit.
        radius: R [m].
        distance: m, between the flock's circle and the shepherds [m].
        count: k.
        inset: By how much a line is shorter than the circle is wide, epsilon [m].
        least: Spacing of a line at least [m], so that two bodies fit side by side.
    """
    left = np.cross([0.0, 0.0, 1.0], heading)
    size = np.linalg.norm(left)
    left = left / size if size > 1e-9 else np.array([0.0, 1.0, 0.0])
    depth = radius + distance
    row = np.arange(count)
    if shape == "line":
        spacing = max((2.0 * radius - inset) / max(count - 1, 1), least)
        across = (row - 0.5 * (count - 1)) * spacing
        return center - depth * heading + across[:, None] * left
    angle = np.pi * ((row + 0.5) / count - 0.5)
    return center + depth * (-np.cos(angle)[:, None] * heading + np.sin(angle)[:, None] * left)


def assigned(cost: Float) -> Index:
    """Return for each row the column (rows,) of the cheapest assignment, -1 for none.

    With lengths of straight paths as costs, no two of them cross: crossing paths are longer
    together than the same paths with their ends exchanged.
    """
    column = np.full(len(cost), -1, np.intp)
    rows, columns = least_cost_assignment(np.minimum(cost, 1e9))
    column[rows] = columns
    return column
