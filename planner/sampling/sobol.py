"""Sobol: a digital sequence in base 2, even over all its first powers of two."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("sobol")
@dataclass(frozen=True)
class Sobol:
    """Sample free configurations of the Sobol sequence.

    A digital sequence in base 2 from primitive polynomials (Sobol 1967, "On the distribution of
    points in a cube and the approximate evaluation of integrals"), with the direction numbers of
    Joe and Kuo (2008). Points a 2^m to (a + 1) 2^m - 1 are balanced for every a and m. Attempts
    count from the first point and leave none out, so the balance holds however large the batches
    are. There are 2^30 points.

    Attributes:
        scramble: Whether to scramble the digits at random (Matousek 1998) and shift the points.
        seed: Seed of the scrambling.
    """

    scramble: bool = False
    seed: int = 0

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of points ``first`` to ``first + count - 1``, (M, W)."""
        from scipy.stats import qmc  # half a second to import

        sequence = qmc.Sobol(space.dimension, scramble=self.scramble, seed=self.seed)
        if first == 0:
            # SciPy warns of a first draw that is not a power of two, as if it were the last one.
            points = sequence.random_base2(max(count - 1, 0).bit_length())[:count]
        else:
            points = sequence.fast_forward(first).random(count)
        configurations = space.from_unit_cube(points)
        return configurations[space.is_free(configurations)]
