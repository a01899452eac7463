"""The safety constraint: from a wished velocity to the nearest one that can be proved safe.

Invariant: the braking capsules (see `behaviors.safety.pairs`) of all bodies are disjoint, and the
way on which each body would stop is free of the scene. A step keeps it, from the old state only:

1. For each near pair a plane parts the two old braking capsules; both must stay on their sides.
   Near triangles of the scene and borders of the surface give planes that guide.
2. The displacement w until the next stop, E(|v'|) v'/|v'|, is projected on these planes. Braking
   straight satisfies all pair planes at once, so there always is an answer.
3. Certificate: on the way from braking to the projected wish the farthest point is taken that
   keeps the acceleration limit and whose whole motion until the stop, over the surface for
   walkers, is proved free of the scene by a sweep. Braking is free by the previous step's proof.

The steps of all bodies are simultaneous; the order of the rows does not matter.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.spatial import cKDTree

from behaviors.flock import Flock
from behaviors.safety.pairs import SKIN, pair_planes, rows_of_pairs
from behaviors.safety.projection import project_on_halfplanes, project_on_halfspaces
from behaviors.safety.stopping import braking_distance, reach_of_speed, speed_of_reach
from geometry.arrays import Float, Index
from geometry.compiled import compiled
from geometry.mesh import TriangleMesh
from geometry.primitives import upright_box_squared, upright_hull_squared, upright_triangle
from geometry.query import STACK, MeshQuery, nearest_one
from geometry.surface import Surface, height_range_one, walk_one

MAX_PLANES = 160
MAX_TRIANGLES = 24
# A body is kept this far from the scene [m]; guiding planes keep twice as far.
SCENE_MARGIN = 1e-3
# Share of the smaller of thrust and braking that a stop counts on; the rest steers meanwhile.
GUARANTEED = 0.8
# Stands for what is not there: a triangle that no character comes near.
FAR_AWAY = TriangleMesh(
    np.array([[1e9, 1e9, 1e9], [1e9 + 1, 1e9, 1e9], [1e9, 1e9 + 1, 1e9]]), np.array([[0, 1, 2]])
)


@dataclass
class SafetyReport:
    """What the constraint has seen so far.

    Attributes:
        smallest_gap: Smallest gap between two braking capsules [m]; never negative.
        held_back: Body-steps in which the wish was changed to keep a certificate.
        braked: Body-steps in which only braking was left.
    """

    smallest_gap: float = np.inf
    held_back: int = 0
    braked: int = 0


class SafetyConstraint:
    """Filters wished velocities for one flock in one scene.

    Attributes:
        walking: What walkers must not touch, or None.
        flying: What flyers must not touch, or None.
        surface: Where walkers stand, or None.
        bounds: (2, 3) [m] that centers, thickened by their radius, stay inside of.
        dt: Time step [s].
        report: Counts, over all calls.
    """

    def __init__(
        self,
        walking: MeshQuery | None,
        flying: MeshQuery | None,
        surface: Surface | None,
        bounds: Float,
        dt: float,
    ) -> None:
        self.walking = walking or MeshQuery(FAR_AWAY)
        self.flying = flying or MeshQuery(FAR_AWAY)
        self.surface = surface or Surface(FAR_AWAY)
        border = self.surface.border
        if len(border):
            corners = np.stack([border[:, 0], border[:, 1], border[:, 1]], axis=1)
            faces = np.arange(3 * len(corners)).reshape(-1, 3)
            self._border = MeshQuery(TriangleMesh(corners.reshape(-1, 3), faces))
        else:
            self._border = MeshQuery(FAR_AWAY)
        self.bounds = np.array(bounds, float)
        self.dt = dt
        self.report = SafetyReport()

    def velocity(
        self, flock: Flock, proposal: Float, desire: Float, weight: Float | None = None
    ) -> Float:
        """Return the safe velocity (N, 3) [m/s] nearest to the proposed one, for the next step.

        Walkers' velocities are in plan (z is zero): their limits hold there, and the surface
        gives the height.

        Args:
            flock: The state, which satisfies the invariant (bodies at rest and apart do).
            proposal: (N, 3) velocity asked for in the next step [m/s].
            desire: (N, 3) velocity wanted in the long run; decides who gets a gap [m/s].
            weight: (N,) factor on that wish: less than one yields.
        """
        count = len(flock.position)
        if count == 0:
            return np.zeros((0, 3))
        weight = np.ones(count) if weight is None else np.ascontiguousarray(weight)
        flat = np.where(flock.grounded[:, None], [1.0, 1.0, 0.0], 1.0)
        velocity = flock.velocity * flat
        loss = flock.braking * GUARANTEED * self.dt
        braking = np.empty((count, 3))
        reach = np.empty(count)
        _braking_displacements(
            velocity, loss, flock.acceleration, flock.max_speed, self.dt, braking, reach
        )
        low = flock.position[:, 2] * 0.0 + flock.spine[:, 0]
        high = flock.position[:, 2] * 0.0 + flock.spine[:, 1]
        _climb(
            self.surface.arrays[5], self.surface.neighbor, self.surface.step_height,
            flock.position, flock.face, flock.grounded, reach, low, high,
        )  # fmt: skip
        pairs = self._near_pairs(flock, reach, low, high)
        normal = np.zeros((len(pairs), 3))
        bound = np.empty((len(pairs), 2))
        gap = pair_planes(
            pairs, flock.position, braking, low, high, flock.radius, flock.grounded,
            np.ascontiguousarray(desire * flat), weight, reach, normal, bound,
        )  # fmt: skip
        self.report.smallest_gap = min(self.report.smallest_gap, gap)
        start, entry = rows_of_pairs(pairs, count)
        safe = np.empty((count, 3))
        counts = np.zeros(2, np.int64)
        _filter_rows(
            flock.position, velocity, np.ascontiguousarray(proposal * flat), braking, reach,
            flock.radius, flock.spine, flock.grounded, flock.face, loss,
            flock.acceleration * self.dt, flock.max_speed, normal, bound, start, entry,
            self.walking.arrays, self.flying.arrays, self._border.arrays, self.surface.arrays,
            self.bounds, self.dt, safe, counts,
        )  # fmt: skip
        self.report.held_back += int(counts[0])
        self.report.braked += int(counts[1])
        return safe

    def _near_pairs(self, flock: Flock, reach: Float, low: Float, high: Float) -> Index:
        """Return (P, 2) rows i < j of bodies that could meet before they can stop."""
        half = 0.5 * (high - low)
        center = flock.position + np.stack([0 * half, 0 * half, 0.5 * (low + high)], axis=1)
        around = flock.radius + reach + half + 2.0 * SKIN
        found = cKDTree(center).query_pairs(2.0 * float(around.max()), output_type="ndarray")
        if len(found) == 0:
            return np.zeros((0, 2), np.int64)
        i, j = found.T
        apart = np.linalg.norm(center[i] - center[j], axis=1)
        found = found[apart <= around[i] + around[j]]
        return np.ascontiguousarray(found[np.lexsort((found[:, 1], found[:, 0]))], np.int64)


@compiled
def _braking_displacements(velocity, loss, acceleration, max_speed, dt, braking, reach):
    for i in range(velocity.shape[0]):
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        speed = sqrt(x * x + y * y + z * z)
        scale = braking_distance(speed, loss[i], dt) / speed if speed > 1e-12 else 0.0
        braking[i, 0], braking[i, 1], braking[i, 2] = x * scale, y * scale, z * scale
        fastest = min(max(max_speed[i], speed), speed + acceleration[i] * dt)
        reach[i] = reach_of_speed(fastest, loss[i], dt) + 1e-9


@compiled
def _climb(corners, neighbor, step_height, position, face, grounded, reach, low, high):
    """Stretch walkers' upright segments by what the surface rises and falls in reach."""
    queue = np.empty(64, np.int64)
    for i in range(position.shape[0]):
        if not grounded[i]:
            continue
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        a, b = height_range_one(corners, neighbor, step_height, x, y, z, face[i], reach[i], queue)
        low[i] += a - z
        high[i] += b - z


