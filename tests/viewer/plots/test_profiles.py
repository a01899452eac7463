import numpy as np
import pytest
from PIL import Image

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.plots.profiles import save_profile

STATION = np.linspace(0.0, 10.0, 50)
ONES = np.ones(50)


def save(path, left=ONES):
    save_profile(path, STATION, 0.5 * ONES, left, ONES, radius=0.3, most=3.0, title="yard")


def test_the_free_strip_is_drawn_as_wide_as_it_is(tmp_path):
    def colored(name, left):
        save(tmp_path / name, left)
        pixels = np.asarray(Image.open(tmp_path / name).convert("RGB"), int)
        return int(((pixels.max(axis=2) - pixels.min(axis=2)) > 20).sum())

    assert colored("wide.png", ONES) > 1.2 * colored("narrow.png", ONES * 0.0)


def test_the_same_profile_gives_the_same_bytes(tmp_path):
    for name in ("a.png", "b.png"):
        save(tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_format_that_nobody_knows_is_told(tmp_path):
    with pytest.raises(InputError, match="the profile cannot be written"):
        save(tmp_path / "profile.xyz")
