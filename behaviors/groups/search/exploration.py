"""Exploration: where members that do not know the goal walk next, by adaptive weights.

A colony of ants on a graph (Dorigo, Maniezzo, Colorni 1996, "Ant system"): all members share the
weights of the links, and each remembers its own route. A member at a dead end goes back to
its last open choice and never returns into what it found closed. The links weaken, so that others
rather go elsewhere.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from rmp3d.behaviors.groups.search.search_map import SearchMap
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.errors import InputError

Rule: TypeAlias = Literal["adaptive", "random_walk", "all_knowing"]
# Weights stay in this range; a link starts with 1.
LEAST, MOST = 0.01, 100.0


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How weights change.

    Attributes:
        dead_end: Factor on the weight of the links to a dead end, each time a member finds one.
        cycle: Factor on the weight of the links of a cycle, each time a member closes one.
        walked: Factor on the weight of a link, each time a member walks along it.
        reward: Factor on the weight of the links of the route that has found the goal.
        evaporation: Share of what was learned that is forgotten in a second [1/s].
    """

    dead_end: float = 0.1
    cycle: float = 0.5
    walked: float = 0.3
    reward: float = 10.0
    evaporation: float = 0.0

    def __post_init__(self) -> None:
        for name in ("dead_end", "cycle", "walked"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise InputError(
                    f"`{name}` must be above 0 and at most 1, got {getattr(self, name)}"
                )
        if not 1.0 <= self.reward < np.inf:
            raise InputError(f"`reward` must be 1 or more, got {self.reward}")
        if not 0.0 <= self.evaporation <= 1.0:
            raise InputError(f"`evaporation` must be from 0 to 1, got {self.evaporation}")


class Walk(NamedTuple):
    """Where a member goes next.

    Attributes:
        places: The next places, one or more.
        kind: What it came upon: ``choice``, ``dead_end`` or ``cycle``.
        links: How many links were weakened.
    """

    places: list[int]
    kind: str
    links: int = 0


class Exploration:
    """The memory of n members that explore a map from its place 0.

    With the rule ``adaptive`` a member visits every place of the map in the end: a link is closed
    to it once all behind it is, or once it has closed a cycle; each walk without closing a link
    is a simple path, and what is closed has been seen.

    Attributes:
        learning: How weights change from now on.
        weight: (E,) of each link, shared by all.
        visited: (E,) whether a member has walked along it.
        route: Of each member: the places from the start to where it is going, dead ends and
            cycles cut out.
        dead_ends: How many were found so far.
        cycles: How many were closed so far.
    """

    def __init__(
        self, known: SearchMap, count: int, rule: Rule, learning: Learning,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self._map = known
        self._rule = rule
        self.learning = learning
        self._rng = rng
        self.weight = np.ones(len(known.links))
        self.visited = np.zeros(len(known.links), np.bool_)
        self.route: list[list[int]] = [[0] for _ in range(count)]
        self._closed = np.zeros((count, len(known.links)), np.bool_)
        self.dead_ends = 0
        self.cycles = 0

    def at(self, member: int) -> int:
        """Return the place that a member is at, or going to."""
        return self.route[member][-1]

    def next_walk(self, member: int) -> Walk:
        """Let a member that has come to its place go on."""
        if self._rule == "random_walk":
            return self._step(member, self._map.at[self.at(member)])
        kind, links = "choice", self._cut_cycle(member)
        if links:
            kind = "cycle"
        back: list[int] = []
        weakened = []
        while not (open_links := self._open(member)):
            if len(self.route[member]) == 1:
                # All is closed, and the goal was not seen: start afresh.
                self._closed[member] = False
                continue
            place = self.route[member].pop()
            link = self._map.link(place, self.at(member))
            self._closed[member, link] = True
            weakened.append(link)
            back.append(self.at(member))
        if back:
            self._weaken(weakened, self.learning.dead_end)
            self.dead_ends += 1
            # The choice itself is made when the member is there.
            return Walk(back, "dead_end", len(weakened))
        step = self._step(member, open_links)
        return Walk(step.places, kind, links)

    def turn_back(self, member: int) -> int | None:
        """Let a member that cannot go on turn round; return to which place, None at the start."""
        route = self.route[member]
        if len(route) < 2:
            return None
        if self._rule == "random_walk":
            route.append(route[-2])
        else:
            route.pop()
        return route[-1]

    def reward(self, member: int) -> None:
        """Reinforce the links of the route of a member that has found the goal."""
        route = self.route[member]
        links = {self._map.link(a, b) for a, b in pairwise(route)}
        self._weaken(sorted(links), self.learning.reward)

    def forget(self, seconds: float) -> None:
        """Let weights evaporate: they return towards 1."""
        kept = (1.0 - self.learning.evaporation) ** seconds
        self.weight = 1.0 + kept * (self.weight - 1.0)

    def _open(self, member: int) -> list[int]:
        """Return the links at a member's place that may lead on: not closed, nor back."""
        closed, route = self._closed[member], self.route[member]
        back = self._map.link(route[-2], route[-1]) if len(route) > 1 else -1
        return [link for link in self._map.at[route[-1]] if link != back and not closed[link]]

    def _step(self, member: int, links: list[int]) -> Walk:
        """Choose one of the links, by their weights if these count."""
        share = np.ones(len(links))
        if self._rule == "adaptive":
            share = self.weight[links]
        link = int(self._rng.choice(links, p=share / share.sum()))
        place = self._map.other(link, self.at(member))
        self.visited[link] = True
        if self._rule == "adaptive":
            self._weaken([link], self.learning.walked)
        self.route[member].append(place)
        return Walk([place], "choice")

    def _cut_cycle(self, member: int) -> int:
        """Cut a cycle that a member has just closed out of its route; return its links."""
        route = self.route[member]
        first = route.index(route[-1])
        if first == len(route) - 1:
            return 0
        cycle = route[first:]
        links = [self._map.link(a, b) for a, b in pairwise(cycle)]
        self._weaken(links, self.learning.cycle)
        self._closed[member, links[-1]] = True
        del route[first + 1 :]
        self.cycles += 1
        return len(links)

    def _weaken(self, links: list[int] | Index, factor: float) -> None:
        self.weight[links] = np.clip(self.weight[links] * factor, LEAST, MOST)
