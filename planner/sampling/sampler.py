"""What every sampler does, and drawing a stated number of free configurations."""

from typing import Protocol

import numpy as np

from rmp3d.geometry import Float, Registry
from rmp3d.geometry.own_code import given_array
from rmp3d.planner.errors import SamplingError
from rmp3d.planner.spaces import Space

SAMPLERS = Registry("sampler")
BATCH = 256
FRUITLESS = 50_000  # attempts in a row without a free configuration before giving up


class Sampler(Protocol):
    """A rule that proposes configurations; a frozen dataclass of its parameters.

    A sampler has no memory: attempts are numbered, so that a sequence (Halton's) goes on where
    the attempts before left it.
    """

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Make attempts number ``first`` to ``first + count - 1``.

        Args:
            space: Where to sample.
            count: How many attempts to make.
            first: How many were made before.
            rng: Source of all randomness; the same state gives the same samples.

        Returns:
            The free configurations (M, W) that they gave, M <= count, in the order found.
        """


def attempted(
    sampler: Sampler, space: Space, count: int, first: int, rng: np.random.Generator
) -> Float:
    """Return the free configurations (M, W) of attempts; see `Sampler.attempt`.

    Raises:
        InputError: The sampler's class gives something else.
    """
    found = sampler.attempt(space, count, first, rng)
    return given_array(found, (None, space.width), sampler, "attempt")


def draw(
    sampler: Sampler, space: Space, count: int, rng: np.random.Generator, first: int = 0
) -> tuple[Float, int]:
    """Return ``count`` free configurations (count, W), and how many attempts are now made.

    Args:
        sampler: The rule.
        space: Where to sample.
        count: How many to return.
        rng: Source of all randomness.
        first: How many attempts were made before.

    Raises:
        SamplingError: 50,000 attempts in a row found nothing.
    """
    batches: list[Float] = []
    found, fruitless = 0, 0
    while found < count:
        size = max(BATCH, count - found)
        batch = attempted(sampler, space, size, first, rng)
        first += size
        fruitless = 0 if len(batch) else fruitless + size
        found += len(batch)
        batches.append(batch)
        if fruitless >= FRUITLESS:
            raise fruitless_search(sampler, first, found)
    return np.concatenate([np.zeros((0, space.width)), *batches])[:count], first


def fruitless_search(sampler: Sampler, attempts: int, found: int) -> SamplingError:
    """Return the error that says that a sampler finds nothing."""
    return SamplingError(
        f"{sampler} found {found} free configurations in {attempts} attempts, none in the last "
        f"{FRUITLESS}; is the body too large for the scene, or is there nothing of the kind that "
        "the sampler looks for? Try the sampler `uniform`",
        attempts,
        found,
    )
