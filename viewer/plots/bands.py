"""Bands along a path, by Matplotlib: free and used widths, in the colors of the formations."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.palette import FORMATION_COLORS

Plan = Mapping[str, NDArray[Any]]
"""The arrays of a formation plan, as they are in recordings."""


def stretches(plan: Plan) -> list[tuple[int, int, str]]:
    """Return the runs of one formation along a path: first row, row behind the last, name."""
    names = [plan["formation"][row].decode() for row in plan["choice"]]
    changes = [k for k in range(1, len(names)) if names[k] != names[k - 1]]
    return [(a, b, names[a]) for a, b in pairwise([0, *changes, len(names)])]


def colors_of(plan: Plan) -> dict[str, Float]:
    """Return a color (3,) for each formation that a plan uses, in the order of the options."""
    used = {name for _, _, name in stretches(plan)}
    known = dict.fromkeys(name.decode() for name in plan["formation"])
    names = [name for name in known if name in used]
    return {name: FORMATION_COLORS[row % len(FORMATION_COLORS)] for row, name in enumerate(names)}


def extents(plan: Plan) -> tuple[Float, Float]:
    """Return how far (J,) [m] to the left and to the right bodies in formation reach.

    At each length of the path by those members that are there when the leader comes by with the
    formation planned: over all leader's stations at which a slot is at that length.
    """
    station, radius = plan["station"], float(plan["radius"][0])
    left, right = np.zeros(len(station)), np.zeros(len(station))
    for row, choice in enumerate(plan["choice"]):
        lag, aside = plan["slots"][choice][:, 0], plan["slots"][choice][:, 1]
        where: Index = np.searchsorted(station, station[row] - lag)
        on_path = station[row] - lag >= 0.0
        np.maximum.at(left, where[on_path], aside[on_path])
        np.maximum.at(right, where[on_path], -aside[on_path])
    return left + radius, right + radius


def draw_room(axes: Any, plan: Plan) -> None:
    """Draw, seen from above, the strip that is free beside a path and the formation planned."""
    colors, radius = colors_of(plan), float(plan["radius"][0])
    seen: set[str] = set()
    for first, behind, name in stretches(plan):
        rows = slice(first, min(behind + 1, len(plan["station"])))
        outer = (
            plan["position"][rows]
            + (plan["room_left"][rows] + radius)[:, None] * plan["left"][rows]
        )
        inner = (
            plan["position"][rows]
            - (plan["room_right"][rows] + radius)[:, None] * plan["left"][rows]
        )
        outline = np.concatenate([outer, inner[::-1]])[:, :2]
        label = None if name in seen else name
        axes.fill(*outline.T, color=colors[name], alpha=0.45, lw=0, zorder=3, label=label)
        seen.add(name)
    axes.legend(loc="upper left", title="formation", fontsize="small").set_zorder(11)


def draw_widths(axes: Any, plan: Plan) -> None:
    """Draw over the length of a path how far the planned formation reaches to both sides."""
    left, right = extents(plan)
    colors = colors_of(plan)
    seen: set[str] = set()
    for first, behind, name in stretches(plan):
        rows = slice(first, min(behind + 1, len(left)))
        axes.fill_between(
            plan["station"][rows], left[rows], -right[rows], color=colors[name], alpha=0.75, lw=0,
            step="mid", label=None if name in seen else name,
        )  # fmt: skip
        seen.add(name)
