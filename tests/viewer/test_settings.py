"""What the window remembers: kept in the user's folder, and nothing hostile taken from there."""

import json

import pytest

from rmp3d.viewer.settings import MOST_RECENT, WindowSettings, read_settings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RMP3D_CONFIG", str(tmp_path))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_what_is_chosen_and_opened_is_there_the_next_time(folder):
    settings = read_settings()
    settings.language, settings.theme, settings.letters = "es", "light", 1.5
    for name in ("a.toml", "b.rmp3d", "a.toml"):
        settings.remember(str(folder / name))
    again = read_settings()
    assert again == settings
    assert again.recent == [str(folder / "a.toml"), str(folder / "b.rmp3d")]
    for number in range(2 * MOST_RECENT):
        again.remember(f"{number}.toml")
    assert len(read_settings().recent) == MOST_RECENT


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe not text",
        b"[" * 100_000,
        b"[1, 2]",
        b'{"language": 7, "theme": ["dark"], "recent": {"a": 1}}',
        b'{"letters": 1e9}',
        b'{"letters": [1.5]}',
        b'{"letters": "1.5"}',
        b'{"language": "../../x", "theme": "pink", "recent": "text"}',
        json.dumps({"recent": [1, None, "relative.toml", "/a\nb", "/" + 5000 * "x", "/\x1b[2J"]}),
        b"x" * 10_000_000,
    ],
)
def test_hostile_content_is_left_out(folder, content):
    (folder / "window.json").write_bytes(content.encode() if isinstance(content, str) else content)
    found = read_settings()
    assert (found.language, found.theme, found.recent) == ("en", "dark", [])
    assert found.letters == 1.0


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    settings = WindowSettings(path=tmp_path / "file" / "window.json")
    settings.remember("/a.toml")
    assert settings.recent == ["/a.toml"]


def test_it_is_in_the_folder_of_the_system_and_the_language_that_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("RMP3D_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "es_MX.UTF-8")
    found = read_settings()
    assert found.path == tmp_path / "rmp3d" / "window.json"
    assert found.language == "es"
