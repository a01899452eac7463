"""Keeping to the middle: an elastic band that obstacles push away, certified every few rounds."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.rotations import WORLD_UP, frame
from rmp3d.geometry.vectors import length
from rmp3d.planner.paths.polyline import densified, joined, stations, total_length
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.directions import is_level

ROUNDS = 20
CERTIFIED = 5  # rounds after which the band is proved
# The band's points are so far apart, times the body's radius or the clearance wanted.
SPACING_PER_RADIUS, SPACING_PER_CLEARANCE = 0.5, 0.25
# A round smooths over this length, at first and at last, times the clearance wanted.
FIRST_TENSION, LAST_TENSION = 1.0, 0.28
REACH = 0.25  # ahead and behind, of the chord that the push is across, times the clearance wanted
ANNEALED = 0.6  # share of the rounds after which the last tension is reached
# What is nearest is beside if a step aside, ASIDE times the clearance, costs FLAT of the step.
ASIDE, FLAT = 0.1, 0.2
SETTLED = 2e-3  # largest move that ends the rounds, times the clearance wanted


@dataclass(frozen=True)
class Band:
    """Points (K, W) and the certified polylines between consecutive ones, K - 1 of them."""

    points: Float
    edges: list[Float]


def centered(space: Space, points: Float, clearance_wanted: float) -> Float:
    r"""Return a certified polyline with the same ends that keeps away from obstacles.

    An elastic band (Quinlan and Khatib 1993). With clearance c and clearance wanted w, each point
    p of the band is pushed along every direction n across the path by

    .. math:: \mathrm{clip}\bigl(\tfrac12 (c(p + d n) - c(p - d n)), \pm (w - c)\bigr)

    which between two walls leads to their middle at once and vanishes there, and beside one wall
    leads away from it until c = w. Then tension pulls the band straight: strongly in the first
    rounds, so that it moves over long distances, weakly in the last, so that it passes
    openings through their middle. Beyond w of everything only tension acts, so the band runs
    straight. Every few rounds the motions along the band are proved; where one is not, its points
    go back to where they last were proved.

    Args:
        space: What the path is in.
        points: (K, W) certified polyline; where bodies turn, only their positions are moved.
        clearance_wanted: Clearance [m] beyond which obstacles do not matter.
    """
    radius = space.world.body.radius
    spacing = min(SPACING_PER_RADIUS * radius, SPACING_PER_CLEARANCE * clearance_wanted)
    band = thinned(space, points, spacing)
    first = FIRST_TENSION * clearance_wanted
    last = LAST_TENSION * clearance_wanted
    points = band.points
    for round_ in range(1, ROUNDS + 1):
        if len(points) < 3:
            break
        share = min(1.0, (round_ - 1) / (ANNEALED * ROUNDS))
        smoothing = first ** (1.0 - share) * last**share
        place = points[:, :3]
        pushed = place + _push(space, points, clearance_wanted)
        step = _tightened(pushed, smoothing / spacing) - place
        points, _ = space.move(points, step)
        points[[0, -1]] = band.points[[0, -1]]
        settled = share == 1.0 and length(step).max() < SETTLED * clearance_wanted
        if settled or round_ % CERTIFIED == 0:
            band = _moved(space, band, points)
            points = band.points
        if settled:
            break
    return joined(band.edges)


def room_beside(space: Space, points: Float, first: Index, wanted: float) -> Float:
    """Return how far (M,) [m] it is to something beside points of level paths, up to ``wanted``.

    That is the clearance, unless it is the same a little to the left and to the right: then what is
    nearest is below, above or ahead. There the body is moved aside by its clearance, which is free
    of obstacles, and the clearance that it has there is added. That is exact for a wall beside.

    Args:
        space: What the paths are in.
        points: (M, W) points of the paths close together, one path after the other.
        first: (P + 1,) row at which each path begins, and M.
        wanted: Beyond which nothing matters [m].
    """
    clearance = space.world.clearance(points, wanted)
    near = np.flatnonzero((clearance > 0.0) & (clearance < wanted))
    rows = np.arange(len(points))
    begin = np.repeat(first[:-1], np.diff(first))
    end = np.repeat(first[1:], np.diff(first)) - 1
    ahead, behind = np.minimum(rows + 1, end)[near], np.maximum(rows - 1, begin)[near]
    own = clearance[near]
    across = _across(space, points[ahead, :3] - points[behind, :3])[0]
    slightly = ASIDE * own
    lost = own - _least_aside(space, points[near], across, slightly, wanted)
    flat = lost < FLAT * slightly
    near, own, across = near[flat], own[flat], across[flat]
    there = _least_aside(space, points[near], across, own, wanted)
    clearance[near] = np.minimum(own + np.maximum(there, 0.0), wanted)
    return clearance


def _least_aside(
    space: Space, points: Float, across: Float, distance: Float, wanted: float
) -> Float:
    """Return the lesser clearance (M,) [m] of points moved to both sides by a distance (M,) [m]."""
    step = distance[:, None] * across
    left = space.world.clearance(space.shifted(points, step), wanted)
    right = space.world.clearance(space.shifted(points, -step), wanted)
    lesser: Float = np.minimum(left, right)
    return lesser


def thinned(space: Space, points: Float, spacing: float) -> Band:
    """Return a band along a certified polyline, points about ``spacing`` [m] apart.

    Points nearer than that to one another are left out where the space's straight motion past
    them is proved free.
    """
    points = densified(points, spacing, space)
    edges = [points[row : row + 2] for row in range(len(points) - 1)]
    while len(points) > 2:
        station = stations(points, space)
        middle = np.arange(1, len(points) - 1)
        middle = middle[station[middle + 1] - station[middle - 1] <= spacing]
        middle = _every_other(middle)
        past = space.connect(points[middle - 1], points[middle + 1])
        dropped = [row for row, edge in zip(middle.tolist(), past, strict=True) if edge is not None]
        if not dropped:
            break
        for row, edge in zip(middle.tolist(), past, strict=True):
            if edge is not None:
                edges[row - 1] = edge
        points = np.delete(points, dropped, axis=0)
        gone = set(dropped)
        edges = [edge for row, edge in enumerate(edges) if row not in gone]
    return Band(points, edges)


def _every_other(rows: np.ndarray) -> np.ndarray:
    """Return the first, third, ... number of each run of consecutive ascending numbers."""
    begins = np.concatenate([[True], np.diff(rows) != 1])[: len(rows)]
    start = np.maximum.accumulate(np.where(begins, np.arange(len(rows)), 0))
    return rows[(np.arange(len(rows)) - start) % 2 == 0]


def _push(space: Space, points: Float, wanted: float) -> Float:
    """Return the push (K, 3) [m] of the bodies away from obstacles; zero at both ends."""
    place = points[:, :3]
    push = np.zeros_like(place)
    inner = points[1:-1]
    world = space.world
    clearance = world.clearance(inner, wanted)
    near = np.flatnonzero(clearance < wanted)
    # Ends stay where they are, so near them the push fades out; the path would hook otherwise.
    station = stations(place)[near + 1]
    to_end = np.minimum(station, total_length(place) - station)
    limit = (wanted - clearance[near]) * np.minimum(1.0, to_end / wanted)
    # Not so far that the body's middle would get behind the wall that is measured.
    probe = np.maximum(clearance[near], 0.0) + 0.5 * world.body.radius
    probe = np.minimum(probe, 0.5 * wanted + 0.5 * world.body.radius)
    for across in _across(space, _tangent(place, wanted)):
        step = probe[:, None] * across[near]
        ahead = world.clearance(space.shifted(inner[near], step), 2.0 * wanted + world.body.radius)
        behind = world.clearance(
            space.shifted(inner[near], -step), 2.0 * wanted + world.body.radius
        )
        amount = np.clip(0.5 * (ahead - behind), -limit, limit)
        push[near + 1] += amount[:, None] * across[near]
    return push


def _tangent(points: Float, wanted: float) -> Float:
    """Return the directions (K - 2, 3) of the chords over half the clearance wanted."""
    station = stations(points)
    ahead = np.searchsorted(station, station[1:-1] + REACH * wanted)
    behind = np.searchsorted(station, station[1:-1] - REACH * wanted, side="right") - 1
    return points[np.minimum(ahead, len(points) - 1)] - points[np.maximum(behind, 0)]


def _across(space: Space, tangent: Float) -> list[Float]:
    """Return the unit directions, (K, 3) each, across the path in which the body can move."""
    level = is_level(space)
    if level:
        tangent = tangent * [1.0, 1.0, 0.0]
    tangent = np.where(length(tangent)[:, None] > 0.0, tangent, [1.0, 0.0, 0.0])
    axes = frame(tangent, WORLD_UP)
    return [axes[..., 1]] if level else [axes[..., 1], axes[..., 2]]


def _tightened(points: Float, reach: float) -> Float:
    """Return the points p with p - reach² * (second difference of p) = points, ends fixed.

    One implicit step of curve shortening, which smooths over ``reach`` points: stable for any
    reach, a banded solve.
    """
    from scipy.linalg import solveh_banded  # slow to load

    tension = reach**2
    inner = points[1:-1].copy()
    inner[0] += tension * points[0]
    inner[-1] += tension * points[-1]
    bands = np.empty((2, len(inner)))
    bands[0] = -tension
    bands[1] = 1.0 + 2.0 * tension
    # The banded solver takes no matrix of one row.
    solved = solveh_banded(bands, inner) if len(inner) > 1 else inner / bands[1]
    return np.concatenate([points[:1], solved, points[-1:]])


def _moved(space: Space, band: Band, target: Float) -> Band:
    """Return the band after those moves to ``target`` (K, W) that leave it proved free.

    Where a motion is not proved both its ends go back. That may spoil the motions next to it,
    which are looked at again; it ends, because the band as it was is proved.
    """
    points = target.copy()
    edges: list[Float | None] = [None] * len(band.edges)
    open_ = np.arange(len(edges))
    stays = np.zeros(len(points), dtype=np.bool_)
    stays[[0, -1]] = True
    while len(open_):
        found = space.connect(points[open_], points[open_ + 1])
        for row, edge in zip(open_.tolist(), found, strict=True):
            edges[row] = band.edges[row] if stays[row] and stays[row + 1] else edge
        failed = np.array([row for row in open_.tolist() if edges[row] is None], dtype=np.intp)
        back = np.unique(np.concatenate([failed, failed + 1]))
        back = back[~stays[back]]
        stays[back] = True
        points[back] = band.points[back]
        open_ = np.unique(np.concatenate([back - 1, back]))
        open_ = open_[(open_ >= 0) & (open_ < len(edges))]
    return Band(points, [edge for edge in edges if edge is not None])
