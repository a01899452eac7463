"""Collision by python-fcl alone: a second opinion that shares no code with the kernels.

It asks `fcl.collide`, and `fcl.distance` of two meshes that do not touch. The verdicts of both were
checked against exact distances down to gaps of 1e-6 m. Distances of a capsule and a mesh are up to
1e-3 too large, and `continuousCollide` is wrong on meshes, so neither decides anything here.
"""

from collections.abc import Sequence
from functools import cached_property, partial

import fcl
import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.work_limit import check_work
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.nearby import NearTriangles
from rmp3d.planner.collision.solids import Solids
from rmp3d.planner.collision.winding import is_inside

PRECISION = 0.01  # of clearances, times the radius
MANY_TRIANGLES = 1000
"""From here on, motions are compared with those triangles that they come near."""
TOGETHER = 512  # motions whose sheets are one mesh
SLIM = 1e-3  # width of a sheet in plan from which on it is made, times the height


class FclBackend:
    """An upright capsule against triangles by python-fcl.

    While a capsule moves straight, its segment sweeps a parallelogram: a sheet. The motion is free
    if nothing is nearer to the sheet than the radius. The sheets of many motions make one mesh;
    where that is too near to something, both halves of the motions are looked at.

    A motion straight up, and any of a ball, has no sheet. It is proved by covering: while it
    translates from one end of an interval to the other the capsule stays inside the same capsule at
    the interval's middle, thickened by half the interval's length. If that one touches nothing the
    interval is free; else it is halved.

    Args:
        mesh: The obstacles' triangles.
        solids: Closed meshes whose inside is forbidden.
        capsule_axis: Heights [m] of the ends of the capsule's segment over its reference point.
        radius: [m].
        tolerance: What comes as near as this [m] counts as touching. A motion without a sheet may
            be refused when it comes nearer than 1.5 times this.
        counts: Where the work is counted.
    """

    def __init__(
        self,
        mesh: TriangleMesh,
        solids: Sequence[TriangleMesh],
        capsule_axis: tuple[float, float],
        radius: float,
        tolerance: float,
        counts: QueryCounts,
    ) -> None:
        self._solids = Solids(solids, [partial(is_inside, solid) for solid in solids])
        self.middle = np.array([0.0, 0.0, 0.5 * (capsule_axis[0] + capsule_axis[1])])
        self.length = capsule_axis[1] - capsule_axis[0]
        self.radius = radius
        self.tolerance = tolerance
        self.counts = counts
        self._mesh, self._near = mesh, NearTriangles(mesh)
        self._request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)

    def touched(self, configurations: Float) -> Index:
        """Return the face (M,) nearer than the tolerance, -1 where the body touches none."""
        reach = self.radius + self.tolerance
        return np.array([self._contact(row, reach) for row in configurations], dtype=np.intp)

    def clearance(self, configurations: Float, cap: float) -> Float:
        """Return a lower bound (M,) of the distance [m], within a hundredth of the radius.

        Found by halving the range of radii between which contact begins; negative on contact,
        at most ``cap``.
        """
        self.counts.distance += len(configurations)
        return np.array([self._clearance(row, cap) for row in configurations], dtype=np.float64)

    def sweep(self, start: Float, end: Float) -> Index:
        """Return the face (M,) that refuses a straight motion, -1 where it is proved free."""
        found = np.full(len(start), -1, np.intp)
        if len(start) == 0:
            return found
        near: Index | None = None
        if len(self._mesh.faces) > MANY_TRIANGLES:
            near = self._near.of_motions(start, end, self._reach)
            if len(near) == 0:
                return found
        obstacles = self._obstacles if near is None else _object(self._mesh.triangles[near])
        wide = np.hypot(*(end - start)[:, :2].T) > SLIM * self.length
        has_sheet = wide & (self.length > SLIM * self.radius)
        for row in np.flatnonzero(~has_sheet).tolist():
            found[row] = self._cover(start[row], end[row], obstacles)
        rows = np.flatnonzero(has_sheet)
        waiting = [rows[k : k + TOGETHER] for k in range(0, len(rows), TOGETHER)]
        while waiting:
            some = waiting.pop()
            face = self._sheets_touch(start[some], end[some], obstacles)
            if face >= 0 and len(some) > 1:
                waiting += np.array_split(some, 2)
            else:
                found[some] = face
        if near is not None:
            found[found >= 0] = near[found[found >= 0]]
        return found

    def inside(self, points: Float) -> Index:
        """Return the solid (M,) that contains each point, -1 for none."""
        return self._solids.around(points)

    @cached_property
    def _obstacles(self) -> fcl.CollisionObject:
        """All triangles."""
        return _object(self._mesh.triangles)

    @cached_property
    def _reach(self) -> Float:
        """Corners (2, 3) [m] of a box around the capsule, relative to its reference point."""
        around = self.radius + 2.0 * self.tolerance
        half = np.array([around, around, 0.5 * self.length + around])
        return np.stack([self.middle - half, self.middle + half])

    def _sheets_touch(self, start: Float, end: Float, obstacles: fcl.CollisionObject) -> int:
        """Return a face that is too near to the sheets of motions (M, 3), or -1."""
        check_work()
        self.counts.collision += 1
        up = np.array([0.0, 0.0, 0.5 * self.length])
        low, high = self.middle - up, self.middle + up
        corners = np.stack([start + low, start + high, end + high, end + low], axis=1)
        sheets = _object(corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3))
        # The distance of meshes that overlap is not defined.
        touching = fcl.CollisionResult()
        if fcl.collide(sheets, obstacles, self._request, touching) > 0:
            return int(touching.contacts[0].b2)
        result = fcl.DistanceResult()
        gap = fcl.distance(sheets, obstacles, fcl.DistanceRequest(), result)
        return -1 if gap > self.radius + self.tolerance else int(result.b2)

    def _contact(
        self, configuration: Float, radius: float, obstacles: fcl.CollisionObject | None = None
    ) -> int:
        """Return a face that the capsule with another radius touches, or -1."""
        check_work()
        self.counts.collision += 1
        obstacles = self._obstacles if obstacles is None else obstacles
        # A ball is a capsule without length: fcl's own sphere misjudges triangles without area.
        shape = fcl.Capsule(radius, self.length)
        body = fcl.CollisionObject(shape, fcl.Transform(configuration + self.middle))
        result = fcl.CollisionResult()
        if fcl.collide(body, obstacles, self._request, result) == 0:
            return -1
        # fcl reports the mesh first, whatever the order of the arguments.
        return int(max(result.contacts[0].b1, result.contacts[0].b2))

    def _cover(self, start: Float, end: Float, obstacles: fcl.CollisionObject) -> int:
        """Return a face that refuses a motion, found by covering it, or -1."""
        total = float(np.linalg.norm(end - start))
        smallest = 0.5 * self.tolerance
        intervals = [(0.0, 1.0)]
        while intervals:
            low, high = intervals.pop()
            center = start + 0.5 * (low + high) * (end - start)
            half = 0.5 * (high - low) * total
            face = self._contact(center, self.radius + self.tolerance + half, obstacles)
            if face < 0:
                continue
            if half <= smallest:
                return face
            blocking = self._contact(center, self.radius + self.tolerance, obstacles)
            if blocking >= 0:
                return blocking
            middle = 0.5 * (low + high)
            intervals += [(middle, high), (low, middle)]
        return -1

    def _clearance(self, configuration: Float, cap: float) -> float:
        center = configuration + self.middle
        corner = np.maximum(*np.abs(center - self._mesh.bounds))
        # No triangle is farther than the far corner of the box around all of them.
        high = min(cap, float(np.linalg.norm(corner))) + self.radius
        if self._contact(configuration, high) < 0:
            return high - self.radius
        low = 0.0
        if self._contact(configuration, self.radius) < 0:
            low = self.radius
        else:
            high = self.radius
        while high - low > PRECISION * max(self.radius, self.tolerance):
            middle = 0.5 * (low + high)
            if self._contact(configuration, middle) < 0:
                low = middle
            else:
                high = middle
        return low - self.radius


def _object(triangles: Float) -> fcl.CollisionObject:
    """Return the object of triangles (F, 3, 3)."""
    model = fcl.BVHModel()
    model.beginModel(3 * len(triangles), len(triangles))
    model.addSubModel(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    model.endModel()
    return fcl.CollisionObject(model)
