"""Which way to run: the one on which the pursuer stays farthest behind."""

import numpy as np

from behaviors.ahead import first_touch
from behaviors.behavior import Surroundings
from behaviors.flock import Flock
from geometry.arrays import Float
from geometry.vectors import length, unit

# Moments at which a way is judged, as shares of the time that is looked ahead.
MOMENTS = np.array([0.125, 0.25, 0.5, 0.75, 1.0])
# What keeping to the present course is worth [m], so that nobody dithers between equal ways.
STEADINESS = 0.4


def way_out(
    flock: Flock,
    around: Surroundings,
    away: Float,
    threat: Float,
    threat_speed: Float,
    ways: int,
    look_ahead: float,
) -> Float:
    r"""Return the directions (N, 3), unit, in which the agents stay farthest from their threats.

    Of ``ways`` directions, ``away`` and its turns about the vertical, each is followed at the
    largest speed s until something is in the way at the distance L, where the run ends. If the
    threat t, at the speed w, can be anywhere within w T of where it is after the time T, the
    margin of a direction d is

    .. math:: \min_T \|x + \min(s T, L) d - t\| - w T

    In the open the best is straight away; before a wall it is along it; and out of a corner it
    may lead past the threat, if that is slow or far enough.

    Args:
        flock: The agents.
        around: Its obstacles and surface are what stops them.
        away: (N, 3) unit; level for walkers.
        threat: (N, 3) where the threats are [m].
        threat_speed: (N,) [m/s].
        ways: How many directions.
        look_ahead: How long a run is looked ahead [s].
    """
    count = len(flock)
    if count == 0:
        return away
    angle = 2.0 * np.pi * np.arange(ways) / ways
    cosine, sine = np.cos(angle)[None], np.sin(angle)[None]
    course = np.empty((count, ways, 3))
    course[..., 0] = cosine * away[:, :1] - sine * away[:, 1:2]
    course[..., 1] = sine * away[:, :1] + cosine * away[:, 1:2]
    course[..., 2] = away[:, 2:]
    room = _room(flock, around, course, look_ahead)
    moment = look_ahead * MOMENTS
    fast = flock.max_speed[:, None, None]
    change = length(fast * course - flock.velocity[:, None])[..., None]
    # Until then the velocity changes from what it is to the one wanted.
    changed = np.maximum(change / flock.acceleration[:, None, None], 1e-9)
    drift = np.where(moment < changed, moment - moment**2 / (2.0 * changed), 0.5 * changed)
    run = fast * np.where(moment < changed, moment**2 / (2.0 * changed), moment - 0.5 * changed)
    run = np.minimum(run, room[..., None])
    offset = (flock.position - threat)[:, None, None] + run[..., None] * course[:, :, None]
    offset += drift[..., None] * flock.velocity[:, None, None]
    offset[flock.grounded, ..., 2] = 0.0
    margin = length(offset) - (threat_speed[:, None] * moment)[:, None]
    worth = margin.min(axis=2)
    worth += STEADINESS * np.einsum("nkj,nj->nk", course, unit(flock.velocity))
    best: Float = course[np.arange(count), np.argmax(worth, axis=1)]
    return best


def _room(flock: Flock, around: Surroundings, course: Float, look_ahead: float) -> Float:
    """Return how far (N, K) [m] each can run along directions (N, K, 3): free way, and ground."""
    count, ways = course.shape[:2]
    rows = np.repeat(np.arange(count), ways)
    flat = course.reshape(-1, 3)
    reach = (flock.max_speed * look_ahead)[rows]
    start, face = flock.position[rows], flock.face[rows]
    room = reach.copy()
    walks = flock.grounded[rows] & (face >= 0)
    if around.surface is not None and walks.any():
        way = (reach[:, None] * flat)[walks, :2]
        ended, _, _ = around.surface.walk(start[walks], face[walks], way)
        room[walks] = length((ended - start[walks])[:, :2])
    touch, _ = first_touch(
        around.obstacles, np.zeros((0, 4)), start, flat, reach, flock.spine[rows],
        flock.radius[rows],
    )  # fmt: skip
    return np.minimum(room, touch).reshape(count, ways)
