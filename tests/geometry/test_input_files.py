"""Only regular files are read, up to a size; every other one is named, with the reason."""

import os
import socket
from pathlib import Path

import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.input_files import check_input, open_input, read_input


def test_a_file_up_to_the_limit_is_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_input(path, 5) == b"12345"
    check_input(path, 5)
    with pytest.raises(InputError, match="a: larger than 4 bytes, the limit for a file of this"):
        read_input(path, 4)


def test_a_link_to_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert read_input(tmp_path / "b", 9) == b"1"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and devices as files")
@pytest.mark.parametrize(
    ("kind", "words"),
    [("pipe", "a pipe"), ("folder", "a directory"), ("socket", "a socket"), ("zero", "a device")],
)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, monkeypatch, kind, words):
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    path = Path(kind)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "zero":
        path = Path("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        if kind == "socket":
            server.bind(kind)
        with pytest.raises(InputError, match=f"is {words}, not a file; only regular files"):
            read_input(path, 10)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none", "none: no such file"),
        ("a/b", "a/b: no such file"),
        ("a\0b", r"a\\x00b: not the name of a file"),
        ("a\nb\x1b[2J", r"a\\nb\\x1b\[2J: no such file"),
        ("x" * 5000, r"\.\.\.x+: cannot be read"),
        ("\udcff", r"\\udcff: no such file"),
    ],
)
def test_a_name_that_cannot_be_opened_is_named_on_one_short_line(tmp_path, name, words):
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(InputError, match=words) as error:
        read_input(tmp_path / name, 10)
    assert len(str(error.value)) < 500
    assert str(error.value).isprintable()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_named(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"1")
    path.chmod(0)
    with pytest.raises(InputError, match="a: cannot be read"):
        read_input(path, 10)


def test_an_error_while_reading_names_the_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"1")
    with pytest.raises(InputError, match=r"a: cannot be read \(broken disk\)"), open_input(path, 9):
        raise OSError(5, "broken disk")


def test_a_file_that_grows_while_it_is_read_stops_at_the_limit(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"1")
    if not Path("/proc/self/status").exists():
        pytest.skip("needs a file whose size is not known before")
    with pytest.raises(InputError, match="larger than 4 bytes"):
        read_input(Path("/proc/self/status"), 4)
