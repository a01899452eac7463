"""Building a probabilistic roadmap: sample, join to the nearest, until a rule says stop."""

from bisect import bisect_left
from dataclasses import replace
from itertools import compress
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.choices import choose
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.local_planners import LOCAL_PLANNERS, LocalPlanner
from rmp3d.planner.paths.edges import CLEARANCE_CAP, proved
from rmp3d.planner.roadmap.components import joining
from rmp3d.planner.roadmap.neighbors import neighbor_limits, neighbor_pairs
from rmp3d.planner.roadmap.roadmap import Progress, Roadmap, Watch
from rmp3d.planner.roadmap.search import is_joined, join_ends, settled
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.sampling import SAMPLERS, Sampler
from rmp3d.planner.sampling.sampler import FRUITLESS, attempted, fruitless_search
from rmp3d.planner.spaces import Space

SMALLEST_BLOCK, LARGEST_BLOCK = 64, 512  # attempts of the sampler at a time
HURRY = 64  # pairs of nodes joined between looks at the clock, where there is a limit


def build_roadmap(
    space: Space,
    settings: RoadmapSettings,
    rng: np.random.Generator,
    progress: Progress = None,
    *,
    ends: tuple[Float, Float] | None = None,
) -> Roadmap:
    """Build a roadmap (PRM, Kavraki et al. 1996) with certified edges.

    Args:
        space: What to map.
        settings: How, and when to stop.
        rng: Source of all randomness; the same state gives the same roadmap, unless the rule
            ``seconds`` stops it.
        progress: Called with done and total after each batch.
        ends: Free configurations (W,) of start and goal, for the rule ``until_solved``.

    Returns:
        The roadmap; what was built so far, marked ``interrupted``, after Ctrl-C.

    Raises:
        SamplingError: The sampler finds no free configuration.
        InputError: No sampler or local planner has that name, or a parameter is wrong.
        ValueError: The rule ``until_solved`` is set, and no ends are given.
    """
    return extend_roadmap(Roadmap.empty(space), settings, rng, progress, ends=ends)


def extend_roadmap(
    roadmap: Roadmap,
    settings: RoadmapSettings,
    rng: np.random.Generator,
    progress: Progress = None,
    *,
    ends: tuple[Float, Float] | None = None,
    watch: Watch = None,
) -> Roadmap:
    """Return a roadmap grown until the rules of ``settings`` hold for all of it.

    Samples come in blocks of numbered attempts, each with a generator of its own. A block that a
    rule has cut is drawn again and gone on with, so no sequence loses a point; and with an ``rng``
    that begins alike, nodes and edges are those of a roadmap built at once.

    Arguments and errors are those of `build_roadmap`, and ``watch`` is called with the roadmap so
    far after each batch.
    """
    if settings.until_solved and ends is None:
        raise ValueError("`until_solved` needs `ends`")
    sampler: Sampler = choose(SAMPLERS, settings.sampler)
    local_planner: LocalPlanner = choose(LOCAL_PLANNERS, settings.local_planner)
    sampled = local_planner.sampled(roadmap.space)
    before = roadmap
    roadmap = replace(roadmap, local_planner=settings.local_planner)
    began, counts = perf_counter(), roadmap.space.world.counts.copy()
    interrupted = False
    deadline = began + settings.seconds - before.seconds if settings.seconds else np.inf
    fruitless = 0
    key, last = int(rng.integers(2**63)), _begun(roadmap.attempts)
    try:
        while not _is_finished(roadmap, settings, before.seconds + perf_counter() - began):
            if settings.until_solved and ends is not None:
                joined = join_ends(roadmap, *ends)
                roadmap = settled(roadmap, joined)
                if is_joined(roadmap, joined):
                    break
            first, size = last, _block(last)
            own = np.random.default_rng([key, first])
            batch = attempted(sampler, sampled, size, first, own)
            last = first + size
            fruitless = 0 if len(batch) else fruitless + size
            if fruitless >= FRUITLESS:
                raise fruitless_search(sampler, last, len(roadmap.configurations))
            batch = batch[_known(roadmap.configurations, batch) :]
            if settings.nodes:
                batch = batch[: settings.nodes - len(roadmap.configurations)]
            larger = _with_batch(roadmap, batch, last, settings, local_planner, deadline)
            roadmap = _cut(larger, len(roadmap.configurations), settings.connected_nodes)
            if progress is not None:
                progress(*_progress(roadmap, settings, perf_counter() - began))
            if watch is not None:
                watch(roadmap)
    except KeyboardInterrupt:
        interrupted = True
    spent = roadmap.space.world.counts.since(counts)
    seconds = before.seconds + perf_counter() - began
    return replace(
        roadmap, seconds=seconds, counts=_sum(before.counts, spent), interrupted=interrupted
    )


