"""The walkable surface: connected triangles that a character stands on and walks over.

Several levels may lie above one another. A point of the surface is a position and the triangle it
lies in; moving goes from triangle to neighboring triangle, so nobody changes level without
walking there. Where two meshes abut without sharing vertices (a T-junction, a small step), the
walk continues on the triangle found within `step_height` of the border.
"""

import numpy as np

from geometry.arrays import Bool, Float, Index
from geometry.compiled import compiled
from geometry.mesh import TriangleMesh
from geometry.tree import build_tree

STACK = 128
# How far beyond a border a continuing triangle is looked for [m].
REACH = 1e-3
MAX_CROSSINGS = 100_000


class Surface:
    """Walkable triangles with their neighbors; every normal has an upward part.

    Attributes:
        mesh: The triangles, all facing up (z part of the normal > 0).
        step_height: Largest difference in height that a walk continues over at a border [m].
        neighbor: (F, 3) face across edge (k, k + 1), -1 at a border.
        component: (F,) number of the connected patch a face belongs to.
        border: (B, 2, 3) [m] edges over which no walk continues.
    """

    def __init__(self, mesh: TriangleMesh, step_height: float = 0.02) -> None:
        upward = mesh.normals[:, 2] > 1e-6
        if not upward.any():
            raise ValueError("no triangle of `mesh` faces up")
        self.mesh = mesh if upward.all() else mesh.select(upward)
        self.step_height = step_height
        self._tree = build_tree(self.mesh)
        self._rank = np.empty(len(self.mesh.faces), np.intp)
        self._rank[self._tree.order] = np.arange(len(self._rank))
        self.neighbor = _neighbors(self.mesh)
        self.border, links = self._open_border()
        self.component = _components(self.neighbor, links)

    @property
    def arrays(self) -> tuple[Float, Index, Float, Index, int, Float, Index, float]:
        """What the compiled kernels take, the tree first; faces are rows of the mesh."""
        tree = self._tree
        return (
            tree.boxes, tree.ranges, tree.triangles, tree.order, tree.first_leaf,
            self._corners, self.neighbor, self.step_height,
        )  # fmt: skip

    @property
    def _corners(self) -> Float:
        return self.mesh.triangles.reshape(-1, 9)

    def locate(self, points: Float, above: float = 0.5, below: float = 0.5) -> tuple[Float, Index]:
        """Return the surface point (M, 3) vertically nearest to each point, and its face (M,).

        Args:
            points: (M, 3) [m].
            above: How far over the point the surface may lie [m].
            below: How far under it [m].

        Returns:
            Points and faces; the point itself and face -1 where there is none.
        """
        points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        found = points.copy()
        face = np.empty(len(points), np.intp)
        _locate_rows(*self.arrays[:5], points, above, below, found, face)
        return found, face

    def walk(self, point: Float, face: Index, displacement: Float) -> tuple[Float, Index, Bool]:
        """Move points over the surface by a displacement in plan; stop at a border.

        Args:
            point: (M, 3) surface points [m].
            face: (M,) their faces.
            displacement: (M, 2) in x and y [m].

        Returns:
            Points (M, 3), faces (M,), and whether the whole displacement was walked (M,).
        """
        point = np.array(point, dtype=np.float64).reshape(-1, 3)
        face = np.array(face, dtype=np.intp).reshape(-1)
        displacement = np.ascontiguousarray(displacement, dtype=np.float64).reshape(-1, 2)
        arrived = np.empty(len(point), np.bool_)
        _walk_rows(*self.arrays, point, face, displacement, arrived)
        return point, face, arrived

    def polyline(self, point: Float, face: int, displacement: Float) -> tuple[Float, Index, bool]:
        """Return the surface points where a straight walk (in plan) changes triangle.

        Args:
            point: (3,) surface point [m].
            face: Its face.
            displacement: (2,) in x and y [m].

        Returns:
            Points (K, 3), start and end included; the face after each (K,); whether the whole
            displacement was walked.
        """
        point = np.ascontiguousarray(point, dtype=np.float64)
        capacity = 256
        while True:
            points = np.empty((capacity, 3))
            faces = np.empty(capacity, np.intp)
            _, _, _, _, arrived, count = walk_one(
                *self.arrays, point[0], point[1], point[2], face,
                float(displacement[0]), float(displacement[1]), points, faces,
            )  # fmt: skip
            if count <= capacity:
                return points[:count].copy(), faces[:count].copy(), bool(arrived)
            capacity = count

    def height_range(self, point: Float, face: Index, radius: Float) -> Float:
        """Return lowest and highest surface (M, 2) [m] in reach of a walk of ``radius`` in plan.

        A bound: triangles that the circle touches count with their planes' range over it.
        """
        point = np.ascontiguousarray(point, dtype=np.float64).reshape(-1, 3)
        radius = np.ascontiguousarray(np.broadcast_to(radius, (len(point),)), dtype=np.float64)
        found = np.empty((len(point), 2))
        face = np.ascontiguousarray(face, dtype=np.intp)
        _height_rows(self._corners, self.neighbor, self.step_height, point, face, radius, found)
        return found

    def _open_border(self) -> tuple[Float, Index]:
        """Return the border edges over which nothing continues, and the (L, 2) links over others.

        Each edge is looked at in pieces; a run of pieces without continuation is one barrier.
        """
        corners = self.mesh.triangles
        face, edge = np.nonzero(self.neighbor < 0)
        if len(face) == 0:
            return np.zeros((0, 2, 3)), np.zeros((0, 2), np.intp)
        start, end = corners[face, edge], corners[face, (edge + 1) % 3]
        pieces = 16
        middle = (np.arange(pieces) + 0.5) / pieces
        along = end - start
        outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
        outward /= np.maximum(np.linalg.norm(outward, axis=1), 1e-300)[:, None]
        probe = start[:, None] + middle[None, :, None] * along[:, None]
        probe[..., :2] += REACH * outward[:, None]
        slack = self.step_height + 2.0 * REACH
        _, across = self.locate(probe.reshape(-1, 3), slack, slack)
        across = across.reshape(len(face), pieces)
        linked = across >= 0
        links = np.stack([np.repeat(face, pieces)[linked.ravel()], across[linked]], axis=1)
        barriers = []
        for row in np.flatnonzero(~linked.all(axis=1)):
            change = np.flatnonzero(np.diff(np.concatenate([[1], linked[row], [1]])))
            for first, last in change.reshape(-1, 2):
                barriers.append(
                    [
                        start[row] + first / pieces * along[row],
                        start[row] + last / pieces * along[row],
                    ]
                )
        return np.array(barriers).reshape(-1, 2, 3), links


