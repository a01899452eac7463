import os

import pytest

from rmp3d.errors import RecordingError
from rmp3d.geometry import whole_file
from rmp3d.recording import RecordingReader, disk


@pytest.fixture(params=["as_here", "without_posix"])
def system(request, monkeypatch):
    """This system, and one without the calls that only POSIX has."""
    if request.param == "without_posix":
        monkeypatch.setattr(disk, "fcntl", None)
        monkeypatch.setattr(whole_file, "fcntl", None)
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    return request.param


def test_room_is_asked_for_and_given_back(system, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"before")
    descriptor = os.open(path, os.O_RDWR)
    try:
        disk.reserve(descriptor, 100_000)
    finally:
        os.close(descriptor)
    assert path.read_bytes() == b"before"


def test_there_is_nothing_to_lock_before_there_is_a_file(system, tmp_path):
    assert disk.locked(tmp_path / "a") is None
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_refused_where_the_system_has_locks(system, tmp_path):
    (tmp_path / "a").touch()
    first = disk.locked(tmp_path / "a")
    try:
        if system == "as_here":
            with pytest.raises(RecordingError, match="another run is writing to it"):
                disk.locked(tmp_path / "a")
        else:
            assert disk.locked(tmp_path / "a") is None
    finally:
        if first is not None:
            os.close(first)


def test_a_recording_has_the_same_bytes_on_either_system(world, tmp_path, monkeypatch):
    rows = [[[0.1 * k, 0.0, 0.0]] for k in range(70)]
    usual = world.record(tmp_path / "a.rmp3d", rows).read_bytes()
    monkeypatch.setattr(disk, "fcntl", None)
    monkeypatch.setattr(whole_file, "fcntl", None)
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    other = world.record(tmp_path / "b.rmp3d", rows)
    assert other.read_bytes() == usual
    with RecordingReader.open(other) as recording:
        assert recording.frames == 70
