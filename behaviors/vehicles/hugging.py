"""Surface hugging: walking over the connected surface without changing level."""

from math import sqrt

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles.facing import faced
from rmp3d.behaviors.vehicles.leaning import rolled, sloping, steepest
from rmp3d.behaviors.vehicles.looking import FLAT, looked_ahead, turn_share, turning_on_the_spot
from rmp3d.behaviors.vehicles.vehicle import VEHICLES, Motion
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.axes import up_of_frame
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import as_read_only, length

# A walker sways aside by this angle [rad] without turning to every step, and by that one if it
# looks to where it will be.
SWAY, SWAY_AHEAD = np.radians(20.0), np.radians(27.0)
# Times in which the heading follows the velocity of a brisk walker, and the one foreseen [s]; what
# brisk is [m/s], and how slow a walker is that shuffles [m/s].
TURN_TIME, TURN_TIME_AHEAD = 0.03, 0.015
BRISK, SHUFFLES = 0.1, 0.05
# One that wants to go no faster than that share of its cruise speed, and does not go where it wants
# (by that cosine), steps to and fro where it waits; the same speeds of these [m/s].
WAITS, ELSEWHERE = 0.3, 0.5
BRISK_WAITING, SHUFFLES_WAITING = 0.2, 0.15
# Time in which the up of a leaning body follows the surface's normal [s].
LEAN_TIME = 0.3


def hug(
    flock: Flock,
    velocity: Float,
    surface: WalkableSurface,
    dt: float,
    steering: SteeringOutput | None = None,
    wanted: Float | None = None,
    led: Bool | bool = True,
) -> Flock:
    """Return the flock after one step at a velocity in plan (N, 3) [m/s] (its z is not used).

    The position moves over the connected triangles of the surface; the velocity becomes tangent
    to the triangle it ends on. The heading follows the velocity at a limited rate, slowly
    while the two are almost the same, and not at all while the body shuffles. With velocities
    ``wanted`` (N, 3) in the long run, that of a body that can go in any direction follows the
    velocity that is foreseen, and that of one ``led`` by a plan, that stands with room, turns to it
    on the spot. Where ``steering`` orients the body, it follows that instead.

    A body that does not lean stays upright, and its heading level. One that does has the
    surface's normal for its up, smoothed over `LEAN_TIME`, in the share that it leans, and its
    nose up and down the slope (Reynolds 1999, "Locomotion", surface hugging), both up to its
    limits.
    """
    position, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * dt)
    normal = surface.mesh.normals.take(face, axis=0)
    tangent, level = np.empty_like(normal), np.empty_like(normal)
    _lay_down(as_read_only(np.ascontiguousarray(velocity)), normal, tangent, level)
    course, share = _turn(flock, level, wanted, dt)
    share = _brisk(flock, level, wanted) * share
    if wanted is not None:
        turns = turning_on_the_spot(flock, length(level), wanted, led)
        if turns.any():
            course = np.where(turns[:, None], wanted * FLAT, course)
            share = np.where(turns, 1.0, share)
    course = sloping(flock, course, tangent[:, 2])
    facing = faced(flock, course, share, dt, steering)
    up = _leaning(
        facing.heading, flock.up, normal, flock.bodies.lean, 1.0 - np.exp(-dt / LEAN_TIME)
    )
    if flock.bodies.lean.any():
        up = rolled(np.ascontiguousarray(facing.heading), up, steepest(flock.bodies)[1])
    return flock.moved(
        position=position,
        velocity=tangent,
        heading=facing.heading,
        up=up,
        spin=facing.spin,
        face=face,
    )


@compiled
def _lay_down(velocity, normal, tangent, level):
    """Write velocities (N, 3) in plan as they are over ground of normals (N, 3), and level."""
    for i in range(velocity.shape[0]):
        x, y = velocity[i, 0], velocity[i, 1]
        rise = -(normal[i, 0] * x + normal[i, 1] * y) / normal[i, 2]
        tangent[i, 0], tangent[i, 1], tangent[i, 2] = x, y, rise
        level[i, 0], level[i, 1], level[i, 2] = x, y, 0.0


@VEHICLES.register("hugging")
class Hugging:
    """Walk or drive over the connected surface, without changing level."""

    grounded, space = True, "ground"

    def move(self, flock: Flock, motion: Motion) -> Flock:
        """Return the flock after one step; see `hug`."""
        if motion.surface is None:
            raise ValueError("a walker needs a `surface` to walk on, got None")
        return hug(
            flock, motion.velocity, motion.surface, motion.dt, motion.steering, motion.wanted,
            motion.led,
        )  # fmt: skip


def _turn(flock: Flock, level: Float, wanted: Float | None, dt: float) -> tuple[Float, Float]:
    """Return where bodies look (N, 3), as long as their velocities, and shares (N,) of the turn.

    They look ahead; one that only moves along its heading looks there.

    Args:
        flock: State before the step.
        level: (N, 3) velocities in plan [m/s].
        wanted: (N, 3) velocities wanted in the long run [m/s], if known.
        dt: Time step [s].
    """
    free = flock.bodies.turn_radius == 0.0
    if wanted is None or not free.any():
        return level, turn_share(flock.heading, level, SWAY, TURN_TIME, dt)
    ahead = looked_ahead(flock, level, wanted, dt)
    looks = turn_share(flock.heading, ahead, SWAY_AHEAD, TURN_TIME_AHEAD, dt)
    if free.all():
        return ahead, looks
    return ahead, np.where(free, looks, turn_share(flock.heading, level, SWAY, TURN_TIME, dt))


def _brisk(flock: Flock, level: Float, wanted: Float | None) -> Float:
    """Return how much (N,) directions of motions mean, 0 to 1: the slower, the less.

    Upright walkers that wait among others step to and fro; that means nothing. What grazes goes
    aside as slowly, and turns to it.
    """
    found = np.empty(len(flock))
    bodies = flock.bodies
    may_wait = (bodies.turn_radius == 0.0) & (bodies.lean == 0.0) & (wanted is not None)
    slow = WAITS * bodies.cruise_speed
    _write_brisk(level, level if wanted is None else wanted, slow, may_wait, found)
    return found


@compiled
def _write_brisk(level, wanted, slow, may_wait, found):
    for i in range(level.shape[0]):
        x, y = level[i, 0], level[i, 1]
        pace, shuffles, brisk = sqrt(x * x + y * y), SHUFFLES, BRISK
        if may_wait[i]:
            wx, wy = wanted[i, 0], wanted[i, 1]
            speed = sqrt(wx * wx + wy * wy)
            elsewhere = x * wx + y * wy < ELSEWHERE * speed * pace
            if speed < slow[i] and elsewhere:
                shuffles, brisk = SHUFFLES_WAITING, BRISK_WAITING
        found[i] = min(max((pace - shuffles) / (brisk - shuffles), 0.0), 1.0)


@compiled
def _leaning(heading, up, normal, lean, share):
    """Return the ups (N, 3) that have come a share of the way to what leaning asks for."""
    result = np.zeros_like(heading)
    for i in range(heading.shape[0]):
        result[i, 2] = 1.0
        if lean[i] > 0.0:
            most = share * lean[i]
            x = (1.0 - share) * up[i, 0] + most * normal[i, 0]
            y = (1.0 - share) * up[i, 1] + most * normal[i, 1]
            z = (1.0 - share) * up[i, 2] + most * normal[i, 2] + share * (1.0 - lean[i])
            result[i, 0], result[i, 1], result[i, 2] = up_of_frame(
                heading[i, 0], heading[i, 1], heading[i, 2], x, y, z
            )
    return result
