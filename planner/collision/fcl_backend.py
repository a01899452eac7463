"""Collision by python-fcl alone: a second opinion that shares no code with the kernels.

Only `fcl.collide` is asked. Its capsule-mesh verdicts were checked against exact distances down
to gaps of 1e-6 m; its capsule-mesh distances are up to 1e-3 too large, and `continuousCollide`
is wrong on meshes, so neither decides anything here.
"""

from collections.abc import Sequence
from functools import partial

import fcl
import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.solids import Solids
from rmp3d.planner.collision.winding import is_inside

PRECISION = 0.01  # of clearances, times the radius


class FclBackend:
    """An upright capsule against triangles by python-fcl.

    A motion is proved by covering: while it translates from one end of an interval to the other
    the capsule stays inside the same capsule at the interval's middle, thickened by half the
    interval's length. If that one touches nothing the interval is free; else it is halved.

    Args:
        mesh: The obstacles' triangles.
        solids: Closed meshes whose inside is forbidden.
        capsule_axis: Heights [m] of the ends of the capsule's segment over its reference point.
        radius: [m].
        tolerance: What comes as near as this [m] counts as touching. A motion may be refused
            when it comes nearer than 1.5 times this.
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
        self._bounds = mesh.bounds
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        self._obstacles = fcl.CollisionObject(model)
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
        pairs = zip(start, end, strict=True)
        return np.array([self._sweep(a, b) for a, b in pairs], dtype=np.intp)

    def inside(self, points: Float) -> Index:
        """Return the solid (M,) that contains each point, -1 for none."""
        return self._solids.around(points)

    def _contact(self, configuration: Float, radius: float) -> int:
        """Return a face that the capsule with another radius touches, or -1."""
        self.counts.collision += 1
        # A ball is a capsule without length: fcl's own sphere misjudges triangles without area.
        shape = fcl.Capsule(radius, self.length)
        body = fcl.CollisionObject(shape, fcl.Transform(configuration + self.middle))
        result = fcl.CollisionResult()
        if fcl.collide(body, self._obstacles, self._request, result) == 0:
            return -1
        # fcl reports the mesh first, whatever the order of the arguments.
        return int(max(result.contacts[0].b1, result.contacts[0].b2))

    def _sweep(self, start: Float, end: Float) -> int:
        total = float(np.linalg.norm(end - start))
        smallest = 0.5 * self.tolerance
        intervals = [(0.0, 1.0)]
        while intervals:
            low, high = intervals.pop()
            center = start + 0.5 * (low + high) * (end - start)
            half = 0.5 * (high - low) * total
            face = self._contact(center, self.radius + self.tolerance + half)
            if face < 0:
                continue
            if half <= smallest:
                return face
            blocking = self._contact(center, self.radius + self.tolerance)
            if blocking >= 0:
                return blocking
            middle = 0.5 * (low + high)
            intervals += [(middle, high), (low, middle)]
        return -1

    def _clearance(self, configuration: Float, cap: float) -> float:
        center = configuration + self.middle
        corner = np.maximum(np.abs(center - self._bounds[0]), np.abs(center - self._bounds[1]))
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
