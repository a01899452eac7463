"""What a page shows on a phone: charts as wide as it, and the rows of wide tables as cards."""

import re

import numpy as np
import pytest

from rmp3d.reporting.html_parts import html_page, html_table
from rmp3d.viewer.plots import charts

PHONE = 366
"""Pixels between the margins of a page of 390."""


def chart():
    station = np.linspace(0.0, 40.0, 41)
    free = np.full(41, 3.0)
    return charts.room_chart(
        station, free, -free, (station, free / 2, -free / 2),
        labels=[(0.0, "line, 1.2 m apart"), (1.5, "column, 1.2 m apart"), (39.0, "line, 1 m")],
    )  # fmt: skip


def smallest_letters(svg):
    """The least size of letters on a phone [px]."""
    units = float(re.search(r'viewBox="0 0 ([\d.]+) ', svg).group(1))
    sizes = re.findall(r"font-size: ([\d.]+)px", svg)
    assert sizes
    return min(map(float, sizes)) * PHONE / units


def test_the_chart_of_a_phone_has_letters_that_can_be_read_without_a_swipe():
    wide, narrow = re.findall(r"<svg.*?</svg>", chart(), re.DOTALL)
    assert 'class="wide"' in wide
    assert 'class="narrow"' in narrow
    assert smallest_letters(narrow) >= 10.0
    assert smallest_letters(wide) < 10.0  # so there have to be two


def test_names_in_both_drawings_of_a_chart_are_not_taken_for_each_other():
    wide, narrow = re.findall(r"<svg.*?</svg>", chart(), re.DOTALL)
    clips = [set(re.findall(r'clipPath id="(\w+)"', each)) for each in (wide, narrow)]
    assert all(clips)
    assert not clips[0] & clips[1]


def test_notes_in_a_chart_are_not_on_each_other():
    for svg in re.findall(r"<svg.*?</svg>", chart(), re.DOTALL):
        at = re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)">(?:line|column), ', svg)
        at = at or re.findall(r'<text[^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>(?:line|column), ', svg)
        assert len(at) == 3
        (x, y), (u, v), _ = [(float(a), float(b)) for a, b in at]
        assert abs(y - v) > 8.0 or abs(x - u) > 70.0


def test_each_cell_of_a_wide_table_says_its_column_on_a_phone():
    header = ("time [s]", "event", 'a "word"', "what happened")
    table = html_table(header, [[1.0, "jam", None, "x"]])
    assert 'class="cards"' in table
    assert "--c4: &quot;what happened&quot;" in table
    page = html_page("t", "", "", {"Events": table})
    for column in range(1, 11):
        assert f"td:nth-child({column})::before {{ content: var(--c{column}); }}" in page
    assert 'class="cards"' not in html_table(header[:3], [[1, 2, 3]])


@pytest.mark.parametrize(("width", "shown"), [(1.0, False), (30.0, True)])
def test_a_word_is_in_the_bar_of_a_formation_only_where_it_fits(width, shown):
    time = np.arange(0.0, 100.0)
    rows = np.where(np.abs(time - 50.0) <= width, 1, 0)[:, None]
    svg = charts.formation_chart(time, ["visitors"], ["line", "a very long formation"], rows)
    assert ("a very long formation" in svg) == shown
