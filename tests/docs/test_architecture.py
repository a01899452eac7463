"""The page on the architecture shows the packages as they are."""

import re
from pathlib import Path

from scripts.packages_drawing import DRAWING, IDEAS, drawing, imports

PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_drawing_is_that_of_the_imports():
    assert DRAWING.read_text(encoding="utf-8") == drawing(), "run `make drawings`"


def test_arrows_lead_down_only():
    order = list(IDEAS)
    assert all(order.index(upper) < order.index(lower) for upper, lower in imports())


def test_the_table_has_every_package_with_a_file_to_open_first():
    rows = re.findall(r"^\| `(?:rmp3d\.)?(\w+)` \| .+ \| \[.+\]\(\.\./.+\.py\) \|$", PAGE, re.M)
    assert sorted(rows) == sorted(IDEAS)