@compiled
def _filter_rows(
    position, velocity, proposal, braking, reach, radius, spine, grounded, face, loss, thrust,
    max_speed, pair_normal, pair_bound, start, entry, walking, flying, border, ground, bounds, dt,
    safe, counts,
):  # fmt: skip
    normal = np.empty((MAX_PLANES, 3))
    bound = np.empty(MAX_PLANES)
    wish, best, found = np.empty(3), np.empty(3), np.empty(3)
    stack, limit, out = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    points, faces = np.empty((256, 3)), np.empty(256, np.int64)
    for i in range(position.shape[0]):
        vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        scene = walking if grounded[i] else flying
        count = _pair_rows(
            i, pair_normal, pair_bound, start, entry, reach[i], grounded[i], normal, bound
        )
        overflow = count < 0
        if not overflow:
            count = _bound_rows(
                i, position, bounds, braking, radius, reach[i], grounded[i], normal, bound, count
            )
            count = _scene_rows(
                i, position, braking, radius[i], spine[i, 0], spine[i, 1], reach[i], grounded[i],
                scene, normal, bound, count, stack, out,
            )  # fmt: skip
            if grounded[i]:
                count = _scene_rows(
                    i, position, braking, 0.0, -0.5, 0.5, reach[i], True, border,
                    normal, bound, count, stack, out,
                )  # fmt: skip
            _wish_within_planes(
                i, velocity, proposal, loss, thrust, max_speed, dt, grounded[i],
                normal, bound, count, wish, found,
            )  # fmt: skip
        speed = sqrt(vx * vx + vy * vy + vz * vz)
        slower = max(0.0, speed - loss[i]) / speed if speed > 1e-12 else 0.0
        best[0], best[1], best[2] = vx * slower, vy * slower, vz * slower
        accepted = -1.0
        if not overflow:
            accepted = _farthest_certified(
                i, position, velocity, braking, found, radius[i], spine, grounded[i], face, loss,
                thrust[i], normal, bound, count, scene, ground, dt, best, stack, limit, out,
                points, faces,
            )  # fmt: skip
        if accepted < 1.0:
            counts[0] += 1
        if accepted <= 0.0:
            counts[1] += 1
        safe[i, 0], safe[i, 1], safe[i, 2] = best[0], best[1], best[2]


