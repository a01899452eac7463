"""The trunks of animals on four legs follow the slope that they stand on, when they are drawn.

What collides is tilted only as far as the vehicle allows (`max_pitch`); without more, the legs on
the lower side would not reach the ground.
"""

from collections.abc import Callable

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models.skeleton import CharacterRig

SHORTEST = 0.2
"""Feet less far apart ahead and behind [m] are those of somebody upright."""
PLACES = 5
"""How many points along the trunk the ground is looked up under."""
STEEPEST = 0.7
"""Largest angle [rad] by which a trunk is tilted."""


def tilted(
    rig: CharacterRig,
    rotation: Float,
    turn: Float,
    position: Float,
    ground: Callable[[Float], Float],
) -> Float:
    """Return rotations (n, J, 3, 3) of joints with the root pitched along the ground.

    Args:
        rig: Whose joints; one that stands upright is not tilted.
        rotation: Relative to their parents.
        turn: (n, 3, 3) of the bodies.
        position: (n, 3) of the bodies [m].
        ground: Returns points (M, 3) on the ground above or below others.
    """
    feet = rig.skeleton.position[[leg.foot for leg in rig.legs], 0]
    if np.ptp(feet) < SHORTEST:
        return rotation
    along = np.linspace(feet.min(), feet.max(), PLACES)
    points = position[:, None] + along[:, None] * turn[:, None, :, 0]  # (n, P, 3)
    under = ground(points.reshape(-1, 3)).reshape(points.shape) - position[:, None]
    seen = np.einsum("nba,npb->npa", turn, under)  # body frame
    x, z = seen[..., 0] - seen[..., 0].mean(axis=1)[:, None], seen[..., 2]
    slope = (x * z).sum(axis=1) / np.maximum((x * x).sum(axis=1), 1e-9)
    angle = -np.clip(np.arctan(slope), -STEEPEST, STEEPEST)  # nose up is a negative turn about y
    c, s, zero, one = np.cos(angle), np.sin(angle), 0.0 * angle, np.ones_like(angle)
    pitch = np.stack([c, zero, s, zero, one, zero, -s, zero, c], axis=-1).reshape(-1, 3, 3)
    rotation = rotation.copy()
    rotation[:, 0] = pitch @ rotation[:, 0]
    return rotation
