"""Texts that are wider than the panel are cut where they end in it."""

import pytest

from rmp3d.viewer.panel.named_fields import shortened


@pytest.mark.parametrize(("room", "shown"), [
    (30, "flee if wolf.distance < 12"), (26, "flee if wolf.distance < 12"),
    (25, "flee if wolf.distance ..."), (10, "flee if..."), (4, "f..."), (0, "..."),
])  # fmt: skip
def test_a_text_ends_where_the_room_ends(room, shown):
    assert shortened("flee if wolf.distance < 12", room, len) == shown
