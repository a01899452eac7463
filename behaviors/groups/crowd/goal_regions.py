"""Destinations: the places that members of a crowd go to, and who holds which place in them."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rmp3d.behaviors.groups.goal_area.area import DEPTH_WEIGHT
from rmp3d.behaviors.groups.goal_area.place_graph import PlaceGraph
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.assignment import least_cost_assignment
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.row_vectors import size_of
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import Space
from rmp3d.scenes import Region


class HeldPlaces:
    """Places (K, 3) [m] in a region, each for one member.

    Args:
        space: Proves that motions between them are free.
        points: (K, 3) [m], the nearest to the center first.
        center: (3,) that they were laid out around [m].

    Attributes:
        points: As given.
        holder: (K,) row of the member that has each place, -1 for none.
    """

    def __init__(self, space: Space, points: Float, center: Float) -> None:
        self.points, self.holder = points, np.full(len(points), -1)
        self._space, self._center = space, center

    def admit(self, members: Index, position: Float, entry: Float, heading: Float) -> Index:
        """Give places to members (m,) at (m, 3) [m], the far ones first, without crossings.

        Of all places only those nearest to the center are given out so, as many as there are
        members with the new ones.

        Args:
            members: (m,) that have come.
            position: (m, 3) [m].
            entry: (3,) where they come in [m].
            heading: (3,) unit, in which direction.

        Returns:
            (m,) row of the place of each; -1 where there is none left.
        """
        found = np.full(len(members), -1)
        free = np.flatnonzero(self.holder < 0)
        depth = (self.points[free] - entry) @ heading
        farthest = free[np.argsort(-depth, kind="stable")][: len(members)]
        if len(farthest) == 0:
            return found
        if len(members) == 1:
            self.holder[farthest[0]] = members[0]
            return farthest[:1]
        offset = self.points[farthest][None] - position[:, None]
        along = offset @ heading
        across = offset - along[..., None] * heading
        rank = np.linspace(1, 0, len(members))[:, None]
        cost = (across**2).sum(axis=2) + DEPTH_WEIGHT * (along.max() - along) * rank
        rows, columns = least_cost_assignment(cost)
        found[rows] = farthest[columns]
        self.holder[farthest[columns]] = members[rows]
        return found

    def release(self, places: Index) -> None:
        """Free places (m,) that were held."""
        self.holder[places] = -1

    def route(self, place: int, position: Float) -> Float:
        """Return the subgoals (K, 3) from (3,) to a place, over other places."""
        points = self.points
        if self._space.connects(position[None], points[place, None])[0]:
            return points[place, None]
        seen = self._graph.seen_from(position)
        own = np.arange(len(points)) == place
        route = self._graph.route(int(seen[0]), own) if len(seen) else seen
        return points[route] if len(route) else points[place, None]

    def press_in(
        self, member: int, place: int, position: Float, reach: float
    ) -> tuple[Index, Index]:
        """Give a member held up at (3,) the nearest place; return members and their new places.

        The member that has that place moves on to the next one, and so do all on the shortest
        route to the nearest free place, or to the place that the member leaves. None is returned
        if no place is in sight and within ``reach`` [m].
        """
        nothing = np.zeros(0, np.intp), np.zeros(0, np.intp)
        if place >= 0 and len(self.points) == 1:
            return nothing  # it has the only one
        if length(self.points - position).min() > reach:
            return nothing  # before the links between places are found
        seen = self._graph.seen_from(position, reach)
        if len(seen) == 0:
            return nothing
        route = self._graph.route(int(seen[0]), (self.holder < 0) | (self.holder == member))
        if len(route) == 0 or route[0] == place:
            return nothing
        moved = np.concatenate([[member], self.holder[route[:-1]]])
        if place >= 0:
            self.holder[place] = -1
        self.holder[route] = moved
        return moved, route

    @cached_property
    def _graph(self) -> PlaceGraph:
        return PlaceGraph(self._space, self.points, self._center)


class GoalRegions:
    """The regions that members go to, all in arrays.

    Args:
        regions: D of them.
        ends: Of each, points (C, 3) [m] where routes to it may end.

    Attributes:
        regions: As given.
        ends: As given.
        places: Of each, those that were laid out.
    """

    def __init__(self, regions: Sequence[Region], ends: Sequence[Float]) -> None:
        self.regions, self.ends = list(regions), list(ends)
        self.places: dict[int, HeldPlaces] = {}
        self._lower = np.array([each.lower for each in regions]).reshape(-1, 3)
        self._upper = np.array([each.upper for each in regions]).reshape(-1, 3)
        self._center = 0.5 * (self._lower + self._upper)
        self._radius = np.array([each.radius for each in regions])
        self._ball = np.array([each.kind == "sphere" for each in regions], np.bool_)

    def inside(self, destination: Index, position: Float) -> Bool:
        """Return which positions (n, 3) [m] are in the destinations (n,)."""
        inside = np.empty(len(position), np.bool_)
        _inside(
            position, destination, self._lower, self._upper, self._ball, self._center,
            self._radius, inside,
        )  # fmt: skip
        return inside


@compiled
def _inside(position, destination, lower, upper, ball, center, radius, inside):
    for i in range(position.shape[0]):
        d = destination[i]
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        if ball[d]:
            inside[i] = size_of(x - center[d, 0], y - center[d, 1], z - center[d, 2]) <= radius[d]
        else:
            inside[i] = (
                lower[d, 0] <= x <= upper[d, 0]
                and lower[d, 1] <= y <= upper[d, 1]
                and lower[d, 2] <= z <= upper[d, 2]
            )
