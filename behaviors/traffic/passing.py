"""How one member passes another, steps aside for it, or backs off: functions of numbers."""

import numpy as np

from rmp3d.geometry.compiled import compiled, inlined

# Encounters are predicted over this time [s].
HORIZON = 3.0


@inlined
def unit_of(x, y, z):
    """Return a unit vector, zero where there is none."""
    size = np.sqrt(x * x + y * y + z * z)
    if size < 1e-9:
        return 0.0, 0.0, 0.0
    return x / size, y / size, z / size


@inlined
def right_of(x, y):
    """Return the horizontal unit vector to the right of a course."""
    size = np.sqrt(x * x + y * y)
    if size < 1e-6:
        return 1.0, 0.0
    return y / size, -x / size


@compiled
def direction_aside(offset, most, course):
    """Return the direction in which one ahead makes room; zero if it need not.

    Args:
        offset: To the one ahead [m].
        most: Largest distance at which it is asked to [m].
        course: Unit direction of the one that asks.
    """
    x, y, z = offset
    dx, dy, dz = course
    apart = np.sqrt(x * x + y * y + z * z)
    if apart > most or apart < 1e-9:
        return 0.0, 0.0, 0.0
    ahead = x * dx + y * dy + z * dz
    if ahead < 0.5 * apart:
        return 0.0, 0.0, 0.0
    lx, ly, lz = x - ahead * dx, y - ahead * dy, z - ahead * dz
    if np.sqrt(lx * lx + ly * ly + lz * lz) < 0.05 * apart:
        lx, ly = right_of(dx, dy)
        lz = 0.0
    lx, ly, lz = unit_of(lx, ly, lz)
    return unit_of(x / apart + lx, y / apart + ly, z / apart + lz)


@inlined
def passing_side(offset, contact, motion, course, remaining, oncoming):
    """Return how strongly, and to which side, to pass another; strength 0 if they do not meet.

    Args:
        offset: To the other [m].
        contact: Distance at which the two would touch [m].
        motion: Velocity relative to the other [m/s].
        course: Unit direction in which to go.
        remaining: Path still to go [m].
        oncoming: Whether the other comes against: it is passed on the right, wherever it is.
    """
    x, y, z = offset
    vx, vy, vz = motion
    near = 1.15 * contact
    along = x * vx + y * vy + z * vz
    if along <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    closing = vx * vx + vy * vy + vz * vz
    # The square of the miss, times `closing`: most pairs are done with here, without a root.
    wide = (x * x + y * y + z * z) * closing - along * along
    if closing < 1e-9 or wide > near * near * closing * (1.0 + 1e-9):
        return 0.0, 0.0, 0.0, 0.0
    return _side_of_meeting(offset, motion, near, along, closing, course, remaining, oncoming)


@compiled
def _side_of_meeting(offset, motion, near, along, closing, course, remaining, oncoming):
    x, y, z = offset
    vx, vy, vz = motion
    time = along / closing
    first = time - near / np.sqrt(closing)
    if first > HORIZON or np.sqrt(x * x + y * y + z * z) - near > remaining:
        return 0.0, 0.0, 0.0, 0.0
    mx, my, mz = x - time * vx, y - time * vy, z - time * vz
    miss = np.sqrt(mx * mx + my * my + mz * mz)
    if miss >= near:
        return 0.0, 0.0, 0.0, 0.0
    strength = (1.0 - miss / near) * max(0.0, 1.0 - max(0.0, first) / HORIZON)
    cx, cy, cz = course
    along = mx * cx + my * cy + mz * cz
    mx, my, mz = mx - along * cx, my - along * cy, mz - along * cz
    across = np.sqrt(mx * mx + my * my + mz * mz)
    rx, ry = right_of(cx, cy)
    if oncoming or (across < 0.25 * near and mx * rx + my * ry < 0.25 * near):
        return strength, rx, ry, 0.0
    ex, ey, ez = unit_of(-mx, -my, -mz)
    return strength, ex, ey, ez


@compiled
def backed_off(offset, radius, other_radius, cruise, desire):
    """Return the desired velocity of a member that makes room for a blocked one with priority."""
    x, y, z = offset
    vx, vy, vz = desire
    apart = np.sqrt(x * x + y * y + z * z)
    soft = min(radius, other_radius)
    gap = apart - radius - other_radius
    if gap > soft or apart < 1e-9:
        return vx, vy, vz
    x, y, z = x / apart, y / apart, z / apart
    closing = vx * x + vy * y + vz * z
    limit = -0.5 * cruise * (1.0 - gap / soft)
    if closing > limit:
        vx -= (closing - limit) * x
        vy -= (closing - limit) * y
        vz -= (closing - limit) * z
    return vx, vy, vz
