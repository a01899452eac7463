"""Looking where one goes.

A body turns its heading to where it moves, but not to every sway; and a walker turns to what is
aside or behind before it goes there: on the spot, where it has room.
"""

from math import atan2, sqrt

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.kept_pairs import KeptPairs, PairsAround
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.compiled import assign, compiled, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.vectors import SHORT, length

FLAT = np.array([1.0, 1.0, 0.0])

# Walkers go as fast as they want to what is this far off their heading [rad], and the more slowly
# the farther off it is, up to an angle from which on they go at a share of that speed.
NEAR, FAR = np.radians(40.0), np.radians(110.0)
LEAST = 0.25
# A body looks where it goes within that time [s].
AHEAD = 0.5
# No slower than this [m/s], if they wanted to be: a body that shuffles does not turn.
TURNS_AT = 0.15
# With nobody this near [m], who stands and wants to go at that share of its cruise speed turns on
# the spot, and does not go before: at a share of its speed, or so slowly [m/s]. One as fast as that
# [m/s] stands no more.
ROOM, SETS_OUT = 1.0, 0.6
STAYS, STAYS_AT = 0.08, 0.08
GOES = 0.5
# Who leans with the ground by more than that share goes on four legs, and steps neither aside nor
# backward (1: everybody does).
FOUR_LEGS = 0.0
# A thread looks through so many pairs, at least.
MANY_PAIRS = 4096
# A body that sways turns to it no faster than that [rad/s].
DRIFT = np.radians(9.0)


def turning_first(flock: Flock, wanted: Float, oriented: Bool, led: Bool | bool = True) -> Float:
    """Return velocities (N, 3) [m/s] as slow as suits those that have to turn to them.

    A body that can go in any direction could walk backward; people do not.

    Args:
        flock: Present state.
        wanted: (N, 3) velocities wanted in the long run [m/s].
        oriented: (N,) members whose heading is steered, which go in any direction.
        led: Which members (N,) go by a plan, or all. Of those on two legs, only these turn on the
            spot: who flees, hides or hunts goes at once.
    """
    bodies = flock.bodies
    free = bodies.grounded & (bodies.turn_radius == 0.0) & ~oriented
    if not free.any():
        return wanted
    count = len(flock)
    off, asked, slowed = np.empty(count), np.empty(count, np.bool_), np.array(wanted)
    may = np.ascontiguousarray(free & (led | (bodies.lean > FOUR_LEGS)))
    cruise = bodies.cruise_speed

    def look(rows: slice) -> None:
        _look(
            flock.heading[rows], wanted[rows], flock.velocity[rows], SETS_OUT * cruise[rows],
            may[rows], off[rows], asked[rows],
        )  # fmt: skip

    in_blocks(look, count)
    stands = with_room(flock, asked)

    def slow_down(rows: slice) -> None:
        _slow_down(slowed[rows], flock.velocity[rows], off[rows], free[rows], stands[rows], LEAST)

    in_blocks(slow_down, count)
    return slowed


@released
def _look(heading, wanted, velocity, sets_out, may, off, asked):
    """Write how far off their headings (N,) [rad] bodies want to go, and who may stand and turn."""
    for i in range(heading.shape[0]):
        off[i] = abs(_angle_off(heading[i], wanted[i]))
        asked[i] = (
            may[i]
            and off[i] > NEAR
            and _in_plan(velocity[i]) < GOES
            and _in_plan(wanted[i]) > sets_out[i]
        )


@released
def _slow_down(wanted, velocity, off, free, stands, least):
    """Slow down those of velocities (N, 3) [m/s] to which free bodies have to turn."""
    for i in range(wanted.shape[0]):
        if not free[i]:
            continue
        x, y, z = wanted[i, 0], wanted[i, 1], wanted[i, 2]
        speed = sqrt(x * x + y * y + z * z)
        share = min(max((FAR - off[i]) / (FAR - NEAR), least), 1.0)
        share = max(share, TURNS_AT / max(speed, TURNS_AT))
        if stands[i]:
            # The slower it goes, the less far off is what it goes to.
            far = NEAR + (FAR - NEAR) * max(_in_plan(velocity[i]) / GOES, 0.1)
            stays = min(max((far - off[i]) / (far - NEAR), STAYS), 1.0)
            share = min(share, max(stays, STAYS_AT / max(speed, STAYS_AT)))
        wanted[i, 0], wanted[i, 1], wanted[i, 2] = share * x, share * y, share * z


@compiled
def _in_plan(velocity):
    """Return the length in plan of a velocity (3,)."""
    return sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1])


def turning_on_the_spot(flock: Flock, pace: Float, wanted: Float, led: Bool | bool = True) -> Bool:
    """Return which walkers (N,) stand, with room, and turn to where they want to go.

    Whoever is pressed against a wall by its steering may want to go to one side in one step, and to
    the other in the next: only who goes by a plan turns to that.

    Args:
        flock: State before the step.
        pace: (N,) how fast they go in the step [m/s].
        wanted: (N, 3) velocities wanted in the long run [m/s].
        led: Which members (N,) go by a plan, or all.
    """
    turns = led & (pace < 1.5 * STAYS_AT) & sets_out(flock, wanted)
    turns &= flock.bodies.turn_radius == 0.0
    turns &= np.abs(angle_off(flock.heading, wanted)) > NEAR
    return with_room(flock, turns)


def sets_out(flock: Flock, wanted: Float) -> Bool:
    """Return who (N,) wants to go somewhere, not only to step back or aside."""
    found: Bool = length(wanted * FLAT) > SETS_OUT * flock.bodies.cruise_speed
    return found


