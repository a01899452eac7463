import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.choices import choose
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import make_space


def mixture(*parts):
    return SAMPLERS["mixture"](parts=list(parts))


def test_each_part_has_its_share_of_the_attempts_always():
    sampler = mixture(
        {"name": "uniform", "weight": 5}, {"name": "gaussian", "weight": 3}, {"name": "halton"}
    )
    shares = np.array([sampler.shares(count) for count in range(3000)])
    np.testing.assert_array_equal(shares.sum(axis=1), np.arange(3000))
    assert (np.diff(shares, axis=0) >= 0).all()
    expected = np.arange(3000)[:, None] * np.array([5, 3, 1]) / 9
    assert (np.abs(shares - expected) < 4.0).all()


def test_a_mixture_of_one_is_that_sampler(rooms, walker):
    space = make_space("ground", rooms, walker)
    alone = draw(SAMPLERS["gaussian"](std=0.3), space, 50, np.random.default_rng(0))
    mixed = draw(mixture({"name": "gaussian", "std": 0.3}), space, 50, np.random.default_rng(0))
    assert alone[0].tobytes() == mixed[0].tobytes()
    assert alone[1] == mixed[1]


def test_sequences_in_a_mixture_go_on_without_gaps(rooms, walker):
    space = make_space("translation", rooms, walker)
    sampler = mixture({"name": "halton"}, {"name": "sobol"})
    rng = np.random.default_rng(0)
    batches = [sampler.attempt(space, 100, first, rng) for first in range(0, 1000, 100)]
    found = {tuple(point) for point in np.concatenate(batches)}
    halton, sobol = sampler.shares(1000)
    expected = [
        SAMPLERS["halton"]().attempt(space, int(halton), 0, rng),
        SAMPLERS["sobol"]().attempt(space, int(sobol), 0, rng),
    ]
    assert found == {tuple(point) for point in np.concatenate(expected)}


def test_the_first_samples_come_from_all_parts(rooms, walker):
    space = make_space("translation", rooms, walker)
    points = mixture({"name": "uniform"}, {"name": "obstacle", "precision": 0.01}).attempt(
        space, 1000, 0, np.random.default_rng(0)
    )
    close = space.world.clearance(points) < 0.011
    assert 0.5 * close.mean() < close[:60].mean() < 2.0 * close.mean()


def test_mixtures_are_data():
    sampler = choose(
        SAMPLERS,
        {"name": "mixture", "parts": [{"name": "gaussian", "std": 0.2, "weight": 2}]},
    )
    assert sampler.samplers == (SAMPLERS["gaussian"](std=0.2),)
    assert len(choose(SAMPLERS, "mixture").samplers) > 1


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "at least one"),
        ([{"name": "uniform", "weight": 0}], "`weight` of a part must be positive"),
        ([{"name": "uniform", "weight": "much"}], "`weight` of a part must be a number"),
        (
            [{"name": "uniform"}, {"name": "unifrom"}],
            r"`sampler.parts\[1\]`: .*did you mean `uniform`",
        ),
        ([{"name": "gaussian", "sdt": 1.0}], "did you mean `std`"),
        ([{"weight": 1.0}], "needs a `name`"),
    ],
)
def test_a_wrong_part_is_refused(parts, message):
    with pytest.raises(InputError, match=message):
        choose(SAMPLERS, {"name": "mixture", "parts": parts})