@compiled
def _append(x, y, z, h, flat, reach, normal, bound, count):
    """Add the half-space n.w <= h; for a walker the one it leaves in the plane z = 0."""
    if flat:
        size = sqrt(x * x + y * y)
        if size < 1e-6:
            return count
        x, y, z, h = x / size, y / size, 0.0, h / size
    if h >= reach or count == MAX_PLANES:
        return count
    normal[count, 0], normal[count, 1], normal[count, 2] = x, y, z
    bound[count] = h
    return count + 1


@compiled
def _pair_rows(i, pair_normal, pair_bound, start, entry, reach, flat, normal, bound):
    """Fill in body i's side of its pair planes; return their number, -1 if there are too many."""
    count = 0
    for e in range(start[i], start[i + 1]):
        k = entry[e] // 2
        side = entry[e] % 2
        if pair_bound[k, side] >= reach:
            continue
        if count >= MAX_PLANES - MAX_TRIANGLES * 2 - 6:
            return -1
        sign = 1.0 - 2.0 * side
        count = _append(
            sign * pair_normal[k, 0], sign * pair_normal[k, 1], sign * pair_normal[k, 2],
            pair_bound[k, side], flat, reach, normal, bound, count,
        )  # fmt: skip
    return count


@compiled
def _bound_rows(i, position, bounds, braking, radius, reach, flat, normal, bound, count):
    for axis in range(2 if flat else 3):
        for side in range(2):
            sign = 2.0 * side - 1.0
            room = sign * (bounds[side, axis] - position[i, axis]) - radius[i] - SKIN
            room = max(room, max(0.0, sign * braking[i, axis]))
            count = _append(
                sign if axis == 0 else 0.0,
                sign if axis == 1 else 0.0,
                sign if axis == 2 else 0.0,
                room, flat, reach, normal, bound, count,
            )  # fmt: skip
    return count


@compiled
def _scene_rows(
    i, position, braking, radius, low, high, reach, flat, scene, normal, bound, count, stack, out
):
    """Add guiding planes for the nearest triangles, each across its nearest point."""
    boxes, ranges, triangles, first_leaf = scene
    x, y = position[i, 0], position[i, 1]
    bottom, top_height = position[i, 2] + low, position[i, 2] + high
    cap = radius + reach + 2.0 * SCENE_MARGIN
    capped = cap * cap
    distance = np.empty(MAX_TRIANGLES)
    plane = np.empty((MAX_TRIANGLES, 3))
    kept = 0
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
            d = sqrt(d)
            nx, ny, nz = (px - x) / d, (py - y) / d, (pz - h) / d
            same = False
            for q in range(kept):
                cosine = nx * plane[q, 0] + ny * plane[q, 1] + nz * plane[q, 2]
                if cosine > 1.0 - 1e-9:
                    distance[q] = min(distance[q], d)
                    same = True
                    break
            if same:
                continue
            if kept == MAX_TRIANGLES:
                # Full: the farthest makes place for a nearer one.
                worst = 0
                for q in range(1, kept):
                    if distance[q] > distance[worst]:
                        worst = q
                if distance[worst] <= d:
                    continue
                kept -= 1
                distance[worst] = distance[kept]
                plane[worst, 0], plane[worst, 1], plane[worst, 2] = (
                    plane[kept, 0], plane[kept, 1], plane[kept, 2],
                )  # fmt: skip
            distance[kept] = d
            plane[kept, 0], plane[kept, 1], plane[kept, 2] = nx, ny, nz
            kept += 1
    for q in range(kept):
        nx, ny, nz = plane[q, 0], plane[q, 1], plane[q, 2]
        if flat and abs(nz) > 0.9:
            continue
        # Braking must stay possible; the certificate, not this plane, says whether it is free.
        stop = nx * braking[i, 0] + ny * braking[i, 1] + nz * braking[i, 2]
        room = max(distance[q] - radius - 2.0 * SCENE_MARGIN, max(0.0, stop))
        count = _append(nx, ny, nz, room, flat, reach, normal, bound, count)
    return count


