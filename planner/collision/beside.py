"""How far a body that walks can go before something beside it is in its way."""

import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.beside import distance_beside
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import Body

REACH = 10.0  # [radii of the body] within which the ground's heights are looked at, at most
SHARES = (1.0, 0.5, 0.25, 0.125, 0.0625)  # of that reach, one after the other
SLACK = 1e-3  # [m] below the feet, down to which something is beside them
NEAR_GROUND = 0.5  # [radii of the body] to the ground, from where its heights count
LEVEL = 1e-6  # slope of ground that counts as level


class RoomBeside:
    r"""A lower bound of how far an upright body can walk straight, in whatever direction.

    A walk of R in plan leads over ground between the heights a and b. Where the body, from its foot
    l to its head h over the ground, comes on it is in the layer from a + l to b + h. With D the
    distance in plan from the body's axis to the obstacles in this layer, and r its radius,

    .. math:: \min(R, D - r)

    can be walked, whatever is below the layer or above it: walls under a deck, beams overhead. The
    clearance in space is such a bound, too.

    On a slope a level layer soon reaches what carries the ground. So heights are also taken over
    the plane of the ground at the feet. Over a plane of slope s the ends of the body, half spheres,
    reach farther down and up by :math:`r (\sqrt{1 + s^2} - 1)`. The greatest bound counts.

    Args:
        mesh: The obstacles.
        surface: What the body walks on.
        body: Walks.
    """

    def __init__(self, mesh: TriangleMesh, surface: WalkableSurface, body: Body) -> None:
        self._mesh, self._surface, self._radius = MeshQuery(mesh).arrays, surface, body.radius
        self._axis = body.capsule_axis
        normal = surface.mesh.normals
        self._tilt = -normal[:, :2] / normal[:, 2:]

    def room(self, configurations: Float, feet: Float, cap: float) -> Float:
        """Return how far (M,) [m] bodies can walk, at most ten radii.

        Where the feet are not near the ground, it is minus infinity: nothing is known.

        Args:
            configurations: (M, 3) reference points [m].
            feet: (M, 3) where each stands on the ground [m]; in plan, the body may be aside of it.
            cap: Bounds of this [m] or more need not be the greatest.
        """
        found = np.full(len(configurations), -np.inf)
        near = NEAR_GROUND * self._radius
        ground, face = self._surface.locate(feet, near, near)
        rows = np.flatnonzero(face >= 0)
        level = np.zeros((len(rows), 2))
        found[rows] = self._over_planes(configurations[rows], ground[rows], face[rows], level, cap)
        tilt = self._tilt[face]
        rows = rows[(np.abs(tilt[rows]) > LEVEL).any(axis=1)]
        rows = rows[found[rows] < min(REACH * self._radius, cap)]
        tilted = self._over_planes(configurations[rows], ground[rows], face[rows], tilt[rows], cap)
        found[rows] = np.maximum(found[rows], tilted)
        return found

    def _over_planes(
        self, configurations: Float, ground: Float, face: Index, tilt: Float, cap: float
    ) -> Float:
        """Return how far (M,) [m] bodies can walk by layers over planes of slopes (M, 2).

        Args:
            configurations: (M, 3) reference points [m].
            ground: (M, 3) the ground at the feet [m].
            face: (M,) that the feet are on.
            tilt: How much the planes rise along x and y, per meter.
            cap: See `room`.
        """
        found, rows = np.full(len(ground), -np.inf), np.arange(len(ground))
        before = np.full((len(ground), 2), np.nan)
        over = configurations[:, 2] - ground[:, 2]
        round_end = self._radius * np.hypot(1.0, np.hypot(*tilt.T))
        foot, head = self._axis[0] - round_end - SLACK, self._axis[1] + round_end
        for share in SHARES:
            reach = share * REACH * self._radius
            rows = rows[found[rows] < min(reach, cap)]
            heights = self._surface.height_range(
                ground[rows], face[rows], np.full(len(rows), reach), tilt[rows]
            )
            changed = (heights != before[rows]).any(axis=1)
            before[rows] = heights
            now, heights = rows[changed], heights[changed]
            low = heights[:, 0] + np.minimum(over[now], 0.0) + foot[now]
            high = heights[:, 1] + np.maximum(over[now], 0.0) + head[now]
            most = reach + self._radius
            far = distance_beside(self._mesh, configurations[now], low, high, most, tilt[now])
            found[now] = np.maximum(found[now], far - self._radius)
        return found
