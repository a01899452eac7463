"""What one picture is drawn with: camera, sun and layers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.targets import DepthMap
from rmp3d.viewer.layers import Layers

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
    """

    camera: Camera
    view_projection: NDArray[np.float32]
    member_light: NDArray[np.float32]
    member_map: DepthMap
    size: tuple[int, int]
    layers: Layers
    cut: float = np.inf
