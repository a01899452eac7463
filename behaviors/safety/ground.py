"""What walkers of one kind stand on and must not touch, ready for the filter."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.safety.clearing import CHANGES, scene_numbers
from rmp3d.behaviors.safety.rows import SceneArrays
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.changing_query import ChangingQuery
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.overhead import cleared, overhead_query, probes
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.geometry.walking import REACH

# Stands for what is not there: a triangle that no character comes near.
FAR_AWAY = TriangleMesh(
    np.array([[1e9, 1e9, 1e9], [1e9 + 1, 1e9, 1e9], [1e9, 1e9 + 1, 1e9]]), np.array([[0, 1, 2]])
)

# Where on a border ground over it is looked for: shares of its length, how far beside it on its
# own face [m], and how much more than a step over it [m].
ALONG = (0.01, 0.25, 0.5, 0.75, 0.99)
INSIDE = 2.0 * REACH
OVER = 0.5


class SafetyGround:
    """The surface and the obstacles of walkers that take steps of the same height.

    Attributes:
        walking: What they must not touch.
        surface: What they walk on.
    """

    def __init__(self, walking: MeshQuery | None, surface: WalkableSurface | None) -> None:
        self.walking = walking or MeshQuery(FAR_AWAY)
        self.surface = surface or WalkableSurface(FAR_AWAY)
        self._borders: dict[int, MeshQuery] = {}
        self._overhead = MeshQuery(FAR_AWAY)
        self._reach = (0.0, 0.0)  # of the bodies that it was found for: radius, height [m]
        self._numbers: dict[tuple[int | MeshQuery, ...], int] = {}
        self._probed: tuple[Bodies, tuple[Float, Index]] | None = None

    def arrays(
        self, flock: Flock, component: int, flying: MeshQuery, bounds: Float, known: Float
    ) -> SceneArrays:
        """Return the scene as the filter reads it for the members on a component of the surface.

        Args:
            flock: Members.
            component: Of the surface.
            flying: What flyers must not touch.
            bounds: (2, 3) that members stay in [m].
            known: (N, 16) how far off the scene was from each row.
        """
        overhead = self._overhead_of(flock)
        if self._probed is None or self._probed[0] is not flock.bodies:
            self._probed = flock.bodies, self._probes(flock)
        return SceneArrays(
            self.walking.arrays,
            flying.arrays,
            self._border(component).arrays,
            overhead.arrays,
            *self._probed[1],
            (self.surface.slope, cleared(self.surface)),
            float(self.surface.extent[3]),
            self.surface.arrays,
            bounds,
            self._number(component, flying, overhead),
            known,
        )

    def _number(self, component: int, *others: MeshQuery) -> int:
        """Return a number that nothing has but these; `CHANGES` where queries change."""
        if any(isinstance(query, ChangingQuery) for query in (self.walking, *others)):
            return CHANGES
        if (component, *others) not in self._numbers:
            self._numbers[component, *others] = next(scene_numbers)
        return self._numbers[component, *others]

    def components(self, flock: Flock, rows: Index) -> list[tuple[int, Index]]:
        """Return the components of the surface that members stand on, and the members on each.

        Flyers are with the first.
        """
        face = flock.face[rows]
        on = face >= 0
        if not on.any():
            return [(-1, rows)]
        component = np.full(len(rows), -1)
        component[on] = self.surface.component[face[on]]
        component[~on] = component[on].min()
        return [(int(each), rows[component == each]) for each in np.unique(component)]

    def _border(self, component: int) -> MeshQuery:
        """Return the borders where walks on a component end: those of other levels stop nobody."""
        if component not in self._borders:
            own = self.surface.component[self.surface.border_face] == component
            border = self.surface.border[own & ~self._hidden]
            corners = np.stack([border[:, 0], border[:, 1], border[:, 1]], axis=1)
            faces = np.arange(3 * len(corners)).reshape(-1, 3)
            mesh = TriangleMesh(corners.reshape(-1, 3), faces) if len(border) else FAR_AWAY
            self._borders[component] = MeshQuery(mesh)
        return self._borders[component]

    @cached_property
    def _hidden(self) -> Bool:
        """(B,) which borders have higher ground over them, as a floor that goes on under a ramp.

        Nobody comes to them: they must not hold back those who walk on that ground.
        """
        surface = self.surface
        hidden = np.full(len(surface.border), surface.extent[3] > 0.0)
        for share in ALONG:
            start, end = surface.border[hidden, 0], surface.border[hidden, 1]
            along = end - start
            inward = np.stack([-along[:, 1], along[:, 0]], axis=1)
            at = start + share * along + [0.0, 0.0, surface.extent[3]]
            at[:, :2] += INSIDE * inward / np.maximum(length(inward), 1e-12)[:, None]
            hidden[hidden] = surface.locate(at, above=OVER, below=0.0)[1] >= 0
        return hidden

    def _overhead_of(self, flock: Flock) -> MeshQuery:
        """Return the ground that is over the heads of walkers."""
        bodies, walks = flock.bodies, flock.bodies.grounded
        far = bodies.half_width + bodies.far
        radius = float(far[walks].max(initial=0.0))
        top = float((bodies.heights[walks, 1] + bodies.half_width[walks]).max(initial=0.0))
        if radius > self._reach[0] or top > self._reach[1]:
            self._reach = (radius, top)
            self._overhead = overhead_query(self.surface, radius, top) or self._overhead
        return self._overhead

    def _probes(self, flock: Flock) -> tuple[Float, Index]:
        """Return what keeps clear of that (N, K, 4), and how many of each (N,).

        The cone at the feet is higher under the capsules of a row by the slope over their offset.
        """
        bodies = flock.bodies
        if self._overhead.mesh is FAR_AWAY:
            return np.zeros((len(bodies), 0, 4)), np.zeros(len(bodies), np.intp)
        slope, over = self.surface.slope, cleared(self.surface)
        low, high = bodies.capsule_axis.T
        found = probes(bodies.radius, low, high, slope, over)  # (N, 2, 3)
        found = np.concatenate([found, np.zeros((*found.shape[:2], 1))], axis=2)
        if not bodies.elongated.any():
            return found, np.full(len(bodies), found.shape[1])
        offset, radius, low, high = np.moveaxis(bodies.row, -1, 0)  # (N, K)
        own = probes(radius, low, high, slope, over + slope * np.abs(offset))
        offset = np.broadcast_to(offset[..., None, None], (*own.shape[:-1], 1))
        own = np.concatenate([own, offset], axis=-1)
        own = own.reshape(len(bodies), -1, 4)
        own[~bodies.elongated, : found.shape[1]] = found[~bodies.elongated]
        return own, np.where(bodies.elongated, 2 * bodies.row_count, found.shape[1])

    def heights(self, flock: Flock, rows: Index, reach: Float) -> Float:
        """Return bounds (n, 2) [m] of the surface's height over the feet of members in reach."""
        position = flock.position.take(rows, axis=0)
        found = self.surface.height_range(position, flock.face[rows], reach[rows])
        return found - position[:, 2:]


class SafetyGrounds:
    """The grounds of the members of a flock, by the highest step that they take.

    Args:
        usual: Of all that ``others`` does not name.
        others: What the scene is to walkers that take other steps, by these [m].
    """

    def __init__(self, usual: SafetyGround, others: Mapping[float, Environment]) -> None:
        self.usual = usual
        self._others = {
            step: SafetyGround(around.walking, around.surface) for step, around in others.items()
        }

    def rows(self, flock: Flock) -> list[tuple[SafetyGround, Index]]:
        """Return the grounds and the members on each; flyers are with the usual one."""
        every = np.arange(len(flock))
        if not self._others:
            return [(self.usual, every)]
        left, found = np.ones(len(flock), np.bool_), []
        for step, ground in self._others.items():
            own = flock.bodies.grounded & (flock.bodies.max_step == step)
            left &= ~own
            found.append((ground, every[own]))
        return [(self.usual, every[left]), *found]
