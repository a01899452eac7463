"""What every registered sampler promises."""

import numpy as np
import pytest

from geometry import InputError
from planner.choice import choose
from planner.errors import SamplingError
from planner.sampling import SAMPLERS, draw
from planner.spaces import make_space


@pytest.fixture(params=["ground", "translation"])
def space(request, rooms, walker):
    return make_space(request.param, rooms, walker)


@pytest.mark.parametrize("name", SAMPLERS)
def test_samples_are_free_and_as_many_as_asked_for(space, name):
    points, attempts = draw(SAMPLERS[name](), space, 70, np.random.default_rng(0))
    assert points.shape == (70, 3)
    assert space.is_free(points).all()
    assert attempts >= 70


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_same_seed_gives_the_same_samples(space, name):
    first, _ = draw(SAMPLERS[name](), space, 50, np.random.default_rng(3))
    again, _ = draw(SAMPLERS[name](), space, 50, np.random.default_rng(3))
    assert first.tobytes() == again.tobytes()


@pytest.mark.parametrize("name", SAMPLERS)
def test_nothing_asked_for_nothing_given(space, name):
    points, attempts = draw(SAMPLERS[name](), space, 0, np.random.default_rng(0))
    assert points.shape == (0, 3)
    assert attempts == 0


@pytest.mark.parametrize("name", SAMPLERS)
def test_every_sampler_has_a_summary(name):
    assert SAMPLERS.summary(name).endswith(".")


def test_a_search_without_end_is_given_up(make, flyer):
    scene = make.scene(make.box("rock", (-11, -11, -2), (11, 11, 5)))
    space = make_space("translation", scene, flyer)
    with pytest.raises(SamplingError, match=r"UniformSampler.* 0 free configurations") as caught:
        draw(SAMPLERS["uniform"](), space, 10, np.random.default_rng(0))
    assert caught.value.found == 0
    assert caught.value.attempts >= 50_000


def test_choosing_by_name_and_parameters():
    assert choose(SAMPLERS, "gaussian").std == 0.5
    assert choose(SAMPLERS, {"name": "gaussian", "std": 0.2}).std == 0.2
    with pytest.raises(InputError, match="no sampler named `gausian`; did you mean `gaussian`"):
        choose(SAMPLERS, "gausian")
    with pytest.raises(InputError, match=r"`sampler.sd`: unknown key"):
        choose(SAMPLERS, {"name": "gaussian", "sd": 0.2})
    with pytest.raises(InputError, match="expected `float`"):
        choose(SAMPLERS, {"name": "gaussian", "std": "wide"})
    with pytest.raises(InputError, match="`std` must be positive"):
        choose(SAMPLERS, {"name": "gaussian", "std": -1.0})
    with pytest.raises(InputError, match="`sampler` needs a `name`"):
        choose(SAMPLERS, {"std": 0.2})
