"""What every registered sampler promises, in every space."""

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.choices import choose
from rmp3d.planner.errors import SamplingError
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import SPACES, make_space
from rmp3d.planner.spaces.bounds import in_bounds

WITHOUT_CHANCE = ["faure", "halton", "niederreiter", "sobol"]


@pytest.fixture(params=[*SPACES, "planar"])
def space(request, rooms, walker, vehicle, make_body):
    if request.param == "planar":
        plane = np.array([[-10.0, -5, 0.1], [10, 5, 0.1]])
        return make_space("translation", rooms, walker, bounds=plane)
    if request.param == "rigid":
        bounds = np.array([[-9.0, -5, 0], [9, 5, 2.5]])
        return make_space("rigid", rooms, make_body((0.6, 0.4, 0.2)), bounds=bounds)
    if request.param == "ground_heading":
        return make_space(request.param, rooms, vehicle, turn_radius=1.5)
    return make_space(request.param, rooms, walker)


@pytest.mark.parametrize("name", SAMPLERS)
def test_samples_are_free_in_bounds_and_as_many_as_asked_for(space, name):
    points, attempts = draw(SAMPLERS[name](), space, 30, np.random.default_rng(0))
    assert points.shape == (30, space.width)
    assert points.dtype == np.float64
    assert space.is_free(points).all()
    assert in_bounds(points, space.bounds).all()
    assert attempts >= 30


@pytest.mark.parametrize("name", SAMPLERS)
def test_samples_lie_in_the_space(space, name):
    points, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(0))
    placed = [space.place(point) for point in points]
    np.testing.assert_allclose(points, placed, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_same_seed_gives_the_same_samples(space, name):
    first, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(3))
    again, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(3))
    assert first.tobytes() == again.tobytes()


@pytest.mark.parametrize("name", sorted(set(SAMPLERS) - set(WITHOUT_CHANCE)))
def test_another_seed_gives_other_samples(space, name):
    first, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(3))
    other, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(4))
    assert first.tobytes() != other.tobytes()


@pytest.mark.parametrize("name", SAMPLERS)
def test_samples_go_on_over_batches_without_repeats(space, name):
    rng = np.random.default_rng(0)
    first, found = 0, []
    for count in (100, 1, 333, 256):
        batch = SAMPLERS[name]().attempt(space, count, first, rng)
        assert len(batch) <= count
        first += count
        found.append(batch)
    points = np.concatenate(found)
    assert len(np.unique(points, axis=0)) == len(points)


@pytest.mark.parametrize("name", SAMPLERS)
def test_nothing_asked_for_nothing_given(space, name):
    points, attempts = draw(SAMPLERS[name](), space, 0, np.random.default_rng(0))
    assert points.shape == (0, space.width)
    assert attempts == 0
    assert SAMPLERS[name]().attempt(space, 0, 0, np.random.default_rng(0)).shape == (0, space.width)


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_space_without_obstacles_is_sampled_or_given_up(make, flyer, name):
    flag = make.box("flag", (0, 0, 0), (1, 1, 1), role="decor")
    space = make_space("translation", make.scene(flag), flyer)
    if name in ("bridge", "gaussian", "medial", "obstacle", "vertex"):
        with pytest.raises(SamplingError, match="nothing of the kind"):
            draw(SAMPLERS[name](), space, 20, np.random.default_rng(0))
    else:
        points, _ = draw(SAMPLERS[name](), space, 20, np.random.default_rng(0))
        assert space.is_free(points).all()


@pytest.mark.parametrize("name", SAMPLERS)
def test_every_sampler_has_a_summary(name):
    assert SAMPLERS.summary(name).endswith(".")


def test_a_search_without_end_is_given_up(make, flyer):
    scene = make.scene(make.box("rock", (-11, -11, -2), (11, 11, 5)))
    space = make_space("translation", scene, flyer)
    with pytest.raises(SamplingError, match=r"Uniform.* 0 free configurations") as caught:
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
    with pytest.raises(InputError, match="must be a number"):
        choose(SAMPLERS, {"name": "gaussian", "std": "wide"})
    with pytest.raises(InputError, match="`std` must be positive"):
        choose(SAMPLERS, {"name": "gaussian", "std": -1.0})
    with pytest.raises(InputError, match="`sampler` needs a `name`"):
        choose(SAMPLERS, {"std": 0.2})
