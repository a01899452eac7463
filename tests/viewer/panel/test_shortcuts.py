"""Keys pressed with Ctrl in the window with panel."""

from unittest.mock import MagicMock

import pytest

from rmp3d.viewer.panel.events import PanelEvents


@pytest.mark.parametrize(("key", "steps"), [("PLUS", 1), ("EQUAL", 1), ("MINUS", -1), ("_0", 0)])
def test_letters_grow_and_shrink_beside_the_panel_too(key, steps):
    events = PanelEvents.__new__(PanelEvents)
    events._state, events.wish = MagicMock(), MagicMock()
    events._shortcut(key, shift=False)
    events.wish.assert_called_once_with(steps)
