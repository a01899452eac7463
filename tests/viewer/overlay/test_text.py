import numpy as np

from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import GlyphAtlas


def test_texel_zero_is_solid_and_letters_are_inked():
    atlas = GlyphAtlas(18)
    assert atlas.image[:2, :2].min() == 255
    left, top, right, bottom = atlas["A"].box
    assert atlas.image[top:bottom, left:right].max() > 200
    assert atlas[" "].advance > 0


def test_letters_do_not_share_texels():
    atlas = GlyphAtlas(24)
    used = np.zeros(atlas.image.shape, int)
    for letter in "ABCabc018[]gjy_~":
        left, top, right, bottom = atlas[letter].box
        used[top:bottom, left:right] += 1
    assert used.max() == 1


def test_new_letters_are_added_when_needed():
    atlas = GlyphAtlas(18)
    before = atlas.image
    assert atlas.width("abc") > 0
    assert atlas.image is before
    assert atlas.width("señor Łódź 日") > 0
    assert atlas.image is not before


def test_long_text_is_cut_to_its_room():
    atlas = GlyphAtlas(18)
    cut = atlas.fitted("a very long name of a group", 90.0)
    assert cut.endswith("…")
    assert atlas.width(cut) <= 90.0
    assert atlas.fitted("short", 90.0) == "short"


def test_text_is_aligned_and_inside_its_line():
    overlay = Overlay(GlyphAtlas(20))
    overlay.text("Hg", 100.0, 50.0, align=1.0)
    rows = overlay.rows()
    assert rows.shape == (12, 8)
    assert rows[:, 0].max() <= 101.0
    assert rows[:, 1].min() >= 50.0 - 1.0
    assert rows[:, 1].max() <= 71.0
