"""Classes in one file of one's own: from Python, from the command line, and in the panel."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import tomli_w

import rmp3d as rp
from rmp3d import cli
from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS
from rmp3d.behaviors.vehicles import VEHICLES
from rmp3d.extensions import PREFIX, load_extension, loaded_extensions
from rmp3d.live.backend import LiveBackend
from rmp3d.models.loading import BUILTIN
from rmp3d.planner import SAMPLERS
from rmp3d.scenario import GroupTable
from rmp3d.viewer.export import EXPORTERS
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.forms import registries
from rmp3d.viewer.panel.protocol import Advance, Show, Shown, Started, StartRun, Stepped

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = {name: str(EXAMPLES / f"own_{name}.py")
       for name in ("behavior", "sampler", "formation", "vehicle", "exporter")}  # fmt: skip
TABLE = {
    "name": "own",
    "scene": {"name": "plain"},
    "groups": [{"name": "group 1", "members": 2, "start": "west", "goal": "east"}],
    "planner": {"nodes": 40},
    "simulation": {"duration": 0.5},
}
FLIGHT = {"start": [-25, -15, 10], "goal": [25, 15, 10]}


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """Load every file, as `--with` does; other tests find the registries as they were."""
    registries = (EXPORTERS, FORMATIONS, GROUP_BEHAVIORS, SAMPLERS, VEHICLES)
    before = [dict(registry._classes) for registry in registries]
    for path in OWN.values():
        load_extension(path)
    assert set(OWN.values()) <= set(loaded_extensions())
    yield
    for registry, classes in zip(registries, before, strict=True):
        registry._classes.clear()
        registry._classes.update(classes)
    for name in [name for name in sys.modules if name.startswith(PREFIX)]:
        del sys.modules[name]


def with_group(**keys):
    return {**TABLE, "groups": [{**TABLE["groups"][0], **keys}]}


def hovering_character(folder):
    """The file of a drone that moves as the example's vehicle does."""
    text = (BUILTIN / "drone.toml").read_text(encoding="utf-8")
    for file in BUILTIN.glob("drone*"):
        shutil.copy(file, folder)
    path = folder / "hoverer.toml"
    path.write_text(text.replace('kind = "flying"', 'kind = "hovering"'), encoding="utf-8")
    return path


def tables(folder):
    """A scenario's table for each of the example's classes that a run can use."""
    return {
        "behavior": with_group(behavior={"name": "relay", "delay": 0.2}),
        "formation": with_group(behavior={"name": "narrow_passages", "formation": "stairs"}),
        "sampler": {**TABLE, "planner": {"nodes": 40, "sampler": {"name": "low", "share": 0.3}}},
        "vehicle": {
            **with_group(character=str(hovering_character(folder)), **FLIGHT),
            "scene": {"name": "sky"},
        },
    }


@pytest.mark.parametrize("kind", ["behavior", "formation", "sampler", "vehicle"])
def test_the_panel_offers_and_runs_them(kind, tmp_path):
    names = {"behavior": "relay", "formation": "stairs", "sampler": "low"}
    if kind in names:
        assert names[kind] in registries()[kind]
    table = Draft(tables(tmp_path)[kind], GroupTable).copy()
    told = []
    backend = LiveBackend(told.append)
    for command in (Show(table), StartRun(table), Advance(10)):
        backend.handle(command)
    for report in (Shown, Started, Stepped):
        assert any(isinstance(each, report) for each in told), report
    (shown,) = [each for each in told if isinstance(each, Shown)]
    assert shown.problems == ()


@pytest.fixture
def run_of(tmp_path):
    """Run a table by the command line; return the recording."""

    def run(table, *arguments):
        file, out = tmp_path / "own.toml", tmp_path / "a.rmp3d"
        file.write_text(tomli_w.dumps(table), encoding="utf-8")
        assert cli.main(["run", str(file), *map(str, arguments), "-q", "-o", str(out)]) in (0, 1)
        return rp.Recording.open(out)

    return run


def test_the_command_line_runs_them(run_of, tmp_path):
    with run_of(TABLE, "--with", OWN["behavior"], "--behavior", "relay") as own:
        assert own.scenario.groups[0].behavior["name"] == "relay"
    with run_of(TABLE, "--with", OWN["formation"], "--formation", "stairs") as own:
        assert "stairs" in own.header.formations
    sampler = ["--with", OWN["sampler"], "--set", "planner.sampler=low"]
    with run_of(TABLE, *sampler) as own:
        assert own.scenario.planner.sampler == {"name": "low"}
    exported = ["export", str(tmp_path / "a.rmp3d"), str(tmp_path / "a.obj"), "-q"]
    assert cli.main([*exported, "--with", OWN["exporter"]]) == 0
    assert (tmp_path / "a.obj").read_text().startswith("o member 0\nv ")
    with run_of(tables(tmp_path)["vehicle"], "--with", OWN["vehicle"]) as own:
        assert own.frames == 16


@pytest.mark.parametrize(
    ("verb", "kind", "name"),
    [("behaviors", "behavior", "relay"), ("formations", "formation", "stairs"),
     ("samplers", "sampler", "low")],
)  # fmt: skip
def test_the_lists_show_them(verb, kind, name, capfd):
    assert cli.main([verb, "--with", OWN[kind], "--json"]) == 0
    assert name in {row["name"] for row in json.loads(capfd.readouterr().out)}


def test_a_vehicle_of_ones_own_moves_a_character_of_ones_own():
    drone = rp.Character(BUILTIN / "drone.glb", vehicle="hovering", name="saucer", max_speed=3.0)
    group = rp.Group(drone, 2, **FLIGHT)
    simulation = rp.Simulation("sky", group, nodes=40, duration=0.5)
    headings = [state.heading[0] for state in simulation]
    assert abs(headings[-1] @ headings[0]) < 0.9, "it spins"
