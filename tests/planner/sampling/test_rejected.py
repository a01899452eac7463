import numpy as np

from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.sampling.rejected import rejected_configurations
from rmp3d.planner.spaces import make_space


def test_kept_and_refused_are_all_that_a_sampler_tried(rooms, walker):
    space = make_space("translation", rooms, walker)
    sampler = SAMPLERS["uniform"]()
    kept = sampler.attempt(space, 500, 0, np.random.default_rng(3))
    refused = rejected_configurations(sampler, space, 500, np.random.default_rng(3))
    assert len(kept) + len(refused) == 500
    assert not space.is_free(refused).any()


def test_every_sampler_can_be_watched(rooms, walker):
    space = make_space("ground", rooms, walker)
    for name in SAMPLERS:
        rng = np.random.default_rng(0)
        refused = rejected_configurations(SAMPLERS[name](), space, 64, rng)
        assert refused.shape[1] == 3
        assert not space.is_free(refused).any()
