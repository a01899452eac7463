"""Exploration: where members that do not know the goal walk next, by weights and memory.

Ants on a graph (Dorigo, Maniezzo, Colorni 1996, "Ant system") whose trails have a direction
(Jackson, Holcombe, Ratnieks 2004, "Trail geometry gives polarity to ant foraging networks") and
whose dead ends are marked (Robinson et al. 2005, "'No entry' signal in ant foraging"). A trail is
followed wherever it is met, even back over what the member's own memory has closed: a weight that
is read only after memory has decided changes next to nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from rmp3d.behaviors.groups.search.learning import LinkWeights
from rmp3d.behaviors.groups.search.search_map import GOAL, START, SearchMap
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Index

How: TypeAlias = Literal["choice", "trail", "back", "turned", "lays"]
# How easily each of some neighbors of a place is taken from the way that one came there.
Ease: TypeAlias = Callable[[int, list[int]], Sequence[float]]


class Walk(NamedTuple):
    """Where a member goes next.

    Attributes:
        place: The next place, a neighbor.
        how: By its own choice, by a trail, back to an open choice, or laying a trail.
        met: What it came upon: ``dead_end``, ``cycle``, ``false_trail`` or nothing.
    """

    place: int
    how: How
    met: str = ""


@dataclass
class _Member:
    """What a member remembers.

    Attributes:
        route: Places from the start to where it is going, without cycles.
        came_from: The place that it left last, -1 before the first walk.
        how: How it chose where it is going.
        closed: Links that it need not walk again.
        trail: Places of the trail that it follows, from where it met the trail.
        left_dead_end: Whether it comes out of a dead end.
        doubts: Whether it looks into marked dead ends, too: it found nothing anywhere, or a trail
            led to no goal and an earlier run has left such marks.
        ahead: While it lays a trail: the place that the trail leads to next.
        has_laid: Whether it has laid a trail.
    """

    route: list[int] = field(default_factory=lambda: [START])
    came_from: int = -1
    how: How = "choice"
    closed: set[int] = field(default_factory=set)
    trail: list[int] = field(default_factory=list)
    left_dead_end: bool = False
    doubts: bool = False
    ahead: int = -1
    has_laid: bool = False


class Exploration:
    """The memories of n members that explore a map from its place 0.

    With ``memory`` a member visits every place of the map in the end, if no trail leads it: a link
    is closed to it once all behind it is, or once it has closed a cycle; each walk without closing
    a link is a simple path, and what is closed has been seen. A member that finds nothing anywhere
    begins again and looks into the dead ends that others have marked; so does a member that a
    trail has led to no goal, if an earlier run has left such marks.

    Args:
        known: The map.
        count: n.
        weights: Shared by all.
        rng: Of all choices.
        memory: Whether members remember what they have closed. All remember their route.

    Attributes:
        weights: Shared by all.
        visited: (E,) whether a member has walked along it.
        dead_ends: How often a member turned at the end of its route.
        cycles: How often a member closed a cycle.
        false_trails: How often a trail ended without a goal.
    """

    def __init__(
        self, known: SearchMap, count: int, weights: LinkWeights, rng: np.random.Generator,
        *, memory: bool = True,
    ) -> None:  # fmt: skip
        self._map = known
        self._neighbors = [
            [known.other(link, place) for link in links] for place, links in enumerate(known.at)
        ]
        self._rng = rng
        self._memory = memory
        self._members = [_Member() for _ in range(count)]
        self.weights = weights
        self.visited = np.zeros(len(known.links), np.bool_)
        self.dead_ends = self.cycles = self.false_trails = 0

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers are at the start, see `enter`."""
        self._members = [
            self._members[row] if row >= 0 else _Member() for row in members.before.tolist()
        ]

    def enter(self, member: int, place: int) -> None:
        """Let a newcomer begin at a place of the map."""
        self._members[member] = _Member(route=[place])

    def at(self, member: int) -> int:
        """Return the place that a member is at, or going to."""
        return self._members[member].route[-1]

    def route(self, member: int) -> list[int]:
        """Return the places from the start to where a member is going, without cycles."""
        return list(self._members[member].route)

    def is_laying(self, member: int) -> bool:
        """Return whether a member walks back and lays a trail."""
        return self._members[member].ahead >= 0

    def next_walk(self, member: int, ease: Ease | None = None) -> Walk:
        """Let a member that has come to its place, and sees no goal there, go on.

        Args:
            member: Its row.
            ease: See `Ease`; None: all neighbors are alike.
        """
        me = self._members[member]
        here = me.route[-1]
        if me.left_dead_end:
            self.weights.close_dead_end(here, me.came_from)
            me.left_dead_end = False
        if me.ahead >= 0 and not self._laid_all(me, here):
            me.route.pop()
            return self._go(me, here, "lays")
        met = self._read_trail(me, here) or self._cut_cycle(me, here)
        options = self._options(me, here)
        if options:
            easy = None if ease is None else ease(here, options)
            place = self.weights.choose(here, options, self._rng, easy)
            how: How = "trail" if self.weights.is_trail(here, place) else "choice"
            me.route.append(place)
            return self._go(me, here, how, met)
        if not self._memory:
            me.route.append(me.came_from)
        else:
            me.route.pop()
            me.closed.add(self._map.link(here, me.route[-1]))
        if me.how != "back":
            self.dead_ends += 1
            met = met or "dead_end"
        return self._go(me, here, "back", met)

    def turn_back(self, member: int) -> int | None:
        """Let a member that cannot go on turn round; return to which place, None if it may not."""
        me = self._members[member]
        if me.came_from < 0 or me.ahead >= 0:
            return None
        here, back = me.route[-1], me.came_from
        if len(me.route) > 1 and me.route[-2] == back:
            me.route.pop()
        else:
            me.route.append(back)
        self._go(me, here, "turned")
        return back

    def find(self, member: int, *, walk_back: bool = False) -> list[int]:
        """Let a member that sees the goal lay the trail; return its route to the goal (places).

        Args:
            member: The finder.
            walk_back: Whether the finder walks back to lay the trail. It does so once, and only if
                no trail has led it here; `is_laying` is true from now on.
        """
        me = self._members[member]
        route = _without_cycles([*me.route, *self._on_to_goal(me.route[-1])])
        if not walk_back:
            self.weights.reward(route)
        elif me.how != "trail" and not me.has_laid:
            # What lies between here and the goal is in sight.
            known = set(me.route[:-1])
            last = max((row for row, place in enumerate(route) if place in known), default=0)
            self.weights.reward(route[last + 1 :])
            me.came_from, me.route = me.route[-1], route[: last + 1]
            me.ahead, me.how, me.has_laid, me.left_dead_end = route[last + 1], "lays", True, False
            me.trail = []
        return route

    def _go(self, me: _Member, here: int, how: How, met: str = "") -> Walk:
        """Note that a member goes from a place to the last one of its route."""
        place = me.route[-1]
        me.came_from, me.how = here, how
        me.trail = [*(me.trail or [here]), place] if how == "trail" else []
        others = (near for near in self._neighbors[here] if near != place)
        me.left_dead_end = how != "lays" and all(
            self.weights.is_dead(here, near) for near in others
        )
        self.visited[self._map.link(here, place)] = True
        return Walk(place, how, met)

    def _options(self, me: _Member, here: int) -> list[int]:
        """Return the neighbors that a member chooses from; none if it has to go back."""
        weights, near = self.weights, self._neighbors[here]
        if not self._memory:
            return [p for p in near if p != me.came_from or weights.is_trail(here, p)]
        while True:
            back = me.route[-2] if len(me.route) > 1 else -1
            options = [
                place for place in near
                if weights.is_trail(here, place)
                or (
                    place != back
                    and self._map.link(here, place) not in me.closed
                    and (me.doubts or not weights.is_dead(here, place))
                )
            ]  # fmt: skip
            if options or back >= 0:
                return options
            # All is closed, and the goal was not seen.
            me.closed.clear()
            me.doubts = True

    def _read_trail(self, me: _Member, here: int) -> str:
        """Weaken a trail that a member has followed in vain; return what it came upon."""
        if len(me.trail) < 2:
            return ""
        learning = self.weights.learning
        first = me.trail.index(here)
        if first < len(me.trail) - 1:
            self.weights.doubt(me.trail[first:], learning.cycle)
            me.trail = [here]
            return "cycle"
        if any(self.weights.is_trail(here, near) for near in self._neighbors[here]):
            return ""
        self.weights.doubt(me.trail, learning.false_trail)
        # The goal has moved, so it may be in what was a dead end.
        me.doubts |= self.weights.dead_before
        self.false_trails += 1
        return "false_trail"

    def _cut_cycle(self, me: _Member, here: int) -> str:
        """Cut a cycle that a member has just closed out of its route."""
        first = me.route.index(here)
        if first == len(me.route) - 1:
            return ""
        del me.route[first + 1 :]
        if me.how != "choice":
            return ""
        me.closed.add(self._map.link(me.came_from, here))
        self.cycles += 1
        return "cycle"

    def _laid_all(self, me: _Member, here: int) -> bool:
        """Lay the trail at a place; return whether that was the last one."""
        met = any(
            self.weights.is_trail(here, near) for near in self._neighbors[here] if near != me.ahead
        )
        self.weights.reward([here, me.ahead])
        me.ahead = -1 if met or len(me.route) == 1 else here
        return me.ahead < 0

    def _on_to_goal(self, place: int) -> list[int]:
        """Return the places from the next one to the goal, by the shortest way."""
        way = []
        while place != GOAL:
            place = int(self._towards_goal[place])
            way.append(place)
        return way

    @cached_property
    def _towards_goal(self) -> Index:
        """(V,) the next place on the shortest way from each place to the goal."""
        from scipy.sparse.csgraph import dijkstra  # slow to load

        return np.asarray(dijkstra(self._map.graph(), indices=GOAL, return_predecessors=True)[1])


def _without_cycles(places: Sequence[int]) -> list[int]:
    """Return a walk (places) without its cycles."""
    route: list[int] = []
    for place in places:
        if place in route:
            del route[route.index(place) :]
        route.append(place)
    return route
