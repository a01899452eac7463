"""The graph of one problem: certified motions between free configurations, and its two trees."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.arrays import read_only
from rmp3d.geometry.graphs import join_labels, shortest_path
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.growth import FULL, ROOM, grow_trees

START, GOAL = 0, 1
CELL = 0.5  # edge of a cell of the grid, times the reach
CELLS = 100  # per axis, at most
TABLE = 1 << 16  # cells that are told apart
RESOLUTION = 0.01  # motion below which an extension stops, times the reach
ROTATIONS = {"rigid": 2, "planar_rotation": 1}


class Graph:
    """Nodes and certified edges that any method may add to; nodes 0 and 1 are start and goal.

    Args:
        space: Of the body.
        start: (7,), free.
        goal: (7,), free.
        rng: Seeds the compiled generator.

    Attributes:
        space: Of the body.
        guide: (G, 7) configurations near which the trees look for a path; may be empty.
    """

    def __init__(
        self, space: RigidBodySpace, start: Float, goal: Float, rng: np.random.Generator
    ) -> None:
        self.space = space
        self.guide = np.zeros((0, 7))
        capacity = 8 * ROOM
        self._state = rng.integers(0, 2**63, 1).astype(np.uint64)
        self._nodes = np.zeros((7, capacity))
        self._label = np.zeros(capacity, np.int64)
        self._edges = np.zeros((2 * capacity, 2), np.int64)
        self._sizes = np.zeros(4, np.int64)
        extent = space.bounds[1] - space.bounds[0]
        cells = np.clip(extent / (CELL * space.reach), 2, CELLS).astype(np.int64)
        self._cells = np.where(extent > 0.0, cells, 1)
        self._settings = (space.lever, space.world.tolerance, RESOLUTION * space.reach)
        # Copies: kernels are compiled once more for arrays that are read-only.
        self._limits = (space.freedom.copy(), *space.bounds.copy())
        self.add(np.stack([start, goal]), np.zeros((0, 2), np.intp))

    @property
    def nodes(self) -> Float:
        """Configurations (N, 7)."""
        return np.ascontiguousarray(self._nodes[:, : self._sizes[0]].T)

    @property
    def edges(self) -> Index:
        """Certified edges (E, 2)."""
        return self._edges[: self._sizes[1]].astype(np.intp)

    @property
    def label(self) -> Index:
        """Component (N,) of each node: the least number of a node in it."""
        return self._label[: self._sizes[0]].astype(np.intp)

    @property
    def is_joined(self) -> bool:
        """Whether start and goal are in one component."""
        return bool(self._label[START] == self._label[GOAL])

    def add(self, configurations: Float, edges: Index) -> None:
        """Add free nodes (M, 7), then certified edges (E, 2) between any nodes."""
        count, edge_count = int(self._sizes[0]), int(self._sizes[1])
        self._reserve(count + len(configurations), edge_count + len(edges))
        self._nodes[:, count : count + len(configurations)] = configurations.T
        self._edges[edge_count : edge_count + len(edges)] = edges
        self._sizes[0] += len(configurations)
        self._sizes[1] += len(edges)
        size = int(self._sizes[0])
        self._label[count:size] = np.arange(count, size)
        edges = read_only(np.ascontiguousarray(edges, np.int64)[:])
        join_labels(self._label[:size], edges)
        self._reset_grid()

    def add_path(self, path: Float) -> None:
        """Add certified motions from start to goal, through configurations (K, 7), if any."""
        if len(path) == 0:
            return
        inner = len(self.nodes) + np.arange(len(path) - 2)
        rows = np.concatenate([[START], inner, [GOAL]])
        self.add(path[1:-1], np.stack([rows[:-1], rows[1:]], axis=1))

    def grow(self, work: float) -> None:
        """Grow the trees of start and goal for some work, or until they meet."""
        space, world = self.space, self.space.world
        counts = np.zeros(2, np.int64)
        graph = self._nodes, self._label, self._edges, self._sizes
        outcome = grow_trees(
            world.pair.trees, self._settings, self._limits, graph, self._grid,
            np.ascontiguousarray(self.guide), np.array(space.origin),
            ROTATIONS.get(space.kind, 0), work, self._state, counts,
        )  # fmt: skip
        world.counts.collision += int(counts[0])
        world.counts.distance += int(counts[1])
        if outcome == FULL:
            self._reserve(2 * int(self._sizes[0]), 2 * int(self._sizes[1]))

    def shortest_path(self) -> Float:
        """Return the shortest path (K, 7) from start to goal; they must be joined."""
        nodes, edges = self.nodes, self.edges
        length = self.space.distance(nodes[edges[:, 0]], nodes[edges[:, 1]])
        return nodes[shortest_path(len(nodes), edges, length, START, GOAL)]

    def _reserve(self, nodes: int, edges: int) -> None:
        """Make room for so many nodes and edges, and one round of growth."""
        capacity, before = self._nodes.shape[1], self._nodes.shape[1]
        while capacity < nodes + 2 * ROOM or 2 * capacity < edges + 2 * ROOM:
            capacity *= 2
        if capacity == before:
            return
        self._nodes = np.pad(self._nodes, ((0, 0), (0, capacity - before)))
        self._label = np.pad(self._label, (0, capacity - before))
        more = 2 * capacity - len(self._edges)
        self._edges = np.pad(self._edges, ((0, more), (0, 0)))
        self._reset_grid()

    def _reset_grid(self) -> None:
        """Let the next round sort the nodes of both trees into empty cells."""
        self._sizes[2:] = 0
        self._grid = (
            np.full(TABLE, -1, np.int64), np.zeros(self._nodes.shape[1], np.int64),
            np.zeros(TABLE, np.int64), np.zeros(TABLE, np.int64), self._cells,
        )  # fmt: skip
