"""What the scene hides, and what it keeps the sun from, looked up in depths that were drawn."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Float

BLOCK = 4  # texels a side that are summed up by their least and greatest depth
BIAS = 2e-3  # of a map's depth; a point this little behind the scene is still lit


class SceneLight:
    """Which points the scene keeps the sun from, looked up in its shadow map."""

    def __init__(self, matrix: NDArray[np.float32], depth: NDArray[np.float32]) -> None:
        """Keep a map.

        Args:
            matrix: (4, 4) from world to the clip space of the map; parallel.
            depth: (S, S) 0..1, lowest row first; S is a multiple of `BLOCK`.
        """
        self._matrix, self._depth = matrix.astype(float), np.ascontiguousarray(depth)
        self._nearest, self._farthest = (
            _around(self._depth, choose) for choose in (np.minimum, np.maximum)
        )

    def share(self, points: Float) -> Float:
        """Return the share (M,) of the sun that reaches points (M, 3) [m], from nine texels."""
        at = (points @ self._matrix[:3, :3].T + self._matrix[:3, 3]) * 0.5 + 0.5
        side = len(self._depth)
        column, row = np.clip((at[:, :2] * side).astype(np.intp), 1, side - 2).T
        texel, depth = row * side + column, at[:, 2] - BIAS
        block = row // BLOCK, column // BLOCK
        lit = (depth <= self._farthest[block]).astype(float)
        edge = np.flatnonzero((lit > 0.0) & (depth > self._nearest[block]))
        around = (side * np.arange(-1, 2)[:, None] + np.arange(-1, 2)).ravel()
        texels = texel[edge, None] + around
        lit[edge] = (depth[edge, None] <= self._depth.ravel()[texels]).mean(axis=1)
        return lit


class SceneDepth:
    """What the scene hides from a camera, looked up in the depths of its picture."""

    def __init__(self, view_projection: NDArray[np.float32], depth: NDArray[np.float32]) -> None:
        """Keep a picture's depths (H, W), 0..1, lowest row first, and its matrix (4, 4)."""
        self._matrix, self._depth = view_projection.astype(float), depth

    def hides(self, points: Float) -> Bool:
        """Return which of points (..., 3) [m] are behind the scene."""
        clip = points @ self._matrix[:, :3].T + self._matrix[:, 3]
        at = clip[..., :3] / np.maximum(clip[..., 3:], 1e-9) * 0.5 + 0.5
        height, width = self._depth.shape
        x = np.clip(at[..., 0] * width, 0, width - 1).astype(np.intp)
        y = np.clip(at[..., 1] * height, 0, height - 1).astype(np.intp)
        return np.asarray(at[..., 2] > self._depth[y, x])


def _around(depth: NDArray[np.float32], choose: np.ufunc) -> NDArray[np.float32]:
    """Return the least or greatest depth of each block and the eight around it."""
    side = len(depth) // BLOCK
    rows = choose.reduce(depth.reshape(side, BLOCK, len(depth)), axis=1)
    blocks = choose.reduce(rows.reshape(side, side, BLOCK), axis=2)
    wide = np.pad(blocks, 1, mode="edge")
    across = choose(choose(wide[:, :-2], wide[:, 1:-1]), wide[:, 2:])
    return np.asarray(choose(choose(across[:-2], across[1:-1]), across[2:]))
