"""Shared routes: the shortest ways over one roadmap for any number of members, found at once."""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rmp3d.behaviors.groups.crowd.pair_search import Edges, edges_of_nodes, shortest_chains
from rmp3d.behaviors.groups.guided.roadmap_routes import Entries, RoadmapRoutes
from rmp3d.behaviors.groups.guided.shortest_paths import prices
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import Space

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# So many of the nearest nodes are tried for a straight motion; more where none of these is free.
FIRST, MORE = 6, 48
# Meters near obstacles are dearer, up to this share, at nodes with less clearance than so many
# times the radius: routes go through the middle of doors rather than along their posts.
NARROW, ROOM = 0.5, 3.0
# So many corners in a row are tried at a time whether a point sees them.
AT_A_TIME = 3
# A corner that is so much round [m] is cut if the next point is seen from so far before it [m]: so
# far behind where that comes in sight [m], which is found by halving so often. Routes are looked
# through so many times.
ROUND, BEFORE, ONWARD, HALVED, CUT = 3.0, 2.0, 0.5, 6, 4
# Distances kept in tables, at most (a few tens of megabytes); beyond, each way is searched for.
KEPT = 4_000_000
# More new distances than this are no gain for fewer members than there are new tables.
FOR_FEW = 100_000


class Ways(NamedTuple):
    """The shortest ways of M members over a roadmap.

    Attributes:
        length: (M,) [m], with what is dearer; infinite where there is none.
        leave: (M,) node that each is left for.
        enter: (M,) node from which the end is in straight sight.
    """

    length: Float
    leave: Index
    enter: Index

    def select(self, rows: Index | Bool) -> "Ways":
        """Return the ways of some of the members: their rows, or a mask (M,)."""
        return Ways(self.length[rows], self.leave[rows], self.enter[rows])


