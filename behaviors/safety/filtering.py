"""The filter itself, row by row: gather half-spaces, project the wish, certify."""

from math import atan2, pi, sqrt

import numpy as np

from rmp3d.behaviors.safety.certificate import motion_is_free
from rmp3d.behaviors.safety.clearing import clear_around
from rmp3d.behaviors.safety.edges import along_step
from rmp3d.behaviors.safety.elongated import row_is_within, row_motion_is_free
from rmp3d.behaviors.safety.guides import (
    SCENE_MARGIN,
    add_scene,
    bound_rows,
    pair_rows,
)
from rmp3d.behaviors.safety.projection import project_on_halfplanes, project_on_halfspaces
from rmp3d.behaviors.safety.rows import (
    REACTION,
    body_of,
    room_for_gentle_stops,
    room_for_planes,
    room_for_search,
)
from rmp3d.behaviors.safety.stopping import reach_of_speed, speed_of_reach, speed_over_reach
from rmp3d.behaviors.safety.timed import all_in_time, bound_in_time, last_in_time, share_in_time
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.vehicles.forces import fading, use_of_force
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import inlined, released
from rmp3d.geometry.query import anything_near

# Others are right ahead whose direction has at least this share of the wish, its cosine.
RIGHT_AHEAD = 0.8
# Who runs needs more than so many radii of its body to stop.
RUNS = 3.0
# Halvings of a step until it is certified.
ROUNDS = 9


@released
def filter_rows(bodies, pairs, scene, dt, rows, safe, counts):
    """Fill ``safe`` (N, 3) with velocities, and count those held back and those only braked.

    Args:
        bodies: The `BodyRows`.
        pairs: The `PairPlanes` between them.
        scene: The `SceneArrays`.
        dt: Time step [s].
        rows: Bodies (n,) that are asked about.
        safe: Written to, zeros at first; those of bodies at rest that want to be are left.
        counts: (2,) added to.
    """
    triples = np.empty(3), np.empty(3), np.empty(3)
    room = room_for_planes(), room_for_search(), room_for_gentle_stops(), triples
    (planes, nearest), (search, walk), gentle, (wish, found, best) = borrowed(room)
    bodies, pairs, safe = borrowed((bodies, pairs, safe))
    (
        walking, flying, border, overhead, probes, probe_count, cone, steps, ground, bounds, number,
        known,
    ) = borrowed(scene)  # fmt: skip
    for i in rows:
        if _stays(i, bodies):
            continue
        body = body_of(bodies, i)
        mesh = walking if body.grounded else flying
        others = count = pair_rows(i, body, bodies, pairs, planes)
        overflow, hard, accepted = count < 0, 0, -1.0
        far = _far_overhead(body, cone[0], steps)
        clear = clear_around(body, number, far, known[i], mesh, border, overhead, search)
        at_risk = probe_count[i] if clear.overhead < far else 0
        probe = probes[i][: _probes_at_risk(body, far, overhead, at_risk, search.stack)]
        _brake(body, best)
        if not overflow:
            hard = bound_rows(body, bounds, planes, count)
            proposal = _gentle_proposal(body, dt, planes, others, gentle)
            others = last_in_time(planes, others)
            if _goes_without_planes(body):  # to corners they are stricter than what is there
                accepted = _certified_wish(
                    body, proposal, dt, planes, hard, others, hard, clear.obstacles, mesh, ground,
                    overhead, probe, steps, gentle.bound, wish, found, best, search, walk, 1,
                )  # fmt: skip
            if accepted <= 0.0:
                count = add_scene(
                    body, clear, mesh, border, overhead, cone, probe, planes, hard, nearest,
                    search.stack,
                )  # fmt: skip
                accepted = _certified_wish(
                    body, proposal, dt, planes, count, others, hard, clear.obstacles, mesh, ground,
                    overhead, probe, steps, gentle.bound, wish, found, best, search, walk, ROUNDS,
                )  # fmt: skip
            if accepted <= 0.0 and _leads_on(body, found, steps, ground, walk):
                accepted = _farthest_certified(
                    body, dt, found, planes, count, others, hard, clear.obstacles, mesh, ground,
                    overhead, probe, steps, best, search, walk, ROUNDS,
                )  # fmt: skip
        counts[0] += accepted < 1.0
        counts[1] += accepted <= 0.0
        safe[i, 0], safe[i, 1], safe[i, 2] = best[0], best[1], best[2]
    held(room)


@inlined
def _stays(i, bodies):
    """Return whether a body is at rest and wants to be: the last step proved where it stands."""
    for axis in range(3):
        if (
            bodies.velocity[i, axis] != 0.0
            or bodies.proposal[i, axis] != 0.0
            or bodies.desire[i, axis] != 0.0
            or bodies.acceleration[i, axis] != 0.0
        ):
            return False
    return True


