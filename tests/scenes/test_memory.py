import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenes import memory
from rmp3d.scenes.meshes import read_mesh_file


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with 10 MiB of free memory, on which small files count as large."""
    stated = tmp_path / "meminfo"
    stated.write_text("MemTotal: 99999999 kB\nMemAvailable: 10240 kB\n")
    monkeypatch.setattr(memory, "MEMORY", stated)
    monkeypatch.setattr(memory, "LARGE", 1000)
    return stated


def obj(path, size):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    path.write_text(text + "#" * (size - len(text)))
    return path


def test_a_file_is_refused_before_it_takes_more_memory_than_there_is(tmp_path, machine):
    path = obj(tmp_path / "large.obj", 2 * 2**20)
    with pytest.raises(InputError, match=r"large.obj: reading it takes about 0.0 GiB .* free"):
        read_mesh_file(path)
    machine.write_text("MemAvailable: 99999999 kB\n")
    assert len(read_mesh_file(path).parts) == 1


def test_a_file_that_fits_or_of_unknown_cost_is_read(tmp_path, machine):
    assert len(read_mesh_file(obj(tmp_path / "small.obj", 2**19)).parts) == 1
    machine.write_text("nothing of the kind")
    assert memory.free_bytes() is None
    assert len(read_mesh_file(obj(tmp_path / "large.obj", 2 * 2**20)).parts) == 1
    machine.unlink()
    assert memory.free_bytes() is None
