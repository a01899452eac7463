"""Entrances: where a column has to be in file, and how far ahead its members begin to fall in.

Members that walk never go backward along the path. So the last of a file gets there only when the
first has gone on by the length of the file: that far ahead of the entrance the change begins. Where
there is less room, it begins where there is room; the members that are not in file then wait
side by side until their turn comes.
"""

from dataclasses import replace

import numpy as np

from rmp3d.behaviors.groups.formation.options import Option
from rmp3d.behaviors.groups.formation.plan import SHORTEST, FormationPlan
from rmp3d.geometry.arrays import frozen

# The file is complete this far ahead of the entrance [m].
AHEAD = 0.5


def in_file_ahead(plan: FormationPlan) -> FormationPlan:
    """Return the plan with changes to columns so far ahead that the file is complete in time.

    The formation before has been complete for `SHORTEST` then, or for as long as was planned.
    """
    choice = plan.choice.copy()
    last = 0.0
    for row in (np.flatnonzero(np.diff(plan.choice)) + 1).tolist():
        before, after = plan.options[plan.choice[row - 1]], plan.options[plan.choice[row]]
        if _falls_in(before, after):
            start = entrance(plan, row) - AHEAD - after.depth
            first = int(np.searchsorted(plan.station, max(start, last + SHORTEST)))
            while first < row and not plan.fits[plan.choice[row], first:row].all():
                first += 1
            choice[first:row] = plan.choice[row]
        if after.half_width > before.half_width:
            last = plan.opening(float(plan.station[row]))[1]
    return replace(plan, choice=frozen(choice, np.intp))


def entrance(plan: FormationPlan, row: int) -> float:
    """Return the arc length [m] from which on what was in use before a station does not fit.

    Args:
        plan: Of the formations.
        row: Of the station at which it changes.
    """
    slots = plan.options[plan.choice[row - 1]].slots
    station = plan.station[row:]
    free = np.ones(len(station), np.bool_)
    for _, left, up in slots:
        count = len(station)
        free &= plan.corridor.admits(station, np.full(count, left), np.full(count, up))
    shut = np.flatnonzero(~free)
    return float(station[shut[0]]) if len(shut) else float(plan.station[row])


def _falls_in(before: Option, after: Option) -> bool:
    """Return whether the members go from one option to another into fewer files."""
    return after.is_column and after.half_width < before.half_width and after.depth > before.depth