def with_nodes(roadmap: Roadmap, nodes: Float) -> Roadmap:
    """Return a roadmap with free nodes (M, W) added, each joined to its neighbors.

    Edges are straight motions, and as many as `RoadmapSettings` takes without being told.
    """
    plain = RoadmapSettings()
    planner: LocalPlanner = choose(LOCAL_PLANNERS, plain.local_planner)
    return _with_batch(roadmap, nodes, roadmap.attempts, plain, planner, np.inf)


def _sum(one: QueryCounts, other: QueryCounts) -> QueryCounts:
    return QueryCounts(one.collision + other.collision, one.distance + other.distance)


def _is_finished(roadmap: Roadmap, settings: RoadmapSettings, seconds: float) -> bool:
    if settings.nodes and len(roadmap.configurations) >= settings.nodes:
        return True
    largest = int(roadmap.component_size.max(initial=0))
    if settings.connected_nodes and largest >= settings.connected_nodes:
        return True
    return bool(settings.seconds) and seconds >= settings.seconds


def _cut(roadmap: Roadmap, old: int, wanted: int) -> Roadmap:
    """Return a roadmap without the nodes after the one that connects as many as are wanted.

    Args:
        roadmap: With a new batch of nodes.
        old: Nodes before that batch, which stay.
        wanted: Nodes in one component; 0 leaves all.
    """
    if wanted == 0 or roadmap.component_size.max(initial=0) < wanted:
        return roadmap

    def largest(count: int) -> int:
        return int(roadmap.first(count).component_size.max(initial=0))

    counts = range(old, len(roadmap.configurations))
    return roadmap.first(old + bisect_left(counts, wanted, key=largest))


def _block(first: int) -> int:
    """Return how many attempts are made at a time, from attempt number ``first`` on."""
    return int(np.clip(first, SMALLEST_BLOCK, LARGEST_BLOCK))


def _begun(attempts: int) -> int:
    """Return the first attempt of the block that ended with so many attempts made."""
    first = 0
    while first + _block(first) < attempts:
        first += _block(first)
    return first


def _known(configurations: Float, block: Float) -> int:
    """Return how many first samples (M, W) of a block are the last nodes (N, W) of a roadmap."""
    if len(configurations) == 0:
        return 0
    for row in np.flatnonzero((block == configurations[-1]).all(axis=1))[::-1].tolist():
        if np.array_equal(block[: row + 1], configurations[-row - 1 :]):
            return row + 1
    return 0


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
    deadline: float,
) -> Roadmap:
    """Return a new roadmap with a batch of nodes (M, W) and their edges.

    The whole batch appears at once, so an interruption never leaves half of it; but what could
    not be joined to its neighbors before ``deadline``, a time of `perf_counter` [s], is left out.
    """
    space = roadmap.space
    old = len(roadmap.configurations)
    configurations = np.concatenate([roadmap.configurations, batch])
    limit = neighbor_limits(settings.neighbors, np.arange(old, len(configurations)) + 1, space)
    pairs = neighbor_pairs(configurations, old, limit, settings.radius, space)
    found: list[Float | None] = []
    if not settings.lazy:
        found = _connected(local_planner, space, configurations, pairs, deadline)
        if len(found) < len(pairs):
            batch = batch[: pairs[len(found), 1] - old]
            configurations = configurations[: old + len(batch)]
            known = int(np.searchsorted(pairs[:, 1], len(configurations)))
            pairs, found = pairs[:known], found[:known]
    cap = CLEARANCE_CAP * space.world.body.radius
    larger = replace(
        roadmap,
        configurations=frozen(configurations),
        clearance=frozen(np.append(roadmap.clearance, space.world.clearance(batch, cap))),
        attempts=max(roadmap.attempts, attempts),
    )
    if settings.lazy:
        return replace(larger, untried=frozen(np.concatenate([larger.untried, pairs]), np.intp))
    pairs, polylines = proved(pairs, found)
    if settings.forest:
        joins = joining(len(configurations), roadmap.edges, pairs)
        pairs, polylines = pairs[joins], list(compress(polylines, joins))
    return larger.with_edges(pairs, polylines)


def _connected(
    local_planner: LocalPlanner, space: Space, nodes: Float, pairs: Index, deadline: float
) -> list[Float | None]:
    """Return the answers of the local planner for pairs (P, 2), the first ones if time is up."""
    size = HURRY if deadline < np.inf else max(1, len(pairs))
    found: list[Float | None] = []
    for first in range(0, len(pairs), size):
        if perf_counter() > deadline:
            break
        rows = pairs[first : first + size]
        found += local_planner.connect(space, nodes[rows[:, 0]], nodes[rows[:, 1]])
    return found
