"""Uniform: every free configuration is equally likely."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("uniform")
@dataclass(frozen=True)
class Uniform:
    """Sample free configurations uniformly.

    The sampling of the first probabilistic roadmaps (Kavraki, Svestka, Latombe, Overmars 1996,
    "Probabilistic roadmaps for path planning in high-dimensional configuration spaces").
    """

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return those of ``count`` uniform configurations that are free, (M, W)."""
        configurations = space.from_unit_cube(rng.random((count, space.dimension)))
        return configurations[space.is_free(configurations)]
