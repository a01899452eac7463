"""The friction ellipse: which force a vehicle can exert, along and across its motion."""

from math import sqrt

from rmp3d.geometry.compiled import compiled, inlined

# Slower than this [m/s] it is at rest, and all force is thrust.
REST = 1e-9
# A body that moved faster than that [m/s] was braked; one that trembles was not.
COMES_ON = 0.05


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


@inlined
def fading(acceleration, velocity, wanted, share, dt):
    """Return what is left of the last step's acceleration when a ``share`` of it has faded.

    What braked the body stops it, and does not drive it back from where it wants to go: the rest of
    a stop before another body would.

    Args:
        acceleration: Of the last step (3) [m/s^2].
        velocity: After it (3) [m/s].
        wanted: Velocity wanted (3) [m/s].
        share: Of the acceleration that is gone in a step.
        dt: Time step [s].
    """
    ax, ay, az = acceleration
    size = sqrt(ax * ax + ay * ay + az * az)
    if size < REST:
        return 0.0, 0.0, 0.0
    left = 1.0 - share
    along = (ax * velocity[0] + ay * velocity[1] + az * velocity[2]) / size
    against = ax * wanted[0] + ay * wanted[1] + az * wanted[2] < 0.0
    if against and along - size * dt < -COMES_ON:
        left = min(left, max(-along, 0.0) / (size * dt))
    return left * ax, left * ay, left * az
