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

from behaviors.formations import FormationChoice, formation_of, name_of
from behaviors.formations.formation import nearest
from geometry.arrays import Bool, Float, Index, frozen
from planner.passages import Room
from planner.path import Path

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
        """How far the outermost slot is from the path [m], to a side or up or down."""
        return float(np.hypot(self.slots[:, 1], self.slots[:, 2]).max(initial=0.0))

    @property
    def width(self) -> float:
        """From the leftmost slot to the rightmost one [m]."""
        return float(np.ptp(self.slots[:, 1])) if len(self.slots) else 0.0

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

    def arrays(self, path: Path, window: float) -> dict[str, NDArray[np.generic]]:
        """Return the plan as named arrays, for the recording; see docs/recording.md.

        Args:
            path: That was measured.
            window: Over which its frames are smoothed [m].
        """
        frames = path.frames(self.station, window)
        width = np.array([option.width for option in self.options]) + 2.0 * self.room.radius
        return {
            "station": self.station,
            "position": path.at(self.station),
            "left": frames[:, :, 1],
            "up": frames[:, :, 2],
            "room_left": self.room.left,
            "room_right": self.room.right,
            "room_above": self.room.above,
            "room_below": self.room.below,
            "room_width": self.room.width,
            "choice": self.choice.astype(np.int16),
            "width": width[self.choice],
            "fits": self.fits.astype(np.uint8),
            "formation": np.array([option.formation for option in self.options], "S32"),
            "spacing": np.array([option.spacing for option in self.options]),
            "slots": np.stack([option.slots for option in self.options]),
            "radius": np.array([self.room.radius]),
        }


def make_options(
    preferred: Sequence[FormationChoice], count: int, spacing: float, tightest: float
) -> tuple[Option, ...]:
    """Return the options for ``count`` members: each formation wide and squeezed, column last.

    Squeezing brings the slots nearer to the path, as far as no two come nearer to one another
    than ``tightest`` [m]; lags stay. A preferred column is the only option.

    Raises:
        InputError: A formation is not for so many.
    """
    choices: list[FormationChoice] = []
    for choice in preferred:
        if choice not in choices and name_of(choice) != LAST_RESORT:
            choices.append(choice)
    if preferred and name_of(preferred[0]) == LAST_RESORT:
        choices = []
    options = []
    for order, choice in enumerate([*choices, LAST_RESORT]):
        name = name_of(choice)
        slots = formation_of(choice).slots(count, spacing)
        for step, squeeze in enumerate(SQUEEZES):
            squeezed = slots * [1.0, squeeze, squeeze]
            if step > 0 and (name == LAST_RESORT or nearest(squeezed) < tightest):
                break
            rank = order + step / len(SQUEEZES)
            options.append(Option(name, spacing * squeeze, frozen(squeezed), rank))
    return tuple(options)


def plan_formations(
    options: Sequence[Option], room: Room, afterwards: Sequence[str] = ()
) -> FormationPlan:
    """Choose the formation at every station of a measured path.

    The last option is taken to fit everywhere: it is the body itself, one behind the other, and
    the path is proved for it.

    Args:
        options: Best first, the column last.
        room: Around the path.
        afterwards: Names of the formations preferred behind the first passage, the second, ...;
            the last one stays. A passage is where only the column is taken.
    """
    station = room.station
    fits = np.stack([_fits(option, room) for option in options])
    fits[-1] = True
    change = _change_costs(options, room)
    rank = np.tile([[option.rank] for option in options], len(station))
    choice = _cheapest(rank, fits, change, station)
    if afterwards:
        rank = _ranks_behind(choice, options, afterwards)
        choice = _cheapest(rank, fits, change, station)
    choice = _away_from_passages(choice, options, fits, station)
    return FormationPlan(tuple(options), station, fits, frozen(choice, np.intp), room)


def _cheapest(rank: Float, fits: Bool, change: Float, station: Float) -> Index:
    """Return the options (J,) in use by which rank (C, J) and changes (J, C, C) cost least."""
    cost = np.where(fits, rank * np.gradient(station) if len(station) > 1 else rank, np.inf)
    total = cost[:, 0].copy()
    came_from = np.zeros(cost.shape, np.intp)
    for j in range(1, len(station)):
        through = total[:, None] + change[j]
        came_from[:, j] = np.argmin(through, axis=0)
        total = through[came_from[:, j], np.arange(len(cost))] + cost[:, j]
    choice = np.zeros(len(station), np.intp)
    choice[-1] = int(np.argmin(total))
    for j in range(len(station) - 1, 0, -1):
        choice[j - 1] = came_from[choice[j], j]
    return choice


def _ranks_behind(choice: Index, options: Sequence[Option], afterwards: Sequence[str]) -> Float:
    """Return ranks (C, J) with which other formations are preferred behind each passage."""
    narrow = choice == len(options) - 1
    passed = np.cumsum(np.diff(narrow.astype(int), prepend=0) == -1)  # (J,) passages behind
    rank = np.tile([[option.rank] for option in options], len(choice))
    for order in range(1, int(passed.max(initial=0)) + 1):
        name = afterwards[min(order, len(afterwards)) - 1]
        for row, option in enumerate(options):
            squeeze = option.rank % 1.0
            other = option.rank + 1.0 if option.rank < 1.0 else option.rank
            rank[row, passed == order] = squeeze if option.formation == name else other
    return rank


def _fits(option: Option, room: Room) -> Bool:
    """Return at which leader stations (J,) all slots of an option that are on the path fit."""
    fits = np.ones(len(room.station), np.bool_)
    for lag, left, up in option.slots:
        where = room.station - lag
        on_path = where >= 0.0
        count = int(on_path.sum())
        fits[on_path] &= room.admits(where[on_path], np.full(count, left), np.full(count, up))
    return fits


def _change_costs(options: Sequence[Option], room: Room) -> Float:
    """Return what changes cost (J, C, C) from one option to another at each leader's station.

    Members of both are on the stretch behind the leader. They come from slot to slot in file, if
    one of the two is the column, or else abreast, where at least the narrower one has room all
    along the stretch: a formation does not step over a wall.
    """
    station = room.station
    lanes = np.stack([
        _fits(Option(option.formation, option.spacing, option.slots * [0.0, 1.0, 1.0], 0.0), room)
        for option in options
    ])  # fmt: skip
    blocked = np.concatenate([np.zeros((len(options), 1)), np.cumsum(~lanes, axis=1)], axis=1)
    result = np.zeros((len(station), len(options), len(options)))
    for a, before in enumerate(options):
        for b, after in enumerate(options):
            if a == b:
                continue
            same = before.formation == after.formation
            cost = np.full(len(station), SQUEEZE_COST if same else CHANGE_COST)
            if LAST_RESORT not in (before.formation, after.formation):
                narrower = a if before.half_width <= after.half_width else b
                behind = station - max(before.depth, after.depth)
                first = np.maximum(0, np.searchsorted(station, behind, side="right") - 1)
                row = np.arange(len(station))
                cost[blocked[narrower, row + 1] > blocked[narrower, first]] = np.inf
            result[:, a, b] = cost
    return result


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
