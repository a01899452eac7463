"""The friction ellipse: which force a vehicle can exert, along and across its motion."""

from math import sqrt

from rmp3d.geometry.compiled import compiled

# Slower than this [m/s] it is at rest, and all force is thrust.
REST = 1e-9


@compiled
def use_of_force(ax, ay, az, vx, vy, vz, thrust, brake, side):
    r"""Return how much of its force a vehicle needs for an acceleration: up to one, it can.

    With the part f of the acceleration along the velocity and s across it, this is
    :math:`\sqrt{(f / F)^2 + (s / S)^2}`, F the thrust, or the brake where f is against the
    motion, and S the side force, all over mass (the friction ellipse of tires).
    """
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    if speed < REST:
        return sqrt(ax * ax + ay * ay + az * az) / thrust
    along = (ax * vx + ay * vy + az * vz) / speed
    ahead = along / speed
    ax, ay, az = ax - ahead * vx, ay - ahead * vy, az - ahead * vz
    along /= brake if along < 0.0 else thrust
    return sqrt(along * along + (ax * ax + ay * ay + az * az) / (side * side))
