"""Arms that are spread in the rest pose, as most rigs have them, hang down and swing."""

import numpy as np
from scipy.spatial.transform import Rotation

from rmp3d.geometry.arrays import Float
from rmp3d.models.bone_names import arms_of
from rmp3d.models.skeleton import Skeleton

SPREAD = np.radians(25.0)
"""An arm farther off the vertical is spread [rad]."""
ASIDE = np.radians(8.0)
"""Angle of an arm that hangs, off the vertical [rad]."""
SWING = np.radians(18.0)
"""Angle of an arm at most ahead and back [rad]."""


def hanging_arms(skeleton: Skeleton, ahead: Float) -> dict[int, Float]:
    """Return how spread upper arms are turned so that they hang: (R, 3, 3) by rows of joints.

    Nothing, if a side has no arm, or no arm is spread.

    Args:
        skeleton: In the rest pose, x ahead.
        ahead: (R, 2) how far ahead, from -1 to 1, the left and the right arm swing.
    """
    found = {}
    for side, parts in arms_of(skeleton.names).items():
        if not {"thigh", "foot"} <= set(parts):
            return {}
        upper = parts["thigh"]
        arm = skeleton.position[parts["foot"]] - skeleton.position[upper]
        arm /= max(float(np.linalg.norm(arm)), 1e-9)
        sign = 1.0 if side == "left" else -1.0
        hanging = np.array([0.0, sign * np.sin(ASIDE), -np.cos(ASIDE)])
        axis, sine = np.cross(arm, hanging), np.linalg.norm(np.cross(arm, hanging))
        angle = float(np.arctan2(sine, arm @ hanging))
        if np.arccos(np.clip(-arm[2], -1.0, 1.0)) < SPREAD or sine < 1e-6:
            continue
        lowered = Rotation.from_rotvec(angle * axis / sine)
        swing = Rotation.from_rotvec(
            -SWING * ahead[:, int(side == "right"), None] * [0.0, 1.0, 0.0]
        )
        found[upper] = (swing * lowered).as_matrix()
    return found
