import pytest

from rmp3d import Group
from rmp3d.cli import main
from rmp3d.geometry.errors import InputError
from rmp3d.scenario import Scenario
from rmp3d.scenes import Scene, memory
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.simulation.planning import prepare


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


def test_planning_is_refused_before_it_takes_more_memory_than_there_is(machine, monkeypatch):
    scene = Scene.load("parking")
    scenario = Scenario(scene, Group("pedestrian", start="cars", goal="motorcycles"))
    monkeypatch.setattr(memory, "MANY_TRIANGLES", 100)
    monkeypatch.setattr(memory, "PLANNING_BYTES", 2**20)
    with pytest.raises(InputError, match=r"planning on [0-9,]+ triangles takes about .* GiB are"):
        prepare(scenario, scene, 0)
    machine.write_text("MemAvailable: 99999999 kB\n")
    assert prepare(scenario, scene, 0).space.grounded


def test_what_planning_costs_is_said_before_it_is_paid(monkeypatch, capsys, tmp_path):
    def stop(*_, **__):
        raise InputError("here planning begins")

    monkeypatch.setattr("rmp3d.simulation.plans.prepare", stop)
    monkeypatch.setattr(memory, "MANY_TRIANGLES", 1)
    corners = "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3\nf 1 3 4\n"
    (tmp_path / "floor.obj").write_text(corners)
    scenario = tmp_path / "floor.toml"
    scenario.write_text(
        '[scene]\nmesh = "floor.obj"\n[[groups]]\ncharacter = "pedestrian"\n'
        "start = [2, 2, 0]\ngoal = [7, 7, 0]\n"
    )
    for verb in ("plan", "run"):
        assert main([verb, str(scenario), "-o", str(tmp_path / "out")]) == 2
        said = capsys.readouterr().err
        assert said.index("2 triangles: planning takes") < said.index("here planning begins")
