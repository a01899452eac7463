"""Which formation fits where along a path, and which is used: computed before the run.

Every formation, at several spacings, is tested slot by slot at every length of the path against
the measured room. A shortest-path search over (length, formation) then takes the preferred
formation wherever it fits, squeezes the spacing before it changes the shape, and changes shape
no more often than pays. A change to a narrower shape is moved ahead of the entrance by the
distance that the change takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from behaviors.formations import FORMATIONS
from geometry.arrays import Bool, Float, Index, frozen
from planner.passages import Room

# Costs are in metres of path walked in a formation one rank worse than the best.
CHANGE_COST = 6.0
SQUEEZE_COST = 1.0
# How far behind an exit the leader goes before a wider shape is taken [m].
EXIT_DISTANCE = 1.5
SQUEEZES = (1.0, 0.85, 0.7, 0.55, 0.4)
LAST_RESORT = "column"


@dataclass(frozen=True, eq=False)
class Option:
    """A formation at a spacing, ready to be tested.

    Attributes:
        formation: Its name.
        spacing: Across the path [m].
        slots: (n, 3) lag, left, up [m].
        rank: Cost of a metre in it; 0 is the preferred one.
    """

    formation: str
    spacing: float
    slots: Float
    rank: float

    @property
    def half_width(self) -> float:
        """How far the outermost slot is from the path [m]."""
        return float(np.abs(self.slots[:, 1]).max(initial=0.0))

    @property
    def depth(self) -> float:
        """Lag of the last slot [m]."""
        return float(self.slots[:, 0].max(initial=0.0))


@dataclass(frozen=True, eq=False)
class FormationPlan:
    """The formation over the length of the path.

    Attributes:
        options: What was tested, best first.
        station: (J,) arc lengths of the leader [m].
        fits: (C, J) whether each option's slots are all free.
        choice: (J,) option in use from each station on.
        room: What was measured.
    """

    options: tuple[Option, ...]
    station: Float
    fits: Bool
    choice: Index
    room: Room

    def option_at(self, station: float) -> int:
        """Return the option in use when the leader is at an arc length."""
        row = int(np.searchsorted(self.station, station, side="right")) - 1
        return int(self.choice[min(max(row, 0), len(self.choice) - 1)])

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the plan as named arrays, for the recording."""
        return {
            "station": self.station,
            "choice": self.choice.astype(np.int16),
            "fits": self.fits.astype(np.uint8),
            "formation": np.array([option.formation for option in self.options], "S32"),
            "spacing": np.array([option.spacing for option in self.options]),
            "room_left": self.room.left,
            "room_right": self.room.right,
        }


def make_options(
    preferred: Sequence[str], count: int, spacing: float, tightest: float
) -> tuple[Option, ...]:
    """Return the options for ``count`` members: each formation wide and squeezed, column last.

    Squeezing brings the slots nearer to the path, as far as no two come nearer to one another
    than ``tightest`` [m]; lags stay.
    """
    names = [name for name in dict.fromkeys(preferred) if name != LAST_RESORT] + [LAST_RESORT]
    if preferred and preferred[0] == LAST_RESORT:
        names = [LAST_RESORT]
    options = []
    for order, name in enumerate(names):
        slots = FORMATIONS[name]().slots(count, spacing)
        for step, squeeze in enumerate(SQUEEZES):
            squeezed = slots * [1.0, squeeze, squeeze]
            if step > 0 and (name == LAST_RESORT or _least_distance(squeezed) < tightest):
                break
            rank = order + step / len(SQUEEZES)
            options.append(Option(name, spacing * squeeze, frozen(squeezed), rank))
    return tuple(options)


def _least_distance(slots: Float) -> float:
    return float(pdist(slots).min()) if len(slots) > 1 else np.inf


def plan_formations(options: Sequence[Option], room: Room) -> FormationPlan:
    """Choose the formation at every station of a measured path.

    The last option is taken to fit everywhere: it is the body itself, one behind the other, and
    the path is proved for it.
    """
    station = room.station
    fits = np.stack([_fits(option, room) for option in options])
    fits[-1] = True
    cost = np.array([option.rank for option in options])[:, None] * np.ones(len(station))
    cost = np.where(fits, cost * np.gradient(station) if len(station) > 1 else cost, np.inf)
    change = np.array([[_change_cost(a, b) for b in options] for a in options])
    total = cost[:, 0].copy()
    came_from = np.zeros((len(options), len(station)), np.intp)
    for j in range(1, len(station)):
        through = total[:, None] + change
        came_from[:, j] = np.argmin(through, axis=0)
        total = through[came_from[:, j], np.arange(len(options))] + cost[:, j]
    choice = np.zeros(len(station), np.intp)
    choice[-1] = int(np.argmin(total))
    for j in range(len(station) - 1, 0, -1):
        choice[j - 1] = came_from[choice[j], j]
    choice = _away_from_passages(choice, options, fits, station)
    return FormationPlan(tuple(options), station, fits, frozen(choice, np.intp), room)


def _fits(option: Option, room: Room) -> Bool:
    """Return at which leader stations (J,) all slots of an option that are on the path fit."""
    fits = np.ones(len(room.station), np.bool_)
    for lag, left, _ in option.slots:
        where = room.station - lag
        on_path = where >= 0.0
        fits[on_path] &= room.admits(where[on_path], np.full(int(on_path.sum()), left))
    return fits


def _change_cost(a: Option, b: Option) -> float:
    if a is b:
        return 0.0
    return SQUEEZE_COST if a.formation == b.formation else CHANGE_COST


def _away_from_passages(
    choice: Index, options: Sequence[Option], fits: Bool, station: Float
) -> Index:
    """Move changes to a narrower option ahead of the entrance, to a wider one behind the exit.

    Ahead by the distance that moving inwards takes at 45 degrees.
    """
    result = choice.copy()
    for j in np.flatnonzero(np.diff(choice)) + 1:
        before, after = options[choice[j - 1]], options[choice[j]]
        shift = before.half_width - after.half_width
        if shift < 0.0 and before.formation != after.formation:
            # Wider: not right at the exit, where there would be no room to pass behind the others.
            last = int(np.searchsorted(station, station[j] + EXIT_DISTANCE))
            while last > j and not fits[choice[j - 1], j:last].all():
                last -= 1
            result[j:last] = choice[j - 1]
        if shift <= 0.0:
            continue
        first = int(np.searchsorted(station, station[j] - shift - 0.5))
        while first < j and not fits[choice[j], first:j].all():
            first += 1
        result[first:j] = choice[j]
    return result
