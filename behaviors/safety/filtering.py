"""The filter itself, row by row: gather half-spaces, project the wish, certify."""

from math import atan2, pi, sqrt

import numpy as np

from rmp3d.behaviors.safety.certificate import way_is_free
from rmp3d.behaviors.safety.guides import (
    ANYWHERE,
    MAX_PLANES,
    SCENE_MARGIN,
    bound_rows,
    pair_rows,
    scene_rows,
)
from rmp3d.behaviors.safety.projection import project_on_halfplanes, project_on_halfspaces
from rmp3d.behaviors.safety.stopping import reach_of_speed, speed_of_reach
from rmp3d.behaviors.vehicles.forces import use_of_force
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.primitives import upright_box_squared
from rmp3d.geometry.query import STACK


@compiled
def filter_rows(
    position, velocity, proposal, braking, reach, radius, capsule_axis, grounded, face, loss, force,
    course, turn, max_speed, pair_normal, pair_bound, start, entry, walking, flying, border,
    overhead, probes, cone, ground, bounds, dt, safe, counts,
):  # fmt: skip
    """Fill ``safe`` (N, 3) with velocities, and count those held back and those only braked.

    Arguments as `SafetyConstraint.velocity` prepares them; ``force`` (N, 3) has the largest
    changes of velocity [m/s] in a step by thrust, brake and side force, ``turn`` (N,) the largest
    angle [rad] to the unit ``course`` (N, 3) of the motion; a scene, a border and the ground are
    the array tuples of their queries, ``probes`` (N, K, 3) what keeps clear of the ground
    ``overhead``, which is above a ``cone`` of that slope at the feet.
    """
    normal = np.empty((MAX_PLANES, 3))
    bound = np.empty(MAX_PLANES)
    wish, best, found = np.empty(3), np.empty(3), np.empty(3)
    stack, limit, out = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    points, faces = np.empty((256, 3)), np.empty(256, np.int64)
    for i in range(position.shape[0]):
        vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        scene = walking if grounded[i] else flying
        count = pair_rows(
            i, pair_normal, pair_bound, start, entry, reach[i], grounded[i], normal, bound
        )
        overflow = count < 0
        probe = probes[i][
            : _probes_at_risk(i, position, radius, capsule_axis, reach, cone, overhead, probes)
        ]
        if not overflow:
            count = bound_rows(
                i, position, bounds, braking, radius, reach[i], grounded[i], normal, bound, count
            )
            count = scene_rows(
                i, position, braking, radius[i], capsule_axis[i, 0], capsule_axis[i, 1], reach[i],
                grounded[i],
                scene, ANYWHERE, normal, bound, count, stack, out,
            )  # fmt: skip
            if grounded[i]:
                count = scene_rows(
                    i, position, braking, 0.0, -0.5, 0.5, reach[i], True, border, ANYWHERE,
                    normal, bound, count, stack, out,
                )  # fmt: skip
                for k in range(probe.shape[0]):
                    count = scene_rows(
                        i, position, braking, probe[k, 0], probe[k, 1], probe[k, 2],
                        reach[i], True, overhead, cone, normal, bound, count, stack, out,
                    )  # fmt: skip
            _wish_within_planes(
                i, velocity, proposal, loss, force, max_speed, dt, grounded[i],
                normal, bound, count, wish, found,
            )  # fmt: skip
        speed = sqrt(vx * vx + vy * vy + vz * vz)
        slower = max(0.0, speed - loss[i]) / speed if speed > 1e-12 else 0.0
        best[0], best[1], best[2] = vx * slower, vy * slower, vz * slower
        accepted = -1.0
        if not overflow:
            accepted = _farthest_certified(
                i, position, velocity, braking, found, radius[i], capsule_axis, grounded[i], face,
                loss,
                force, course, turn, reach[i], normal, bound, count, scene, overhead, probe,
                ground, dt, best, stack, limit, out, points, faces,
            )  # fmt: skip
        if accepted < 1.0:
            counts[0] += 1
        if accepted <= 0.0:
            counts[1] += 1
        safe[i, 0], safe[i, 1], safe[i, 2] = best[0], best[1], best[2]


@compiled
def _probes_at_risk(i, position, radius, capsule_axis, reach, cone, overhead, probes):
    """Return the number of probes, or 0 if no walk until the stop comes to the ground overhead."""
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    far = radius[i] + reach[i] * sqrt(1.0 + cone * cone) + 2.0 * SCENE_MARGIN
    boxes = overhead[0]
    if upright_box_squared(x, y, z, z + capsule_axis[i, 1], boxes[0]) > far * far:
        return 0
    return probes.shape[1]


