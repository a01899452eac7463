r"""Tracking: how a vehicle keeps to its route.

With the offset e to the left of the route, and the angle :math:`\psi` of its course to that of the
route, a vehicle turns by :math:`\kappa - (2 / L) (\psi + e / (2 L))` per meter, :math:`\kappa` that
of the route, as its mean over what is driven in a moment: it turns into a bend and out of it
gradually. For small angles both deviations so die away over the length L without swinging.
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.groups.driving.right_of_way import poses_ahead
from rmp3d.behaviors.groups.driving.route import BEND, Route
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.geometry.arrays import Float

# The length L: at least [m], and what is driven in this time [s]. Courses differ from that of the
# route by this at most [rad] to come back to it.
LEAST_LENGTH, LENGTH_TIME, SLANT = 0.5, 0.25, 0.7
# How densely a vehicle looks at the poses ahead [m].
LOOK_EACH = 0.2
# So far ahead on its route a vehicle may have come since the last step [m].
AHEAD = 1.0
# A driver counts on no harder braking [m/s^2]: no tire holds more, and for a vehicle that lags, as
# below, the way to a stop would be too short.
FIRM = 8.0
# Share of the brake used before bends and the end of a piece, by what time a vehicle lags behind
# the pace that it is asked for [s], and the slowest pace there [m/s].
EASE, LAG, SLOWEST = 0.5, 0.2, 0.12
# Share of the side force, of the turn rate, and of the brake used in bends; and what is left of the
# clearance there if it brakes straight ahead, and the least that it may leave its route [m].
IN_BENDS, LEFT, LEAST = 0.8, 0.03, 0.01


class Tracked(NamedTuple):
    """Where a vehicle is on its route: the pose, and the deviations of place and course."""

    at: int
    along: float  # [m] beyond the pose
    aside: float  # [m] to the left of the course
    turned: float  # [rad] of the course to the left


def tracked(route: Route, at: int, position: Float, heading: Float) -> Tracked:
    """Return where on its route a vehicle is that was at pose ``at``.

    A change of gear, and the end, are passed when the pose nearest to the vehicle is the one there,
    or when the vehicle is beyond it.
    """
    last = int(route.piece_end[at])
    reach = int(np.searchsorted(route.station, route.station[at] + AHEAD, side="right"))
    rows = slice(at, max(at + 1, min(reach, last + 1)))
    at += int(np.argmin(np.hypot(*(route.point[rows, :2] - position[:2]).T)))
    if last < reach and deviation(route, last, position, heading).along >= 0.0:
        at = last
    if at == last and last < len(route.gear) - 1:
        at += 1
    return deviation(route, at, position, heading)


def deviation(route: Route, at: int, position: Float, heading: Float) -> Tracked:
    """Return the deviations of a vehicle from a pose of its route."""
    course = route.angle[at] + (np.pi if route.gear[at] < 0 else 0.0)
    own = np.arctan2(heading[1], heading[0]) + (np.pi if route.gear[at] < 0 else 0.0)
    dx, dy = position[:2] - route.point[at, :2]
    along = float(np.cos(course) * dx + np.sin(course) * dy)
    aside = float(np.cos(course) * dy - np.sin(course) * dx)
    turned = float(np.angle(np.exp(1j * (own - course - route.curvature[at] * along))))
    return Tracked(at, along, aside, turned)


def rest_of_piece(route: Route, where: Tracked) -> float:
    """Return how far [m] it is to where the gear changes or the route ends."""
    last = int(route.piece_end[where.at])
    return float(route.station[last] - route.station[where.at]) - where.along


def driven_brake(bodies: Bodies, member: int) -> float:
    """Return the deceleration [m/s^2] that a driver counts on."""
    return min(float(bodies.max_brake[member]), FIRM)


def pace_before(pace: Float, rest: Float, brake: float) -> Float:
    r"""Return how fast [m/s] a vehicle drives towards places that it passes at certain paces.

    It follows :math:`\sqrt{v^2 + 2 a s}` with the deceleration a, a share of the brake; as it lags
    behind what it is asked for by the time T, it is asked for a T less.

    Args:
        pace: (K,) v, at the places [m/s].
        rest: (K,) s, how far it is to there [m].
        brake: Deceleration that can be counted on [m/s^2].
    """
    ease = EASE * brake
    towards = np.sqrt(pace**2 + 2.0 * ease * np.maximum(rest, 0.0)) - ease * LAG
    return np.maximum(towards, np.maximum(pace, SLOWEST))


def pace_in_bends(
    curvature: Float, clearance: Float, lever: float, side: float, turn_rate: float, brake: float
) -> Float:
    r"""Return how fast [m/s] a vehicle can drive bends, and stop straight ahead beside walls.

    If it goes straight ahead for a distance b, the ends of its row, so far from its middle as the
    lever l, leave the bend :math:`\kappa` by at most :math:`\kappa (b^2 / 2 + l b)`.

    Args:
        curvature: (K,) of the bends [1/m].
        clearance: (K,) to the scene there [m].
        lever: [m].
        side: Acceleration across the motion [m/s^2].
        turn_rate: [rad/s].
        brake: Deceleration that can be counted on [m/s^2].
    """
    bend = np.maximum(np.abs(curvature), 1e-9)
    free = np.maximum(clearance - LEFT, LEAST)
    straight = np.sqrt(lever**2 + 2.0 * free / bend) - lever
    pace = np.minimum(np.sqrt(IN_BENDS * side / bend), IN_BENDS * turn_rate / bend)
    return np.minimum(pace, np.sqrt(2.0 * IN_BENDS * brake * straight))


def pace_on_route(
    route: Route, where: Tracked, bodies: Bodies, member: int, speed: float, stops: bool
) -> float:
    """Return how fast [m/s] a vehicle can drive on, so that it keeps to its route and stops in it.

    Args:
        route: That it drives on.
        where: It is on it.
        bodies: Of its group.
        member: Its row there.
        speed: At which it drives now [m/s].
        stops: Whether it comes to rest at the end of the route.
    """
    strong, gear = driven_brake(bodies, member), route.gear[where.at]
    far = LOOK_EACH + speed * LAG + speed**2 / (2.0 * EASE * strong)
    ahead = poses_ahead(route.station, where.at, far, LOOK_EACH)
    rest = route.station[ahead] - route.station[where.at] - where.along
    lever = float(np.abs(bodies.ends[member]).max())
    side, rate = bodies.max_side_acceleration[member], bodies.max_turn_rate[member]
    free = _least_ahead(route.clearance[ahead], round(BEND / LOOK_EACH))
    turning = turn_per_meter(route, where, speed, float(bodies.turn_radius[member]))
    bend = route.bend[ahead]
    bend[0] = max(abs(bend[0]), abs(turning))
    paces = pace_in_bends(bend, free, lever, float(side), float(rate), strong)
    if stops or int(route.piece_end[where.at]) < len(route.gear) - 1:
        paces, rest = np.append(paces, 0.0), np.append(rest, rest_of_piece(route, where))
    pace = float(pace_before(paces, rest, strong).min())
    return min(pace, float(bodies.max_reverse_speed[member])) if gear < 0 else pace


def _least_ahead(values: Float, count: int) -> Float:
    """Return the least of each of values (K,) and of the ``count`` next ones."""
    padded = np.append(values, np.full(count, values[-1]))
    return np.asarray(sliding_window_view(padded, count + 1).min(axis=1))


def turn_per_meter(route: Route, where: Tracked, speed: float, radius: float) -> float:
    """Return how much [1/m] a vehicle turns to keep to its route, no tighter than a radius [m]."""
    size = max(LEAST_LENGTH, LENGTH_TIME * speed)
    approach = np.clip(where.aside / (2.0 * size), -SLANT, SLANT)
    here = route.station[where.at] + where.along
    bend = route.bend_around(here, LENGTH_TIME * speed) - 2.0 / size * (where.turned + approach)
    return float(np.clip(bend, -1.0 / radius, 1.0 / radius))


def wanted_velocity(
    route: Route, where: Tracked, heading: Float, speed: float, pace: float, radius: float,
    dt: float,
) -> Float:  # fmt: skip
    """Return the velocity (3,) [m/s] that a vehicle asks for, so that it turns as it should.

    Vehicles turn only a share of the way to what they ask for in a step; see
    `rmp3d.behaviors.vehicles.attainable`.
    """
    bend = turn_per_meter(route, where, speed, radius)
    share = 1.0 - np.exp(-dt / RESPONSE_TIME)
    turn = float(np.clip(bend * speed * dt / share, -1.2, 1.2))
    course = np.arctan2(heading[1], heading[0]) + (np.pi if route.gear[where.at] < 0 else 0.0)
    pace = pace / max(float(np.cos(turn)), 0.3)
    return pace * np.array([np.cos(course + turn), np.sin(course + turn), 0.0])
