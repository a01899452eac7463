import pytest

from rmp3d.viewer import texts
from rmp3d.viewer.player.controls import HELP


@pytest.mark.parametrize("language", [code for code in texts.LANGUAGES if code != texts.ENGLISH])
def test_help_names_the_keys_of_a_keyboard_in_its_language(language):
    known = texts.translations(language)
    shown = [known.get(keys, keys) for keys, _ in HELP]
    assert not [keys for keys in shown if "Shift" in keys or "Del" in keys.split()]
