"""What recordings hold for the layers of the viewer, from runs of built-in scenarios."""

import numpy as np
import pytest

from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate


@pytest.fixture(scope="module")
def parking(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "parking.rmp3d"
    overrides = ["simulation.duration=4", "simulation.record_forces=true", "planner.nodes=150"]
    simulate(load("parking", overrides, members=4), recording_path=path)
    with RecordingReader.open(path) as recording:
        yield recording, playback(recording)


def test_the_roadmap_is_that_of_the_plan(parking):
    recording, seen = parking
    details = seen.details[0]
    assert len(details.nodes) >= 150
    assert details.edges.max() < len(details.nodes)
    for first, second in details.edges:
        assert details.component[first] == details.component[second]
    inside = recording.load_scene().bounds
    assert (details.nodes[:, :2] >= inside[0, :2]).all()
    assert (details.nodes[:, :2] <= inside[1, :2]).all()


def test_rejected_samples_are_drawn_again_and_are_no_nodes(parking):
    recording, seen = parking
    details = seen.details[0]
    rejected = details.rejected()
    assert len(rejected) > 0
    attempts = int(recording.header.plans[0]["attempts"][0])
    assert len(rejected) + len(details.nodes) <= attempts + 2  # start and goal were not drawn
    apart = np.linalg.norm(rejected[:, None, :2] - details.nodes[None, :, :2], axis=2)
    assert apart.min() > 1e-6


def test_slots_are_where_subgoals_settle(parking):
    _, seen = parking
    slot = seen.details[0].slots_at(3.0)
    subgoal = seen.subgoal[round(3.0 / seen.dt)]
    assert np.linalg.norm((slot - subgoal)[:, :2], axis=1).max() < 0.3
    room = seen.details[0].corridor
    assert set(room.names) >= {"line", "column"}
    assert room.formation.max() < len(room.names)


def test_forces_add_up_to_what_moved_the_members(parking):
    _, seen = parking
    assert seen.force_names == ("arrive", "separation", "look_ahead_avoidance")
    assert seen.force.shape == (seen.frame_count, 3, 4, 3)
    total = seen.force.sum(axis=1)[1:]
    step = np.diff(seen.position, axis=0) / seen.dt
    change = np.diff(step, axis=0, prepend=np.zeros((1, 4, 3)))
    early = slice(0, 6)  # all start from rest and nobody is near a limit of its turning
    along = np.einsum("tni,tni->tn", total[early], change[early])
    assert (along[np.linalg.norm(total[early], axis=2) > 20.0] > 0.0).all()


def test_without_being_asked_no_forces_are_recorded(world, tmp_path):
    from rmp3d.recording import RecordingWriter

    with RecordingWriter(tmp_path / "a.rmp3d", world.header(3)) as writer:
        writer.append(
            position=np.ones((3, 3)),
            orientation_wxyz=np.tile([1.0, 0, 0, 0], (3, 1)),
            subgoal=np.ones((3, 3)),
            formation_of=[1],
        )
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        assert recording.force() is None


def test_a_group_that_perceives_shows_how_far(tmp_path):
    path = tmp_path / "sheep.rmp3d"
    simulate(load("grazing", ["simulation.duration=0.2"]), recording_path=path)
    with RecordingReader.open(path) as recording:
        seen = playback(recording)
        sights = [details.sight for details in seen.details]
    assert all(sight is not None and sight.reach > 0.0 for sight in sights)
    assert seen.details[0].rejected().shape == (0, 3)
