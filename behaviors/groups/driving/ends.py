"""Where the routes of vehicles may end: at poses along the points that guide them."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length

# Along a guide, routes end so many turn radii ahead, and no nearer than what is driven in this time
# [s]; each meter farther costs so much more.
AHEAD, AHEAD_TIME, FARTHER = np.array([0.8, 1.3, 2.0, 3.0, 4.5, 6.0]), 1.2, 0.03
# Shares of the guide of a vehicle that stops at its end, at which routes may end, too, if they are
# no farther ahead than those.
NEARER = np.array([0.4, 0.7, 0.9])
# A turn that leads to the last point is wider than the tightest by this factor.
WIDER = 1.15
# No nearer before a stall than this [m]: there a vehicle is aslant, and in the way of others.
BEFORE_STALL = 1.0
# The direction of a guide is that of a chord so long [m]; so many headings are tried at its end.
CHORD, SIDES = 1.5, 16


def ends_along(
    points: Float, speed: float, radius: float, stops: bool, course: float = np.nan,
    heading: float = np.nan,
) -> tuple[Float, Float]:  # fmt: skip
    """Return poses (E, 4) along a guide, and what is left from each [m].

    A pose is x, y [m], the angle of the heading in plan [rad], and z [m].

    Args:
        points: (G, 3) [m]; the vehicle is at the first one.
        speed: Of the vehicle [m/s].
        radius: Of its tightest turn [m].
        stops: Whether it stops at the last point.
        course: Angle of its heading there, or of the opposite [rad]; nan: any.
        heading: Angle of its present heading [rad]; nan: it drives on along the guide. With it, a
            vehicle may also come to the last point by one turn and a straight line, if any heading
            is right there.
    """
    step = length(np.diff(points[:, :2], axis=0))
    keep = np.append(True, step > 1e-6)
    points, station = points[keep], np.append(0.0, np.cumsum(step[step > 1e-6]))
    whole = float(station[-1])
    far = AHEAD * radius
    far = far[far > AHEAD_TIME * speed]
    at = far[far < whole - (0.3 if stops else 0.0)]
    if stops:  # where others stand in the place, somewhere before it
        nearer = NEARER * whole
        at = np.concatenate([nearer[nearer < AHEAD[-1] * radius], at])
    in_stall = stops and bool(np.isfinite(course))
    if in_stall:
        at = at[at < whole - BEFORE_STALL]
    elif len(at) == 0:
        at = np.array([whole])

    def on(s: Float) -> Float:
        return np.column_stack([np.interp(s, station, points[:, axis]) for axis in range(3)])

    chord = on(at + 0.5 * CHORD) - on(at - 0.5 * CHORD)
    place = on(at)
    ends = np.column_stack([place[:, :2], np.arctan2(chord[:, 1], chord[:, 0]), place[:, 2]])
    price = whole - (1.0 - FARTHER) * at
    if stops and whole < AHEAD[-1] * radius:
        around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
        if in_stall:
            around = np.array([course, course + np.pi])
        place = np.tile(points[-1], (len(around), 1))
        last = np.column_stack([place[:, :2], around, place[:, 2]])
        ends = np.concatenate([ends, last])
        price = np.concatenate([price, np.full(len(around), FARTHER * whole)])
    if np.isfinite(heading) and not in_stall and whole < AHEAD[-1] * radius:
        last = tangent_ends(points[0], heading, points[-1], WIDER * radius)
        ends = np.concatenate([ends, last])
        price = np.concatenate([price, np.full(len(last), FARTHER * whole)])
    return ends, price


def tangent_ends(point: Float, heading: float, place: Float, radius: float) -> Float:
    """Return the poses (E, 4), E <= 2, at a place (3,) to which one turn and a straight line lead.

    Args:
        point: (3,) where the vehicle is [m].
        heading: Angle of its heading [rad].
        place: [m].
        radius: Of the turn, to the left or right [m]; a place within it is not reached so.
    """
    found = []
    for side in (1.0, -1.0):
        middle = point[:2] + side * radius * np.array([-np.sin(heading), np.cos(heading)])
        dx, dy = place[:2] - middle
        far = float(np.hypot(dx, dy))
        if far > radius:
            angle = np.arctan2(dy, dx) + side * np.arcsin(radius / far)
            found.append([place[0], place[1], angle, place[2]])
    return np.array(found).reshape(-1, 4)


def beside(points: Float, place: Float) -> float:
    """Return how far [m] a place (3,) is from the points (G, 3) of a guide, G >= 2, joined."""
    start, along = points[:-1], np.diff(points, axis=0)
    size = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((place - start) * along).sum(axis=1) / size, 0.0, 1.0)
    return float(length(start + share[:, None] * along - place).min())
