"""The roadmap: free configurations, certified edges, and their networkx graph."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.choices import Choice
from rmp3d.geometry.graphs import component_numbers
from rmp3d.geometry.short_repr import short_repr
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.paths.edges import least_clearance
from rmp3d.planner.paths.polyline import total_lengths
from rmp3d.planner.roadmap.learned import LearnedWeights
from rmp3d.planner.roadmap.statistics import Statistics
from rmp3d.planner.spaces import Space

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class Roadmap:
    """Free configurations joined by certified edges; read-only, extended into a new one.

    Attributes:
        space: What it is a map of.
        configurations: (N, W) nodes, world frame; W is the ``width`` of the space.
        clearance: (N,) clearance at the nodes [m], at most ten body radii.
        edges: (E, 2) node numbers, the lower one first.
        edge_length: (E,) [m].
        edge_clearance: (E,) a lower bound of the least clearance along the edge [m], at most
            half a body radius below it.
        polylines: (K, W) certified motion of each edge, from the lower node to the higher.
        untried: (U, 2) pairs of neighbors that nobody has tried to prove yet (lazy roadmaps).
        local_planner: That joins the nodes, and the untried pairs.
        attempts: Attempts that the sampler has made.
        seconds: Wall time spent on building.
        counts: Collision work spent on building.
        interrupted: Whether the user stopped the building.
        learned: What groups have learned on it; None: nothing.
        corners: Nodes, the first ones, that are corners; see `corner_roadmap`.
    """

    space: Space
    configurations: Float
    clearance: Float
    edges: Index
    edge_length: Float
    edge_clearance: Float
    polylines: tuple[Float, ...]
    untried: Index = field(default_factory=lambda: frozen(np.zeros((0, 2)), np.intp))
    local_planner: Choice = "linear"
    attempts: int = 0
    seconds: float = 0.0
    counts: QueryCounts = field(default_factory=QueryCounts)
    interrupted: bool = False
    learned: LearnedWeights | None = None
    corners: int = 0

    __repr__ = short_repr

    @classmethod
    def empty(cls, space: Space) -> "Roadmap":
        """Return the roadmap without nodes."""
        none = np.zeros(0)
        nodes = np.zeros((0, space.width))
        return cls(space, nodes, none, np.zeros((0, 2), np.intp), none, none, ())

    def with_edges(self, pairs: Index, polylines: list[Float]) -> "Roadmap":
        """Return the roadmap with more edges (P, 2), the lower node first, and their proofs."""
        extent = total_lengths(polylines, self.space)
        clearance = least_clearance(self.space, polylines)
        return replace(
            self,
            edges=frozen(np.concatenate([self.edges, pairs]), np.intp),
            edge_length=frozen(np.append(self.edge_length, extent)),
            edge_clearance=frozen(np.append(self.edge_clearance, clearance)),
            polylines=(*self.polylines, *polylines),
        )

    def with_edges_of(self, other: "Roadmap") -> "Roadmap":
        """Return the roadmap with the edges of another one that has the same nodes."""
        return replace(
            self,
            edges=frozen(np.concatenate([self.edges, other.edges]), np.intp),
            edge_length=frozen(np.append(self.edge_length, other.edge_length)),
            edge_clearance=frozen(np.append(self.edge_clearance, other.edge_clearance)),
            polylines=self.polylines + other.polylines,
        )

    def with_edges_at(self, rows: Index) -> "Roadmap":
        """Return the roadmap with those of its edges that are in rows (K,), in their order."""
        return replace(
            self,
            edges=frozen(self.edges[rows], np.intp),
            edge_length=frozen(self.edge_length[rows]),
            edge_clearance=frozen(self.edge_clearance[rows]),
            polylines=tuple(self.polylines[row] for row in rows.tolist()),
        )

    def first(self, count: int) -> "Roadmap":
        """Return the roadmap of the first ``count`` nodes, with the edges among them."""
        kept = self.edges[:, 1] < count
        return replace(
            self,
            configurations=frozen(self.configurations[:count]),
            clearance=frozen(self.clearance[:count]),
            edges=frozen(self.edges[kept], np.intp),
            edge_length=frozen(self.edge_length[kept]),
            edge_clearance=frozen(self.edge_clearance[kept]),
            polylines=tuple(compress(self.polylines, kept)),
            untried=frozen(self.untried[self.untried[:, 1] < count], np.intp),
            corners=min(self.corners, count),
        )

    @property
    def is_of_corners(self) -> bool:
        """Whether all nodes are corners: its shortest path needs no short cuts."""
        return self.corners > 0 and self.corners == len(self.configurations)

    @cached_property
    def component(self) -> Index:
        """Number (N,) of the connected component of each node; 0 holds node 0, and so on.

        Only certified edges connect.
        """
        return self._components(self.edges)

    @cached_property
    def possible_component(self) -> Index:
        """The same (N,) if every untried pair turned out to be an edge."""
        return self._components(np.concatenate([self.edges, self.untried]))

    def _components(self, edges: Index) -> Index:
        return frozen(component_numbers(len(self.configurations), edges), np.intp)

    @cached_property
    def component_size(self) -> Index:
        """Nodes (C,) of each component."""
        return frozen(np.bincount(self.component), np.intp)

    @cached_property
    def graph(self) -> "nx.Graph":
        """The roadmap as a networkx graph: any of its algorithms runs on it.

        Node ``i`` has ``configuration`` (W,) and ``clearance``; an edge has ``length``,
        ``clearance``, ``polyline`` (from the lower node to the higher), and ``weight``, which
        starts as the length and is free to be changed by searches that learn.
        """
        import networkx as nx  # slow to load, and few ask

        graph = nx.Graph()
        for node, (configuration, clearance) in enumerate(
            zip(self.configurations, self.clearance.tolist(), strict=True)
        ):
            graph.add_node(node, configuration=configuration, clearance=clearance)
        rows = zip(
            self.edges.tolist(),
            self.edge_length.tolist(),
            self.edge_clearance.tolist(),
            self.polylines,
            strict=True,
        )
        for (a, b), length, clearance, polyline in rows:
            graph.add_edge(
                a, b, length=length, clearance=clearance, weight=length, polyline=polyline
            )
        return graph

    @property
    def statistics(self) -> Statistics:
        """What it holds and what it cost."""
        return Statistics(
            nodes=len(self.configurations),
            edges=len(self.edges),
            untried=len(self.untried),
            components=len(self.component_size),
            largest_component=int(self.component_size.max(initial=0)),
            collision_queries=self.counts.collision,
            distance_queries=self.counts.distance,
            attempts=self.attempts,
            seconds=self.seconds,
            interrupted=self.interrupted,
        )


Progress: TypeAlias = Callable[[int, int], None] | None
"""Called with done and total."""

Watch: TypeAlias = Callable[[Roadmap], None] | None
"""Called with the roadmap so far."""
