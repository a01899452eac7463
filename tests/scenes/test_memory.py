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


@pytest.fixture
def floor(tmp_path):
    """A scenario on a mesh of two triangles."""
    corners = "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3\nf 1 3 4\n"
    (tmp_path / "floor.obj").write_text(corners)
    scenario = tmp_path / "floor.toml"
    scenario.write_text(
        '[scene]\nmesh = "floor.obj"\n[[groups]]\ncharacter = "pedestrian"\n'
        "start = [2, 2, 0]\ngoal = [7, 7, 0]\n"
    )
    return scenario


STEPS = {
    "plan": ("rmp3d.simulation.plans.prepare", "planning"),
    "run": ("rmp3d.simulation.plans.prepare", "planning"),
    "inspect": ("rmp3d.inspection.proposal.proposed", "looking for storeys, rooms and doors"),
    "view": ("rmp3d.viewer.save_picture", "drawing"),
}


@pytest.mark.parametrize("verb", STEPS)
def test_what_a_large_scene_costs_is_said_before_it_is_paid(verb, floor, monkeypatch, capsys):
    def stop(*_, **__):
        raise InputError("here it begins")

    place, step = STEPS[verb]
    monkeypatch.setattr(place, stop)
    monkeypatch.setattr(memory, "MANY_TRIANGLES", 1)
    monkeypatch.setattr(memory, "SAID_FROM", 1)
    target = str(floor.with_suffix(".obj") if verb == "view" else floor)
    command = [verb, target, "--screenshot" if verb == "view" else "-o", f"{floor.parent}/out.png"]
    assert main(command) == 2
    said = capsys.readouterr().err
    places = [
        said.index(words)
        for words in ("floor.obj: reading ", f"2 triangles: {step} takes about", "here it begins")
    ]
    assert places == sorted(places)
    assert main([*command, "-q"]) == 2
    assert "takes about" not in capsys.readouterr().err


def test_what_planning_for_browsers_costs_is_said_first(floor, monkeypatch, capsys):
    def stop(*_, **__):
        raise InputError("here it begins")

    monkeypatch.setattr("rmp3d.live.web_run.WebRun", stop)
    monkeypatch.setattr(memory, "MANY_TRIANGLES", 1)
    monkeypatch.setattr(memory, "SAID_FROM", 1)
    assert main(["view", str(floor), "--web"]) == 2
    said = capsys.readouterr().err
    words = ("floor.obj: reading ", "2 triangles: planning takes about", "here it begins")
    places = [said.index(each) for each in words]
    assert places == sorted(places)


def test_what_small_scenes_cost_is_not_said(floor):
    mesh = floor.with_suffix(".obj")
    assert memory.reading_note([mesh, mesh.with_name("missing.obj")]) is None
    assert all(memory.cost_note(step, memory.MANY_TRIANGLES) is None for step in memory.COSTS)


def test_words_on_cost_grow_with_the_scene():
    said = [memory.cost_note("planning", count) for count in (5_000_000, 10_000_000)]
    assert said == [
        "5,000,000 triangles: planning takes about 25 s of a processor, 2.8 GiB",
        "10,000,000 triangles: planning takes about 50 s of a processor, 5.6 GiB",
    ]
