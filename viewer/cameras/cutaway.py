"""Roofs and ceilings over the members: from which height on pictures leave the scene away."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene
from rmp3d.viewer.playback.playback import Playback

ALL = -1
"""In place of a member's row: all members."""
MOST_MEMBERS = 30  # that are asked what is over them
MOMENTS = 9  # of a run, at which members are asked whether they are in rooms
NEARBY = np.linspace(-0.8, 0.8, 5)  # [s] around a moment, for a single member
AROUND = 1.5  # [m] how far around a member it is looked up: a beam is no ceiling
COVERED = 0.5  # share of what is asked that must be covered: trees and bridges stay
LOWER = 25.0  # percentile of the ceilings' heights: some are low
GAP, HEADROOM = 0.02, 0.05  # [m] below the ceiling, above the heads
ROUND = 0.25  # [m] that heights are rounded down to, so that the light need not change each frame
UP = np.array([[0.0, 0.0, 1.0]])
_TURN = np.linspace(0.0, 2.0 * np.pi, 7)[:-1]
PLACES = AROUND * np.vstack(
    [np.zeros(3), np.column_stack([np.cos(_TURN), np.sin(_TURN), 0 * _TURN])]
)


@weak_cache
def scene_query(scene: Scene) -> MeshQuery:
    """Return the query of all that is drawn of a scene, made once."""
    return MeshQuery(join([part.mesh for part in scene.parts]))


class Cutaway:
    """Finds where to cut the scene so that its ceilings do not hide the members."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._indoors: bool | None = None

    def height(self, time: float, member: int = ALL) -> float:
        """Return the height [m] above which nothing of the scene is drawn, inf for no limit.

        It is below the ceiling of the storey that the highest of the members is on, if most of
        them are under one: over the whole run, so that a picture does not change because a crowd
        walks under a bridge; for a single member, in the seconds around the moment.

        Args:
            time: When [s].
            member: Whose ceiling; all members by default.
        """
        playback = self._playback
        if playback.member_count == 0 or not self._is_indoors(time, member):
            return np.inf
        heads, ceilings = self._ceilings(time, self._rows(member))
        above = ceilings[np.isfinite(ceilings) & (ceilings > heads.max() + HEADROOM)]
        if len(above) == 0:
            return np.inf
        cut = float(np.percentile(above, LOWER)) - GAP
        return max(float(np.floor(cut / ROUND) * ROUND), min(cut, float(heads.max()) + HEADROOM))

    def _is_indoors(self, time: float, member: int) -> bool:
        if member != ALL:
            return self._covered(time + NEARBY, self._rows(member)) >= COVERED
        if self._indoors is None:
            moments = np.linspace(0.0, self._playback.duration, MOMENTS)
            self._indoors = self._covered(moments, self._rows(ALL)) >= COVERED
        return self._indoors

    def _rows(self, member: int) -> Index:
        if member != ALL:
            return np.array([member], np.intp)
        last = self._playback.member_count - 1
        return np.unique(np.linspace(0, last, MOST_MEMBERS).astype(np.intp))

    def _covered(self, times: Float, rows: Index) -> float:
        found = [np.isfinite(self._ceilings(float(time), rows)[1]).mean() for time in times]
        return float(np.mean(found))

    def _ceilings(self, time: float, rows: Index) -> tuple[Float, Float]:
        """Return the heights of heads (R,), and of what is over places around them (R P,) [m]."""
        playback = self._playback
        heads = playback.pose(time).position[rows]
        heads[:, 2] += playback.capsule_axis[rows, 1] + playback.radius[rows]
        places = (heads[:, None] + PLACES).reshape(-1, 3)
        reach, _ = scene_query(playback.scene).cast_ray(places, UP)
        return heads[:, 2], places[:, 2] + reach
