"""How much of the free space a roadmap covers."""

import numpy as np

from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.sampling.sampler import draw
from rmp3d.planner.spaces.metric import nearest

PROBES, NEAREST = 500, 10  # configurations; nodes that each tries


def measure_coverage(
    roadmap: Roadmap, rng: np.random.Generator, probes: int = PROBES, tries: int = NEAREST
) -> float:
    """Return the share of random free configurations that connect to the largest component.

    A configuration connects if the space's straight motion to one of its nearest nodes of that
    component is proved free.

    Args:
        roadmap: A lazy one counts with what is proved of it.
        rng: Source of all randomness.
        probes: How many configurations, drawn uniformly.
        tries: How many nodes each one tries.

    Raises:
        SamplingError: There is no free configuration.
    """
    if len(roadmap.configurations) == 0:
        return 0.0
    space = roadmap.space
    free, _ = draw(SAMPLERS["uniform"](), space, probes, rng)
    largest = roadmap.configurations[roadmap.component == int(roadmap.component_size.argmax())]
    near = nearest(space, largest, free, tries)
    open_ = np.arange(probes)
    for rank in range(near.shape[1]):  # most connect to the nearest one
        motions = space.connect(free[open_], largest[near[open_, rank]])
        open_ = open_[[motion is None for motion in motions]]
    return 1.0 - len(open_) / probes
