r"""Two walkers that brake at the same time: planes that part them at equal moments.

Swept braking capsules say where a body comes, not when. For a follower that is too strict: if the
one ahead brakes, it still moves on, and makes room meanwhile. So two round walkers of one queue are
held apart at equal moments. With :math:`b_i(k)` where body i is after k steps of braking, seen from
where it is now, the invariant of the pair is that some unit normal n has, for all :math:`k \ge 0`,

.. math:: g_k = n \cdot (r + b_j(k) - b_i(k)) - R_{ij} \ge 0,

r the offset from i to j and R the sum of the radii: the hull of their relative braking motion keeps
R from the origin. (Disjoint capsules have such a normal; the opposite need not hold.) In a step,
:math:`x_i(k)` is where body i comes to if it moves for one step as it chooses, and then brakes. It
must choose such that, at all moments :math:`k \ge 1`,

.. math:: n \cdot x_i(k) \le n \cdot b_i(k) + \lambda g_k, \qquad
          -n \cdot x_j(k) \le -n \cdot b_j(k) + (1 - \lambda) g_k .

The sum of the two is the invariant of the next step, with the same normal. Who brakes satisfies all
of these at once, whoever its neighbors are. Between two moments everything moves straight, so that
the gap along the normal is no less there.

The best normal is that of the hull's point nearest to the origin: it has the largest least gap.
"""

from math import floor, sqrt

from rmp3d.behaviors.safety.stopping import reach_of_speed, speed_over_reach
from rmp3d.geometry.compiled import compiled, inlined

# Rounding of positions [m]; the skin around bodies takes it up.
SLACK = 2e-13
# Added to every radius [m]: takes up rounding.
SKIN = 1e-6
# Slower than this [m/s] nobody comes anywhere.
STANDS = 1e-9
# Corners of a hull that are looked at, at most.
CORNERS = 24
# Halvings of a step that others leave in part only.
ROUNDS_IN_TIME = 12


@inlined
def moments(speed, loss):
    """Return after how many steps of braking a body of a speed stands."""
    return floor(speed / loss)


@inlined
def braked(k, speed, loss, dt):
    """Return how far [m] a body comes in k steps if it brakes from now on."""
    k = min(k, moments(speed, loss))
    return dt * (k * speed - 0.5 * loss * k * (k + 1.0))


@compiled
def relative_normal(rx, ry, one, other, dt):
    """Return the vector (2) from the origin to the nearest point of a hull, in plan.

    That is the hull of the relative braking motion, at all moments.

    Args:
        rx: Offset between the two now [m].
        ry: [m].
        one: Unit direction x, y of the first body's motion, its speed [m/s], and its loss of speed
            in a step of braking [m/s].
        other: The same of the second body.
        dt: Time step [s].
    """
    last = max(moments(one[2], one[3]), moments(other[2], other[3]))
    ax, ay = rx, ry
    if last == 0:
        return ax, ay
    bx, by = ax, ay
    nx, ny = ax, ay
    size = nx * nx + ny * ny
    for _ in range(CORNERS):
        cx, cy, least = nx, ny, 1e300
        for k in range(last + 1):
            one_k, other_k = braked(k, one[2], one[3], dt), braked(k, other[2], other[3], dt)
            px = rx + other[0] * other_k - one[0] * one_k
            py = ry + other[1] * other_k - one[1] * one_k
            along = nx * px + ny * py
            if along < least:
                cx, cy, least = px, py, along
        if least >= size * (1.0 - 1e-15):
            break
        # The nearest point of the triangle a, b, c, with the origin outside, is on a side of c.
        ux, uy = _nearest_on(ax, ay, cx, cy)
        vx, vy = _nearest_on(bx, by, cx, cy)
        if ux * ux + uy * uy <= vx * vx + vy * vy:
            nx, ny, bx, by = ux, uy, cx, cy
        else:
            nx, ny, ax, ay = vx, vy, cx, cy
        now = nx * nx + ny * ny
        if now >= size:
            break
        size = now
    return nx, ny


@inlined
def _nearest_on(ax, ay, bx, by):
    """Return the point nearest to the origin on a segment in plan."""
    dx, dy = bx - ax, by - ay
    size = dx * dx + dy * dy
    share = 0.0 if size < 1e-300 else min(1.0, max(0.0, -(ax * dx + ay * dy) / size))
    return ax + share * dx, ay + share * dy


@compiled
def limits_in_time(gap, own, other, share, dt):
    """Return the least and the last distance [m] that a body may have come along a normal.

    Args:
        gap: Now, along the normal [m].
        own: Cosine of the body's motion and the normal, its speed and its loss of speed.
        other: The same of the other, along the same normal.
        share: Of the gap that is this body's.
        dt: Time step [s].
    """
    last = max(moments(own[1], own[2]), moments(other[1], other[2]))
    least, limit = 1e300, 1e300
    for k in range(1, last + 2):
        limit = _limit(k, gap, own, other, share, dt)
        least = min(least, limit)
    return least, limit


