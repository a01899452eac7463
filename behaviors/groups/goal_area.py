"""The goal area: members enter it one after another, spread out in it, and wander there."""

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from behaviors.formations.formation import nearest
from behaviors.groups.places import places_in
from geometry.arrays import Bool, Float, Index
from geometry.vectors import length
from planner.spaces import Space
from scenes import Region

# Weight of filling the far end first against walking straight ahead.
DEPTH_WEIGHT = 3.0
# Time between two destinations of a wanderer [s].
STROLL = 4.0
# Nobody strolls where places are nearer than so many radii: they would push one another out.
ROOM_TO_STROLL = 3.0
# Who has come no nearer to its place by this way [m] for this time [s] looks whether it sees it.
NEARER, SETTLES_AFTER = 0.1, 3.0


@dataclass(eq=False)
class GoalArea:
    """Places in the goal region, given out to n members as they come.

    Attributes:
        space: Proves that a way within the region is free.
        region: The goal.
        places: (K, 3) places, K >= n [m].
        taken: (n,) place of each member, -1 before it has one.
    """

    space: Space
    region: Region
    places: Float
    taken: Index
    wander_speed: float
    _until: Float = field(init=False)
    _stroll: Float = field(init=False)
    _roomy: bool = field(init=False)
    _nearest: Float = field(init=False)
    _since: Float = field(init=False)
    _settled: Bool = field(init=False)

    def __post_init__(self) -> None:
        radius = self.space.world.body.radius
        self._roomy = nearest(self.places) >= ROOM_TO_STROLL * radius
        self._until = np.zeros(len(self.taken))
        self._stroll = np.zeros((len(self.taken), 3))
        self._nearest = np.full(len(self.taken), np.inf)
        self._since = np.zeros(len(self.taken))
        self._settled = np.zeros(len(self.taken), np.bool_)

    @classmethod
    def of(
        cls, space: Space, region: Region, count: int, spacing: float, center: Float,
        wander_speed: float,
    ) -> "GoalArea":  # fmt: skip
        """Lay out places for ``count`` members around ``center`` (3,).

        Raises:
            NoRoomError: The region has no room for so many.
        """
        places = places_in(space, region, count, spacing, center)[:count]
        return cls(space, region, places, np.full(count, -1), wander_speed)

    def admit(self, members: Index, position: Float, entry: Float, heading: Float) -> None:
        """Give places to members that have come, the far places first, without crossings.

        Args:
            members: (m,) who has come, the first in front.
            position: (n, 3) of all members [m].
            entry: (3,) where the path enters [m].
            heading: (3,) unit, the path's direction there.
        """
        waiting = members[self.taken[members] < 0]
        if len(waiting) == 0:
            return
        free = np.setdiff1d(np.arange(len(self.places)), self.taken)
        depth = (self.places[free] - entry) @ heading
        farthest = free[np.argsort(-depth, kind="stable")][: len(waiting)]
        offset = self.places[farthest][None] - position[waiting][:, None]
        across = offset - (offset @ heading)[..., None] * heading
        ahead = (offset @ heading).max() - offset @ heading
        cost = (across**2).sum(axis=2) + DEPTH_WEIGHT * ahead * np.linspace(1, 0, len(waiting))[
            :, None
        ]
        rows, columns = linear_sum_assignment(cost)
        self.taken[waiting[rows]] = farthest[columns]

    def subgoal(
        self, position: Float, wandering: bool, time: float, rng: np.random.Generator
    ) -> Float:
        """Return where members (n, 3) that have a place are to be; their own position else.

        Wandering, each strolls to a free point of the region now and then, if there is room to.
        """
        subgoal = position.copy()
        has = self.taken >= 0
        subgoal[has] = self.places[self.taken[has]]
        if not (wandering and self._roomy):
            return subgoal
        due = np.flatnonzero(has & (time >= self._until))
        if len(due):
            self._stroll[due] = self._destinations(due, position, rng)
            self._until[due] = time + STROLL * rng.uniform(0.5, 1.5, len(due))
        subgoal[has] = self._stroll[has]
        return subgoal

    def place(self, position: Float, time: float) -> Float:
        """Return where members (n, 3) that have a place stay; their own position else.

        Who comes no nearer to a place behind an obstacle takes a free one in sight, or if there is
        none is content with where it has come to.
        """
        has = self.taken >= 0
        place = np.where(has[:, None], self.places[self.taken], position)
        apart = length(place - position)
        nearer = apart < self._nearest - NEARER
        self._nearest[nearer], self._since[nearer | ~has] = apart[nearer], time
        self._nearest[~has] = np.inf
        new = has & ~self._settled & (time - self._since > SETTLES_AFTER) & self.inside(position)
        if new.any():
            self._since[new] = time
            new[new] = ~self.space.connects(position[new], place[new])
            for member in np.flatnonzero(new).tolist():
                new[member] = not self._takes_another(member, position[member])
            self._settled |= new
            place[has] = self.places[self.taken[has]]
        self._stroll[new] = position[new]
        return np.where(self._settled[:, None], self._stroll, place)

    def _takes_another(self, member: int, position: Float) -> bool:
        """Give a member the nearest free place that it sees from (3,); return whether there is."""
        free = np.setdiff1d(np.arange(len(self.places)), self.taken)
        seen = self.space.connects(np.tile(position, (len(free), 1)), self.places[free])
        if not seen.any():
            return False
        free = free[seen]
        self.taken[member] = free[np.argmin(length(self.places[free] - position))]
        self._nearest[member] = np.inf
        return True

    def _destinations(self, due: Index, position: Float, rng: np.random.Generator) -> Float:
        """Exchange the places of the members that are due; each goes to its own new one.

        Who has no free straight way to the new place goes back to its old one.
        """
        old = self.taken[due]
        new = rng.permutation(old)
        seen = self.space.world.motions_are_free(position[due], self.places[new])
        if seen.all():
            self.taken[due] = new
        return self.places[self.taken[due]]

    def inside(self, position: Float) -> Bool:
        """Return which members (n, 3) are in the goal region."""
        return self.region.contains(position)
