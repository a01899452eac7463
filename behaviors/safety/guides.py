"""Half-spaces n.w <= h for the displacement w until the next stop: of pairs, bounds and scene.

Those of pairs and bounds must hold. Those of the scene only guide: they lead the projection
along walls, while the certificate decides.
"""

from math import sqrt

from rmp3d.behaviors.safety.pairs import SKIN
from rmp3d.behaviors.safety.rows import MAX_AHEAD, MAX_PLANES, MAX_TRIANGLES, Upright
from rmp3d.behaviors.safety.timed import put_in_time
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.primitives import upright_box_squared, upright_hull_squared, upright_triangle

# A body is kept this far from the scene [m]; guiding planes keep twice as far.
SCENE_MARGIN = 1e-3
# The border of the surface is a wall to a body's middle, as high as this up and down [m].
BORDER = Upright(0.0, -0.5, 0.5)
# Instead of a cone: triangles guide wherever they are.
ANYWHERE = (-1.0, 0.0)


@inlined
def _append(x, y, z, h, goes_on, flat, reach, planes, count):
    """Add the half-space n.w <= h; for a walker the one it leaves in the plane z = 0."""
    normal, bound, _, _ = planes
    if flat:
        size = sqrt(x * x + y * y)
        if size < 1e-6:
            return count
        x, y, z, h = x / size, y / size, 0.0, h / size
    if h >= reach or count == MAX_PLANES:
        return count
    normal[count, 0], normal[count, 1], normal[count, 2] = x, y, z
    bound[count] = h
    planes.goes_on[count] = goes_on
    planes.timed[count, 0] = -1.0
    return count + 1


@inlined
def lever(body, nx, ny):
    """Return how far the row of an elongated body reaches along a direction in plan."""
    along = nx * body.heading[0] + ny * body.heading[1]
    return max(body.ends[0] * along, body.ends[1] * along)


