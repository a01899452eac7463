import numpy as np
import pytest

from benchmarks import sampler_pictures
from rmp3d.planner import SAMPLERS


@pytest.mark.parametrize("make", [sampler_pictures.disc_space, sampler_pictures.bar_space])
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_picture_shows_free_samples(make, name, monkeypatch):
    monkeypatch.setattr(sampler_pictures, "COUNT", 5)
    space = make()
    samples, share = sampler_pictures.first_samples(space, name, 0)
    assert len(samples) == 5
    assert space.is_free(samples).all()
    assert 0.0 < share < 1.0
    np.testing.assert_array_equal(samples[:, 2], 0.0)


@pytest.mark.slow
def test_the_pictures_are_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(sampler_pictures, "COUNT", 3)
    sampler_pictures.main(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "samplers.png",
        "samplers_rigid.png",
    ]