def _neighbors(mesh: TriangleMesh) -> Index:
    """Return the (F, 3) faces across each edge; vertices in one place count as one."""
    _, merged = np.unique(np.round(mesh.vertices, 6), axis=0, return_inverse=True)
    faces = merged.reshape(-1)[mesh.faces]
    start = faces.ravel()
    end = np.roll(faces, -1, axis=1).ravel()
    base = int(faces.max()) + 1
    key, reverse = start * base + end, end * base + start
    order = np.argsort(key, kind="stable")
    place = np.minimum(np.searchsorted(key[order], reverse), len(key) - 1)
    found = key[order][place] == reverse
    return np.where(found, order[place] // 3, -1).reshape(-1, 3).astype(np.intp)


def _components(neighbor: Index, links: Index) -> Index:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    face, edge = np.nonzero(neighbor >= 0)
    rows = np.concatenate([face, links[:, 0]])
    columns = np.concatenate([neighbor[face, edge], links[:, 1]])
    size = len(neighbor)
    graph = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    return connected_components(graph, directed=False)[1].astype(np.intp)


@compiled
def height_at(t, x, y):
    """Return the height of the plane of triangle t over (x, y)."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return t[2] - (nx * (x - t[0]) + ny * (y - t[1])) / nz


@compiled
def locate_one(boxes, ranges, triangles, order, first_leaf, x, y, z, above, below, stack):
    """Return the height and the face vertically nearest to a point; face -1 if out of reach."""
    best = 1e300
    height = z
    face = -1
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        box = boxes[node]
        if x < box[0] - 1e-9 or x > box[3] + 1e-9 or y < box[1] - 1e-9 or y > box[4] + 1e-9:
            continue
        if box[2] > z + above or box[5] < z - below:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 2
            stack[top + 1] = 2 * node + 1
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            t = triangles[k]
            inside = True
            for e in range(3):
                a = 3 * e
                b = 3 * ((e + 1) % 3)
                ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
                # Nanometers outside still count, so that seams have no cracks.
                slack = 1e-9 * (abs(ex) + abs(ey))
                if ex * (y - t[a + 1]) - ey * (x - t[a]) < -slack:
                    inside = False
                    break
            if not inside:
                continue
            h = height_at(t, x, y)
            if h > z + above or h < z - below:
                continue
            if abs(h - z) < best:
                best = abs(h - z)
                height = h
                face = order[k]
    return height, face


@compiled
def _locate_rows(boxes, ranges, triangles, order, first_leaf, points, above, below, found, face):
    stack = np.empty(STACK, np.int64)
    for i in range(points.shape[0]):
        found[i, 2], face[i] = locate_one(
            boxes, ranges, triangles, order, first_leaf,
            points[i, 0], points[i, 1], points[i, 2], above, below, stack,
        )  # fmt: skip


@compiled
def walk_one(
    boxes, ranges, triangles, order, first_leaf, corners, neighbor, step_height,
    x, y, z, face, dx, dy, points, faces,
):  # fmt: skip
    """Walk by (dx, dy) in plan; return x, y, z, face, arrived, and the number of points.

    Crossing points go to ``points`` and ``faces`` as far as they have room; the count goes on.
    """
    count = 0
    capacity = points.shape[0]
    if capacity > 0:
        points[0, 0], points[0, 1], points[0, 2] = x, y, z
        faces[0] = face
    count = 1
    start_x, start_y = x, y
    size = (dx * dx + dy * dy) ** 0.5
    if size == 0.0 or face < 0:
        return x, y, z, face, face >= 0, count
    done = 0.0
    arrived = False
    for _ in range(MAX_CROSSINGS):
        t = corners[face]
        leave = 1.0
        through = -1
        for e in range(3):
            a = 3 * e
            b = 3 * ((e + 1) % 3)
            ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
            rate = ex * dy - ey * dx
            if rate < 0.0:
                inside = ex * (start_y - t[a + 1]) - ey * (start_x - t[a])
                share = max(done, -inside / rate)
                if share < leave:
                    leave = share
                    through = e
        if through < 0:
            arrived = True
            done = 1.0
            break
        done = leave
        x, y = start_x + done * dx, start_y + done * dy
        z = height_at(t, x, y)
        following = neighbor[face, through]
        if following < 0:
            bx, by = x + dx / size * REACH, y + dy / size * REACH
            slack = step_height + 2.0 * REACH
            stack = np.empty(STACK, np.int64)
            _, following = locate_one(
                boxes, ranges, triangles, order, first_leaf, bx, by, z, slack, slack, stack
            )
            if following < 0 or following == face:
                break
            if capacity > count:
                points[count, 0], points[count, 1], points[count, 2] = x, y, z
                faces[count] = following
            count += 1
            done = min(1.0, done + REACH / size)
            x, y = start_x + done * dx, start_y + done * dy
            z = height_at(corners[following], x, y)
        face = following
        if capacity > count:
            points[count, 0], points[count, 1], points[count, 2] = x, y, z
            faces[count] = face
        count += 1
    if arrived:
        x, y = start_x + dx, start_y + dy
        z = height_at(corners[face], x, y)
    if capacity > count:
        points[count, 0], points[count, 1], points[count, 2] = x, y, z
        faces[count] = face
    count += 1
    return x, y, z, face, arrived, count


@compiled
def _walk_rows(
    boxes, ranges, triangles, order, first_leaf, corners, neighbor, step_height,
    point, face, displacement, arrived,
):  # fmt: skip
    points = np.empty((0, 3))
    faces = np.empty(0, np.int64)
    for i in range(point.shape[0]):
        point[i, 0], point[i, 1], point[i, 2], face[i], arrived[i], _ = walk_one(
            boxes, ranges, triangles, order, first_leaf, corners, neighbor, step_height,
            point[i, 0], point[i, 1], point[i, 2], face[i],
            displacement[i, 0], displacement[i, 1], points, faces,
        )  # fmt: skip


@compiled
def height_range_one(corners, neighbor, step_height, x, y, z, face, radius, queue):
    """Return bounds of the surface's height within ``radius`` in plan, by spreading from a face.

    ``queue`` (Q,) limits the number of triangles; when it is full the bound falls back on the
    steepest slope seen.
    """
    low, high = z, z
    queue[0] = face
    head, tail = 0, 1
    while head < tail:
        f = queue[head]
        head += 1
        t = corners[f]
        ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
        vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        slope = (nx * nx + ny * ny) ** 0.5 / nz
        plane = t[2] - (nx * (x - t[0]) + ny * (y - t[1])) / nz
        low = min(low, max(min(t[2], min(t[5], t[8])), plane - slope * radius))
        high = max(high, min(max(t[2], max(t[5], t[8])), plane + slope * radius))
        for e in range(3):
            following = neighbor[f, e]
            a = 3 * e
            b = 3 * ((e + 1) % 3)
            ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
            size = ex * ex + ey * ey
            share = 0.0
            if size > 0.0:
                share = min(1.0, max(0.0, ((x - t[a]) * ex + (y - t[a + 1]) * ey) / size))
            gx, gy = t[a] + share * ex - x, t[a + 1] + share * ey - y
            if gx * gx + gy * gy > radius * radius:
                continue
            if following < 0:
                low = min(low, t[2] - step_height) if t[2] < low else low
                continue
            seen = False
            for k in range(tail):
                if queue[k] == following:
                    seen = True
                    break
            if seen:
                continue
            if tail == queue.shape[0]:
                return min(low, z - radius), max(high, z + radius)
            queue[tail] = following
            tail += 1
    return low, high


@compiled
def _height_rows(corners, neighbor, step_height, point, face, radius, found):
    queue = np.empty(64, np.int64)
    for i in range(point.shape[0]):
        found[i, 0], found[i, 1] = height_range_one(
            corners, neighbor, step_height, point[i, 0], point[i, 1], point[i, 2],
            face[i], radius[i], queue,
        )  # fmt: skip
