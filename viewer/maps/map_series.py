"""Maps of the crowd of a playback: at a moment, and on average over the time up to it."""

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.risers import without_risers
from rmp3d.geometry.surface import CURB, WalkableSurface
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene
from rmp3d.viewer.cameras.storeys import storey_cuts
from rmp3d.viewer.maps.crowd_maps import CrowdMap, GroundCells, crowd_map, mean_map
from rmp3d.viewer.playback.playback import Playback

CELL, MOST_CELLS = 0.5, 240  # [m] side of a cell; along the longer side of the scene
BELOW = 0.6  # [m] under a storey's floor that belong to it; see `rmp3d.geometry.storeys`
AROUND = 0.1  # [s] on both sides of a moment over which velocities are taken
STEP = 0.25  # [s] of moments at which maps are made
MOST_MOMENTS = 64  # of an average; of a longer time, every second one, fourth one, ...


@weak_cache
def ground_cells(scene: Scene) -> GroundCells | None:
    """Return the cells of the ground that can be walked; None if there is none."""
    if scene.walkable is None:
        return None
    surface = WalkableSurface(scene.walkable, CURB)
    low, high = surface.mesh.bounds[:, :2]
    cell = max(CELL, float((high - low).max()) / MOST_CELLS)
    columns, rows = np.ceil((high - low) / cell).astype(np.intp).clip(1)
    storeys = np.array([each.height for each in storey_cuts(scene)])
    x, y = (low[axis] + cell * (np.arange(n) + 0.5) for axis, n in enumerate((columns, rows)))
    plan = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    height = np.full((len(storeys), len(plan)), np.nan)
    bottom, top = surface.mesh.bounds[:, 2]
    for row, storey in enumerate(storeys):
        above = storeys[row + 1] - BELOW - storey if row + 1 < len(storeys) else top - storey
        below = BELOW if row else storey - bottom
        points = np.column_stack([plan, np.full(len(plan), storey)])
        found, face = surface.locate(points, float(above) + 0.01, float(below) + 0.01)
        height[row] = np.where(face >= 0, found[:, 2], np.nan)
    return GroundCells(
        frozen(low), cell, frozen(storeys), frozen(height.reshape(-1, columns, rows))
    )


class MapSeries:
    """Makes maps of one playback, which may grow, and keeps what averages need."""

    def __init__(self, cells: GroundCells) -> None:
        self._cells = cells
        self._kept: dict[int, CrowdMap] = {}  # by multiples of STEP; for averages
        self._frames = 0  # of the playback that they are of

    def at(self, playback: Playback, time: float) -> CrowdMap:
        """Return the map at a moment [s]."""
        walks = playback.walks & playback.there(playback.frame_at(time)[0])
        position = playback.pose(time).position[walks]
        lowest = playback.capsule_axis[walks, 0] - playback.radius[walks]
        feet = position + np.column_stack([np.zeros((len(lowest), 2)), lowest])
        return crowd_map(self._cells, feet, velocities(playback, time)[walks])

    def mean(self, playback: Playback, time: float) -> CrowdMap:
        """Return the average of moments from the start to ``time`` [s], evenly apart."""
        if playback.frame_count < self._frames:  # another run
            self._kept = {}
        self._frames = playback.frame_count
        last, stride = int(time / STEP + 1e-9), 1
        while last // stride >= MOST_MOMENTS:
            stride *= 2
        wanted = range(0, last + 1, stride)
        self._kept = {
            row: self._kept[row] if row in self._kept else self.at(playback, row * STEP)
            for row in wanted
        }
        return mean_map(list(self._kept.values()))


def velocities(playback: Playback, time: float) -> Float:
    """Return the velocities (N, 3) [m/s] of members around a moment [s]."""
    frame = playback.frame_at(time)[0]
    reach = max(round(AROUND / playback.dt), 1)
    first, last = max(frame - reach, 0), min(frame + reach, playback.frame_count - 1)
    a, b = first, last
    if playback.life is not None:
        came, left = playback.life.T
        a, b = (
            np.clip(row, came, np.maximum(left - 1, came)).clip(max=playback.frame_count - 1)
            for row in (first, last)
        )
    row = np.arange(first, last)[:, None]
    motion = np.diff(playback.position[first : last + 1], axis=0)
    motion = np.where(((row >= a) & (row < b))[..., None], motion, 0.0)
    gone = without_risers(motion, playback.walks).sum(axis=0)
    return np.asarray(gone / np.maximum((np.subtract(b, a)) * playback.dt, playback.dt)[..., None])