@inlined
def _leads_on(body, found, steps, ground, walk):
    """Turn a displacement (3,) that is refused to where a body may go on; return whether it did.

    One with a row of capsules cannot turn here: it goes on straight as far as it wished. A walker
    goes along the edge of a step that it cannot take.
    """
    if body.row_count == 0:
        return steps > 0.0 and along_step(body, found, ground, walk)
    ahead = found[0] * body.heading[0] + found[1] * body.heading[1]
    found[0], found[1] = ahead * body.heading[0], ahead * body.heading[1]
    return True


@inlined
def _goes_without_planes(body):
    """Return whether planes to the scene are left out at first: in a queue, and of who runs."""
    return body.queue >= 0 or (body.row_count == 0 and body.reach > RUNS * body.shape.radius)


@inlined
def _certified_wish(
    body, proposal, dt, planes, count, others, hard, clear, mesh, ground, overhead, probe, steps,
    limit, wish, found, best, search, walk, rounds,
):  # fmt: skip
    """Write to ``best`` (3,) the velocity nearest to the proposal that has a certificate.

    Returns:
        As `_farthest_certified`.
    """
    _wish_within_planes(body, proposal, dt, planes, count, others, limit, wish, found)
    return _farthest_certified(
        body, dt, found, planes, count, others, hard, clear, mesh, ground, overhead, probe, steps,
        best, search, walk, rounds,
    )  # fmt: skip


@inlined
def _brake(body, best):
    """Write to ``best`` (3,) the velocity after a step of braking."""
    vx, vy, vz = body.velocity
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    slower = max(0.0, speed - body.loss) / speed if speed > 1e-12 else 0.0
    best[0], best[1], best[2] = vx * slower, vy * slower, vz * slower


@inlined
def _far_overhead(body, slope, steps):
    """Return how far [m] ground overhead is that no walk until the stop comes to."""
    far = body.shape.radius + body.reach * sqrt(1.0 + slope * slope) + steps + 2.0 * SCENE_MARGIN
    far += body.swing + max(abs(body.ends[0]), abs(body.ends[1]))
    return far


@inlined
def _probes_at_risk(body, far, overhead, count, stack):
    """Return ``count`` of probes, or 0 if the ground overhead is farther than ``far`` [m]."""
    x, y, z = body.position
    boxes, _, _, first_leaf = overhead
    if count == 0 or not anything_near(boxes, first_leaf, x, y, z, z + body.shape.high, far, stack):
        return 0
    return count


@inlined
def _gentle_proposal(body, dt, planes, count, room):
    """Return the velocity that a body comes to in a step, with a force that grows as it can.

    Of what it desires it leaves out what gentle braking, begun after `REACTION`, could not end
    before the ``count`` planes to others; who flies brakes before those right ahead, and does not
    slip past them. (Corners of the scene beside its way would slow it down: planes to them are much
    stricter than what is there.) How the force follows is said in
    `rmp3d.behaviors.vehicles.easing`.
    """
    if body.easing == 1.0:
        return body.proposal
    normal, bound, goes_on, timed = planes
    count = count if body.gentle < body.loss else 0
    vx, vy, vz = body.velocity
    for k in range(count):
        closing = normal[k, 0] * vx + normal[k, 1] * vy + normal[k, 2] * vz
        left = bound[k] + goes_on[k] - REACTION * max(0.0, closing)
        room.bound[k] = max(left, min(bound[k], 0.0))
    wx, wy, wz = body.desire
    speed = sqrt(wx * wx + wy * wy + wz * wz)
    scale = reach_of_speed(speed, body.gentle, dt) / speed if speed > 1e-12 else dt
    room.wish[0], room.wish[1], room.wish[2] = wx * scale, wy * scale, wz * scale
    if not body.grounded:
        _shorten(room.wish, normal, room.bound, count)
    _project(room.wish, body.grounded, (normal, room.bound, goes_on, timed), count, room.found)
    scale = speed_over_reach(room.found, body.gentle, dt)
    part = dt / RESPONSE_TIME
    dx, dy, dz = (
        part * (room.found[0] * scale - vx),
        part * (room.found[1] * scale - vy),
        part * (room.found[2] * scale - vz),
    )
    thrust, brake, side = body.force
    use = max(1.0, use_of_force(dx, dy, dz, vx, vy, vz, thrust, brake, side))
    share = body.easing
    ax, ay, az = fading(body.acceleration, body.velocity, body.desire, share, dt)
    return (
        vx + dt * ax + share * dx / use,
        vy + dt * ay + share * dy / use,
        vz + dt * az + share * dz / use,
    )


@inlined
def _shorten(wish, normal, bound, count):
    """Shorten a displacement (3,) before the planes of those that are right ahead."""
    for k in range(count):
        size = sqrt(wish[0] ** 2 + wish[1] ** 2 + wish[2] ** 2)
        along = normal[k, 0] * wish[0] + normal[k, 1] * wish[1] + normal[k, 2] * wish[2]
        if along > bound[k] and along > RIGHT_AHEAD * size:
            share = max(0.0, bound[k]) / along
            wish[0], wish[1], wish[2] = share * wish[0], share * wish[1], share * wish[2]


