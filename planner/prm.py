"""Building a probabilistic roadmap: sample, join to the nearest, until a rule says stop."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress
from time import perf_counter
from typing import TypeAlias

import networkx as nx
import numpy as np
from scipy.spatial import cKDTree

from geometry import Bool, Float, Index, frozen
from planner.choice import Choice, choose
from planner.collision import CollisionWorld, QueryCounts
from planner.local_planners import LOCAL_PLANNERS, LocalPlanner
from planner.polyline import densified, total_length
from planner.roadmap import Roadmap
from planner.sampling import SAMPLERS, Sampler
from planner.sampling.sampler import FRUITLESS, fruitless_search
from planner.spaces import Space

Progress: TypeAlias = Callable[[int, int], None] | None
SMALLEST_BATCH, LARGEST_BATCH = 64, 512  # attempts of the sampler at a time
CLEARANCE_CAP = 10.0  # times the body's radius; more room than that is all the same


@dataclass(frozen=True)
class RoadmapSettings:
    """How a roadmap is built.

    Of the three rules that stop it, those that are not zero count, and the first reached stops.

    Attributes:
        sampler: Name, or table with name and parameters; see `planner.sampling.SAMPLERS`.
        local_planner: The same; see `planner.local_planners.LOCAL_PLANNERS`.
        nodes: Stop at so many nodes.
        connected_nodes: Stop when the largest component has so many.
        seconds: Stop after this time (results then depend on the machine).
        neighbors: Nearest nodes that each new one is joined to.
        forest: Whether to join only different components, so that no cycles arise.

    Raises:
        ValueError: A value is negative, or no rule is set.
    """

    sampler: Choice = "uniform"
    local_planner: Choice = "linear"
    nodes: int = 400
    connected_nodes: int = 0
    seconds: float = 0.0
    neighbors: int = 10
    forest: bool = False

    def __post_init__(self) -> None:
        for name in ("nodes", "connected_nodes", "seconds"):
            value = getattr(self, name)
            if not 0 <= value < np.inf:
                raise ValueError(f"`{name}` must not be negative, got {value}")
        if not (self.nodes or self.connected_nodes or self.seconds):
            raise ValueError("one of `nodes`, `connected_nodes` and `seconds` must be set")
        if self.neighbors < 1:
            raise ValueError(f"`neighbors` must be at least 1, got {self.neighbors}")


def build_roadmap(
    space: Space, settings: RoadmapSettings, rng: np.random.Generator, progress: Progress = None
) -> Roadmap:
    """Build a roadmap (PRM, Kavraki et al. 1996) with certified edges.

    Args:
        space: What to map.
        settings: How, and when to stop.
        rng: Source of all randomness; the same state gives the same roadmap, unless the rule
            ``seconds`` stops it.
        progress: Called with done and total after each batch.

    Returns:
        The roadmap; what was built so far, marked ``interrupted``, after Ctrl-C.

    Raises:
        SamplingError: The sampler finds no free configuration.
        InputError: No sampler or local planner has that name, or a parameter is wrong.
    """
    return extend_roadmap(Roadmap.empty(space), settings, rng, progress)


def extend_roadmap(
    roadmap: Roadmap,
    settings: RoadmapSettings,
    rng: np.random.Generator,
    progress: Progress = None,
) -> Roadmap:
    """Return a roadmap grown until the rules of ``settings`` hold for all of it.

    Arguments and errors are those of `build_roadmap`.
    """
    sampler: Sampler = choose(SAMPLERS, settings.sampler)
    local_planner: LocalPlanner = choose(LOCAL_PLANNERS, settings.local_planner)
    before = roadmap
    began, counts = perf_counter(), roadmap.space.world.counts.copy()
    interrupted = False
    fruitless = 0
    try:
        while not _is_finished(roadmap, settings, before.seconds + perf_counter() - began):
            size = int(np.clip(len(roadmap.configurations), SMALLEST_BATCH, LARGEST_BATCH))
            batch = sampler.attempt(roadmap.space, size, roadmap.attempts, rng)
            fruitless = 0 if len(batch) else fruitless + size
            if fruitless >= FRUITLESS:
                attempts, found = roadmap.attempts + size, len(roadmap.configurations)
                raise fruitless_search(sampler, attempts, found)
            if settings.nodes:
                batch = batch[: settings.nodes - len(roadmap.configurations)]
            roadmap = _with_batch(roadmap, batch, size, settings, local_planner)
            if progress is not None:
                progress(*_progress(roadmap, settings, perf_counter() - began))
    except KeyboardInterrupt:
        interrupted = True
    spent = roadmap.space.world.counts.since(counts)
    return replace(
        roadmap,
        seconds=before.seconds + perf_counter() - began,
        counts=QueryCounts(
            before.counts.collision + spent.collision, before.counts.distance + spent.distance
        ),
        interrupted=interrupted,
    )


def _is_finished(roadmap: Roadmap, settings: RoadmapSettings, seconds: float) -> bool:
    if settings.nodes and len(roadmap.configurations) >= settings.nodes:
        return True
    largest = int(roadmap.component_size.max(initial=0))
    if settings.connected_nodes and largest >= settings.connected_nodes:
        return True
    return bool(settings.seconds) and seconds >= settings.seconds


def _progress(roadmap: Roadmap, settings: RoadmapSettings, seconds: float) -> tuple[int, int]:
    """Return done and total of the first rule that is set, seconds in milliseconds."""
    if settings.nodes:
        return len(roadmap.configurations), settings.nodes
    if settings.connected_nodes:
        largest = int(roadmap.component_size.max(initial=0))
        return min(largest, settings.connected_nodes), settings.connected_nodes
    total = int(1000 * settings.seconds)
    return min(int(1000 * seconds), total), total


def _with_batch(
    roadmap: Roadmap,
    batch: Float,
    attempts: int,
    settings: RoadmapSettings,
    local_planner: LocalPlanner,
) -> Roadmap:
    """Return a new roadmap with a batch of nodes (M, 3) and their edges.

    The whole batch appears at once, so an interruption never leaves half of it.
    """
    space = roadmap.space
    old = len(roadmap.configurations)
    configurations = np.concatenate([roadmap.configurations, batch])
    pairs = neighbor_pairs(configurations, old, settings.neighbors)
    if settings.forest:
        apart = _are_apart(roadmap.component, pairs)
        pairs = pairs[apart]
    found = local_planner.connect(space, configurations[pairs[:, 0]], configurations[pairs[:, 1]])
    pairs, polylines = proved(pairs, found)
    if settings.forest:
        joins = _joins_components(len(configurations), roadmap.edges, pairs)
        pairs, polylines = pairs[joins], list(compress(polylines, joins))
    cap = CLEARANCE_CAP * space.world.body.radius
    return replace(
        roadmap,
        configurations=frozen(configurations),
        clearance=frozen(np.append(roadmap.clearance, space.world.clearance(batch, cap))),
        edges=frozen(np.concatenate([roadmap.edges, pairs]), np.intp),
        edge_length=frozen(np.append(roadmap.edge_length, [total_length(p) for p in polylines])),
        edge_clearance=frozen(
            np.append(roadmap.edge_clearance, least_clearance(space.world, polylines))
        ),
        polylines=(*roadmap.polylines, *polylines),
        attempts=roadmap.attempts + attempts,
    )


def proved(pairs: Index, found: list[Float | None]) -> tuple[Index, list[Float]]:
    """Return those pairs (P, 2) of nodes, and their polylines, for which there is one."""
    polylines = [points for points in found if points is not None]
    return pairs[[points is not None for points in found]], polylines


def neighbor_pairs(configurations: Float, old: int, neighbors: int) -> Index:
    """Return pairs (P, 2) of each node from number ``old`` on with its nearest nodes.

    The lower number comes first, each pair once, shortest first.
    """
    count = len(configurations)
    if old == count or count < 2:
        return np.zeros((0, 2), np.intp)
    nearest = min(neighbors + 1, count)  # each finds itself as well
    _, found = cKDTree(configurations).query(configurations[old:], k=nearest)
    new = np.repeat(np.arange(old, count), nearest)
    pairs = np.sort(np.stack([new, found.reshape(-1)], axis=1), axis=1)
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    distance = np.linalg.norm(configurations[pairs[:, 0]] - configurations[pairs[:, 1]], axis=1)
    return pairs[np.argsort(distance, kind="stable")].astype(np.intp)


def _are_apart(component: Index, pairs: Index) -> Bool:
    """Return which pairs are not yet in one component; new nodes are in none."""
    old = len(component)
    apart = np.ones(len(pairs), dtype=np.bool_)
    known = (pairs < old).all(axis=1)
    apart[known] = component[pairs[known, 0]] != component[pairs[known, 1]]
    return apart


def _joins_components(count: int, edges: Index, pairs: Index) -> Bool:
    """Return which of the pairs, in order, join components that were still apart."""
    union = nx.utils.UnionFind(range(count))
    for a, b in edges.tolist():
        union.union(a, b)
    joins = np.zeros(len(pairs), dtype=np.bool_)
    for row, (a, b) in enumerate(pairs.tolist()):
        joins[row] = union[a] != union[b]
        union.union(a, b)
    return joins


def least_clearance(world: CollisionWorld, polylines: list[Float]) -> Float:
    """Return a lower bound (P,) [m] of the least clearance along certified polylines.

    Clearance changes no faster than position. So between two points at distance d with
    clearances a and b it is nowhere below (a + b - d) / 2.
    """
    if not polylines:
        return np.zeros(0)
    dense = [densified(points, world.body.radius) for points in polylines]
    points = np.concatenate(dense)
    clearance = world.clearance(points, CLEARANCE_CAP * world.body.radius)
    gap = np.linalg.norm(np.diff(points, axis=0), axis=1)
    bound = 0.5 * (clearance[:-1] + clearance[1:] - gap)
    first = np.cumsum([0] + [len(row) for row in dense])
    bound[first[1:-1] - 1] = np.inf  # from the end of one polyline to the start of the next
    # The proof of the edge gives half the tolerance, whatever the samples allow.
    return np.maximum(np.minimum.reduceat(bound, first[:-1]), 0.5 * world.tolerance)
