"""Corners: where shortest ways over the ground turn, and a roadmap of nothing but these.

Among obstacles in a plane a shortest way is straight but where it turns at a corner of an obstacle
(Lozano-Perez and Wesley 1979, "An algorithm for planning collision-free paths among polyhedral
obstacles"). It does not go straight into a corner or away from it, but along both of its sides; so
other edges can be left out (Latombe 1991, "Robot motion planning", section 4.1.2: the reduced
visibility graph). On ground of several levels, and on hills, this is a good guess.
"""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from rmp3d.geometry import Bool, Float, Index, frozen
from rmp3d.geometry.places import distinct
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import unit
from rmp3d.planner.paths.edges import CLEARANCE_CAP, proved
from rmp3d.planner.roadmap.failures import Interrupted
from rmp3d.planner.roadmap.near_ends import LEVEL, Trees, trees_of
from rmp3d.planner.roadmap.roadmap import Progress, Roadmap, Watch
from rmp3d.planner.spaces import GroundSpace

MERGED = 6  # decimals [m] to which vertices in one place agree
FLAT = 0.999  # of the normals around a vertex of a wall, in plan: length of their mean
BESIDE = 1.1  # where the body stands at a corner, times its radius
EDGE = 0.05  # where it stands at an edge of the ground, times its radius
DIRECTIONS = 32  # around a corner in which it is tried whether the body may stand there
SPARE = 0.02  # left between the body and the sides of a corner, times the ring
WIDEST = np.radians(120.0)  # a bend that is passed at one place
SHARP = np.radians(15.0)  # by which a way turns at a corner, at least
SLACK = np.radians(15.0)  # by which it may lead into a corner: the next one may lie aside
LOOKED_AT = 300  # nearest corners among which a corner is joined with some, twice
ROWS = 500  # corners at a time
SECTORS = 16  # directions in plan
RISE = 1.0  # [m] from which on a corner lies higher or lower
NEAREST = 3  # corners of each direction and level
AROUND = 2000  # corners at a time around which places are tried


@dataclass(frozen=True, eq=False)
class TurningPlaces:
    """Free places beside corners of obstacles and of the ground.

    Attributes:
        places: (N, 3) [m].
        outward: (N, 2) unit directions in plan from the corner to the place.
        bend: (N,) the largest angle [rad] by which a shortest way turns there.
    """

    places: Float
    outward: Float
    bend: Float


def corner_roadmap(
    space: GroundSpace,
    progress: Progress = None,
    watch: Watch = None,
    deadline: float = np.inf,
) -> Roadmap:
    """Return the roadmap of corners, joined where a shortest way may turn.

    Args:
        space: Of a body that stands on the ground.
        progress: Called with done and total corners.
        watch: Called with the roadmap so far.
        deadline: A time of `perf_counter` [s] after which no more corners are found or joined.

    Raises:
        Interrupted: The user stopped it; the roadmap has the edges of the corners done.
    """
    began, counts = perf_counter(), space.world.counts.copy()
    corners = corners_of(space, deadline)
    places = corners.places
    cap = CLEARANCE_CAP * space.world.body.radius
    roadmap = replace(
        Roadmap.empty(space),
        configurations=frozen(places),
        clearance=frozen(space.world.clearance(places, cap)),
        corners=len(places),
    )
    trees, tried, stopped = trees_of(places), np.zeros(0, np.intp), False
    try:
        for first in range(0, len(places), ROWS):
            if perf_counter() > deadline:
                break
            nodes = np.arange(first, min(first + ROWS, len(places)))
            pairs = _pairs_of(corners, nodes, space.surface, trees)
            number = len(places) * pairs[:, 0] + pairs[:, 1]
            new = ~np.isin(number, tried)
            pairs, tried = pairs[new], np.concatenate([tried, number[new]])
            found = space.connect(places[pairs[:, 0]], places[pairs[:, 1]])
            roadmap = roadmap.with_edges(*proved(pairs, found))
            if progress is not None:
                progress(int(nodes[-1]) + 1, len(places))
    except KeyboardInterrupt:
        stopped = True
    roadmap = roadmap.with_edges_at(np.lexsort(roadmap.edges.T[::-1]))
    if watch is not None:
        watch(roadmap)
    spent = space.world.counts.since(counts)
    roadmap = replace(roadmap, seconds=perf_counter() - began, counts=spent, interrupted=stopped)
    if stopped or perf_counter() > deadline:  # edges are missing: its paths are not the shortest
        roadmap = replace(roadmap, corners=0)
    if stopped:
        raise Interrupted(roadmap)
    return roadmap