@inlined
def _project(wish, flat, planes, count, found):
    """Write to ``found`` (3,) the displacement within the planes that is nearest to a wish."""
    normal, bound, _, _ = planes
    if flat:
        project_on_halfplanes(wish, normal, bound, count, found)
    else:
        project_on_halfspaces(wish, normal, bound, count, found)


@inlined
def _wish_within_planes(body, proposal, dt, planes, count, others, limit, wish, found):
    """Write to ``found`` (3,) the displacement until the stop that is nearest to the proposal.

    Clipping to the forces' ellipse and projecting on the planes alternate a few times. What the
    first ``others`` planes leave depends on the speed if they part at equal moments; ``limit`` (M,)
    is room for it.
    """
    normal, bound, goes_on, timed = planes
    if others == 0:
        limit = bound
    else:
        for k in range(count):
            limit[k] = bound[k]
    vx, vy, vz = body.velocity
    cx, cy, cz = proposal
    thrust, brake, side = body.force
    speed = sqrt(cx * cx + cy * cy + cz * cz)
    if speed > body.max_speed:
        scale = body.max_speed / speed
        cx, cy, cz = cx * scale, cy * scale, cz * scale
    for turn in range(3):
        dx, dy, dz = cx - vx, cy - vy, cz - vz
        use = use_of_force(dx, dy, dz, vx, vy, vz, thrust, brake, side)
        if use > 1.0:
            cx, cy, cz = vx + dx / use, vy + dy / use, vz + dz / use
        elif turn > 0:
            break
        speed = sqrt(cx * cx + cy * cy + cz * cz)
        scale = reach_of_speed(speed, body.loss, dt) / speed if speed > 1e-12 else dt
        wish[0], wish[1], wish[2] = cx * scale, cy * scale, cz * scale
        for k in range(others):
            if timed[k, 0] >= 0.0:
                limit[k] = bound_in_time(timed[k], body, speed, dt)
        _project(wish, body.grounded, (normal, limit, goes_on, timed), count, found)
        scale = speed_over_reach(found, body.loss, dt)
        cx, cy, cz = found[0] * scale, found[1] * scale, found[2] * scale


@inlined
def _farthest_certified(
    body, dt, found, planes, count, others, hard, clear, mesh, ground, overhead, probe, steps, best,
    search, walk, rounds,
):  # fmt: skip
    """Return the largest share of the step from braking to the wish that has a certificate.

    ``best`` (3,) receives its velocity; it is left as it is (braking) where the share is zero.
    """
    bx, by, bz = body.braking
    dx, dy, dz = found[0] - bx, found[1] - by, found[2] - bz
    most = _share_within_planes(body.braking, (dx, dy, dz), planes, count)
    most = share_in_time(body, (dx, dy, dz), dt, planes, others, most)
    low, high, share = 0.0, most, most
    for _ in range(rounds):
        x, y, z = bx + share * dx, by + share * dy, bz + share * dz
        size = sqrt(x * x + y * y + z * z)
        scale = speed_of_reach(size, body.loss, dt) / size if size > 1e-12 else 1.0 / dt
        # A brake much stronger than the thrust could turn a slow motion round too far.
        good = size <= body.reach and _can_have(body, (x * scale, y * scale, z * scale))
        good = good and all_in_time(body, (x, y), size * scale, planes, others, dt)
        if good:
            frame = size * scale * dt if steps > 0.0 else 0.0
            if body.row_count == 0:
                good = motion_is_free(
                    body, (x, y, z), frame, clear, mesh, ground, overhead, probe, search, walk
                )
            else:
                good = row_is_within(body, (x, y, z), planes, hard) and row_motion_is_free(
                    body, (x, y, z), size * scale * dt, frame, mesh, ground, overhead, probe,
                    search, walk,
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


@inlined
def _share_within_planes(start, step, planes, count):
    """Return the share of a step from a point within all planes that stays there, at most 1."""
    bx, by, bz = start
    dx, dy, dz = step
    normal, bound, _, timed = planes
    most = 1.0
    for k in range(count):
        if timed[k, 0] >= 0.0:
            continue
        along = normal[k, 0] * dx + normal[k, 1] * dy + normal[k, 2] * dz
        if along > 0.0:
            slack = bound[k] - normal[k, 0] * bx - normal[k, 1] * by - normal[k, 2] * bz
            if along > slack + 2e-13:
                most = min(most, max(0.0, slack / along))
    return most


@inlined
def _can_have(body, wanted):
    """Return whether a body's force and turn radius allow a velocity after one step."""
    x, y, z = wanted
    vx, vy, vz = body.velocity
    if body.turn < pi:
        cx, cy, cz = body.course
        ahead = x * cx + y * cy + z * cz
        ax, ay, az = x - ahead * cx, y - ahead * cy, z - ahead * cz
        if atan2(sqrt(ax * ax + ay * ay + az * az), ahead) > body.turn:
            return False
    thrust, brake, side = body.force
    use = use_of_force(x - vx, y - vy, z - vz, vx, vy, vz, thrust, brake, side)
    return use <= 1.0 + 1e-12
