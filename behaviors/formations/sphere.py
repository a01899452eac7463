"""Sphere: for those who fly, all round in space."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, arranged
from rmp3d.geometry.arrays import Float


@FORMATIONS.register("sphere")
@dataclass(frozen=True)
class SphereFormation:
    r"""Travel on a sphere, the leader at its foremost point; for flyers only.

    The points of a spiral from the front to the back that turns by the golden angle:

    .. math:: x_k = 1 - (2 k + 1) / n, \quad \varphi_k = \pi (3 - \sqrt 5) k

    (Swinbank and Purser 2006, "Fibonacci grids: a novel approach to global modelling").
    """

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), front to back; the nearest two are ``spacing`` apart."""
        lag = (2.0 * np.arange(count) + 1.0) / max(count, 1) - 1.0
        across = np.sqrt(1.0 - lag**2)
        angle = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
        points = np.stack([lag, across * np.cos(angle), across * np.sin(angle)], axis=1)
        return arranged(points, spacing)
