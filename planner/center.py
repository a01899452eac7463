"""Keeping to the middle: an elastic band that obstacles push away, certified at every change."""

import numpy as np
from scipy.linalg import solveh_banded

from geometry import Bool, Float, frozen
from geometry.rotations import frame
from geometry.vectors import length
from planner.polyline import densified
from planner.shorten import rejoined, thinned
from planner.spaces import Space

ROUNDS = 80
POINTS_PER_CLEARANCE = 4.0  # of the band, within the clearance wanted
PUSH = 0.5  # share of the way to the middle that a round goes
TENSION = 0.2  # length over which a round smooths, times the clearance wanted
SETTLED = 2e-3  # largest move that ends the rounds, times the clearance wanted
MENDING = 6  # times that a round takes back moves before it is dropped
UP = frozen([0.0, 0.0, 1.0])


def centered(space: Space, points: Float, clearance_wanted: float) -> Float:
    r"""Return a certified polyline with the same ends that keeps away from obstacles.

    An elastic band (Quinlan and Khatib 1993). With clearance c and clearance wanted w, each point
    p of the band is pushed along every direction n across the path by

    .. math:: \tfrac12 \, \mathrm{clip}\bigl(\tfrac12 (c(p + d n) - c(p - d n)), \pm (w - c)\bigr)

    which between two walls leads to their middle at once and vanishes there, and beside one wall
    leads away from it until c = w. Tension then pulls the band straight. So the path runs
    straight in wide places and through the middle of corridors and openings. A move is kept only
    if the motions to both neighbors are proved free.

    Args:
        space: What the path is in.
        points: (K, 3) certified polyline.
        clearance_wanted: Clearance [m] beyond which obstacles do not matter.
    """
    spacing = clearance_wanted / POINTS_PER_CLEARANCE
    band = thinned(space, densified(points, 0.5 * spacing), spacing)
    if len(band) < 3:
        return points
    for _ in range(ROUNDS):
        wanted = band + PUSH * _push(space, band, clearance_wanted)
        wanted = _tightened(wanted, (TENSION * POINTS_PER_CLEARANCE) ** 2)
        moved = _accepted(space, band, wanted)
        settled = length(moved - band).max() < SETTLED * clearance_wanted
        band = moved
        if settled:
            break
    smooth = rejoined(space, band)
    return points if smooth is None else smooth


def _push(space: Space, band: Float, wanted: float) -> Float:
    """Return the push (K, 3) [m] away from obstacles; zero at both ends."""
    push = np.zeros_like(band)
    inner = band[1:-1]
    world = space.world
    clearance = world.clearance(inner, wanted)
    shortage = np.maximum(0.0, wanted - clearance)
    near = np.flatnonzero(shortage > 0.0)
    # Not so far that the body's middle would get behind the wall that is measured.
    probe = np.minimum(0.5 * wanted, np.maximum(clearance, 0.0) + 0.5 * world.body.radius)[near]
    for across in _across(space, band[2:] - band[:-2]):
        step = probe[:, None] * across[near]
        ahead = world.clearance(inner[near] + step, 2.0 * wanted)
        behind = world.clearance(inner[near] - step, 2.0 * wanted)
        amount = np.clip(0.5 * (ahead - behind), -shortage[near], shortage[near])
        push[near + 1] += amount[:, None] * across[near]
    return push


def _across(space: Space, tangent: Float) -> list[Float]:
    """Return the unit directions, (K, 3) each, across the path in which the body can move."""
    moving = length(tangent) > 0.0
    tangent = np.where(moving[:, None], tangent, [1.0, 0.0, 0.0])
    if space.grounded or space.dimension == 2:
        tangent = tangent * [1.0, 1.0, 0.0]
        upright = length(tangent) == 0.0
        tangent[upright] = [1.0, 0.0, 0.0]
        return [frame(tangent, UP)[..., 1]]
    axes = frame(tangent, UP)
    return [axes[..., 1], axes[..., 2]]


def _tightened(points: Float, tension: float) -> Float:
    """Return the points p with p - tension * (second difference of p) = points, ends fixed.

    One implicit step of curve shortening: stable for any tension, a banded solve.
    """
    inner = points[1:-1].copy()
    inner[0] += tension * points[0]
    inner[-1] += tension * points[-1]
    bands = np.empty((2, len(inner)))
    bands[0] = -tension
    bands[1] = 1.0 + 2.0 * tension
    return np.concatenate([points[:1], solveh_banded(bands, inner), points[-1:]])


def _accepted(space: Space, band: Float, wanted: Float) -> Float:
    """Return the band with those moves to ``wanted`` (K, 3) after which it is still proved free.

    Where a motion is not, both its ends stay; that may spoil the motions next to it, so they are
    looked at again.
    """
    moved, _ = space.move(band, wanted - band)
    moved[0], moved[-1] = band[0], band[-1]
    for _ in range(MENDING):
        ways = space.connect(moved[:-1], moved[1:])
        failed: Bool = np.array([way is None for way in ways])
        if not failed.any():
            return moved
        stay = np.concatenate([failed, [False]]) | np.concatenate([[False], failed])
        moved[stay] = band[stay]
    return band
