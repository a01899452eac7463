"""Mixture: several samplers, each with a share of the attempts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rmp3d.geometry import Float, Index, InputError
from rmp3d.geometry.choices import choose
from rmp3d.geometry.short_repr import in_short
from rmp3d.planner.sampling.sampler import SAMPLERS, Sampler, attempted
from rmp3d.planner.spaces import Space

PERIOD = 1000  # attempts after which the order of the samplers repeats
GOLDEN = 0.6180339887498949  # its multiples modulo 1 are the most even sequence of one step


def default_parts() -> list[dict[str, Any]]:
    """Return the mixture for scenes with open room and narrow passages."""
    return [
        {"name": "uniform", "weight": 0.4},
        {"name": "gaussian", "weight": 0.3},
        {"name": "bridge", "weight": 0.3},
    ]


@SAMPLERS.register("mixture")
@dataclass(frozen=True)
class Mixture:
    """Sample with several samplers, each by its weight.

    Attempt i belongs to part k if the fractional part of i times the golden ratio is in the k-th
    of intervals as long as the weights, so that after any number of attempts each part has had
    its share to within one or two. The parts count their own attempts, so sequences go on
    without gaps. Hsu, Sun 2004, "Adaptively combining multiple sampling strategies for
    probabilistic roadmap planning", adapt the weights; ours stay.

    Attributes:
        parts: Tables with ``name``, ``weight`` (positive, of any sum; default 1) and parameters
            of that sampler.
    """

    parts: list[dict[str, Any]] = field(default_factory=default_parts)

    def __post_init__(self) -> None:
        if not self.parts:
            raise InputError("`parts` of a mixture must name at least one sampler")
        for part in self.parts:
            if not isinstance(part, Mapping):
                raise InputError(f"a part of a mixture must be a table, got {in_short(part)}")
            weight = part.get("weight", 1.0)
            if isinstance(weight, bool) or not isinstance(weight, int | float):
                raise InputError(f"`weight` of a part must be a number, got {weight!r}")
            if not 0.0 < weight < np.inf:
                raise InputError(f"`weight` of a part must be positive and finite, got {weight}")
        _ = self.samplers  # wrong names and parameters are refused here, not when sampling

    @cached_property
    def samplers(self) -> tuple[Sampler, ...]:
        """The parts' samplers."""
        return tuple(_sampler(number, part) for number, part in enumerate(self.parts))

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return what the parts find in their shares of ``count`` attempts, interleaved."""
        before, after = self.shares(first), self.shares(first + count)
        batches = [
            attempted(sampler, space, int(b - a), int(a), rng)
            for sampler, a, b in zip(self.samplers, before, after, strict=True)
            if b > a
        ]
        if not batches:
            return np.zeros((0, space.width))
        # Interleaved, so that who takes only the first of them takes some of each part.
        place = np.concatenate([(np.arange(len(found)) + 0.5) / len(found) for found in batches])
        return np.concatenate(batches)[np.argsort(place, kind="stable")]

    def shares(self, count: int) -> Index:
        """Return how many of the first ``count`` attempts each part has, (K,)."""
        whole, rest = divmod(count, PERIOD)
        of_attempt = self._part_of_attempt
        size = len(self.parts)
        shares: Index = whole * np.bincount(of_attempt, minlength=size)
        return shares + np.bincount(of_attempt[:rest], minlength=size)

    @cached_property
    def _part_of_attempt(self) -> Index:
        weight = np.array([part.get("weight", 1.0) for part in self.parts])
        upper = np.cumsum(weight / weight.sum())[:-1]
        return np.searchsorted(upper, np.arange(PERIOD) * GOLDEN % 1.0, side="right")


def _sampler(number: int, part: dict[str, Any]) -> Sampler:
    try:
        sampler: Sampler = choose(SAMPLERS, {key: part[key] for key in part if key != "weight"})
    except InputError as error:
        raise InputError(f"`parts[{number}]`: {error}") from None
    return sampler
