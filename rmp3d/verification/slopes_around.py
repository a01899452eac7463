"""How far bodies that lean as the ground does may lean, from the ground that they have been on."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block

AROUND = 1.0
"""How far [m] around a body the ground counts."""
LEAST = np.radians(1.0)
"""Where some of the ground is steeper, bodies may lean so far [rad] everywhere."""
CALMED = 1.0
"""Time [s] in which a lean becomes smaller by a factor of e, as a body moves on over level ground.
Its up does so in 0.3 s, its nose in 0.5 s."""
SHUFFLES = 0.15
"""A body that is slower [m/s] keeps its nose up or down."""


class SlopesAround:
    """Bounds how far bodies lean.

    Whoever has ground of a slope s under it, its up along the normal and its nose along the slope,
    leans by at most acos(cos(s)^2). Around ground steeper than `LEAST`, the steepest ground of the
    scene is that bound. From there on, over level ground, it decays as the body moves.

    Args:
        scene: Has the ground.
        dt: Time between frames [s].
        count: N, of members.
    """

    def __init__(self, scene: Scene, dt: float, count: int) -> None:
        cosine = np.ones(0) if scene.walkable is None else scene.walkable.normals[:, 2]
        lean = np.arccos(np.clip(cosine * cosine, -1.0, 1.0))  # (F,) that each face allows
        self._most = float(lean.max(initial=0.0))
        steep, self._query = np.flatnonzero(lean >= LEAST), None
        if scene.walkable is not None and 0 < len(steep) < len(lean):
            self._query = MeshQuery(scene.walkable.select(steep))
        self._dt, self._lean = dt, np.zeros(count)

    def lean(self, block: Block, members: Index) -> Float:
        """Return how far (B + 1, n) [rad] members may lean in the frames of a block."""
        count = block.motions + 1
        place = block.position[:count, members]
        if self._query is None:
            return np.full(place.shape[:2], self._most)
        near = self._query.closest_point(place.reshape(-1, 3))[0] <= AROUND
        near = near.reshape(place.shape[:2])
        moves = length(np.diff(place, axis=0)) > SHUFFLES * self._dt
        before = self._lean[members] if block.first else np.zeros(len(members))
        limit = self._followed(near, moves, before)
        self._lean[members] = limit[-1]
        return np.maximum(limit, min(LEAST, self._most))

    def _followed(self, near: Bool, moves: Bool, before: Float) -> Float:
        """Return bounds (T, n) from where sloping ground is near and who moves."""
        kept = np.where(moves, np.exp(-self._dt / CALMED), 1.0)
        limit = np.empty(near.shape)
        limit[0] = np.where(near[0], self._most, before)
        for frame in range(1, len(near)):
            limit[frame] = np.where(near[frame], self._most, limit[frame - 1] * kept[frame - 1])
        return limit
