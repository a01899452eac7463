"""What the scene hides, and what it keeps the sun from, looked up in depths that were drawn."""

import numpy as np
from numpy.typing import NDArray

from geometry.arrays import Bool, Float

BIAS = 2e-3  # of a map's depth; a point this little behind the scene is still lit


class SceneLight:
    """Which points the scene keeps the sun from, looked up in its shadow map."""

    def __init__(self, matrix: NDArray[np.float32], depth: NDArray[np.float32]) -> None:
        """Keep a map.

        Args:
            matrix: (4, 4) from world to the clip space of the map; parallel.
            depth: (S, S) 0..1, lowest row first.
        """
        self._matrix, self._depth = matrix.astype(float), np.ascontiguousarray(depth)
        self._nearest, self._farthest = (
            _over_nine(self._depth, choose).ravel() for choose in (np.minimum, np.maximum)
        )

    def share(self, points: Float) -> Float:
        """Return the share (M,) of the sun that reaches points (M, 3) [m], from nine texels."""
        at = (points @ self._matrix[:3, :3].T + self._matrix[:3, 3]) * 0.5 + 0.5
        side = len(self._depth)
        column, row = np.clip((at[:, :2] * side).astype(np.intp), 1, side - 2).T
        texel, depth = row * side + column, at[:, 2] - BIAS
        lit = (depth <= self._farthest[texel]).astype(float)
        edge = np.flatnonzero((lit > 0.0) & (depth > self._nearest[texel]))
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


def _over_nine(depth: NDArray[np.float32], choose: np.ufunc) -> NDArray[np.float32]:
    """Return the least or greatest of each texel and the eight around it; the rim as it is."""
    found = depth.copy()
    across = choose(choose(depth[:, :-2], depth[:, 1:-1]), depth[:, 2:])
    found[1:-1, 1:-1] = choose(choose(across[:-2], across[1:-1]), across[2:])
    return found