class SharedRoutes(RoadmapRoutes):
    """Routes for many members at once; the tree of each node is found once and kept.

    A route is the shortest way over the roadmap, from which all corners are left out that can be:
    from each point it goes on to the last one that is in straight sight. Every motion is proved
    free.

    Args:
        roadmap: Its nodes are positions (N, 3).
    """

    def __init__(self, roadmap: Roadmap) -> None:
        super().__init__(roadmap)
        wanted = ROOM * roadmap.space.world.body.radius
        narrow = np.clip(1.0 - roadmap.clearance / wanted, 0.0, 1.0)
        self._dear = 1.0 + NARROW * narrow[self.edges].mean(axis=1)
        self._graph = self._priced(np.zeros((0, 3)))
        from scipy.spatial import cKDTree  # slow to load

        self._near = cKDTree(self.nodes)
        self._forget()

    def past(self, crowd: Float) -> "SharedRoutes":
        """Return the routes where edges near the members of a crowd (c, 3) [m] are dearer."""
        found = copy(self)
        found._graph = self._priced(crowd)
        found._forget()
        return found

    def _priced(self, crowd: Float) -> "csr_matrix":
        """Return the graph with the prices of all edges, (c, 3) [m] where the members stand."""
        start, end = self.nodes[self.edges[:, 0]], self.nodes[self.edges[:, 1]]
        pairs, size = (self.edges[:, 0], self.edges[:, 1]), len(self.nodes)
        price = self._dear * prices(start, end, crowd)
        from scipy.sparse import coo_matrix

        return coo_matrix((price, pairs), (size, size)).tocsr()

    def _forget(self) -> None:
        count = len(self.nodes)
        self._table = np.full(count, -1)  # row of each node in the two tables
        self._far: Float = np.zeros((0, count))
        self._onward: Index = np.zeros((0, count), np.int32)
        # Nodes of the ways that were searched for, by those that they are left for and entered by.
        self._chains: dict[tuple[int, int], Index] = {}
        self._edges_of_nodes: Edges | None = None

    def entries(self, places: Float) -> Entries:
        """Return the nodes that places (M, 3) [m] can be left for."""
        found = self._tried(places, FIRST)
        blind = np.flatnonzero(np.isinf(found.distance).all(axis=1))
        if len(blind) == 0 or len(self.nodes) <= FIRST:
            return found
        more = self._tried(places[blind], MORE)
        best = np.argsort(more.distance, axis=1, kind="stable")[:, : found.node.shape[1]]
        found.node[blind] = np.take_along_axis(more.node, best, axis=1)
        found.distance[blind] = np.take_along_axis(more.distance, best, axis=1)
        return found

    def ways(self, start: Entries, end: Entries) -> Ways:
        """Return the shortest ways between places that can be left and entered so."""
        wanted = np.unique(end.node[np.isfinite(end.distance)])
        new = wanted[self._table[wanted] < 0]
        size = len(new) * len(self.nodes)
        never_all = len(self.nodes) ** 2 > KEPT  # too many to be known one day
        few = len(new) > len(start.node) and (never_all or size > FOR_FEW)
        if few or len(self._far) * len(self.nodes) + size > KEPT:
            return self._searched(start, end)
        self._look_up(new)
        row = self._table[end.node]  # (M, L), -1 where it is not known as it leads nowhere
        far = self._far[row[:, None, :], start.node[:, :, None]] if len(self._far) else np.inf
        total = np.where(
            (row < 0)[:, None, :], np.inf,
            start.distance[:, :, None] + far + end.distance[:, None, :],
        )  # fmt: skip
        flat = total.reshape(len(total), total.shape[1] * total.shape[2])
        best = np.argmin(flat, axis=1)
        rows = np.arange(len(total))
        leave, enter = np.divmod(best, total.shape[2])
        return Ways(flat[rows, best], start.node[rows, leave], end.node[rows, enter])

    def routes(self, start: Float, end: Float, ways: Ways | None = None) -> list[Float | None]:
        """Return routes (K, 3) [m] from start[i] to end[i] (M, 3), the start left out.

        None where there is none.

        Args:
            start: (M, 3) [m].
            end: (M, 3) [m].
            ways: As `ways` found them; by default they are found here.
        """
        found: list[Float | None] = [None] * len(start)
        if len(start) == 0:
            return found
        straight = self.space.connects(start, end)
        for row in np.flatnonzero(straight).tolist():
            found[row] = end[row : row + 1]
        rows = np.flatnonzero(~straight)
        if len(rows) == 0:
            return found
        if ways is None:
            different, of = np.unique(end[rows], axis=0, return_inverse=True)
            into = self.entries(different)
            of = of.reshape(-1)
            ways = self.ways(self.entries(start[rows]), Entries(into.node[of], into.distance[of]))
        else:
            ways = ways.select(rows)
        good = np.isfinite(ways.length)
        rows, ways = rows[good], ways.select(good)
        points, count = self._polylines(start[rows], end[rows], ways)
        kept = pulled(self.space, points, count)
        for row, own, chosen in zip(rows.tolist(), points, kept, strict=True):
            found[row] = own[chosen]
        cut_corners(self.space, start, found)
        return found

    def _tried(self, places: Float, most: int) -> Entries:
        most = min(most, len(self.nodes))
        distance, node = self._near.query(places, k=np.arange(1, most + 1))
        tiled = np.repeat(places, most, axis=0)
        free = self.space.connects(tiled, self.nodes[node.ravel()]).reshape(node.shape)
        return Entries(node, np.where(free, distance, np.inf))

    def _searched(self, start: Entries, end: Entries) -> Ways:
        """Return the shortest ways, each searched for by itself."""
        far, chains = shortest_chains(self._both_ways, self.nodes, start, end)
        leave, enter = (
            np.array([own[at] if len(own) else 0 for own in chains], np.intp) for at in (0, -1)
        )
        pairs = zip(leave.tolist(), enter.tolist(), strict=True)
        self._chains.update(zip(pairs, chains, strict=True))
        return Ways(far, leave, enter)

    @property
    def _both_ways(self) -> Edges:
        """The edges as the search reads them; made when it is first asked for."""
        if self._edges_of_nodes is None:
            self._edges_of_nodes = edges_of_nodes((self._graph + self._graph.T).tocsr())
        return self._edges_of_nodes

    def _look_up(self, new: Index) -> None:
        """Add the trees of nodes to the tables."""
        if len(new) == 0:
            return
        from scipy.sparse.csgraph import dijkstra

        far, onward = dijkstra(self._graph, directed=False, indices=new, return_predecessors=True)
        self._table[new] = len(self._far) + np.arange(len(new))
        self._far = np.concatenate([self._far, far])
        self._onward = np.concatenate([self._onward, onward.astype(np.int32)])

    def _polylines(self, start: Float, end: Float, ways: Ways) -> tuple[Float, Index]:
        """Return the corners (M, H, 3) of ways with both ends, and how many (M,) each has."""
        chain = self._nodes_of(ways)
        count = 3 + (chain[:, :-1] != ways.enter[:, None]).sum(axis=1)
        nodes = self.nodes[chain]  # (M, H - 2, 3)
        points = np.concatenate([start[:, None], nodes, end[:, None]], axis=1)
        points[np.arange(points.shape[1]) >= count[:, None] - 1] = np.repeat(
            end, points.shape[1] - count + 1, axis=0
        )
        return points, count

    def _nodes_of(self, ways: Ways) -> Index:
        """Return the nodes (M, C) of ways from where they are left to where they are entered.

        Rows are filled up with the last node.
        """
        row, here = self._table[ways.enter], ways.leave
        searched = np.flatnonzero(row < 0).tolist()
        here = np.where(row < 0, ways.enter, here)
        chain = [here]
        while (here != ways.enter).any():
            here = np.where(here != ways.enter, self._onward[row, here], here)
            chain.append(here)
        found = np.stack(chain, axis=1)
        if searched:
            ends = zip(ways.leave[searched].tolist(), ways.enter[searched].tolist(), strict=True)
            own = [self._chains[pair] for pair in ends]
            found = np.pad(found, [(0, 0), (0, max(map(len, own)))], mode="edge")
            for member, nodes in zip(searched, own, strict=True):
                found[member, : len(nodes)] = nodes
        return found


