"""Headway: members of a crowd keep a time gap to those whom they follow, as people do.

Who is slowed down looks whether it gets on faster a little to the left or right, and goes there; so
people spread over the width of a corridor (the rule of Moussaïd, Helbing and Theraulaz 2011, "How
simple rules determine pedestrian behavior and crowd disasters", PNAS 108, with the distances that
Seyfried et al. measured).
"""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, force_towards
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length, unit

# Besides the time gap they keep so far from middle to middle [m] (Seyfried, Steffen, Klingsch and
# Boltes 2005, "The fundamental diagram of pedestrian movement revisited", J. Stat. Mech. P10002:
# distance = 0.36 m + 1.06 s speed).
STANDING = 0.36
# One follows whom one would touch by so much of both bodies' widths; who could pass beside another
# keeps its distance only from those all but straight ahead.
BEHIND, STRAIGHT = 0.45, 0.3
# Nobody is asked to be slower than this [m/s].
SLOWEST = 0.05
# Who is faster has a direction [m/s].
MOVES = 0.1
# Directions that are looked at besides straight ahead [rad], and how much faster one must get on
# there, as a share.
ASIDE, FASTER = np.radians([20.0, -20.0, 40.0, -40.0]), 0.1


def keep_headway(
    flock: Flock, force: Float, velocity: Float, near: Neighbors, headway: Float
) -> Float:
    """Return forces (n, 3) [N] under which members keep their headway.

    Args:
        flock: The members.
        force: (n, 3) that they would use otherwise [N].
        velocity: (N, 3) of all [m/s].
        near: Whom the members see.
        headway: (n,) time gap [s]; 0: none.
    """
    desire = flock.velocity + force / flock.bodies.mass[:, None] * RESPONSE_TIME
    wish, heading = length(desire), unit(desire)
    course, speed = following(near, velocity, heading, headway, wish)
    # As long as it goes behind another, it keeps its distance from that one.
    moves = length(flock.velocity) > MOVES
    now = np.where(moves[:, None], unit(flock.velocity), heading)
    speed = np.minimum(speed, following_speed(near, velocity, now, headway, wish, STRAIGHT))
    followed = force_towards(flock, speed[:, None] * course)
    return np.where((speed < wish)[:, None], followed, force)


def following(
    near: Neighbors, velocity: Float, course: Float, headway: Float, wish: Float
) -> tuple[Float, Float]:
    """Return where members go (n, 3), unit vectors, and how fast at most (n,) [m/s].

    Args:
        near: Whom the members see.
        velocity: (N, 3) of all [m/s].
        course: (n, 3) where the members want to go, level unit vectors.
        headway: (n,) time gap [s]; 0: none.
        wish: (n,) speed of who follows nobody [m/s].
    """
    speed = following_speed(near, velocity, course, headway, wish)
    slowed = speed < wish
    if not slowed.any():
        return course, speed
    best, found, turned = speed * (1.0 + FASTER), course.copy(), speed.copy()
    for angle in ASIDE.tolist():
        cos, sin = np.cos(angle), np.sin(angle)
        x, y = course[:, 0], course[:, 1]
        other = np.stack([cos * x - sin * y, sin * x + cos * y, course[:, 2]], axis=1)
        there = following_speed(near, velocity, other, headway, wish)
        better = slowed & (cos * there > best)
        best[better], turned[better], found[better] = (
            (cos * there)[better],
            there[better],
            other[better],
        )
    return found, turned


def following_speed(
    near: Neighbors,
    velocity: Float,
    course: Float,
    headway: Float,
    wish: Float,
    behind: float = BEHIND,
) -> Float:
    """Return the greatest speed (n,) [m/s] of members behind others that do not come towards them.

    Args:
        near: Whom the members see.
        velocity: (N, 3) of all [m/s].
        course: (n, 3) where the members go, level unit vectors.
        headway: (n,) time gap [s]; 0: none.
        wish: (n,) speed of who follows nobody [m/s].
        behind: Share of both bodies' widths by which one would touch whom one follows.
    """
    found = wish.copy()
    reach = behind * near.contact
    _follow(near.i, near.j, near.offset, reach, velocity, course, headway, found)
    return found


@compiled
def _follow(seeing, seen, offset, reach, velocity, course, headway, limit):
    for k in range(len(seeing)):
        i, j = seeing[k], seen[k]
        x, y = course[i, 0], course[i, 1]
        along = offset[k, 0] * x + offset[k, 1] * y
        aside = abs(offset[k, 0] * y - offset[k, 1] * x)
        if headway[i] == 0.0 or along <= 0.0 or aside >= reach[k]:
            continue
        if velocity[j, 0] * x + velocity[j, 1] * y < 0.0:
            continue
        limit[i] = min(limit[i], max((along - STANDING) / headway[i], SLOWEST))
