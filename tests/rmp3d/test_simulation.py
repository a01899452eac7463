"""Whole runs: they arrive, they are proved, they repeat to the byte."""

import hashlib

import numpy as np
import pytest

from rmp3d.models.loading import BUILTIN
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

CROSSING = """
[scene]
mesh = "walls.obj"
bounds = [[-10, -10, 0], [10, 10, 6]]
ground = { height = 0.0 }

[scene.regions]
west = { lower = [-9, -3, 0], upper = [-5, 3, 2] }
east = { lower = [5, -3, 0], upper = [9, 3, 2] }
south = { lower = [-3, -9, 0], upper = [3, -5, 2] }
north = { lower = [-3, 5, 0], upper = [3, 9, 2] }
below = { lower = [-9, -9, 1], upper = [-5, -5, 4] }
above = { lower = [5, 5, 1], upper = [9, 9, 4] }

[[groups]]
name = "eastward"
members = 4
start = "west"
goal = "east"
behavior = { name = "narrow_passages", formation = "arrow" }

[[groups]]
name = "northward"
members = 4
start = "south"
goal = "north"
behavior = { name = "self_guided" }

[[groups]]
name = "flyers"
character = "drone"
members = 3
start = "below"
goal = "above"
behavior = { name = "narrow_passages", formation = "line" }
"""


@pytest.fixture
def crossing(tmp_path):
    """Three groups, two on foot and one in the air, whose ways cross between two walls."""
    lines = []
    for k, y in enumerate((-4.0, 4.0)):
        corners = [(x, y + d, z) for x in (-8.0, -4.0) for d in (0.0, 0.2) for z in (0.0, 2.5)]
        lines += [f"v {x} {b} {z}" for x, b, z in corners]
        quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
        lines += ["f " + " ".join(str(v + 8 * k) for v in quad) for quad in quads]
    (tmp_path / "walls.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "crossing.toml").write_text(CROSSING)
    return str(tmp_path / "crossing.toml")


def proof_of(path):
    with RecordingReader.open(path) as recording:
        return verify(recording)


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["parking", "patio_house", "canyon"])
def test_built_in_scenarios_arrive_and_are_proved(scene, tmp_path):
    report = simulate(load(scene, members=5, seed=3), recording_path=tmp_path / "run.rmp3d")
    assert report.arrived == report.members == 5
    proof = proof_of(tmp_path / "run.rmp3d")
    assert proof.findings == ()
    assert proof.motions == 5 * (report.frames - 1)


def test_groups_on_foot_and_in_the_air_cross_without_touching(crossing, tmp_path):
    report = simulate(load(crossing), recording_path=tmp_path / "run.rmp3d")
    assert [group.arrived for group in report.groups] == [4, 4, 3]
    assert proof_of(tmp_path / "run.rmp3d").findings == ()
    assert report.min_clearance_members > 0.0


def test_the_parking_story_is_line_column_line(tmp_path):
    report = simulate(load("parking"), recording_path=tmp_path / "run.rmp3d")
    changes = report.groups[0].formation_changes
    assert [(change["from"], change["to"]) for change in changes] == [
        ("line", "column"),
        ("column", "line"),
    ]
    assert report.groups[0].formation_error_mean < 0.28, "half a body's width"
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        position = np.asarray(recording.position())
    corridor = np.abs(position[..., 0]) < 4.0
    assert np.abs(position[corridor][:, 1]).max() < 0.4, "in file inside the corridor"


@pytest.mark.slow
def test_same_seed_same_bytes_other_seed_other_bytes(crossing, tmp_path):
    digests = []
    for row, seed in enumerate((7, 7, 8)):
        path = tmp_path / f"{row}.rmp3d"
        simulate(load(crossing, ["simulation.duration=4.0"], seed=seed), recording_path=path)
        digests.append(hashlib.sha256(path.read_bytes()).hexdigest())
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_an_interrupted_run_keeps_what_it_has(crossing, tmp_path):
    def stop(done, total):
        if done == 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(load(crossing), recording_path=tmp_path / "run.rmp3d", progress=stop)
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        assert recording.frames == 61
        assert not recording.finished


def test_a_run_that_is_too_short_says_who_has_not_arrived(crossing, tmp_path):
    report = simulate(
        load(crossing, ["simulation.duration=1.0"]), recording_path=tmp_path / "run.rmp3d"
    )
    assert report.arrived == 0
    found = proof_of(tmp_path / "run.rmp3d").findings
    assert {finding.kind for finding in found} == {"not_arrived"}


CARS = """
[scene]
name = "plain"

[[groups]]
character = "car.toml"
members = 8
start = "west"
behavior = { name = "steering", behaviors = ["seek"], target = [40, 0, 0], heading = [1, 0, 0] }

[[groups]]
character = "car.toml"
members = 8
start = [-6, -10, 0]
behavior = { name = "steering", behaviors = ["seek"], target = [-6, 40, 0], heading = [0, 1, 0] }

[simulation]
duration = 12
"""


@pytest.mark.slow
def test_vehicles_that_meet_keep_to_turn_radius_brake_and_side_force(tmp_path):
    text = (BUILTIN / "pedestrian.toml").read_text()
    for file in ("pedestrian.glb", "pedestrian_body.glb"):
        text = text.replace(file, (BUILTIN / file).as_posix())
    text += "max_braking = 450.0\nmax_side_force = 120.0\nturn_radius = 1.2\n"
    (tmp_path / "car.toml").write_text(text)
    (tmp_path / "cars.toml").write_text(CARS)
    simulate(load(tmp_path / "cars.toml"), recording_path=tmp_path / "cars.rmp3d")
    assert proof_of(tmp_path / "cars.rmp3d").findings == ()


@pytest.mark.slow
def test_motorbikes_go_in_file_through_a_passage_that_their_round_body_is_too_wide_for(tmp_path):
    overrides = ["groups.0.character=motorbike", "simulation.duration=60.0"]
    report = simulate(
        load("parking", overrides, members=5, seed=3), recording_path=tmp_path / "bikes.rmp3d"
    )
    assert report.groups[0].arrived == 5
    assert proof_of(tmp_path / "bikes.rmp3d").findings == ()
