"""A sampler of one's own: half of the samples lie low, close to the floor of the scene.

rmp3d plan sky --with examples/own_sampler.py --set planner.sampler=low
"""

from dataclasses import dataclass

import rmp3d as rp
from rmp3d.planner import SAMPLERS


@SAMPLERS.register("low")
@dataclass(frozen=True)
class Low:
    """Sample uniformly, some of the samples below a height.

    Attributes:
        share: Of the samples that lie low.
        height: Below which those lie, as a share of the scene's height.
    """

    share: float = 0.5
    height: float = 0.2

    def attempt(self, space, count, first, rng):
        """Return those of ``count`` samples that are free, (M, W)."""
        cube = rng.random((count, space.dimension))
        low = rng.random(count) < self.share
        cube[low, 2:3] *= self.height
        configurations = space.from_unit_cube(cube)
        return configurations[space.is_free(configurations)]


if __name__ == "__main__":
    ends = {"body": "drone", "start": (-25, -15, 10), "goal": (25, 15, 10)}
    print(rp.plan("sky", **ends, sampler=Low(share=0.8), nodes=50).path.length)