@compiled
def _wish_within_planes(
    i, velocity, proposal, loss, thrust, max_speed, dt, flat, normal, bound, count, wish, found
):
    """Write to ``found`` (3,) the displacement until the stop that is nearest to the proposal.

    Clipping to the acceleration ball and projecting on the planes alternate a few times.
    """
    vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
    cx, cy, cz = proposal[i, 0], proposal[i, 1], proposal[i, 2]
    speed = sqrt(cx * cx + cy * cy + cz * cz)
    if speed > max_speed[i]:
        scale = max_speed[i] / speed
        cx, cy, cz = cx * scale, cy * scale, cz * scale
    for turn in range(3):
        dx, dy, dz = cx - vx, cy - vy, cz - vz
        change = sqrt(dx * dx + dy * dy + dz * dz)
        if change > thrust[i]:
            scale = thrust[i] / change
            cx, cy, cz = vx + dx * scale, vy + dy * scale, vz + dz * scale
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
    i, position, velocity, braking, found, radius, spine, grounded, face, loss, thrust,
    normal, bound, count, scene, ground, dt, best, stack, limit, out, points, faces,
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
        ax, ay, az = (
            x * scale - velocity[i, 0],
            y * scale - velocity[i, 1],
            z * scale - velocity[i, 2],
        )
        good = ax * ax + ay * ay + az * az <= thrust * thrust * (1.0 + 1e-12)
        if good:
            good = _way_is_free(
                i, position, x, y, z, radius, spine[i, 0], spine[i, 1], grounded, face, scene,
                ground, stack, limit, out, points, faces,
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
def _way_is_free(
    i, position, dx, dy, dz, radius, low, high, grounded, face, scene, ground,
    stack, limit, out, points, faces,
):  # fmt: skip
    """Prove that the displacement until the stop keeps clear of the scene, and on the surface."""
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    total = sqrt(dx * dx + dy * dy + dz * dz)
    boxes, ranges, triangles, first_leaf = scene
    cap = radius + total * 1.5 + 2.0 * SCENE_MARGIN
    near, row = nearest_one(
        boxes, ranges, triangles, first_leaf, x, y, z + low, z + high, cap, stack, limit, out
    )
    clearance = near - radius
    floor = min(SCENE_MARGIN, 0.999 * clearance)
    if not grounded:
        if row < 0 or clearance > total + floor:
            return True
        return _straight_is_free(
            x, y, z, x + dx, y + dy, z + dz, radius, low, high, floor, scene, stack, limit, out
        )
    count = 0
    arrived = True
    _, _, _, _, arrived, count = walk_one(
        ground[0], ground[1], ground[2], ground[3], ground[4], ground[5], ground[6], ground[7],
        x, y, z, face[i], dx, dy, points, faces,
    )  # fmt: skip
    if not arrived or count > points.shape[0]:
        return False
    if row < 0:
        # Out of reach in plan; on a slope the way is longer, but no longer than the cap allows.
        length = 0.0
        for k in range(count - 1):
            ax, ay = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
            az = points[k + 1, 2] - points[k, 2]
            length += sqrt(ax * ax + ay * ay + az * az)
        if length + floor < near - radius:
            return True
    for k in range(count - 1):
        if not _straight_is_free(
            points[k, 0], points[k, 1], points[k, 2],
            points[k + 1, 0], points[k + 1, 1], points[k + 1, 2],
            radius, low, high, floor, scene, stack, limit, out,
        ):  # fmt: skip
            return False
    return True


@compiled
def _straight_is_free(ax, ay, az, bx, by, bz, radius, low, high, floor, scene, stack, limit, out):
    """Prove a straight motion free by conservative advancement, down to a clearance ``floor``."""
    boxes, ranges, triangles, first_leaf = scene
    dx, dy, dz = bx - ax, by - ay, bz - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    kept = 0.9 * floor
    done = 0.0
    for _ in range(200):
        share = done / total if total > 0.0 else 0.0
        z = az + share * dz
        cap = radius + (total - done) + 2.0 * floor + 1e-9
        near, row = nearest_one(
            boxes, ranges, triangles, first_leaf, ax + share * dx, ay + share * dy,
            z + low, z + high, cap, stack, limit, out,
        )  # fmt: skip
        clearance = near - radius
        if row >= 0 and clearance <= floor:
            return False
        done += clearance - kept
        if done >= total:
            return True
    return False
