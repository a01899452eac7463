"""From a certified path of a rigid body to poses at every time step, smooth and proved."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rotations import angle_between, rotation_vector, slerp
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import ConfirmationError

# Widest bend [m of path, turns included]; narrower than the least it is a stop at the corner.
WIDEST, LEAST = 1.2, 0.02
# Samples of a bend, and between samples of a straight piece [m].
BEND, STEP = 48, 0.02
# Length [m] of a piece that is none.
SAME = 1e-9
# Share of the acceleration that speeding up may use, and another one that bends may.
SHARE = 0.45
# Time [s] in which the largest turn rate is reached, at least.
SPIN_UP = 0.6


@dataclass(frozen=True)
class Limits:
    """How a carried body may move.

    Attributes:
        speed: [m/s].
        acceleration: [m/s^2].
        turn_rate: [rad/s].
        reach: Largest distance [m] of a point of the body from its reference point.
    """

    speed: float
    acceleration: float
    turn_rate: float
    reach: float


def timed(pair: MeshPair, path: Float, limits: Limits, dt: float) -> Float:
    """Return the poses (T, 7) of a motion along a path (K, 7), one every ``dt`` [s].

    Corners are rounded by bends (a parabola of the reference point, and the same construction
    with slerp for the turn), taken at the speed that the limits allow. What is proved free is the
    motion from pose to pose, straight and by slerp, as it is recorded: where that fails, the bend
    is made narrower; one of no width is a stop at the corner, where the path's own proof holds.

    Raises:
        ConfirmationError: A motion is not proved though it follows the path exactly.
    """
    bend = _widest(path, limits.reach)
    while True:
        poses, corner = _poses(path, bend, limits, dt)
        refused = ~pair.motions_are_free(poses[:-1], poses[1:])
        if not refused.any():
            return poses
        near = np.unique(corner[:-1][refused])
        if (bend[near] == 0.0).all():
            raise ConfirmationError("a carried body's motion along its path is not proved", 0)
        bend[near] *= 0.5
        bend[bend < LEAST] = 0.0


def _extent(start: Float, end: Float, reach: float) -> Float:
    """Return the lengths (M,) [m] of motions, turns included."""
    return length(end[:, :3] - start[:, :3]) + reach * angle_between(start[:, 3:], end[:, 3:])


def _widest(path: Float, reach: float) -> Float:
    """Return how far (K,) [m] before and after each corner its bend may reach; 0 at the ends."""
    whole = _extent(path[:-1], path[1:], reach)
    bend = np.zeros(len(path))
    bend[1:-1] = np.minimum(WIDEST, 0.5 * np.minimum(whole[:-1], whole[1:]))
    return bend


def between(start: Float, end: Float, share: Float) -> Float:
    """Return the poses (M, 7) at shares (M,) of the motions from start to end, (7,) or (M, 7)."""
    start, end = np.broadcast_arrays(start, end, np.empty((len(share), 7)))[:2]
    place = start[:, :3] + share[:, None] * (end[:, :3] - start[:, :3])
    return np.hstack([place, slerp(start[:, 3:], end[:, 3:], share)])


def _poses(path: Float, bend: Float, limits: Limits, dt: float) -> tuple[Float, Index]:
    """Return the poses (T, 7), and which corner (T,) each is nearest to along the path."""
    stops = np.flatnonzero(bend == 0.0)
    poses, corner = [path[:1]], [np.zeros(1, np.intp)]
    for first, last in pairwise(stops.tolist()):
        curve, near = _curve(path, bend, first, last, limits.reach)
        rows, share = _sampled(curve, limits, dt)
        poses.append(between(curve[rows], curve[rows + 1], share))
        poses[-1][-1] = path[last]
        corner.append(near[rows])
    return np.concatenate(poses), np.concatenate(corner)


def _curve(path: Float, bend: Float, first: int, last: int, reach: float) -> tuple[Float, Index]:
    """Return samples (S, 7) of the bent path from one stop to the next, and their corners (S,)."""
    whole = _extent(path[first:last], path[first + 1 : last + 1], reach)
    pieces, corners = [path[first : first + 1]], [np.array([first])]
    for row in range(first, last):
        extent = max(whole[row - first], 1e-12)
        low, high = bend[row] / extent, 1.0 - bend[row + 1] / extent
        if (high - low) * extent > SAME:
            count = int(np.ceil((high - low) * extent / STEP))
            share = np.linspace(low, high, count + 1)[1:]
            pieces.append(between(path[row], path[row + 1], share))
            corners.append(np.where(share < 0.5, row, row + 1))
        if row + 1 < last:
            share = np.linspace(0.0, 1.0, BEND + 1)[1:]
            after = bend[row + 1] / max(whole[row + 1 - first], 1e-12)
            into = between(path[row], path[row + 1], high + share * (1.0 - high))
            out = between(path[row + 1], path[row + 2], share * after)
            pieces.append(between(into, out, share))
            corners.append(np.full(BEND, row + 1))
    return np.concatenate(pieces), np.concatenate(corners)


def _sampled(curve: Float, limits: Limits, dt: float) -> tuple[Index, Float]:
    """Return where on a curve (S, 7) the body is every ``dt``, from rest to rest.

    It goes as fast as speed, turn rate and accelerations allow (a pass forward and one back over
    the squared speed), and is then slowed so that it takes whole time steps.

    Returns:
        Rows (T,) of the samples before each time, the first left out, and shares (T,) beyond them.
    """
    start, end = curve[:-1], curve[1:]
    size = np.maximum(_extent(start, end, limits.reach), 1e-12)  # (S - 1,)
    along = (end[:, :3] - start[:, :3]) / size[:, None]
    turn = rotation_vector(start[:, 3:], end[:, 3:]) / size[:, None]
    spin = limits.turn_rate / SPIN_UP
    tiny = 1e-12
    fastest = np.minimum(
        limits.speed / np.maximum(length(along), tiny),
        limits.turn_rate / np.maximum(length(turn), tiny),
    )
    push = SHARE * np.minimum(
        limits.acceleration / np.maximum(length(along), tiny),
        spin / np.maximum(length(turn), tiny),
    )
    apart = 0.5 * (size[1:] + size[:-1])
    swerve = np.maximum(
        length(np.diff(along, axis=0)) / limits.acceleration,
        length(np.diff(turn, axis=0)) / spin,
    )
    square = np.zeros(len(curve))
    square[1:-1] = np.minimum(
        np.minimum(fastest[1:], fastest[:-1]) ** 2, SHARE * apart / np.maximum(swerve, tiny)
    )
    for row in range(1, len(square)):
        square[row] = min(square[row], square[row - 1] + 2.0 * push[row - 1] * size[row - 1])
    for row in range(len(square) - 2, -1, -1):
        square[row] = min(square[row], square[row + 1] + 2.0 * push[row] * size[row])
    speed = np.sqrt(square)
    took = 2.0 * size / np.maximum(speed[1:] + speed[:-1], tiny)
    clock = np.append(0.0, np.cumsum(took))
    steps = max(int(np.ceil(clock[-1] / dt - 1e-9)), 1)
    times = np.linspace(0.0, clock[-1], steps + 1)[1:]
    rows = np.clip(np.searchsorted(clock, times, side="left") - 1, 0, len(size) - 1)
    since = times - clock[rows]
    rise = (speed[1:] - speed[:-1])[rows] / took[rows]
    gone = speed[rows] * since + 0.5 * rise * since * since
    return rows, np.clip(gone / size[rows], 0.0, 1.0)


def travels(poses: Float, reach: float) -> Float:
    """Return how far (T,) [m] a point of the body gets next to each pose, before it or after."""
    step = np.append(_extent(poses[:-1], poses[1:], reach), 0.0)
    return np.maximum(step, np.append(0.0, step[:-1]))