def with_room(flock: Flock, asked: Bool) -> Bool:
    """Return which of those that are ``asked`` about (N,) have nobody within `ROOM`."""
    if not asked.any():
        return asked
    around = flock.nearby
    if isinstance(around, PairsAround):  # others are there, too, that are not asked about
        every = np.zeros(len(around.position), np.bool_)
        every[around.rows] = asked
        return _with_room(around.kept, around.position, around.half_width, every)[around.rows]
    return _with_room(around, flock.position, flock.bodies.half_width, asked)


def _with_room(kept: KeptPairs, position: Float, half_width: Float, asked: Bool) -> Bool:
    reach = half_width + 0.5 * ROOM
    found = asked.copy()
    pairs = kept.candidates(position, reach)

    def some(rows: slice) -> None:
        _leave_out_crowded(pairs[rows], position, reach, asked, found)

    in_blocks(some, len(pairs), MANY_PAIRS)
    return found


@released
def _leave_out_crowded(pairs, position, reach, asked, found):
    """Take out those that have somebody within h_i + h_j of all pairs (P, 2)."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        if asked[i] or asked[j]:
            x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            z, far = position[j, 2] - position[i, 2], reach[i] + reach[j]
            if x * x + y * y + z * z <= far * far:
                found[i] = found[j] = False


def foreseen(flock: Flock, velocity: Float, wanted: Float, dt: float) -> Float:
    r"""Return the mean velocities (N, 3) [m/s] of the next half second, as they can be foreseen.

    A body that lacks :math:`g = w - v` of the velocity w that it wants, and speeds up by a, has
    made up a share of that after the time T:

    .. math:: s = \min(1, \max(0, T \, a \cdot g / g^2)), \qquad \bar v = v + \tfrac{1}{2} s g

    One that is held up wants what it does not get; its own motion says more. And a body that is
    pushed aside for a moment comes back before it has turned.

    Args:
        flock: State before the step.
        velocity: (N, 3) in the step: v [m/s].
        wanted: (N, 3) velocities wanted in the long run: w [m/s].
        dt: Time step [s].
    """
    found = np.array(velocity)
    _foresee(found, flock.velocity, wanted, AHEAD / dt)
    return found


@compiled
def _foresee(velocity, before, wanted, horizon):
    """Replace velocities (N, 3) by those foreseen, ``horizon`` time steps ahead."""
    for i in range(velocity.shape[0]):
        vx, vy = velocity[i, 0], velocity[i, 1]
        x, y = wanted[i, 0] - vx, wanted[i, 1] - vy
        made_up = horizon * ((vx - before[i, 0]) * x + (vy - before[i, 1]) * y)
        share = 0.5 * min(max(made_up / max(x * x + y * y, 1e-9), 0.0), 1.0)
        velocity[i, 0], velocity[i, 1] = vx + share * x, vy + share * y


def looked_ahead(flock: Flock, level: Float, wanted: Float, dt: float) -> Float:
    """Return where bodies look (N, 3) that look ahead, as long as their velocities in plan.

    One that only moves along its heading looks there.

    Args:
        flock: State before the step.
        level: (N, 3) velocities in plan, in the step [m/s].
        wanted: (N, 3) velocities wanted in the long run [m/s].
        dt: Time step [s].
    """
    found = foreseen(flock, level, wanted, dt)
    _stretch(found, level, flock.bodies.turn_radius)
    return found


@compiled
def _stretch(course, level, turn_radius):
    """Make courses (N, 3) in plan as long as velocities, which they are where nothing is foreseen.

    So are those of bodies that only move along their heading.
    """
    for i in range(course.shape[0]):
        size = _in_plan(course[i])
        if turn_radius[i] > 0.0 or size < SHORT:
            assign(course[i], level[i])
        else:
            scale = _in_plan(level[i]) / size
            course[i, 0], course[i, 1], course[i, 2] = (
                scale * course[i, 0],
                scale * course[i, 1],
                0.0,
            )


def turn_share(heading: Float, course: Float, sway: float, time: float, dt: float) -> Float:
    """Return the share (N,) of the turn from headings to courses (N, 3) that is turned in a step.

    Beyond ``sway`` [rad] the heading follows within ``time`` [s], as if the course took it by a
    handle with that much play: a course that swings by less than twice as much turns it only to one
    side.
    """
    found = np.empty(len(heading))
    share = -np.expm1(-dt / time)

    def some(rows: slice) -> None:
        _turn_shares(heading[rows], course[rows], sway, share, dt, found[rows])

    in_blocks(some, len(found))
    return found


@released
def _turn_shares(heading, course, sway, share, dt, found):
    for i in range(heading.shape[0]):
        off = max(abs(_angle_off(heading[i], course[i])), 1e-9)
        found[i] = max(share * max(off - sway, 0.0) / off, dt * min(DRIFT / off, 2.0))


def angle_off(heading: Float, course: Float) -> Float:
    """Return by which angles (N,) [rad] courses (N, 3) are to the left of headings, in plan."""
    found = np.empty(len(heading))

    def some(rows: slice) -> None:
        _angles_off(heading[rows], course[rows], found[rows])

    in_blocks(some, len(found))
    return found


@released
def _angles_off(heading, course, found):
    for i in range(heading.shape[0]):
        found[i] = _angle_off(heading[i], course[i])


@compiled
def _angle_off(heading, course):
    """Return the angle [rad] of a course (3,) to the left of a heading (3,), in plan."""
    cross = heading[0] * course[1] - heading[1] * course[0]
    return atan2(cross, heading[0] * course[0] + heading[1] * course[1])