@inlined
def _limit(k, gap, own, other, share, dt):
    mine = own[0] * braked(k, own[1], own[2], dt)
    its = other[0] * braked(k, other[1], other[2], dt)
    return mine + share * max(0.0, gap + its - mine)


@compiled
def least_gap(gap, own, other, dt):
    """Return the least gap [m] along a normal while both brake; see `limits_in_time`."""
    least = gap
    for k in range(1, max(moments(own[1], own[2]), moments(other[1], other[2])) + 1):
        mine = own[0] * braked(k, own[1], own[2], dt)
        least = min(least, gap + other[0] * braked(k, other[1], other[2], dt) - mine)
    return least


@inlined
def put_in_time(bodies, i, j, normal, share, row):
    """Write a row of `HalfSpaces.timed`, of body i beside body j, with its normal (3,)."""
    x, y = normal[0], normal[1]
    rx = bodies.position[j, 0] - bodies.position[i, 0]
    ry = bodies.position[j, 1] - bodies.position[i, 1]
    ix, iy = bodies.velocity[i, 0], bodies.velocity[i, 1]
    jx, jy = bodies.velocity[j, 0], bodies.velocity[j, 1]
    speed_i, speed_j = sqrt(ix * ix + iy * iy), sqrt(jx * jx + jy * jy)
    row[0], row[1] = share, x * rx + y * ry - (bodies.radius[i] + bodies.radius[j] + 2.0 * SKIN)
    row[2] = (x * ix + y * iy) / speed_i if speed_i > 1e-12 else 0.0
    row[3] = (x * jx + y * jy) / speed_j if speed_j > 1e-12 else 0.0
    row[4], row[5] = speed_j, bodies.loss[j]


@inlined
def _terms(row, body):
    """Return share, gap, own and other motion of a row of `HalfSpaces.timed`."""
    speed = sqrt(body.velocity[0] ** 2 + body.velocity[1] ** 2)
    return row[0], row[1], (row[2], speed, body.loss), (row[3], row[4], row[5])


@compiled
def is_in_time(row, body, cosine, speed, dt):
    """Return whether a body may move for a step, and then brake, beside one that brakes.

    Args:
        row: Of `HalfSpaces.timed`.
        body: The `BodyRow`.
        cosine: Of its next motion and the plane's normal.
        speed: Of that motion [m/s].
        dt: Time step [s].
    """
    share, gap, own, other = _terms(row, body)
    next_speed = speed + body.loss
    last = max(moments(next_speed, body.loss), moments(own[1], own[2]), moments(other[1], other[2]))
    for k in range(1, last + 1):
        come = cosine * braked(k, next_speed, body.loss, dt)
        if come > _limit(k, gap, own, other, share, dt) + SLACK:
            return False
    return True


@compiled
def bound_in_time(row, body, speed, dt):
    """Return the bound [m] on the displacement until the stop along a normal, for a next speed.

    Who moves at this speed for a step and then brakes is where it may be at all moments if its
    whole displacement is within the bound.
    """
    share, gap, own, other = _terms(row, body)
    speed = max(speed, STANDS)
    next_speed = speed + body.loss
    last = max(moments(next_speed, body.loss), moments(own[1], own[2]), moments(other[1], other[2]))
    reach = reach_of_speed(speed, body.loss, dt)
    bound = 1e300
    for k in range(1, last + 1):
        come = braked(k, next_speed, body.loss, dt)
        bound = min(bound, _limit(k, gap, own, other, share, dt) * reach / come)
    return bound


@inlined
def last_in_time(planes, count):
    """Return how many of ``count`` planes there are up to the last that parts at equal moments."""
    while count > 0 and planes.timed[count - 1, 0] < 0.0:
        count -= 1
    return count


@inlined
def all_in_time(body, displacement, speed, planes, count, dt):
    """Return whether a displacement until the stop, in plan, is free of others at all moments."""
    x, y = displacement
    size = sqrt(x * x + y * y)
    for k in range(count):
        if planes.timed[k, 0] < 0.0:
            continue
        along = planes.normal[k, 0] * x + planes.normal[k, 1] * y
        if 0.0 <= planes.bound[k] and along <= planes.bound[k]:
            continue
        cosine = along / size if size > 1e-12 else 0.0
        if not is_in_time(planes.timed[k], body, cosine, speed, dt):
            return False
    return True


@inlined
def share_in_time(body, step, dt, planes, count, most):
    """Return the largest share of a step from braking, up to ``most``, that others leave in time.

    The first ``count`` planes are those to others; see `rmp3d.behaviors.safety.timed`.
    """
    bx, by, _ = body.braking
    if count == 0:
        return most
    low, high, share = 0.0, most, most
    for _ in range(ROUNDS_IN_TIME):
        x, y = bx + share * step[0], by + share * step[1]
        size = sqrt(x * x + y * y)
        speed = size * speed_over_reach((x, y, 0.0), body.loss, dt)
        if all_in_time(body, (x, y), speed, planes, count, dt):
            low = share
            if share == most:
                break
        else:
            high = share
        share = 0.5 * (low + high)
    return low
