"""The frame of a formation: positions in the coordinates of its path (a Frenet frame).

Every member has a place (station, left, up) in this frame. The place moves towards the member's
slot (leader's station - lag, slot's left, slot's up) at its own speed: never backwards along the
path, and never farther aside than the corridor is wide. So a slot is approached along the path,
not through a wall: in a corridor all places fall into file, and behind it they spread out again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.formation.levels import AT_PLACE, Levels
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import clip_length, length, unit
from rmp3d.planner.paths.corridor import Corridor
from rmp3d.planner.paths.path import CertifiedPath

# A place that is behind its slot catches up at this multiple of the cruise speed.
CATCH_UP = 1.3
# Sideways speed, as a share of the cruise speed.
SIDESTEP = 0.6
# A vehicle goes sideways by no more than this share of its motion ahead, and creeps
# sideways at this share of its cruise speed where it cannot go on.
DRIVEN_SLOPE, SIDLING = 0.35, 0.1
# Spacing of the table of frames [m], and how far it goes on behind the path's end [m].
TABLE_STEP = 0.02
AFTER_END = 5.0
# Steps of Newton's method to the foot of a perpendicular.
FEET = 3
# The width of the corridor counts from this share of a spacing ahead on.
LOOK_AHEAD = 0.85
# A member less than this share of a spacing beside the lane of its slot keeps to the lane.
IN_LANE = 0.25


# So many of the places that a place may come back to are tested at a time.
AT_ONCE = 16


@dataclass(eq=False)
class FormationFrame:
    """Places of n members along a path.

    Attributes:
        path: That the formation follows.
        corridor: Free width around it.
        window: Over which its frames are smoothed [m].
        cruise_speed: [m/s].
        max_speed: [m/s].
        spacing: Of the members in file [m]: a place waits for its member when that far ahead of it.
        drives: Whether members only move ahead, and come sideways by driving on.
        station: (n,) arc length of each place [m]; negative before the path's start.
        aside: (n, 2) to the left of the path, and up from it [m]; zero up for walkers.
        levels: Of the ground; None where there is but one.
        came_back: (n,) places that came back to their members in the last step.
    """

    path: CertifiedPath
    corridor: Corridor
    window: float
    cruise_speed: float
    max_speed: float
    spacing: float
    drives: bool
    station: Float
    aside: Float
    levels: Levels | None = None
    came_back: Bool = field(init=False)

    @classmethod
    def from_positions(
        cls, path: CertifiedPath, corridor: Corridor, window: float, cruise_speed: float,
        max_speed: float,
        spacing: float, drives: bool, position: Float, levels: Levels | None = None,
    ) -> "FormationFrame":  # fmt: skip
        """Begin where members (n, 3) stand, around the path's start."""
        frame = path.frames(np.zeros(1), window)[0]
        offset = (position - path.points[0]) @ frame
        aside = offset[:, 1:] * [1.0, 0.0 if path.grounded else 1.0]
        return cls(
            path,
            corridor,
            window,
            cruise_speed,
            max_speed,
            spacing,
            drives,
            offset[:, 0],
            aside,
            levels,
        )

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; see `receive` for newcomers."""
        self.station = members.of(self.station, np.nan)
        self.aside = members.of(self.aside, np.nan)
        self.came_back = members.of(self.came_back, False)

    def receive(self, position: Float) -> Bool:
        """Give newcomers places where the path is nearest to them; return which (n,) are new.

        No place is ahead of those of all others.

        Args:
            position: (n, 3) of the members [m].
        """
        new: Bool = np.isnan(self.station)
        ahead = np.max(self.station[~new], initial=-np.inf)
        for member in np.flatnonzero(new).tolist():
            station, self.aside[member] = self._foot(position[member], -np.inf, np.inf)
            foot = float(np.clip(station, 0.0, self.path.length))
            self.station[member] = min(foot, ahead) if np.isfinite(ahead) else foot
        self.aside[new] = self.within_corridor(self.station[new], self.aside[new])
        return new

    def _foot(self, point: Float, first: float, last: float) -> tuple[float, Float]:
        """Return where between two arc lengths [m] the path is nearest to a point (3,) [m].

        With it comes how far (2,) [m] the point is left of the path and up from it there.
        """
        step = (self._last - self._first) / (len(self._table) - 1)
        span = (np.array([first, last]) - self._first) / step
        begin, end = np.clip([np.ceil(span[0]), span[1]], 0, len(self._table) - 1).astype(int)
        # A span between two rows has none: the row behind it is taken.
        rows = self._table[begin : max(begin, end) + 1]
        row = int(np.argmin(length(rows[:, :3] - point)))
        aside = rows[row, 6:].reshape(2, 3) @ (point - rows[row, :3])
        station = float(np.clip(self._first + (begin + row) * step, first, last))
        return station, aside * self._beside

    def come_to(
        self, member: int, position: Float, slot_station: float, sees: Callable[[Float], bool]
    ) -> bool:
        """Let the place of a member that is ahead of it come to it; return whether it does.

        A member may be pushed on along the path, past a turn behind which its place is left. It
        does not go back if its slot is ahead, too.

        Args:
            member: Of the group.
            position: (3,) of it [m].
            slot_station: Arc length of its slot [m].
            sees: Whether the member comes straight to a point (3,).
        """
        first = self.station[member] + self.spacing
        if slot_station < first or first > self.path.length:
            return False
        station, aside = self._foot(position, first, min(slot_station, self.path.length))
        where, inside = np.array([station]), self.within_corridor(np.array([station]), aside[None])
        if not sees(self.position(where, inside)[0]):
            return False
        self.station[member], self.aside[member] = station, inside[0]
        return True

    @property
    def _beside(self) -> Float:
        """(2,) one for left and, where members fly, for up."""
        return np.array([1.0, 0.0 if self.path.grounded else 1.0])

    def __post_init__(self) -> None:
        self.came_back = np.zeros(len(self.station), np.bool_)
        # A frame costs a dozen array operations, looking it up in a table costs one.
        before = max(0.0, -float(self.station.min(initial=0.0))) + 1.0
        self._first, self._last = -before, self.path.length + AFTER_END
        count = int(np.ceil((self._last - self._first) / TABLE_STEP)) + 1
        station = np.linspace(self._first, self._last, count)
        frames = self.path.frames(station, self.window)
        axes = np.moveaxis(frames, 2, 1).reshape(count, 9)  # heading, left, up
        self._table = np.concatenate([self.path.at(station), axes], axis=1)
        near = LOOK_AHEAD * self.spacing
        ahead = np.linspace(0.0, near, 4)
        # Distances ahead at which the corridor counts, and how much farther aside one may be there.
        self._near = self._far = ahead, np.zeros(4)
        if self.drives:
            widest = float(self.corridor.around.max(initial=0.0)) / DRIVEN_SLOPE
            ahead = np.concatenate([ahead, np.arange(near, near + widest, 0.25 * self.spacing)])
            self._far = ahead, DRIVEN_SLOPE * np.maximum(0.0, ahead - near)

    def position(self, station: Float, aside: Float) -> Float:
        """Return points (n, 3) [m] of places: arc lengths (n,), left and up (n, 2) [m]."""
        rows = self._looked_up(station)
        return rows[:, :3] + aside[:, :1] * rows[:, 6:9] + aside[:, 1:] * rows[:, 9:]

    def deviation(self, position: Float) -> Float:
        """Return how far (n, 3) [m] members (n, 3) are ahead, left and up of their places."""
        rows = self._looked_up(self.station)
        offset = position - self.position(self.station, self.aside)
        return np.einsum("nij,nj->ni", rows[:, 3:].reshape(-1, 3, 3), offset)

    def along(self, position: Float) -> Float:
        """Return how far along the path (n,) [m] members (n, 3) are, each near its place.

        Newton's method for the foot of the perpendicular, from the places on.
        """
        station = self.station
        for _ in range(FEET):
            rows = self._looked_up(station)
            step = np.einsum("ij,ij->i", position - rows[:, :3], rows[:, 3:6])
            station = np.clip(station + step, self._first, self._last)
        return station

    def apart(self, position: Float, station: Float, aside: Float) -> Float:
        """Return how far (n,) [m] members (n, 3) are from places or slots; over ground in plan.

        Places over ground have the height of the path. Beside a path along a ridge the ground of a
        member is lower, however near the member is to its place.

        Args:
            position: (n, 3) of the members [m].
            station: (n,) arc lengths of the places [m].
            aside: (n, 2) left and up of the places [m].
        """
        gap = self.position(station, aside) - position
        return length(gap * [1.0, 1.0, 0.0 if self.path.grounded else 1.0])

    def _left_behind(self, position: Float) -> Float:
        """Return how far (n,) [m] places are from members (n, 3) that are to come to them.

        A vehicle beside its place or ahead of it neither comes sideways nor goes back: the place
        goes on, until it is ahead. On levels the foot of the perpendicular may be on another one.
        """
        apart = self.apart(position, self.station, self.aside)
        if self.drives and self.levels is None:
            apart = np.minimum(apart, np.maximum(0.0, self.station - self.along(position)))
        return apart

    def exchange(self, one: int, other: int) -> None:
        """Let two members have one another's place."""
        for rows in (self.station, self.aside):
            rows[[one, other]] = rows[[other, one]]

    def in_lane(self, slot_aside: Float, position: Float) -> Bool:
        """Return which places are in the lanes of their slots (n, 2), their members (n, 3) too."""
        near = IN_LANE * self.spacing
        beside = length(self.deviation(position)[:, 1:] * [1.0, 0.0 if self.path.grounded else 1.0])
        kept: Bool = (length(self.aside - slot_aside) < near) & (beside < near)
        return kept

    def _looked_up(self, station: Float) -> Float:
        """Return rows (n, 12) of the table: point, heading, left, up."""
        share = (station - self._first) / (self._last - self._first) * (len(self._table) - 1)
        share = np.clip(share, 0.0, len(self._table) - 1.0)
        row = np.minimum(share.astype(np.intp), len(self._table) - 2)
        share = (share - row)[:, None]
        rows: Float = (1.0 - share) * self._table[row] + share * self._table[row + 1]
        return rows

    def within_corridor(self, station: Float, aside: Float, near: bool = False) -> Float:
        """Return ``aside`` (n, 2) cut to the corridor at and a little ahead of the stations (n,).

        Before the path's start and behind its end no corridor is measured, and nothing is cut.
        A vehicle has to come in for a narrow place far ahead of it, but only a ``near`` one holds
        it up.
        """
        return self.corridor.within(station, aside, *(self._near if near else self._far))

    def advance(
        self, slot_station: Float, slot_aside: Float, position: Float, dt: float
    ) -> tuple[Float, Float]:
        """Move all places one step towards their slots.

        Args:
            slot_station: (n,) leader's station less the slot's lag [m].
            slot_aside: (n, 2) the slots' left and up [m].
            position: (n, 3) of the members [m]; a place does not run away from its member.
            dt: [s].

        Returns:
            Subgoals (n, 3) [m] and their velocities (n, 3) [m/s].
        """
        before = self.position(self.station, self.aside)
        apart = self._left_behind(position)
        slack = np.clip(1.5 - apart / self.spacing, 0.0, 1.0)
        fastest = min(CATCH_UP * self.cruise_speed, 0.95 * self.max_speed)
        onward = np.clip((slot_station - self.station) / dt, 0.0, fastest * slack)
        # Close to the slot the place comes in smoothly rather than at full speed.
        behind = slot_station - self.station
        onward = np.minimum(onward, np.maximum(self.cruise_speed * slack, 1.5 * behind))
        # A slot out of reach sideways is not striven for: in a corridor all stay in file.
        # The corridor where the step leads counts too, or no place would come in for it.
        following = self.station + onward * dt
        inner = self.within_corridor(self.station, self.within_corridor(following, slot_aside))
        shut = length(inner - slot_aside) > 1e-9
        kept = self.within_corridor(self.station, self.within_corridor(following, self.aside))
        inner = np.where(shut[:, None], kept, inner)
        # A place ahead of its slot comes sideways just in time to be in line with it.
        slope = SIDESTEP * np.maximum(0.0, -behind)
        goal = inner + clip_length(self.aside - inner, slope)
        # A place that does not go on has all its speed for coming sideways.
        free = np.sqrt(np.maximum(0.0, (self.cruise_speed * slack) ** 2 - onward**2))
        sidestep = np.maximum(SIDESTEP * self.cruise_speed * slack, free)
        if self.drives:
            sidestep = np.maximum(DRIVEN_SLOPE * onward, SIDLING * self.cruise_speed)
        # Gently towards the end, but not so gently that it takes for ever.
        gap = goal - self.aside
        missing = length(gap)
        pace = np.minimum(np.maximum(2.0 * missing, 0.2 * sidestep), sidestep)
        sideways = unit(gap) * np.minimum(pace, missing / dt)[:, None]
        aside = self.aside + sideways * dt
        # No place goes on where the corridor ends: first sideways, then onward.
        following = self.station + onward * dt
        inside = length(self.within_corridor(following, aside, near=True) - aside) < 1e-9
        onward = np.where(inside, onward, 0.0)
        after = self.position(self.station + onward * dt, self.aside + sideways * dt)
        speed = length(after - before) / dt
        scale = np.minimum(1.0, fastest / np.maximum(speed, 1e-9))
        station = self.station + scale * onward * dt
        aside = self.aside + scale[:, None] * sideways * dt
        subgoal = self.position(station, aside)
        if self.levels is not None:
            return self._on_levels(self.levels, station, aside, position, dt)
        self.station, self.aside = station, aside
        return subgoal, (subgoal - before) / dt

    def in_reach(self, position: Float) -> Bool:
        """Return which members (n, 3) come straight to their places over the ground, (n,)."""
        if self.levels is None:
            return np.ones(len(position), np.bool_)
        places = self.position(self.station, self.aside)
        return self.levels.reach(position, places, self.station)

    def _on_levels(
        self, levels: Levels, station: Float, aside: Float, position: Float, dt: float
    ) -> tuple[Float, Float]:
        """Move places to (n,), (n, 2) where their members can follow; return as `advance`.

        Other places stay, or come back over the path to where their members can; from what a member
        has passed itself, if that is ahead of its place.
        """
        before, subgoal = self.position(self.station, self.aside), self.position(station, aside)
        follows = levels.reach(position, subgoal, station)
        there = length((position - before)[:, :2]) < AT_PLACE
        follows &= there | self._comes(levels, position, subgoal)
        self.station = np.where(follows, station, self.station)
        self.aside = np.where(follows[:, None], aside, self.aside)
        velocity = np.where(follows[:, None], (subgoal - before) / dt, 0.0)
        self.came_back = np.zeros(len(follows), np.bool_)
        late = np.flatnonzero(~follows).tolist()
        passed = np.maximum(self.station, self.along(position)) if late else self.station
        for member in late:
            back = levels.stations_back(float(passed[member]))
            for some in np.split(back, np.arange(AT_ONCE, len(back), AT_ONCE)):
                beside = np.broadcast_to(self.aside[member], (len(some), 2))
                beside = self.within_corridor(some, beside)
                places = self.position(some, beside)
                at = np.broadcast_to(position[member], places.shape)
                reached = levels.reach(at, places, some)
                reached[reached] = self._comes(levels, at[reached], places[reached])
                if reached.any():
                    row = int(np.argmax(reached))
                    self.came_back[member] = some[row] < self.station[member]
                    self.station[member], self.aside[member] = some[row], beside[row]
                    break
        return self.position(self.station, self.aside), velocity

    def _comes(self, levels: Levels, position: Float, places: Float) -> Bool:
        """Return which members come straight to places (n, 3) on their level without a touch.

        A vehicle maneuvers: it looks for a route there itself.
        """
        if self.drives:
            return np.ones(len(position), np.bool_)
        return levels.are_free(position, places)
