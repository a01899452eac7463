"""A bridge that appears: members wait, go over it, and are never left standing in the air."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.scenes import PresenceDescription
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation
from rmp3d.simulation.moving import NeverOpenError
from rmp3d.verification import verify
from tests.rmp3d.test_changing_scenes import recorded, told


def quays(there=False, times=()):
    parts = {
        "west quay": box((0, 0, -1), (5, 4, 0)),
        "east quay": box((6.5, 0, -1), (11.5, 4, 0)),
        "bridge": box((5, 1, -0.2), (6.5, 3, 0)),
    }
    scene = rp.Scene.from_mesh(
        parts,
        roles=dict.fromkeys(parts, "ground"),
        regions={
            "west": rp.Box((2, 0.5, 0), (4, 3.5, 2)),
            "east": rp.Box((7.5, 0.5, 0), (11, 3.5, 2)),
        },
    )
    return scene.with_motions(presence=[PresenceDescription("bridge", list(times), there)])


@pytest.fixture(scope="module")
def run():
    """Two people; the bridge appears at 2 s, and is asked to go while they are on it."""
    group = rp.Group(members=2, start="west", goal="east", behavior="self_guided")
    asks = [
        rp.Change(time=t, part="bridge", there=there) for t, there in ((2.0, True), (3.5, False))
    ]
    settings = {"nodes": 30, "duration": 20.0, "linger": 0.0}
    simulation = Simulation(quays(), group, changes=asks, **settings)
    return simulation, list(simulation)


def test_members_wait_for_it_and_it_waits_until_they_are_over(run, tmp_path):
    simulation, frames = run
    went = [event.time for event in told(frames, "part") if event.text.endswith("goes")]
    over = [f.time for f in frames if ((f.position[:, 0] > 5.0) & (f.position[:, 0] < 6.5)).any()]
    assert min(over) > 2.0
    assert min(over) < 3.5 < max(over) < went[0]
    with recorded((simulation, frames), tmp_path / "a.rmp3d") as recording:
        report = verify(recording)
    assert report.ok, report.findings
    assert report.arrived == 2


def test_verify_finds_who_goes_over_a_bridge_that_is_not_there(run, tmp_path):
    with recorded(run, tmp_path / "a.rmp3d", clock=lambda time: np.zeros(1)) as recording:
        kinds = {finding.kind for finding in verify(recording).findings}
    assert kinds == {"off_ground"}


def test_a_bridge_that_is_there_for_too_short_a_time_is_refused():
    group = rp.Group(members=1, start="west", goal="east", behavior="self_guided")
    with pytest.raises(NeverOpenError, match=r"`bridge` .* leaves it free for 0\.5 s at most"):
        Simulation(quays(times=(1.0, 1.5)), group, nodes=30)


def floor_and_slab(times, there):
    parts = {"floor": box((0, 0, -0.3), (14, 6, 0)), "slab": box((5, 0, 0.001), (9, 6, 0.12))}
    scene = rp.Scene.from_mesh(parts, roles=dict.fromkeys(parts, "ground"))
    return scene.with_motions(presence=[PresenceDescription("slab", times, there)])


def test_the_floor_under_a_slab_that_goes_is_no_other_way():
    group = rp.Group(
        members=1, start=(2, 3, 0), goal=(12, 3, 0), behavior="self_guided", max_step=0.2
    )
    with pytest.raises(NeverOpenError, match=r"`slab` at .* under ground that goes is not walked"):
        Simulation(floor_and_slab([3.0], True), group, nodes=30)


def test_who_starts_while_ground_is_away_stands_on_what_is_there():
    scene = floor_and_slab([3.0], False)
    group = rp.Group(
        members=3, start=(2, 3, 0), goal=(12, 3, 0), behavior="self_guided", max_step=0.2
    )
    simulation = Simulation(scene, group, nodes=30, duration=0.2)
    heights = [frame.position[:, 2] for frame in simulation]
    np.testing.assert_allclose(heights, 0.0, atol=1e-9)