@compiled
def _wish_within_planes(
    i, velocity, proposal, loss, force, max_speed, dt, flat, normal, bound, count, wish, found
):
    """Write to ``found`` (3,) the displacement until the stop that is nearest to the proposal.

    Clipping to the forces' ellipse and projecting on the planes alternate a few times.
    """
    vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
    cx, cy, cz = proposal[i, 0], proposal[i, 1], proposal[i, 2]
    speed = sqrt(cx * cx + cy * cy + cz * cz)
    if speed > max_speed[i]:
        scale = max_speed[i] / speed
        cx, cy, cz = cx * scale, cy * scale, cz * scale
    for turn in range(3):
        dx, dy, dz = cx - vx, cy - vy, cz - vz
        use = use_of_force(dx, dy, dz, vx, vy, vz, force[i, 0], force[i, 1], force[i, 2])
        if use > 1.0:
            cx, cy, cz = vx + dx / use, vy + dy / use, vz + dz / use
        elif turn > 0:
            break
        speed = sqrt(cx * cx + cy * cy + cz * cz)
        scale = reach_of_speed(speed, loss[i], dt) / speed if speed > 1e-12 else dt
        wish[0], wish[1], wish[2] = cx * scale, cy * scale, cz * scale
        if flat:
            project_on_halfplanes(wish, normal, bound, count, found)
        else:
            project_on_halfspaces(wish, normal, bound, count, found)
        size = sqrt(found[0] ** 2 + found[1] ** 2 + found[2] ** 2)
        scale = speed_of_reach(size, loss[i], dt) / size if size > 1e-12 else 1.0 / dt
        cx, cy, cz = found[0] * scale, found[1] * scale, found[2] * scale


@compiled
def _farthest_certified(
    i, position, velocity, braking, found, radius, capsule_axis, grounded, face, loss, force,
    course, turn, reach, normal, bound, count, scene, overhead, probe, ground, dt, best, stack,
    limit, out, points, faces,
):  # fmt: skip
    """Return the largest share of the way from braking to the wish that has a certificate.

    ``best`` (3,) receives its velocity; it is left as it is (braking) where the share is zero.
    """
    bx, by, bz = braking[i, 0], braking[i, 1], braking[i, 2]
    dx, dy, dz = found[0] - bx, found[1] - by, found[2] - bz
    most = 1.0
    for k in range(count):
        along = normal[k, 0] * dx + normal[k, 1] * dy + normal[k, 2] * dz
        if along > 0.0:
            room = bound[k] - normal[k, 0] * bx - normal[k, 1] * by - normal[k, 2] * bz
            if along > room + 2e-13:
                most = min(most, max(0.0, room / along))
    low, high, share = 0.0, most, most
    for _ in range(9):
        x, y, z = bx + share * dx, by + share * dy, bz + share * dz
        size = sqrt(x * x + y * y + z * z)
        scale = speed_of_reach(size, loss[i], dt) / size if size > 1e-12 else 1.0 / dt
        # A brake much stronger than the thrust could turn a slow motion round too far.
        good = size <= reach and _can_have(
            i, x * scale, y * scale, z * scale, velocity, force, course, turn
        )
        if good:
            good = way_is_free(
                i, position, x, y, z, radius, capsule_axis[i, 0], capsule_axis[i, 1], grounded,
                face, scene,
                overhead, probe, ground, stack, limit, out, points, faces,
            )  # fmt: skip
        if good:
            low = share
            best[0], best[1], best[2] = x * scale, y * scale, z * scale
            if share == most:
                break
        else:
            high = share
        share = 0.5 * (low + high)
    return low


@compiled
def _can_have(i, x, y, z, velocity, force, course, turn):
    """Return whether force and turn radius of body i allow a velocity after one step."""
    vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
    if turn[i] < pi:
        cx, cy, cz = course[i, 0], course[i, 1], course[i, 2]
        ahead = x * cx + y * cy + z * cz
        ax, ay, az = x - ahead * cx, y - ahead * cy, z - ahead * cz
        if atan2(sqrt(ax * ax + ay * ay + az * az), ahead) > turn[i]:
            return False
    use = use_of_force(x - vx, y - vy, z - vz, vx, vy, vz, force[i, 0], force[i, 1], force[i, 2])
    return use <= 1.0 + 1e-12
