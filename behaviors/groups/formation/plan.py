"""Which formation fits where along a path, and which is used: computed before the run.

Every formation, at several spacings and in more and more ranks, is tested slot by slot at every
length of the path against the measured corridor. A shortest-path search over (length, formation)
then
takes the preferred formation wherever it fits, squeezes the spacing before it changes the shape,
and changes shape no more often than pays. A change to a narrower shape is moved ahead of the
entrance by the distance that the change takes; one to a wider shape begins when its front is out
of the passage, and is done when the last are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.groups.formation.options import LAST_RESORT, Option
from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.planner.paths.corridor import Corridor
from rmp3d.planner.paths.path import CertifiedPath

# Costs are in meters of path walked in a formation one rank worse than the best.
CHANGE_COST = 5.0
RANKS_COST = 3.0
SQUEEZE_COST = 1.0
# A change to a less deep one costs so much for each meter by which the last have to come up.
WAIT_COST = 0.05
# How far behind an exit the leader goes before a wider shape is taken [m].
EXIT_DISTANCE = 1.5
# No formation is taken for a shorter stretch [m].
SHORTEST = 1.5
# So many slots are tested at all stations in one call.
SLOTS_AT_A_TIME = 64


@dataclass(frozen=True, eq=False)
class FormationPlan:
    """The formation over the length of the path.

    Attributes:
        options: What was tested, best first.
        station: (J,) arc lengths of the leader [m].
        fits: (C, J) whether each option's slots are all free.
        choice: (J,) option in use from each station on.
        corridor: What was measured.
    """

    options: tuple[Option, ...]
    station: Float
    fits: Bool
    choice: Index
    corridor: Corridor

    @property
    def formations(self) -> tuple[str, ...]:
        """Names of the formations among the options, each once."""
        return tuple(dict.fromkeys(option.formation for option in self.options))

    def option_at(self, station: float) -> int:
        """Return the option in use when the leader is at an arc length."""
        row = int(np.searchsorted(self.station, station, side="right")) - 1
        return int(self.choice[min(max(row, 0), len(self.choice) - 1)])

    def opening(self, station: float) -> tuple[float, float]:
        """Return between which arc lengths [m] the option used at a station begins to fit.

        The first is from where on all its slots are free; the second is the same, or the station
        itself if that is farther: where the leader is when the formation can be complete.
        """
        row = int(np.searchsorted(self.station, station, side="right")) - 1
        row = min(max(row, 0), len(self.station) - 1)
        fits = self.fits[self.choice[row]]
        # Ranks may fit before and behind a thin wall: only behind the last gap is all of it free.
        later = np.flatnonzero(self.choice[row:] != self.choice[row])
        end = row + int(later[0]) if len(later) else len(fits)
        shut = np.flatnonzero(~fits[:end])
        first = self.station[min(shut[-1] + 1, len(fits) - 1)] if len(shut) else self.station[0]
        return float(first), max(float(first), station)

    def arrays(self, path: CertifiedPath, window: float) -> dict[str, NDArray[np.generic]]:
        """Return the plan as named arrays, for the recording; see docs/reference/recording.md.

        Args:
            path: That was measured.
            window: Over which its frames are smoothed [m].
        """
        frames = path.frames(self.station, window)
        width = np.array([option.width for option in self.options]) + 2.0 * self.corridor.radius
        return {
            "station": self.station,
            "position": path.at(self.station),
            "left": frames[:, :, 1],
            "up": frames[:, :, 2],
            "room_left": self.corridor.left,
            "room_right": self.corridor.right,
            "room_above": self.corridor.above,
            "room_below": self.corridor.below,
            "room_width": self.corridor.width,
            "choice": self.choice.astype(np.int16),
            "width": width[self.choice],
            "fits": self.fits.astype(np.uint8),
            "formation": np.array([option.formation for option in self.options], "S32"),
            "spacing": np.array([option.spacing for option in self.options]),
            "slots": np.stack([option.slots for option in self.options]),
            "radius": np.array([self.corridor.radius]),
        }


def plan_formations(
    options: Sequence[Option], corridor: Corridor, after_passages: Sequence[str] = (),
    ready: Bool | None = None, stays: Bool | None = None, slope: float = 1.0,
    among: Bool | None = None, entry: float = np.inf,
) -> FormationPlan:  # fmt: skip
    """Choose the formation at every station of a measured path.

    The last option is taken to fit everywhere: it is the body itself, one behind the other, and
    the path is proved for it.

    Args:
        options: Best first, the column last.
        corridor: Free width around the path.
        after_passages: Names of the formations preferred behind the first passage, the second, and
            so on; the last one stays. A passage is where only the column is taken.
        ready: (C,) options that the members stand in at the start; None: all. To begin in another
            one is a change.
        stays: (C,) options that fit in the goal; None: all. To end in another one is a
            change.
        slope: How far aside members come on a meter of path.
        among: (C,) options that may be chosen, the last one too; None: all.
        entry: Arc length from which on members leave a formation that does not stay for places of
            their own at the goal: there it is no better than the last option [m].
    """
    station = corridor.station
    fits = np.stack([_fits(option, corridor) for option in options])
    fits[-1] = True
    may = fits if among is None else fits & among[:, None]
    lanes = np.stack([_fits(_abreast(option), corridor) for option in options])
    changes = _Changes.between(options, lanes, station, slope)
    rank = np.tile([[option.rank] for option in options], len(station))
    given_up = np.zeros(rank.shape, np.bool_)
    if stays is not None:
        given_up = ~stays[:, None] & (station >= entry)
    rank[given_up] = options[-1].rank
    ends = np.zeros((2, len(options)))
    for row, free in enumerate((ready, stays)):
        ends[row] = 0.0 if free is None else np.where(free, 0.0, CHANGE_COST)
    choice = _cheapest(rank, may, ends, changes, station)
    if after_passages:
        rank = _ranks_behind(choice, options, after_passages)
        rank[given_up] = rank[-1].max()
        choice = _cheapest(rank, may, ends, changes, station)
    choice = _away_from_passages(choice, options, may, lanes, station, slope)
    if slope < 1.0:
        choice = _without_unreached(choice, options, may, given_up, station, slope)
    return FormationPlan(tuple(options), station, fits, frozen(choice, np.intp), corridor)


def _cheapest(rank: Float, fits: Bool, ends: Float, changes: "_Changes", station: Float) -> Index:
    """Return the options (J,) by which rank (C, J), both ends (2, C) and changes cost least."""
    cost = np.where(fits, rank * np.gradient(station) if len(station) > 1 else rank, np.inf)
    total = cost[:, 0] + ends[0]
    came_from = np.zeros(cost.shape, np.intp)
    for j in range(1, len(station)):
        through = total[:, None] + changes.cost(j)
        came_from[:, j] = np.argmin(through, axis=0)
        total = through[came_from[:, j], np.arange(len(cost))] + cost[:, j]
    choice = np.zeros(len(station), np.intp)
    choice[-1] = int(np.argmin(total + ends[1]))
    for j in range(len(station) - 1, 0, -1):
        choice[j - 1] = came_from[choice[j], j]
    return choice


def _ranks_behind(choice: Index, options: Sequence[Option], after_passages: Sequence[str]) -> Float:
    """Return ranks (C, J) with which other formations are preferred behind each passage."""
    kinds = [option.kind for option in options if option.kind is not None]
    narrow = np.array([kind.shape == LAST_RESORT for kind in kinds])[choice]
    passed = np.cumsum(np.diff(narrow.astype(int), prepend=0) == -1)  # (J,) passages behind
    rank = np.tile([[kind.rank()] for kind in kinds], len(choice))
    for turn in range(1, int(passed.max(initial=0)) + 1):
        name = after_passages[min(turn, len(after_passages)) - 1]
        rank[:, passed == turn] = np.array([[kind.rank(name)] for kind in kinds])
    return rank


def _fits(option: Option, corridor: Corridor) -> Bool:
    """Return at which leader stations (J,) all slots of an option that are on the path fit."""
    fits = np.ones(len(corridor.station), np.bool_)
    slots = np.unique(option.slots, axis=0)
    for first in range(0, len(slots), SLOTS_AT_A_TIME):
        lag, left, up = slots[first : first + SLOTS_AT_A_TIME, :, None].swapaxes(0, 1)
        rows = np.flatnonzero(fits)
        where = corridor.station[rows] - lag
        on_path = where >= 0.0
        admitted = np.ones(where.shape, np.bool_)
        left, up = (np.broadcast_to(each, where.shape)[on_path] for each in (left, up))
        admitted[on_path] = corridor.admits(where[on_path], left, up)
        fits[rows] = admitted.all(axis=0)
    return fits


def _abreast(option: Option) -> Option:
    """Return an option with all its slots beside the leader: its lanes."""
    return replace(option, slots=option.slots * [0.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class _Changes:
    """What changes cost.

    Members of both options are on the stretch behind the leader. They come from slot to slot in
    file, if one of the two is the single file, or else abreast, where at least the narrower one
    fits all along the stretch: a formation does not step over a wall.

    Attributes:
        price: (C, C) of a change where no wall prevents it.
        narrower: (C, C) the option that has to fit, -1 where none has to.
        depth: (C, C) of the stretch [m].
        station: (J,) arc lengths of the leader [m].
        blocked: (C, J + 1) at how many stations before each the lanes of an option do not fit.
    """

    price: Float
    narrower: Index
    depth: Float
    station: Float
    blocked: Index

    @classmethod
    def between(
        cls, options: Sequence[Option], lanes: Bool, station: Float, slope: float
    ) -> "_Changes":
        """Price the changes, given where (C, J) the lanes of every option fit."""
        blocked = np.concatenate([np.zeros((len(options), 1)), np.cumsum(~lanes, axis=1)], axis=1)
        name = np.array([option.formation for option in options])
        shape = np.array([option.kind.shape if option.kind else "" for option in options])
        width = np.array([option.half_width for option in options])
        depth = np.array([option.depth for option in options])
        rows = np.arange(len(options))
        alike = (shape[:, None] == shape) & (shape != "")
        price = np.where(alike, RANKS_COST, CHANGE_COST)
        price[name[:, None] == name] = SQUEEZE_COST
        # A change to a narrower one is made ahead, and the path from there on walked in it. A wider
        # one is complete at once for members that come sideways as fast as they walk on.
        rank = np.array([option.rank for option in options])
        inwards, worse = width[:, None] - width, rank - rank[:, None]
        price += np.maximum(0.0, inwards) / slope * np.maximum(0.0, worse)
        price += np.maximum(0.0, -inwards) * (1.0 / slope - 1.0) * np.maximum(0.0, -worse)
        # The front waits for the last to come up.
        price += WAIT_COST * np.maximum(0.0, depth[:, None] - depth)
        price[rows, rows] = 0.0
        narrower = np.where(width[:, None] <= width, rows[:, None], rows)
        in_file = (name == LAST_RESORT)[:, None] | (name == LAST_RESORT)
        narrower[in_file | (rows[:, None] == rows)] = -1
        return cls(
            price, narrower, np.maximum(depth[:, None], depth), station,
            blocked.astype(np.intp),
        )  # fmt: skip

    def cost(self, row: int) -> Float:
        """Return (C, C) from one option to another, the leader at a station."""
        behind = np.searchsorted(self.station, self.station[row] - self.depth, side="right")
        first = np.maximum(0, behind - 1)
        walled = self.blocked[self.narrower, row + 1] > self.blocked[self.narrower, first]
        cost: Float = np.where(walled & (self.narrower >= 0), np.inf, self.price)
        return cost


def _away_from_passages(
    choice: Index, options: Sequence[Option], fits: Bool, lanes: Bool, station: Float, slope: float
) -> Index:
    """Move changes to a narrower option ahead of the entrance, to a wider one behind the exit.

    Ahead by the distance that moving inwards takes. Behind the exit by `EXIT_DISTANCE`, for the
    leader: deep formations begin there, and are complete when the leader has gone on by their
    depth. Otherwise the whole group would be out before anybody turned to a side.
    """
    result = choice.copy()
    for j in (np.flatnonzero(np.diff(choice)) + 1).tolist():
        before, after = options[choice[j - 1]], options[choice[j]]
        shift = before.half_width - after.half_width
        if shift < 0.0 and before.formation != after.formation:
            _behind_exit(result, j, choice, fits, lanes, station, after.depth)
        if shift <= 0.0:
            continue
        first = int(np.searchsorted(station, station[j] - shift / slope - 0.5))
        while first < j and not fits[choice[j], first:j].all():
            first += 1
        result[first:j] = choice[j]
    return _without_short(result, options, fits, station)


def _behind_exit(
    result: Index, j: int, choice: Index, fits: Bool, lanes: Bool, station: Float, depth: float
) -> None:
    """Move a change to a wider option, that fits from row ``j`` on, to where its front is out.

    Not right at the exit, where members could not pass behind one another.
    """
    since = int(np.searchsorted(station, station[j] - depth))
    shut = np.flatnonzero(~lanes[choice[j], since:j])
    since += int(shut[-1]) + 1 if len(shut) else 0
    row = int(np.searchsorted(station, station[since] + EXIT_DISTANCE))
    while row > j and not fits[choice[j - 1], j:row].all():
        row -= 1
    # Options that are in use up to there are left as they are.
    row = max(row, int(np.flatnonzero(choice[:j] != choice[j - 1]).max(initial=-1)) + 1)
    result[row:j] = choice[j]
    result[j:row] = choice[j - 1]


def _without_short(choice: Index, options: Sequence[Option], fits: Bool, station: Float) -> Index:
    """Skip what is used for less than `SHORTEST`, where the option before it fits on till its end.

    At the start, where the option behind it fits. Skip what would be over before its last members
    have fallen back to their places, where the option behind it fits already.
    """
    result = choice.copy()
    changes = [0, *(np.flatnonzero(np.diff(choice)) + 1).tolist()]
    for j, end in pairwise(changes):
        other = result[j - 1] if j else choice[end]
        if station[end] - station[j] < SHORTEST and fits[other, j:end].all():
            result[j:end] = other
            continue
        fall_back = options[choice[j]].depth - options[other].depth if j else 0.0
        if station[end] - station[j] < fall_back and fits[choice[end], j:end].all():
            result[j:end] = choice[end]
    return result


def _without_unreached(
    choice: Index, options: Sequence[Option], fits: Bool, given_up: Bool, station: Float,
    slope: float,
) -> Index:  # fmt: skip
    """Skip wider options that vehicles would not drive in for `SHORTEST` when they have spread.

    They come sideways only on their way. Where they leave the formation for their places in the
    goal, it is over, too.
    """
    result = choice.copy()
    changes = [*(np.flatnonzero(np.diff(choice)) + 1).tolist(), len(station)]
    for j, end in pairwise(changes):
        other, own = result[j - 1], choice[j]
        left = np.flatnonzero(given_up[own, j:end])
        until = station[j + left[0]] if len(left) else station[end - 1]
        spread = options[own].half_width - options[other].half_width
        if spread > slope * (until - station[j] - SHORTEST) and fits[other, j:end].all():
            result[j:end] = other
    return result
