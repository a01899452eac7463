"""A file is there under its name when it is whole, and the older one until then."""

import errno
import os
import re
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rmp3d.geometry import InputError, whole_file
from rmp3d.geometry.whole_file import UnfinishedFile, write_whole

posix = pytest.mark.skipif(whole_file.fcntl is None, reason="needs POSIX")


class FullError(OSError):
    def __init__(self):
        super().__init__(errno.ENOSPC, "No space left on device")


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_older_file_is_there_until_the_new_one_is_whole(target):
    with whole_file.whole_file(target) as file:
        file.write(b"newer")
        file.flush()
        assert target.read_text() == "older"
    assert target.read_text() == "newer"
    assert names(target.parent) == ["a.txt"]


@pytest.mark.parametrize("error", [FullError, KeyboardInterrupt, SystemExit, ZeroDivisionError])
def test_an_error_keeps_the_older_file_and_leaves_nothing_else(target, error):
    def write():
        with whole_file.whole_file(target) as file:
            file.write(b"new")
            raise error

    with pytest.raises((InputError, KeyboardInterrupt, SystemExit, ZeroDivisionError)):
        write()
    assert target.read_text() == "older"
    assert names(target.parent) == ["a.txt"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_does_not_reach_the_disk_does_not_replace_the_older_file(target, monkeypatch, call):
    def full(*_):
        raise FullError

    monkeypatch.setattr(os, call, full)
    with pytest.raises(InputError, match=r"a.txt: the map cannot be written \(No space left"):
        write_whole(target, "new", "the map")
    assert target.read_text() == "older"
    assert names(target.parent) == ["a.txt"]


@posix
def test_names_cannot_be_predicted_and_links_planted_beside_the_target_do_nothing(target):
    victim = target.with_name("victim")
    victim.write_text("precious")
    for planted in (".a.txt.part", "a.txt.part", f".a.txt.{'0' * 16}.part"):
        target.with_name(planted).symlink_to(victim)
    seen = set()
    for _ in range(4):
        unfinished = UnfinishedFile(target)
        seen.add(unfinished.path.name)
        unfinished.discard()
    assert len(seen) == 4
    write_whole(target, "new")
    assert (target.read_text(), victim.read_text()) == ("new", "precious")


@posix
def test_a_link_is_followed_and_stays(target):
    link = target.with_name("link.txt")
    link.symlink_to(target.name)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@posix
def test_the_mode_is_that_of_the_older_file_or_what_the_system_says(target):
    target.chmod(0o640)
    write_whole(target, "new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write_whole(target.with_name("b.txt"), "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.with_name("b.txt").stat().st_mode) == 0o640


def test_two_writers_to_one_name_both_succeed_and_one_wins(target):
    with whole_file.whole_file(target) as one, whole_file.whole_file(target) as other:
        one.write(b"one")
        other.write(b"other")
    assert target.read_text() == "one"
    assert names(target.parent) == ["a.txt"]


def test_many_writers_at_once_all_succeed(target):
    failures = []

    def write(number):
        try:
            for _ in range(20):
                write_whole(target, str(number) * 1000)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(set(target.read_text())) == 1
    assert names(target.parent) == ["a.txt"]


KILLED = """
import os, signal, sys
from pathlib import Path
from rmp3d.geometry.whole_file import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@posix
def test_what_a_killed_process_leaves_is_removed_by_the_next_writer(target):
    done = subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert target.read_text() == "older"
    assert len(names(target.parent)) == 2
    living = UnfinishedFile(target)  # of a writer that is still at work
    assert names(target.parent) == sorted(["a.txt", living.path.name])
    write_whole(target, "new")
    assert names(target.parent) == sorted(["a.txt", living.path.name])
    living.discard()
    assert names(target.parent) == ["a.txt"]


@posix
def test_a_pipe_and_a_device_get_everything(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"x" * 3_000_000)
    reader.join()
    assert got == [b"x" * 3_000_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_whole(Path(os.devnull), "nothing")
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_an_error():
    with pytest.raises(InputError, match=r"/dev/full: cannot be written \(No space left"):
        write_whole(Path("/dev/full"), "new")


WITHOUT_LOCKS = """
import os, sys
sys.modules["fcntl"] = None  # importing it fails, as on Windows
for name in ("O_NOFOLLOW", "O_CLOEXEC", "fchmod"):
    delattr(os, name)
from pathlib import Path
from rmp3d.geometry.whole_file import write_whole
write_whole(Path(sys.argv[1]), "new")
"""


def test_it_works_without_what_only_posix_has(target):
    command = [sys.executable, "-c", WITHOUT_LOCKS, str(target)]
    subprocess.run(command, check=True)
    assert target.read_text() == "new"
    assert names(target.parent) == ["a.txt"]


def test_without_locks_what_is_a_day_old_is_closed_and_then_removed(target, monkeypatch):
    old, young = (target.with_name(f".a.txt.{digit * 16}.part") for digit in "01")
    for path in (old, young):
        path.write_text("")
    os.utime(old, (0, 0))
    unlink, close, is_open = os.unlink, os.close, set()

    def opened(path, *arguments, **keywords):
        descriptor = real_open(path, *arguments, **keywords)
        is_open.add((descriptor, str(path)))
        return descriptor

    def closed(descriptor):
        is_open.difference_update({each for each in is_open if each[0] == descriptor})
        close(descriptor)

    def removed(path, *arguments, **keywords):
        if str(path) in {name for _, name in is_open}:  # as on Windows
            raise PermissionError(13, "the file is open")
        unlink(path, *arguments, **keywords)

    real_open = os.open
    monkeypatch.setattr(whole_file, "fcntl", None)
    for name, made in (("open", opened), ("close", closed), ("unlink", removed)):
        monkeypatch.setattr(os, name, made)
    write_whole(target, "new")
    assert names(target.parent) == [young.name, "a.txt"]


def test_a_folder_and_a_name_that_no_file_can_have_are_errors(tmp_path):
    with pytest.raises(InputError, match=r"cannot be written \(it is a folder"):
        write_whole(tmp_path, "new")
    with pytest.raises(InputError, match=r"a\\0b: cannot be written"):
        write_whole(tmp_path / "a\0b", "new")
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / "no" / "a", "new")
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / ("n" * 300), "new")
    write_whole(tmp_path / ("ö" * 120), "new")
    assert len(names(tmp_path)) == 1


OTHERS = (
    "geometry/whole_file.py",
    "rmp3d/documentation/",
    "rmp3d/terminal/streams.py",
    "scenes/build/",
)
"""The one place that writes files; what makes files of the repository itself; standard error."""
WRITES = re.compile(
    r"\.write_(text|bytes)\(|open\([^)]*[\"'][wxa]b?\+?[\"']|\.savefig\(path|\.save\(path\)$",
    re.MULTILINE,
)


def test_every_writer_writes_whole_files():
    root = Path(__file__).parents[2]
    found = []
    for package in ("geometry", "scenes", "models", "planner", "behaviors", "viewer", "rmp3d"):
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if not name.startswith(OTHERS) and WRITES.search(path.read_text(encoding="utf-8")):
                found.append(name)
    assert found == []


@posix
def test_an_interrupt_when_the_file_was_just_made_removes_it(target, monkeypatch):
    made = whole_file._made_and_locked

    def interrupted(path):
        found = made(path)
        signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(whole_file, "_made_and_locked", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, "new")
    assert names(target.parent) == ["a.txt"]
    assert target.read_text() == "older"