def pulled(space: Space, points: Float, count: Index) -> Bool:
    """Return which points (M, H) of polylines can stay so that each sees the one before.

    From each point it is the last one of those in a row that are in straight sight; the first point
    is left out, the last one stays.

    Args:
        space: Proves motions free.
        points: (M, H, 3) polylines [m], whose own motions are proved.
        count: (M,) points of each.
    """
    kept = np.zeros(points.shape[:2], np.bool_)
    kept[np.arange(len(points)), count - 1] = True
    anchor, next_one = np.zeros(len(points), np.intp), np.full(len(points), 2)
    while True:
        rows = np.flatnonzero(next_one < count)
        if len(rows) == 0:
            return kept
        ahead = next_one[rows, None] + np.arange(AT_A_TIME)  # (m, A)
        which, column = np.nonzero(ahead < count[rows, None])
        hidden = np.zeros((len(rows), AT_A_TIME), np.bool_)
        hidden[which, column] = ~space.connects(
            points[rows[which], anchor[rows[which]]], points[rows[which], ahead[which, column]]
        )
        first = hidden.argmax(axis=1)
        stops = hidden.any(axis=1)
        corner = rows[stops]
        anchor[corner] = next_one[corner] + first[stops] - 1
        kept[corner, anchor[corner]] = True
        next_one[rows] += np.where(stops, first + 1, AT_A_TIME)


def cut_corners(space: Space, start: Float, routes: list[Float | None]) -> None:
    """Replace corners of routes from starts (M, 3) [m] that are a long way round, in place.

    The way to such a corner is left soon after the point behind it is in straight sight.
    """
    rows = [row for row, route in enumerate(routes) if route is not None and len(route) > 1]
    for _ in range(CUT):
        if not rows:
            return
        points = _filled_up(start[rows], [routes[row] for row in rows])
        which, at = _far_round(points)
        if len(which) == 0:
            return
        new, cut = _left_sooner(space, *(points[which, at + k] for k in range(3)))
        changed = set()
        for row, k, point in zip(which[cut].tolist(), at[cut].tolist(), new[cut], strict=True):
            route = routes[rows[row]]
            assert route is not None
            own = route if row in changed else route.copy()
            own[k], routes[rows[row]] = point, own
            changed.add(row)
        rows = [rows[row] for row in sorted(changed)]


def _left_sooner(space: Space, first: Float, corner: Float, last: Float) -> tuple[Float, Bool]:
    """Return where ways from points to corners are left (c, 3) [m] for the points behind, if so.

    And which can be (c,). Nearly all corners are those of walls: from a little before them nothing
    more is seen.
    """

    def on_way(first: Float, corner: Float, share: Float) -> Float:
        return space.move(first, share[:, None] * (corner - first))[0]

    leg, new = length(corner - first), corner.copy()
    low, high = np.zeros(len(leg)), np.maximum(0.0, 1.0 - BEFORE / leg)
    cut = space.connects(on_way(first, corner, high), last)
    rows = np.flatnonzero(cut)
    if len(rows) == 0:
        return new, cut
    first, corner, last = first[rows], corner[rows], last[rows]
    low, high = low[rows], high[rows]
    for _ in range(HALVED):
        middle = 0.5 * (low + high)
        seen = space.connects(on_way(first, corner, middle), last)
        low, high = np.where(seen, low, middle), np.where(seen, middle, high)
    high = np.minimum(1.0, high + ONWARD / leg[rows])
    new[rows] = on_way(first, corner, high)
    cut[rows] = (high < 1.0) & space.connects(first, new[rows]) & space.connects(new[rows], last)
    return new, cut


def _filled_up(start: Float, routes: Sequence[Float | None]) -> Float:
    """Return starts (m, 3) and the points of routes behind them (m, K, 3), the last repeated."""
    most = max(len(route) for route in routes if route is not None)
    points = np.empty((len(start), most + 1, 3))
    points[:, 0] = start
    for row, route in enumerate(routes):
        if route is not None:
            points[row, 1 : len(route) + 1], points[row, len(route) + 1 :] = route, route[-1]
    return points


def _far_round(points: Float) -> tuple[Index, Index]:
    """Return rows of polylines (m, K, 3), and points before corners that are far round, (c,) each.

    Of several corners in a row the first one, and each second.
    """
    legs, across = length(np.diff(points, axis=1)), length(points[:, 2:] - points[:, :-2])
    far = legs[:, 1:] + legs[:, :-1] - across > ROUND
    for k in range(1, far.shape[1]):
        far[:, k] &= ~far[:, k - 1]
    which, at = np.nonzero(far)
    return which, at


def route_lengths(start: Float, routes: list[Float | None]) -> Float:
    """Return the lengths (M,) [m] of routes from starts (M, 3); infinite where there is none."""
    return np.array([
        np.inf if route is None else length(np.diff(route, axis=0, prepend=own[None])).sum()
        for own, route in zip(start, routes, strict=True)
    ])  # fmt: skip


def shorter_of(start: Float, routes: list[Float | None], others: list[Float | None]) -> None:
    """Replace routes from starts (M, 3) [m] by others that are shorter."""
    better = route_lengths(start, others) < route_lengths(start, routes)
    for row in np.flatnonzero(better).tolist():
        routes[row] = others[row]