def corners_of(space: GroundSpace, deadline: float = np.inf) -> TurningPlaces:
    """Return the corners of obstacles and of the ground where a shortest way may turn.

    After a deadline, a time of `perf_counter` [s], no more are looked for.
    """
    radius = space.world.body.radius
    kinds = [(_posts(space), BESIDE * radius, radius), (_edges(space), EDGE * radius, 0.0)]
    found = []
    for corners, ring, kept in kinds:
        for some in np.array_split(corners, len(corners) // AROUND + 1):
            late = perf_counter() > deadline
            found.append(_around(space, some[:0] if late else some, ring, kept))
    places, outward, bend = (np.concatenate(each) for each in zip(*found, strict=True))
    free = space.is_free(places)
    places, outward, bend = places[free], outward[free], bend[free]
    _, first = np.unique(np.round(places, 3), axis=0, return_index=True)
    first = np.sort(first)
    return TurningPlaces(frozen(places[first]), frozen(outward[first]), frozen(bend[first]))


def _posts(space: GroundSpace) -> Float:
    """Return points of the ground (M, 3) under the upright edges of obstacles, and at their feet.

    Of a high edge every level is one that is within the body's height of it.
    """
    mesh, _ = space.world.footing.met
    if mesh is None:
        return np.zeros((0, 3))
    place, of_corner = distinct(np.round(mesh.triangles.reshape(-1, 3), MERGED))
    level = unit(mesh.normals[:, :2]) * mesh.areas[:, None]
    upright = np.repeat(np.linalg.norm(level, axis=1), 3)
    level = np.repeat(level, 3, axis=0)
    total: Float = np.stack(
        [np.bincount(of_corner, level[:, axis], len(place)) for axis in (0, 1)], axis=1
    )
    weight = np.bincount(of_corner, upright, len(place))
    outward = unit(total)
    turns = (weight > 0.0) & (np.linalg.norm(total, axis=1) < FLAT * weight)
    place, outward = place[turns], outward[turns]
    if len(place) == 0:
        return np.zeros((0, 3))
    _, first, edge = np.unique(place[:, :2], axis=0, return_index=True, return_inverse=True)
    edge = edge.reshape(-1)
    low, high = np.full(len(first), np.inf), np.full(len(first), -np.inf)
    np.minimum.at(low, edge, place[:, 2])
    np.maximum.at(high, edge, place[:, 2])
    body = space.world.body
    top = body.capsule_axis[1] + body.radius
    parts = np.ceil((high - low) / top).astype(np.intp) + 1
    row = np.repeat(np.arange(len(first)), parts)
    within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    probes = place[first[row]] + BESIDE * body.radius * np.column_stack(
        [outward[first[row]], np.zeros(len(row))]
    )
    probes[:, 2] = np.minimum(low[row] + top * within, high[row])
    ground, face = space.surface.locate(probes, above=body.radius, below=top)
    found = np.column_stack([place[first[row], :2], ground[:, 2]])[face >= 0]
    return distinct(np.round(found, MERGED))[0]


def _edges(space: GroundSpace) -> Float:
    """Return the points (M, 3) where the border of the ground bends."""
    border = space.surface.border
    if len(border) == 0:
        return np.zeros((0, 3))
    place, of_end = distinct(np.round(border.reshape(-1, 3), MERGED))
    way = np.repeat(unit(border[:, 1, :2] - border[:, 0, :2]), 2, axis=0)
    way[1::2] *= -1.0
    total = np.stack([np.bincount(of_end, way[:, axis], len(place)) for axis in (0, 1)])
    found: Float = place[np.linalg.norm(total, axis=0) > np.sin(SHARP)]
    return found


def _around(
    space: GroundSpace, corners: Float, ring: float, kept: float
) -> tuple[Float, Float, Float]:
    """Return where a body stands at corners (M, 3) around which shortest ways turn.

    The body is tried in many directions. Along a straight wall it may stand in those that come
    nearer to the wall than ``kept`` by less than the ring allows; around a corner in more.

    Args:
        space: Its ground and obstacles.
        corners: On the ground.
        ring: Distance [m] from the corner at which it is tried.
        kept: Distance [m] that obstacles keep it off.

    Returns:
        Places (N, 3), directions outward (N, 2) and bends (N,), as `TurningPlaces` has them.
    """
    angle = 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    around = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(DIRECTIONS)])
    tried = (corners[:, None] + ring * around).reshape(-1, 3)
    reach = ring * max(1.0, space.surface.slope) + space.surface.step_height
    ground, face = space.surface.locate(tried, reach, reach)
    free = face >= 0
    free[free] = space.is_free(ground[free])
    first, count = _longest_arcs(free.reshape(-1, DIRECTIONS))
    # On a wall half a turn is free but for what brings the body too near; at a border, half a turn.
    straight = 2.0 * np.arccos(kept / ring)
    bend = (count + 1) * (2.0 * np.pi / DIRECTIONS) - straight
    turns = (bend > SHARP) & (count < DIRECTIONS)
    middle = (first + 0.5 * (count - 1))[turns] * (2.0 * np.pi / DIRECTIONS)
    outward = np.column_stack([np.cos(middle), np.sin(middle)])
    bend = np.minimum(bend[turns], np.pi)
    # From here the body passes along both sides.
    away = (kept + SPARE * ring) / np.cos(0.5 * np.minimum(bend, WIDEST))
    beside = corners[turns] + away[:, None] * np.column_stack([outward, np.zeros(len(outward))])
    places, face = space.surface.locate(beside, 2.0 * reach, 2.0 * reach)
    there = face >= 0
    return places[there], outward[there], bend[there]