@inlined
def _sort_by_number(entry, first, end, both, number):
    """Sort the entries of a body by the numbers of the others; most are sorted."""
    for e in range(first + 1, end):
        own = entry[e]
        after = number[both[own // 2, 1 - own % 2]]
        at = e
        while at > first and number[both[entry[at - 1] // 2, 1 - entry[at - 1] % 2]] > after:
            entry[at] = entry[at - 1]
            at -= 1
        entry[at] = own


@inlined
def pair_rows(i, body, bodies, pairs, planes):
    """Fill in body i's side of its pair planes; return their number, -1 if there are too many."""
    reach, sight, flat = body.reach + body.swing, body.sight + body.swing, body.grounded
    pair_normal, pair_bound, goes_on, share, both, start, entry, number = pairs
    _sort_by_number(entry, start[i], start[i + 1], both, number)
    count = 0
    for e in range(start[i], start[i + 1]):
        k = entry[e] // 2
        side = entry[e] % 2
        sign = 1.0 - 2.0 * side
        limit = pair_bound[k, side]
        if body.row_count > 0:
            limit -= lever(body, sign * pair_normal[k, 0], sign * pair_normal[k, 1])
        if limit >= (sight if count < MAX_AHEAD else reach):
            continue
        if count >= MAX_PLANES - MAX_TRIANGLES * 2 - 6:
            return -1
        before = count
        count = _append(
            sign * pair_normal[k, 0], sign * pair_normal[k, 1], sign * pair_normal[k, 2],
            limit, goes_on[k, side], flat, sight, planes, count,
        )  # fmt: skip
        if share[k] >= 0.0 and count > before:
            own_share = share[k] if side == 0 else 1.0 - share[k]
            put_in_time(
                bodies, i, both[k, 1 - side], planes.normal[before], own_share, planes.timed[before]
            )
    return count


@inlined
def bound_rows(body, bounds, planes, count):
    """Add the walls of the box (2, 3) that a body must stay in; return the number of planes."""
    position, braking, radius, flat = body.position, body.braking, body.shape.radius, body.grounded
    reach = body.reach + body.swing
    for axis in range(2 if flat else 3):
        for side in range(2):
            sign = 2.0 * side - 1.0
            limit = sign * (bounds[side, axis] - position[axis]) - radius - SKIN
            if body.row_count > 0:
                limit -= lever(body, sign * (axis == 0), sign * (axis == 1))
            limit = max(limit, max(0.0, sign * braking[axis]))
            count = _append(
                sign if axis == 0 else 0.0,
                sign if axis == 1 else 0.0,
                sign if axis == 2 else 0.0,
                limit, 0.0, flat, reach, planes, count,
            )  # fmt: skip
    return count


@compiled
def scene_rows(
    position, braking, shape, reach, flat, mesh, cone, planes, count, nearest, stack
):  # fmt: skip
    """Add guiding planes for the triangles nearest to a body; return the number of planes.

    Args:
        position: (3,) reference point [m].
        braking: (3,) displacement until the stop if the body brakes now [m].
        shape: The `Upright` capsule.
        reach: [m].
        flat: Whether it walks.
        mesh: Arrays of the triangles' query.
        cone: Only points above a cone of this slope and height [m] at the feet count, or
            `ANYWHERE`: the others may be of the ground stood on, and a plane there would keep a
            walker from going uphill.
        planes: Added to.
        count: HalfSpaces there are.
        nearest: Room for triangles.
        stack: Room for the traversal.
    """
    kept = _nearest_triangles(position, shape, reach, mesh, cone, nearest, stack)
    distance, direction = nearest
    for q in range(kept):
        nx, ny, nz = direction[q, 0], direction[q, 1], direction[q, 2]
        if flat and abs(nz) > 0.9:
            continue
        # Braking must stay possible; the certificate, not this plane, says whether it is free.
        stop = nx * braking[0] + ny * braking[1] + nz * braking[2]
        limit = max(distance[q] - shape.radius - 2.0 * SCENE_MARGIN, max(0.0, stop))
        count = _append(nx, ny, nz, limit, 0.0, flat, reach, planes, count)
    return count


@inlined
def _nearest_triangles(position, shape, reach, mesh, cone, nearest, stack):
    """Find the triangles within reach, each direction once; return how many there are."""
    boxes, ranges, triangles, first_leaf = mesh
    distance, direction = nearest
    x, y = position[0], position[1]
    bottom, top_height = position[2] + shape.low, position[2] + shape.high
    cap = shape.radius + reach + 2.0 * SCENE_MARGIN
    capped = cap * cap
    kept = 0
    if upright_box_squared(x, y, bottom, top_height, boxes[0]) >= capped:
        return kept
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if upright_box_squared(x, y, bottom, top_height, boxes[node]) >= capped:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            if upright_hull_squared(x, y, bottom, top_height, triangles[k]) >= capped:
                continue
            d, h, px, py, pz = upright_triangle(x, y, bottom, top_height, triangles[k])
            if d >= capped or d <= 0.0:
                continue
            if cone[0] >= 0.0:
                aside = sqrt((px - x) ** 2 + (py - y) ** 2)
                if pz - position[2] <= cone[0] * aside + cone[1]:
                    continue
            d = sqrt(d)
            kept = _keep(d, (px - x) / d, (py - y) / d, (pz - h) / d, distance, direction, kept)
    return kept


@inlined
def _keep(d, nx, ny, nz, distance, direction, kept):
    """Keep a triangle's distance and direction; return how many are kept.

    One in the direction of another is the same plane; where the table is full, the farthest makes
    place for a nearer one.
    """
    for q in range(kept):
        cosine = nx * direction[q, 0] + ny * direction[q, 1] + nz * direction[q, 2]
        if cosine > 1.0 - 1e-9:
            distance[q] = min(distance[q], d)
            return kept
    if kept == MAX_TRIANGLES:
        worst = 0
        for q in range(1, kept):
            if distance[q] > distance[worst]:
                worst = q
        if distance[worst] <= d:
            return kept
        kept -= 1
        distance[worst] = distance[kept]
        direction[worst, 0], direction[worst, 1], direction[worst, 2] = (
            direction[kept, 0], direction[kept, 1], direction[kept, 2],
        )  # fmt: skip
    distance[kept] = d
    direction[kept, 0], direction[kept, 1], direction[kept, 2] = nx, ny, nz
    return kept + 1


@inlined
def add_scene(body, clear, mesh, border, overhead, cone, probe, planes, count, nearest, stack):
    """Add the planes of scene, border and ground overhead; return the number of planes.

    What is farther off has none: ``clear`` says how far it is at least, a
    `rmp3d.behaviors.safety.clearing.Clear`. Those of scene and ground overhead would lead an
    elongated body sideways, where it cannot go: it follows its wish until the certificate stops it.
    """
    position, braking, flat = body.position, body.braking, body.grounded
    reach = body.reach + body.swing
    round_, far = body.row_count == 0, reach + 2.0 * SCENE_MARGIN
    if round_ and clear.obstacles < body.shape.radius + far:
        count = scene_rows(
            position, braking, body.shape, reach, flat, mesh, ANYWHERE, planes, count, nearest,
            stack,
        )  # fmt: skip
    if not flat:
        return count
    if clear.border < far:
        count = scene_rows(
            position, braking, BORDER, reach, True, border, ANYWHERE, planes, count, nearest, stack
        )
    if round_:
        for k in range(probe.shape[0]):
            part = Upright(probe[k, 0], probe[k, 1], probe[k, 2])
            count = scene_rows(
                position, braking, part, reach, True, overhead, cone, planes, count, nearest, stack
            )
    return count
