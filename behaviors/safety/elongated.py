r"""The constraint for bodies that are longer than wide: a row of capsules along the heading.

Such a body faces where it moves, or opposite. In plan its row is within a capsule: a core, the
segment of the row's offsets along the heading h, thickened by the radius they share. While it
brakes straight, h stays, and the core only becomes longer, by the braking displacement. So the
braking capsule is a capsule here, too, and two of them are parted by a plane as two round bodies'
are.

A step with the next displacement until the stop, :math:`w' = \pm L h'`, turns the heading from h to
h' by an angle a, at most that of the turn radius. In it, the body covers

* its old core, moved and turned into the new one: a point of the row at the offset c is within
  :math:`|c| a^2 / 8` of the chord between its two places;
* the new core of the length L more, along h'.

A half-space that holds the old core and the new core, with that margin, holds all of it. The hull
of the two is what the certificate tests, for each plane between bodies and each wall of the bounds.
Braking does not turn, and its core is a part of the old one: it satisfies all planes at once.

For the scene, each capsule of the row is swept along the chord of its turn, and then along the path
until the stop with the heading h'.
"""

from math import atan2, sqrt

import numpy as np

from rmp3d.behaviors.safety.certificate import straight_is_free, walk_is_free
from rmp3d.behaviors.safety.guides import SCENE_MARGIN, lever
from rmp3d.behaviors.safety.rows import BodyRows, Upright
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.walking import REACH, walk_one

# Turns smaller than this [rad] are none.
STRAIGHT = 1e-9
# Rounding of a bound [m]; the skin around bodies takes it up.
SLACK = 2e-13


def swing_out(far: Float, turn: Float) -> Float:
    """Return how far (N,) [m] points that are ``far`` (N,) ahead or behind move in a turn."""
    turn = np.minimum(turn, np.pi)
    return far * (2.0 * np.sin(0.5 * turn) + turn * turn / 8.0)


def covered_while_braking(bodies: BodyRows) -> tuple[Float, Float]:
    """Return the cores over which the axes of bodies move while these brake: starts and vectors.

    Each (N, 3) [m], from the reference points. The core of a round body is its braking
    displacement; that of a row is longer by the row.
    """
    start, core = np.zeros_like(bodies.braking), bodies.braking
    rows = np.flatnonzero(bodies.row_count)
    if len(rows):
        heading = bodies.heading[rows]
        ahead = np.einsum("ij,ij->i", bodies.braking[rows], heading)
        first = bodies.ends[rows, 0] + np.minimum(ahead, 0.0)
        last = bodies.ends[rows, 1] + np.maximum(ahead, 0.0)
        core = np.array(core)
        start[rows] = first[:, None] * heading
        core[rows] = (last - first)[:, None] * heading
    return start, core


@inlined
def along_row(body, offset):
    """Return the point x, y, z at an offset along a body's heading."""
    x, y, z = body.position
    return x + offset * body.heading[0], y + offset * body.heading[1], z


@inlined
def _next_heading(body, displacement):
    """Return the heading in plan after a step, the gear (1 or -1), and the angle of the turn."""
    x, y, _ = displacement
    hx, hy, _ = body.heading
    size = sqrt(x * x + y * y)
    if size < 1e-12:
        return hx, hy, 1.0, 0.0
    gear = 1.0 if x * hx + y * hy >= 0.0 else -1.0
    nx, ny = gear * x / size, gear * y / size
    return nx, ny, gear, abs(atan2(hx * ny - hy * nx, hx * nx + hy * ny))


@inlined
def _sagitta(body, turn):
    """Return how far the ends of a row leave the chords of their turn."""
    if turn <= STRAIGHT:
        return 0.0
    return max(abs(body.ends[0]), abs(body.ends[1])) * turn * turn / 8.0


@compiled
def row_is_within(body, displacement, planes, count):
    """Return whether an elongated body stays within half-spaces until its stop.

    Args:
        body: The `BodyRow`.
        displacement: x, y, z [m] until the stop.
        planes: Normals in plan, and bounds for the displacement of one that does not turn.
        count: How many of them.
    """
    normal, bound, _, _ = planes
    x, y, _ = displacement
    size = sqrt(x * x + y * y)
    nx, ny, gear, turn = _next_heading(body, displacement)
    margin = _sagitta(body, turn)
    first = body.ends[0] + min(0.0, gear * size)
    last = body.ends[1] + max(0.0, gear * size)
    for k in range(count):
        along = normal[k, 0] * nx + normal[k, 1] * ny
        most = bound[k] + lever(body, normal[k, 0], normal[k, 1])
        if max(first * along, last * along) + margin > most + SLACK:
            return False
    return True


