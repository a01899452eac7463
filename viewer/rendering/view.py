"""What one picture is drawn with: camera, sun and layers."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.targets import DepthMap
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.visibility import KEEPS_ALL

NEVER = 1e30
"""[m] A height in place of infinity, which not every graphics driver knows."""


@dataclass(frozen=True, eq=False)
class View:
    """One picture's camera, sun and layers.

    Attributes:
        camera: From where the scene is seen.
        view_projection: (4, 4) matrix of the camera.
        member_light: (4, 4) matrix with which the sun sees the members.
        member_map: Depths of the members that the sun sees.
        size: Width and height of the picture [pixels].
        layers: What is drawn.
        cut: Height [m] above which nothing of the scene is drawn.
        clip: (4,) equation of a plane; nothing of the scene is drawn where it is negative.
        hidden: Names of parts that are not drawn.
    """

    camera: Camera
    view_projection: NDArray[np.float32]
    member_light: NDArray[np.float32]
    member_map: DepthMap
    size: tuple[int, int]
    layers: Layers
    cut: float = np.inf
    clip: Float = field(default_factory=lambda: KEEPS_ALL)
    hidden: frozenset[str] = frozenset()

    @property
    def clips(self) -> bool:
        """Whether a part of the scene is cut away."""
        return bool(np.isfinite(self.cut)) or self.clip is not KEEPS_ALL