def _longest_arcs(free: Bool) -> tuple[Index, Index]:
    """Return where the longest run of free directions (M, K), a circle, begins, and its length."""
    rows, size = free.shape
    first, best = np.zeros(rows, np.intp), np.zeros(rows, np.intp)
    run = np.zeros(rows, np.intp)
    for k in range(2 * size):
        run = np.where(free[:, k % size], np.minimum(run + 1, size), 0)
        longer = run > best
        best[longer] = run[longer]
        first[longer] = k + 1 - run[longer]
    return first, best


def _pairs_of(
    corners: TurningPlaces, nodes: Index, surface: WalkableSurface, trees: Trees
) -> Index:
    """Return pairs (P, 2) of corners, the lower first, between which a way may turn.

    Of each of the nodes (M,) these are the nearest few in each direction, and of those the nearest
    that lie higher, level and lower: the nearest ones at all are often on the floor above.
    """
    places = corners.places
    # The next corner of a long bridge is far, and many of what is below are nearer.
    straight, level = trees
    ranks = np.arange(1, min(LOOKED_AT, len(places)) + 1)
    own = places[nodes]
    near = np.hstack([straight.query(own, ranks)[1], level.query(own * LEVEL, ranks)[1]])
    near = near.astype(np.intp)
    first = np.repeat(nodes, near.shape[1]).reshape(near.shape)
    way = places[near] - places[first]
    turns = (near != first) & _may_turn(corners, first, way) & _may_turn(corners, near, way)
    # A straight walk climbs no steeper than the ground.
    run = np.linalg.norm(way[..., :2], axis=2)
    turns &= np.abs(way[..., 2]) <= surface.slope * run + surface.step_height
    angle = np.arctan2(way[..., 1], way[..., 0])
    sector = np.floor(angle / (2.0 * np.pi) * SECTORS).astype(np.intp) % SECTORS
    rises = np.sign(np.trunc(way[..., 2] / RISE)).astype(np.intp)
    kind = 3 * sector + rises + 1
    kept = np.zeros(turns.shape, np.bool_)
    for number in range(3 * SECTORS):
        same = turns & (kind == number)
        kept |= same & (np.cumsum(same, axis=1) <= NEAREST)
    pairs: Index = np.sort(np.stack([first[kept], near[kept]], axis=1), axis=1)
    return np.unique(pairs, axis=0)


def _may_turn(corners: TurningPlaces, node: Index, way: Float) -> Bool:
    """Return which ways (M, K, 3), to or from nodes (M, K), go along both sides there."""
    way = way[..., :2]
    size = np.linalg.norm(way, axis=2)
    aside = np.abs((way * corners.outward[node]).sum(axis=2))
    most = np.sin(np.minimum(0.5 * corners.bend + SLACK, 0.5 * np.pi))
    found: Bool = aside <= size * most[node]
    return found
