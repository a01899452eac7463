"""How far a body that walks can go before something beside it is in its way."""

import numpy as np

from rmp3d.geometry import Float, TriangleMesh
from rmp3d.geometry.beside import distance_beside
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import Body

REACH = 10.0  # [radii of the body] within which the ground's heights are looked at, at most
SHARES = (1.0, 0.5, 0.25)  # of that reach, one after the other
SLACK = 1e-3  # [m] below the feet, down to which something is beside them
NEAR_GROUND = 0.5  # [radii of the body] to the ground, from where its heights count


class RoomBeside:
    r"""A lower bound of how far an upright body can walk straight, in whatever direction.

    A walk of R in plan leads over ground between the heights a and b. Where the body, from its foot
    l to its head h over the ground, comes on it is in the layer from a + l to b + h. With D the
    distance in plan from the body's axis to the obstacles in this layer, and r its radius,

    .. math:: \min(R, D - r)

    can be walked, whatever is below the layer or above it: walls under a deck, beams overhead. The
    clearance in space is such a bound, too. This one is the greater of the two on level ground.

    Args:
        mesh: The obstacles.
        surface: What the body walks on.
        body: Walks.
    """

    def __init__(self, mesh: TriangleMesh, surface: WalkableSurface, body: Body) -> None:
        self._mesh, self._surface, self._radius = MeshQuery(mesh).arrays, surface, body.radius
        low, high = body.capsule_axis
        self._from, self._to = low - body.radius - SLACK, high + body.radius

    def room(self, configurations: Float, feet: Float) -> Float:
        """Return how far (M,) [m] bodies can walk, at most ten radii.

        Where the feet are not near the ground, it is minus infinity: nothing is known.

        Args:
            configurations: (M, 3) reference points [m].
            feet: (M, 3) where each stands on the ground [m]; in plan, the body may be aside of it.
        """
        found = np.full(len(configurations), -np.inf)
        near = NEAR_GROUND * self._radius
        ground, face = self._surface.locate(feet, near, near)
        over = configurations[:, 2] - ground[:, 2]
        rows, before = np.flatnonzero(face >= 0), np.full((len(feet), 2), np.nan)
        for share in SHARES:
            reach = share * REACH * self._radius
            rows = rows[found[rows] < reach]
            heights = self._surface.height_range(
                ground[rows], face[rows], np.full(len(rows), reach)
            )
            changed = (heights != before[rows]).any(axis=1)
            before[rows] = heights
            rows, heights = rows[changed], heights[changed]
            low = heights[:, 0] + np.minimum(over[rows], 0.0) + self._from
            high = heights[:, 1] + np.maximum(over[rows], 0.0) + self._to
            cap = reach + self._radius
            far = distance_beside(self._mesh, configurations[rows], low, high, cap)
            found[rows] = np.maximum(found[rows], far - self._radius)
        return found
