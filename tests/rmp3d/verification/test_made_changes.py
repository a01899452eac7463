"""What a scenario's changes say is compared with who came, left, and what parts were asked."""

import numpy as np
import pytest

import rmp3d as rp
from benchmarks.faults import stranger_plants
from benchmarks.faults.planter import read_run, write_run
from benchmarks.faults.plants import KINDS, PLANTS
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import simulate
from rmp3d.verification import verify
from rmp3d.verification.blocks import blocks
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.pairs import PairCheck
from tests.rmp3d.conftest import write_obj

CHANGING = """\
[scene]
mesh = "yard.obj"
up = "z"
roles = { floor = "ground" }
bounds = [[0.0, 0.0, -1.0], [12.0, 12.0, 3.0]]

[[scene.presence]]
part = "post"

[scene.regions.west]
lower = [0.5, 4.0, -0.1]
upper = [3.0, 8.0, 2.0]

[scene.regions.all]
lower = [0.0, 0.0, -0.1]
upper = [12.0, 12.0, 2.0]

[[groups]]
name = "walkers"
members = 2
start = "west"

[groups.behavior]
name = "steering"
behaviors = ["wander", "separation"]

[[groups]]
name = "guard"
members = 1
start = [8.0, 10.0, 0.0]

[groups.behavior]
name = "steering"
behaviors = ["separation"]

[[changes]]
time = 0.5
part = "post"
there = false

[[changes]]
time = 1.0
group = "walkers"
add = "west"

[[changes]]
time = 1.5
group = "walkers"
remove = [0]

[[changes]]
time = 2.0
group = "guard"
remove = "all"

[simulation]
dt = 0.05
duration = 2.5
"""
WANDER = {"name": "steering", "behaviors": ["wander"]}
SUITING = [
    "nobody leaves though a change says so", "another one leaves than the change says",
    "nobody comes though a change says so", "one comes elsewhere than the change says",
    "a part is not asked what a change says", "a part is asked and goes a while early",
    "a part is asked by those that ask nothing", "arrives without a goal",
    "tells of one that has left",
]  # fmt: skip


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    folder = tmp_path_factory.mktemp("changing")
    parts = {"floor": box((0, 0, -0.2), (12, 12, 0)), "post": box((6, 6, 0.01), (6.2, 6.2, 1))}
    write_obj(folder / "yard.obj", parts)
    (folder / "changing.toml").write_text(CHANGING)
    simulate(load(str(folder / "changing.toml"), seed=1), recording_path=folder / "run.rmp3d")
    return read_run(folder / "run.rmp3d")


def findings(run, path):
    write_run(run, path)
    with RecordingReader.open(path) as recording:
        return verify(recording).findings


def test_changes_that_were_made_are_no_findings(clean, tmp_path):
    kinds = [event[1] for event in clean.events]
    assert (kinds.count("came"), kinds.count("left"), kinds.count("go")) == (1, 2, 1)
    assert findings(clean, tmp_path / "again.rmp3d") == ()


@pytest.mark.parametrize("fault", SUITING)
def test_what_was_not_done_as_said_is_found(clean, fault, tmp_path):
    planted = PLANTS[fault](clean, np.random.default_rng(3))
    assert planted is not None
    assert PLANTS[fault].__module__ == stranger_plants.__name__
    found = {each.kind for each in findings(planted, tmp_path / "planted.rmp3d")}
    assert found & set(KINDS[fault])


@pytest.mark.parametrize("time", [0.0, 0.5])
def test_who_comes_and_leaves_at_one_moment_is_no_finding(time, tmp_path):
    walkers = rp.Group(name="walkers", members=2, start="west", behavior=WANDER)
    changes = [
        rp.Change(time=time, group="walkers", add="west", count=3),
        rp.Change(time=time, group="walkers", remove="west"),
    ]
    scenario = rp.Scenario("plain", walkers, changes=changes, dt=0.05, duration=1.0)
    simulate(scenario, recording_path=tmp_path / "run.rmp3d")
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        assert sum(event.kind == "left" for event in recording.events()) == 5
        assert verify(recording).findings == ()


def test_who_comes_to_a_point_among_very_many_is_no_finding(tmp_path):
    walkers = rp.Group(name="walkers", members=1, start="west", behavior=WANDER)
    change = rp.Change(time=0.1, group="walkers", add=(0.0, 0.0, 0.0), count=200)
    scenario = rp.Scenario("plain", walkers, changes=[change], dt=0.1, duration=0.2)
    simulate(scenario, recording_path=tmp_path / "run.rmp3d")
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        assert sum(event.kind == "came" for event in recording.events()) == 200
        assert verify(recording).findings == ()


def test_members_that_are_not_there_are_compared_with_nobody(tmp_path):
    walkers = rp.Group(members=3, start="west", behavior=WANDER, reserve=400)
    rp.run(rp.Scenario("plain", walkers, duration=0.2), to=tmp_path / "a.rmp3d")
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        (walker,) = recording.load_characters()
        block = next(blocks(recording, (RigidMesh(walker.body.mesh, walker.body.capsule_axis),)))
        check = PairCheck(recording.dt)
        check.nearest = 100.0
        pairs = check._candidates(block, 0, block.motions)
    assert {tuple(sorted(pair)) for pair in pairs.tolist()} == {(0, 1), (0, 2), (1, 2)}
