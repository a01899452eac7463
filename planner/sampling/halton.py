"""Halton: a deterministic sequence that fills space more evenly than random points."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("halton")
@dataclass(frozen=True)
class Halton:
    """Sample free configurations of the Halton sequence.

    Coordinate j of point i is the radical inverse of i in the j-th prime base (Halton 1960, "On
    the efficiency of certain quasi-random sequences of points"). Without scrambling nothing is
    random: every roadmap of a scene has the same nodes.

    Attributes:
        scramble: Whether to permute the digits at random (Owen 2017).
        seed: Seed of the permutations.
    """

    scramble: bool = False
    seed: int = 0

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of points ``first`` to ``first + count - 1``, (M, W)."""
        from scipy.stats import qmc  # half a second to import; only Halton needs it

        sequence = qmc.Halton(space.dimension, scramble=self.scramble, seed=self.seed)
        sequence.fast_forward(first)
        configurations = space.from_unit_cube(sequence.random(count))
        return configurations[space.is_free(configurations)]
