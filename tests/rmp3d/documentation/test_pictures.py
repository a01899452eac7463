import numpy as np
import pytest
from PIL import Image

from rmp3d.documentation.pictures import write

RAMP = np.linspace(0, 255, 64).astype(np.uint8)
PIXELS = np.stack(np.broadcast_arrays(RAMP, RAMP[:, None], np.uint8(90)), axis=-1)


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_picture_of_the_pages_looks_as_it_was_drawn(tmp_path, suffix):
    file = tmp_path / f"a.{suffix}"
    write(PIXELS, file)
    with Image.open(file) as picture:
        found = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(found - PIXELS).mean() < 8


def test_a_picture_that_cannot_be_written_leaves_the_one_before(tmp_path, monkeypatch):
    file = tmp_path / "a.png"
    write(PIXELS, file)
    before = file.read_bytes()

    def fail(self, path, **options):
        path.write_bytes(b"half of a")
        raise OSError("no space left")

    monkeypatch.setattr(Image.Image, "save", fail)
    with pytest.raises(OSError, match="no space"):
        write(PIXELS, file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
