"""Plans of storeys."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from rmp3d.viewer.plots.storeys import (
    CLOSED,
    COLORS,
    MOST_LABELS,
    StoreyPlan,
    _contours,
    _labels,
    save_storeys,
)


@pytest.fixture
def bumps():
    """A floor with 400 hills: thousands of pieces of contours."""
    x, y = np.meshgrid(np.arange(200.0), np.arange(200.0), indexing="ij")
    height = np.sin(x * 0.2 * np.pi) * np.sin(y * 0.2 * np.pi) + 0.01 * x
    none = np.zeros((0, 2, 2))
    code = np.full(x.shape, -1)
    return StoreyPlan("", np.zeros(2), 1.0, code, height, none, (), (), {}, np.eye(2))


def test_only_the_longest_contours_are_labeled_with_their_height(bumps):
    axes = Figure().subplots()
    _contours(axes, bumps)
    assert 0 < len(axes.texts) <= MOST_LABELS
    for text in axes.texts:
        cell = np.clip(np.floor(np.array(text.xy) - 0.5).astype(int), 0, 198)
        around = bumps.height[cell[0] : cell[0] + 2, cell[1] : cell[1] + 2]
        # The text has one digit after the point.
        assert around.min() - 0.051 <= float(text.get_text()) <= around.max() + 0.051


def test_a_level_without_a_line_has_no_label(bumps):
    """Only every other cell is reached, so that no line can be drawn."""
    code = np.where(np.indices(bumps.code.shape).sum(axis=0) % 2 == 0, -1, -9)
    axes = Figure().subplots()
    _contours(axes, replace(bumps, code=code))
    assert not axes.texts


def test_long_and_narrow_storeys_make_no_tall_picture(bumps, tmp_path):
    narrow = replace(bumps, code=bumps.code[:, :20], height=bumps.height[:, :20])
    narrow = replace(narrow, extent=np.array([[0.0, 0.0], [200.0, 20.0]]))
    save_storeys(tmp_path / "map.png", [narrow, narrow], title="deck", dpi=40)
    with Image.open(tmp_path / "map.png") as picture:
        width, height = picture.size
    assert height < width


def test_names_are_within_the_panel_and_none_lies_on_another(bumps):
    """On 10 m of 20 points each, a name of 6 letters is 1.6 m long."""
    names = [(0.0, 5.0, "room_1"), (5.0, 5.0, "room_2"), (5.2, 5.0, "room_3"), (8.4, 5.0, "room_4")]
    extent = np.array([[0.0, 0.0], [10.0, 10.0]])
    boxes = {"start": np.array([[9.5, 4.5], [10.5, 5.5]])}
    plan = replace(bumps, names=names, boxes=boxes, extent=extent)
    told = {text: place for place, text, _ in _labels(plan, 20.0)}
    assert list(told) == ["start", "room_1", "room_2", "room_3", "room_4"]
    half = np.array([0.8, 0.3])
    boxes = [(place - half, place + half) for place in told.values()]
    for one, two in itertools.combinations(boxes, 2):
        assert (one[0] >= two[1]).any() or (one[1] <= two[0]).any()
    assert told["room_1"] == pytest.approx([0.81, 5.0])
    assert told["room_2"] == pytest.approx([5.0, 5.0])
    assert told["start"][0] < 9.5
    many = replace(plan, names=names * 9)
    assert 5 <= len(list(_labels(many, 20.0))) < 20, "those without room are left out"


def test_a_storey_of_which_nothing_is_reached_has_a_map(bumps, tmp_path):
    code = np.full((9, 9), CLOSED)
    closed = replace(bumps, code=code, height=np.zeros((9, 9)), extent=np.array([[0, 0], [9, 9]]))
    save_storeys(tmp_path / "map.png", [closed], title="under trees", dpi=40)
    with Image.open(tmp_path / "map.png") as picture:
        shades = {color for _, color in picture.convert("RGB").getcolors(10_000)}
    assert tuple(round(255 * share) for share in COLORS[CLOSED]) in shades
