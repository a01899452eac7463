"""Folders are looked through for a file: what fits is shown, what cannot be read is said."""

import os

import pytest

from rmp3d.viewer.panel.browsing import MOST_ENTRIES, Browser


@pytest.fixture
def folder(tmp_path):
    for name in ("b.toml", "a.rmp3d", "c.PLY", "notes.txt", ".hidden.toml"):
        (tmp_path / name).write_text("")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "d.toml").write_text("")
    return tmp_path


def names(browser):
    return [entry.text for entry in browser.entries]


def test_folders_come_first_and_files_are_filtered_by_kind(folder):
    browser = Browser(str(folder / "x.toml"), saving=False)
    assert names(browser) == ["inner/", "a.rmp3d", "b.toml", "c.PLY"]
    browser.show("scenarios")
    assert names(browser) == ["inner/", "b.toml"]
    browser.show("all files")
    assert "notes.txt" in names(browser)


def test_kept_views_are_not_among_what_can_be_opened(folder):
    for name in ("a.rmp3d.views.toml", "b.views.toml"):
        (folder / name).write_text("")
    browser = Browser(str(folder / "x.toml"), saving=False)
    assert names(browser) == ["inner/", "a.rmp3d", "b.toml", "c.PLY"]
    browser.show("scenarios")
    assert names(browser) == ["inner/", "b.toml"]
    browser.show("all files")
    assert {"a.rmp3d.views.toml", "b.views.toml"} <= set(names(browser))


def test_keys_go_into_folders_and_out_of_them_and_find_by_letters(folder):
    browser = Browser(str(folder / "x.toml"), saving=False)
    browser.move(1)
    assert browser.enter() == ""
    assert (browser.folder, names(browser)) == (folder / "inner", ["d.toml"])
    browser.up()
    assert browser.folder == folder
    assert browser.entries[browser.marked].name == "inner", "the way back is marked"
    browser.find("c")
    browser.find(".")
    assert browser.enter() == str(folder / "c.PLY")
    browser.move(100)
    assert browser.marked == 3
    browser.name = str(folder / "inner")
    assert browser.take() == ""
    assert browser.folder == folder / "inner"


def test_a_file_to_save_gets_the_suffix_of_a_scenario(folder):
    browser = Browser(str(folder / "new"), saving=True)
    assert browser.take() == str(folder / "new.toml")
    browser.mark(0)
    assert browser.name == "new", "a folder does not take the name's place"
    assert browser.enter() == ""
    assert browser.take() == str(folder / "inner" / "new.toml")


@pytest.mark.skipif(os.name == "nt", reason="names and rights of POSIX")
def test_what_cannot_be_read_is_said_and_strange_names_are_shown(folder, monkeypatch):
    (folder / "line\nbreak.toml").write_text("")
    os.symlink("nowhere", folder / "broken.toml")
    browser = Browser(str(folder / "gone" / "deep" / "x.toml"), saving=False)
    assert browser.folder == folder
    assert "line\\nbreak.toml" in names(browser)
    assert "broken.toml" in names(browser)

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    browser.read()
    assert (names(browser), "may not look" in browser.problem) == ([], True)
    browser.move(1)
    assert browser.enter() == ""


def test_a_folder_of_many_files_says_that_not_all_are_shown(folder, monkeypatch):
    monkeypatch.setattr("rmp3d.viewer.panel.browsing.MOST_ENTRIES", 3)
    browser = Browser(str(folder / "x.toml"), saving=False)
    assert "only 3 entries" in browser.problem
    assert len(browser.entries) <= 3 < MOST_ENTRIES
