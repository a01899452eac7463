"""Everything there is in one step: what perceptions and behaviors take their part of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rmp3d.behaviors.awake import EVERYONE, Awake
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.force_log import ForceLog
from rmp3d.behaviors.proximity.cells import near_pairs_of
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import KnownAgent, Surroundings
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length

# Neighbors farther away than this do not count for members that follow a path [m].
SIGHT = 3.0
# Up to so many pairs are compared one by one; a few that look at many need no cells.
FEW = 50_000
NOBODY: Mapping[str, KnownAgent] = {}


@dataclass(frozen=True, eq=False)
class WorldState:
    """All characters and the scene at one moment.

    Attributes:
        flock: All N characters of all groups.
        group_of: (N,) group of each; by default all are in the first.
        groups: Names of the groups.
        solid: What blocks the view and what flyers must not touch, ground included, or None.
        walking: What walkers must not touch, or None.
        surface: What walkers walk on, or None.
        bounds: (2, 3) box that characters stay in [m], or None.
        time: Since the start [s].
        dt: Time step [s].
        seed: Of all randomness.
        others: What the scene is to walkers that take other steps, by these [m].
        chance: (N,) number of each, by which its chance is drawn; by default its row.
        number: (N,) number of each in its group, counted from 0; by default the order of rows.
        log: Takes notes of what steering behaviors ask for; None: nobody does.
        awake: Who is not at rest; nobody rests by default.
    """

    flock: Flock
    group_of: Index = None  # type: ignore[assignment]
    groups: tuple[str, ...] = ("all",)
    solid: MeshQuery | None = None
    walking: MeshQuery | None = None
    surface: WalkableSurface | None = None
    bounds: Float | None = None
    time: float = 0.0
    dt: float = 1.0 / 30.0
    seed: int = 0
    others: Mapping[float, Environment] = field(default_factory=dict)
    chance: Index = None  # type: ignore[assignment]
    number: Index = None  # type: ignore[assignment]
    log: ForceLog | None = None
    awake: Awake = EVERYONE

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.group_of is None:
            object.__setattr__(self, "group_of", np.zeros(len(self.flock), np.intp))
        if self.chance is None:
            object.__setattr__(self, "chance", np.arange(len(self.flock)))
        if self.number is None:
            object.__setattr__(self, "number", number_in_group(self.group_of))

    @cached_property
    def middle(self) -> Float:
        """(N, 3) middles of the bodies [m]."""
        return self._at(self.flock.bodies.middle)

    @cached_property
    def foot(self) -> Float:
        """(N, 3) lower ends of the bodies' segments [m]."""
        return self._at(self.flock.bodies.capsule_axis[:, 0])

    @cached_property
    def eye(self) -> Float:
        """(N, 3) upper ends of the bodies' segments [m]: where they look from."""
        return self._at(self.flock.bodies.capsule_axis[:, 1])

    def _at(self, height: Float) -> Float:
        return self.flock.position + height[:, None] * np.array([0.0, 0.0, 1.0])

    @cached_property
    def close(self) -> Neighbors:
        """All pairs within `SIGHT`, but of two that are at rest."""
        flock = self.flock
        return Neighbors.within(flock.position, SIGHT, flock.bodies.radius, flock.nearby)

    def obstacles(self, rows: Index) -> MeshQuery | None:
        """Return what the members ``rows`` of one group must not touch."""
        if not self._walk(rows):
            return self.solid
        other = self._other(rows)
        return self.walking if other is None else other.walking

    def surface_of(self, rows: Index) -> WalkableSurface | None:
        """Return what the members ``rows`` of one group walk on, or None."""
        if not self._walk(rows):
            return None
        other = self._other(rows)
        return self.surface if other is None else other.surface

    def _other(self, rows: Index) -> Environment | None:
        return self.others.get(float(self.flock.bodies.max_step[rows[0]])) if self.others else None

    def _walk(self, rows: Index) -> bool:
        return bool(self.flock.bodies.grounded[rows].any())

    def near(self, rows: Index, reach: float) -> tuple[Index, Index]:
        """Return the pairs (own, other) of bodies whose middles are at most ``reach`` [m] apart.

        Args:
            rows: (n,) members that perceive.
            reach: [m].

        Returns:
            Numbers in ``rows`` (P,) and rows of the flock (P,), sorted, no one with itself.
        """
        if len(rows) * len(self.flock) > FEW:
            return near_pairs_of(self.middle, rows, reach)
        apart = length(self.middle[rows][:, None] - self.middle[None])
        apart[np.arange(len(rows)), rows] = np.inf
        own, other = np.nonzero(apart <= reach)
        return own, other

    def surroundings(
        self,
        rows: Index,
        neighbors: Neighbors,
        subgoal: Float,
        subgoal_velocity: Float,
        others: Mapping[str, KnownAgent] = NOBODY,
        subgoal_heading: Float | None = None,
    ) -> Surroundings:
        """Return what the members ``rows`` (n,) of one group may know, and of the scene all.

        Args:
            rows: Rows of the flock.
            neighbors: Pairs whose seeing agents are numbered as in ``rows``.
            subgoal: (n, 3) [m].
            subgoal_velocity: (n, 3) [m/s].
            others: By role.
            subgoal_heading: (n, 3) unit, or None.
        """
        return Surroundings(
            neighbors=neighbors,
            subgoal=subgoal,
            subgoal_velocity=subgoal_velocity,
            obstacles=self.obstacles(rows),
            crowd=self.flock,
            member=rows,
            chance=self.chance[rows],
            others=others,
            subgoal_heading=subgoal_heading,
            surface=self.surface_of(rows),
            bounds=self.bounds,
            time=self.time,
            dt=self.dt,
            seed=self.seed,
            log=self.log,
        )


def number_in_group(group_of: Index) -> Index:
    """Return how many of the same group come before each of N characters, by their groups (N,)."""
    number = np.zeros(len(group_of), np.intp)
    for group in np.unique(group_of):
        own = group_of == group
        number[own] = np.arange(np.count_nonzero(own))
    return number
