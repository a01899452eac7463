"""Fairing: rounding the corners of a proved path, as far as it stays proved and keeps its room."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Bool, Float
from rmp3d.geometry.vectors import unit
from rmp3d.planner.paths.polyline import stations
from rmp3d.planner.spaces import Space

# Corners are smoothed over this length, twice, times the body's radius: what is wider goes wider.
ROUNDING = 1.25
# The share of its clearance that a point keeps, and how far around a point that stays the others
# stay, too, ever less [m].
KEPT, FADING = 0.9, 3.0
TRIES = 6
# A path is left as it is if rounding takes away less of its turns than this [rad].
WORTH_IT = np.radians(30.0)
# A point that could go a smaller share of its way than this stays.
LEAST = 0.05


@dataclass(frozen=True)
class Band:
    """Points (K, W) and the certified polylines between consecutive ones, K - 1 of them."""

    points: Float
    edges: list[Float]


def faired(space: Space, band: Band, spacing: float, clearance_wanted: float) -> Band:
    """Return a proved band with the same ends whose corners are rounder, or the same.

    What obstacles push to the middle of a door leaves it straight, swings away from the jamb, and
    turns at once behind it: who follows it turns to the wrong side first. So all points go to those
    of a smoothed band. A point that loses more than a tenth of its clearance so, or that has a
    motion which is not proved, goes half as far, and those around it less far, too: there comes no
    kink where there was none.

    Args:
        space: Proves motions free.
        band: With points about ``spacing`` apart.
        spacing: [m].
        clearance_wanted: Clearance [m] beyond which obstacles do not matter.
    """
    place = band.points[:, :3]
    if len(place) < 3:
        return band
    reach = ROUNDING * space.world.body.radius / spacing
    step = tightened(tightened(place, reach), reach) - place
    station = stations(place)
    least = KEPT * space.world.clearance(band.points, clearance_wanted) - 1e-9
    share = np.ones(len(place))
    share[[0, -1]] = 0.0
    points, edges = band.points, list[Float | None](band.edges)
    for _ in range(TRIES):
        stays = share == 0.0
        target, _ = space.move(band.points, share[:, None] * step)
        target[stays] = band.points[stays]
        _prove(space, band, edges, stays, points, target)
        points = target
        bad = space.world.clearance(points, clearance_wanted) < least
        unproved = np.array([edge is None for edge in edges])
        bad[:-1] |= unproved
        bad[1:] |= unproved
        proved = [edge for edge in edges if edge is not None]
        if not bad.any():
            less = turns(place) - turns(points[:, :3])
            return Band(points, proved) if less > WORTH_IT else band
        share = np.minimum(share, _faded(np.where(bad, 0.5 * share, np.inf), station))
        share[share < LEAST] = 0.0
    return band


def turns(points: Float) -> float:
    """Return by how much [rad] a path through points (K, 3) turns in all, to whichever sides."""
    course = unit(np.diff(points, axis=0))
    cosine = np.einsum("ij,ij->i", course[:-1], course[1:])
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)).sum())


def tightened(points: Float, reach: float) -> Float:
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
    return np.concatenate([points[:1], solveh_banded(bands, inner), points[-1:]])


def _prove(
    space: Space, band: Band, edges: list[Float | None], stays: Bool, before: Float, points: Float
) -> None:
    """Prove the motions along points (K, W) anew whose ends are not where they were ``before``."""
    moved = (points != before).any(axis=1)
    rows = np.flatnonzero(moved[:-1] | moved[1:])
    found = space.connect(points[rows], points[rows + 1]) if len(rows) else []
    for row, edge in zip(rows.tolist(), found, strict=True):
        edges[row] = band.edges[row] if stays[row] and stays[row + 1] else edge


def _faded(most: Float, station: Float) -> Float:
    """Return shares (K,) that rise from ``most`` (K,) by one within `FADING` along the band."""
    rise = station / FADING
    ahead = rise + np.minimum.accumulate(most - rise)
    behind = np.minimum.accumulate((most + rise)[::-1])[::-1] - rise
    return np.minimum(ahead, behind)
