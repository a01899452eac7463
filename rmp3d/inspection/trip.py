"""A start and a goal: two places far apart that a body walks between, with room for all members."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.graphs import adjacency, search
from rmp3d.planner.obstruction.floor import Floor

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
ROOM_EACH = 2.5  # times the body's width squared, of the ground that each member needs
MARGIN = 0.5  # times the body's width, around all of them
TIGHT = 0.75  # times the body's width: half of the smallest box, for one in a narrow place
WORTH_IT = 4.0  # times the body's width: shorter ways between two such boxes lead nowhere
LONGEST = 60.0  # [m] of a way; a run of it takes about a minute on foot
UNDER = 0.4  # [m] that a box goes below its ground
STEPS = 3  # of a search for two places that are far apart


@dataclass(frozen=True)
class ProposedTrip:
    """A start and a goal.

    Attributes:
        start: Corners of its box [m].
        goal: Corners of its box [m].
        members: How many there is room for, at most as many as were asked for.
        length: Of the way [m], about.
    """

    start: Box
    goal: Box
    members: int
    length: float


def trip_over(
    floor: Floor, reached: Bool, openness: Float, members: int, width: float
) -> ProposedTrip | None:
    """Return a start and a goal on sites that are joined; None if there is no room for one.

    Args:
        floor: The floor.
        reached: (N,) sites of one joined region.
        openness: (N,) distance to the walls [m].
        members: How many there should be room for.
        width: Of each, however it turns [m].
    """
    spread = _spread(floor, reached)
    while members > 0:
        half = 0.5 * (sqrt(members * ROOM_EACH) + 2.0 * MARGIN) * width
        found = _between(floor, reached, spread >= half, openness, half, members)
        if found is not None:
            return found
        members = members - 1 if members <= 8 else members // 2
    # A box around one body; its middle need not reach the sides.
    half = TIGHT * width
    found = _between(floor, reached, spread >= half - 0.5 * width, openness, half, 1)
    return None if found is None or found.length < WORTH_IT * width else found


def _between(
    floor: Floor, reached: Bool, has_room: Bool, openness: Float, half: float, members: int
) -> ProposedTrip | None:
    """Return a trip between two sites (N,) that have room; None if there are no two apart."""
    candidates = np.flatnonzero(reached & has_room)
    if len(candidates) == 0:
        return None
    found = _far_apart(floor, reached, candidates, openness, half)
    if found is None:
        return None
    one, two, length = found
    return ProposedTrip(_box(floor, one, half), _box(floor, two, half), members, length)


def _spread(floor: Floor, reached: Bool) -> Float:
    """Return half the side (N,) [m] of the largest square around each site that is all reached.

    Sites of all heights count together, from one site to the next, so that a floor over another
    is another.
    """
    spread = np.zeros(len(reached))
    inside = reached.copy()
    links = floor.links[floor.joined]
    along_x = np.diff(floor.column[links], axis=1)[:, 0] > 1
    ways = [links[along_x], links[~along_x]]
    size = 0
    while inside.any() and size * floor.cell < 2.0 * LONGEST:
        spread[inside] = (size + 0.5) * floor.cell
        # A site stays whose four neighbors, and those at the corners, are inside, too.
        for row, way in enumerate(ways):
            ways[row] = way = way[inside[way[:, 0]] & inside[way[:, 1]]]
            inside &= np.bincount(way.reshape(-1), minlength=len(inside)) >= 2
        size += 1
    return spread


def _far_apart(
    floor: Floor, reached: Bool, candidates: Index, openness: Float, half: float
) -> tuple[int, int, float] | None:
    """Return two candidates far apart, at most `LONGEST`, that do not overlap, and the way."""
    links = floor.links[floor.joined]
    links = np.ascontiguousarray(links[reached[links].all(axis=1)], np.int64)
    ends = floor.position[links]
    size = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    # The way keeps to the middle, as members do.
    cost = size * (1.0 + 0.2 / np.maximum(openness[links].min(axis=1), 0.1))
    graph = adjacency(links, len(reached))

    def farthest(site: int) -> tuple[int, float]:
        nothing = np.zeros(len(reached))
        cost_to, _, _ = search(*graph, cost, nothing, site, -1)
        far = cost_to[candidates]
        far = np.where(far <= 1.3 * LONGEST, far, -1.0)
        best = int(far.argmax())
        return int(candidates[best]), float(far[best])

    one = int(candidates[int(openness[candidates].argmax())])
    length = 0.0
    two = one
    for _ in range(STEPS):
        two, far = farthest(one)
        if far <= length:
            break
        one, two, length = two, one, far
    apart = np.abs(floor.position[one] - floor.position[two])
    if not (apart[:2].max() > 2.0 * half or apart[2] > floor.height):
        return None
    return two, one, length / 1.3


def _box(floor: Floor, site: int, half: float) -> Box:
    x, y, z = floor.position[site].tolist()
    lower = round(x - half, 2) + 0.0, round(y - half, 2) + 0.0, round(z - UNDER, 2) + 0.0
    return lower, (round(x + half, 2) + 0.0, round(y + half, 2) + 0.0, round(z + 1.0, 2) + 0.0)