@compiled
def row_motion_is_free(
    body, displacement, step, frame, mesh, ground, overhead, probe, search, walk
):
    """Prove that an elongated walker keeps clear of the scene until its stop, on the surface.

    Args:
        body: The `BodyRow`.
        displacement: x, y, z [m] until the stop, in plan.
        step: Length [m] of its part in the next time step.
        frame: The same where steps are higher than a curb, else 0.
        mesh: Arrays of what it must not touch.
        ground: Arrays of the surface.
        overhead: Arrays of the ground over the heads of walkers.
        probe: (K, 4) what of it must keep clear of that.
        search: Room for traversals.
        walk: Room for the walk.
    """
    x, y, z = body.position
    dx, dy, _ = displacement
    points, faces = walk
    count = 0
    arrived = True
    _, _, _, _, arrived, count = walk_one(*ground, x, y, z, body.face, dx, dy, points, faces)
    if not arrived or count > points.shape[0]:
        return False
    turned = _next_heading(body, displacement)
    margin = _sagitta(body, turned[3])
    rise = _rise(points, count, step)
    for k in range(body.row_count):
        part = Upright(body.row[k, 1] + margin, body.row[k, 2], body.row[k, 3])
        if not _part_is_free(
            body, body.row[k, 0], part, displacement, step, frame, turned, rise, mesh, search,
            points, count,
        ):  # fmt: skip
            return False
    for k in range(probe.shape[0]):
        part = Upright(probe[k, 0] + margin, probe[k, 1], probe[k, 2])
        if not _part_is_free(
            body, probe[k, 3], part, displacement, step, 0.0, turned, rise, overhead, search,
            points, count,
        ):  # fmt: skip
            return False
    return True


@compiled
def _rise(points, count, step):
    """Return how far the first ``step`` [m] of a walk rises, and leaves the line to there.

    The rise is that from the start to the end; next come how far the walk is below that line at
    most, no more than 0, and above it, no less. All in meters.
    """
    rise, below, above = points[count - 1, 2] - points[0, 2], 0.0, 0.0
    done = 0.0
    for k in range(count - 1):
        size = _in_plan(points, k)
        if done + size >= step:
            share = (step - done) / size if size > 0.0 else 1.0
            rise = points[k, 2] + share * (points[k + 1, 2] - points[k, 2]) - points[0, 2]
            break
        done += size
    done = 0.0
    for k in range(1, count):
        done += _in_plan(points, k - 1)
        if done > step + 2.0 * REACH:  # at the edge of a step, there are two heights at one place
            break
        share = done / step if done < step else 1.0
        off = points[k, 2] - points[0, 2] - rise * share
        below, above = min(below, off), max(above, off)
    return rise, below, above


@inlined
def _in_plan(points, k):
    """Return the length in plan [m] of a piece of a walk."""
    dx, dy = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
    return sqrt(dx * dx + dy * dy)


@compiled
def _part_is_free(
    body, offset, part, displacement, step, frame, turned, rise, mesh, search, points, count
):
    """Prove that one capsule of a row keeps clear: in the turn, and then until the stop.

    In the turn, it rises with the walk: it is swept along the line to where it is after the step,
    stretched by what the walk is below and above that.
    """
    nx, ny, gear, turn = turned
    climb, below, above = rise
    dx, dy, _ = displacement
    total = sqrt(dx * dx + dy * dy)
    if turn > STRAIGHT:
        start = along_row(body, offset)
        ahead = offset + gear * step
        x, y, z = body.position
        end = x + ahead * nx, y + ahead * ny, z + climb
        stretched = Upright(part.radius, part.low + below, part.high + above)
        if not straight_is_free(start, end, stretched, SCENE_MARGIN, mesh, search):
            return False
    for k in range(count):
        points[k, 0] += offset * nx
        points[k, 1] += offset * ny
    free = walk_is_free(points, count, total, frame, part, mesh, search)
    for k in range(count):
        points[k, 0] -= offset * nx
        points[k, 1] -= offset * ny
    return free
